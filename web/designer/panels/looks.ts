/** The looks of the panels. Colours and sizes of buttons are those of the designer's page. */
export const panelLooks = `
.designer .panels { display: flex; flex-direction: column; gap: 14px; padding: 12px 14px 28px; }
.designer .switch { display: flex; gap: 2px; padding: 3px; border-radius: 10px; background: var(--ground); border: 1px solid var(--line); }
.designer .switch button { flex: 1 1 auto; min-height: 28px; padding: 2px 6px; font-size: 13px; border-radius: 7px; color: var(--muted); gap: 4px; }
.designer .switch button[aria-selected="true"] { background: var(--surface); color: var(--text); font-weight: 600; box-shadow: 0 1px 2px rgb(0 0 0 / .14); }
.designer .badge { min-width: 18px; padding: 0 5px; border-radius: 9px; font-size: 11px; line-height: 18px; font-weight: 650; background: var(--danger); color: var(--on-danger); }
.designer .panel { display: grid; gap: 12px; align-content: start; }
.designer .panel h3 { margin: 4px 0 0; font-size: 15px; font-weight: 650; overflow-wrap: anywhere; }
.designer .panel h3:not(:first-child) { margin-top: 10px; padding-top: 14px; border-top: 1px solid var(--line); }
.designer .panel p { margin: 0; }
.designer .panel :is(ul, ol) { list-style: none; margin: 0; padding: 0; display: grid; gap: 6px; }
.designer .panel .note, .designer .panel .empty, .designer .panel .below { color: var(--muted); font-size: 12.5px; }
.designer .panel .problem { color: var(--danger); font-size: 13px; }
.designer .panel .good { color: var(--success-text); background: var(--success-surface); border: 1px solid var(--success-line); border-radius: 10px; padding: 10px 12px; }
.designer .panel .sample { font-variant-numeric: tabular-nums; color: var(--muted); background: var(--ground); border-radius: 8px; padding: 6px 10px; overflow-wrap: anywhere; }
.designer .field { display: grid; grid-template-columns: 116px minmax(0, 1fr); gap: 2px 10px; align-items: center; }
.designer .field > label { font-size: 13px; color: var(--muted); overflow-wrap: anywhere; }
.designer .field > :is(.below, .clashes) { grid-column: 1 / -1; }
.designer .field > .below:empty { display: none; }
.designer .field > .below { display: block; line-height: 1.35; }
.designer .field :is(input, select) { width: 100%; min-width: 0; min-height: 32px; padding: 3px 9px; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface); color: var(--text); }
.designer .field input::placeholder { color: var(--muted); opacity: 1; }
.designer .field [aria-invalid="true"] { border-color: var(--danger); box-shadow: 0 0 0 1px var(--danger); }
.designer .field :is(input, select):disabled { background: var(--ground); color: var(--muted); border-color: var(--line); }
.designer .field.toggle { grid-template-columns: minmax(0, 1fr); }
.designer .field.toggle label { display: flex; align-items: center; gap: 10px; min-height: 28px; color: var(--text); font-size: 13.5px; }
.designer .field.toggle input { width: 18px; height: 18px; min-height: 0; flex: none; margin: 0; accent-color: var(--accent); }
.designer .field.toggle .below { padding-inline-start: 28px; }
.designer .panel .file { display: grid; gap: 4px; font-size: 13px; color: var(--muted); }
.designer .colour { display: grid; grid-template-columns: minmax(0, 1fr) 40px; gap: 8px; align-items: start; }
.designer .colour > input { order: 1; width: 40px; height: 32px; padding: 2px; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface); cursor: pointer; }
.designer .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
.designer .pair .field { grid-template-columns: minmax(0, 1fr); }
.designer .panel fieldset { margin: 0; padding: 10px 12px 12px; border: 1px solid var(--line); border-radius: 10px; display: grid; gap: 8px; min-width: 0; }
.designer .panel fieldset > .field.toggle + .field.toggle { margin-top: -6px; }
.designer .panel legend { padding: 0 6px; font-size: 13px; font-weight: 600; }
.designer .panel .group { border-top: 1px solid var(--line); padding-top: 4px; }
.designer .panel summary { min-height: 32px; display: flex; align-items: center; gap: 6px; font-weight: 600; cursor: pointer; border-radius: 8px; list-style: none; }
.designer .panel summary::-webkit-details-marker { display: none; }
.designer .panel summary::before { content: "▸"; color: var(--muted); font-size: 12px; transition: rotate .12s; }
.designer .panel [open] > summary::before { rotate: 90deg; }
.designer .panel details > :is(.field, .actions, .note, .sample, .clashes, .problem) { margin-block: 8px; }
.designer .panel details > .field.toggle { margin-block: 2px; }
.designer .panel .group .group { border: 0; padding: 0; }
.designer .panel .actions { display: flex; flex-wrap: wrap; gap: 6px; }
.designer .panel button:not(.plain, .name) { border-color: var(--line); }
.designer .panel button.primary { border-color: var(--accent); }
.designer .panel button.danger { background: var(--danger); color: var(--on-danger); border-color: var(--danger); }
.designer .panel button.plain { color: var(--accent); padding: 2px 4px; min-height: 26px; text-decoration: underline; text-underline-offset: 3px; }
.designer .clashes li { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; padding: 6px 10px; border-radius: 8px; background: var(--problem-surface); border: 1px solid var(--problem-line); }
.designer .clashes .problem { color: var(--problem-text); }
.designer .clashes button.plain { color: var(--problem-text); }
.designer .category { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; gap: 6px; align-items: center; }
.designer .category .name { display: grid; grid-template-columns: 16px minmax(0, 1fr) auto; gap: 10px; text-align: start; justify-content: stretch; min-height: 40px; }
.designer .category .name b { font-weight: 600; overflow-wrap: anywhere; }
.designer .category .name span { font-size: 12.5px; color: var(--muted); font-variant-numeric: tabular-nums; }
.designer .category .name[aria-expanded="true"] { background: var(--ground); }
.designer .swatch { width: 16px; height: 16px; }
.designer .forms { gap: 10px; }
.designer .forms .form { margin: 0; }
.designer .form { display: grid; gap: 10px; margin: 6px 0 12px; padding: 12px; border: 1px solid var(--line); border-radius: 12px; }
.designer .tiers { gap: 14px; }
.designer .tiers > li { display: grid; gap: 8px; }
.designer .tiers > li + li { border-top: 1px solid var(--line); padding-top: 12px; }
.designer .confirm { display: grid; gap: 8px; padding: 10px; border-radius: 10px; background: var(--warning-surface); border: 1px solid var(--warning-line); color: var(--warning-text); }
.designer .confirm .field > label { color: inherit; }
.designer .brushes li { display: grid; grid-template-columns: minmax(0, 1fr) auto auto auto; gap: 6px; align-items: center; font-size: 13.5px; }
.designer .category span.name { align-items: center; padding: 4px 8px; }
.designer .tier-places { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; gap: 6px; align-items: center; font-size: 13.5px; font-variant-numeric: tabular-nums; }
.designer :is(.brushes, .category) .amount { color: var(--muted); font-variant-numeric: tabular-nums; }
.designer .panel button.brush { min-height: 28px; padding: 2px 10px; font-size: 12.5px; }
.designer .panel button.brush[aria-pressed="true"] { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
.designer .issues li { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; padding: 8px 10px; border: 1px solid var(--line); border-radius: 10px; overflow-wrap: anywhere; font-size: 13px; }
.designer .issues code { color: var(--muted); font-size: 12px; }
@media (forced-colors: active) { .designer .switch [aria-selected="true"], .designer .panel .brush[aria-pressed="true"] { outline: 2px solid Highlight; } }
`;
