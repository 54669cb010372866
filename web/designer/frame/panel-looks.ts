/** The looks of the panels at the side of the map. */
export const panelLooks = `
.designer .side .tabs { position: sticky; top: 0; z-index: 2; display: flex; gap: 2px; padding: 6px 8px 0; background: var(--surface); border-bottom: 1px solid var(--line); overflow-x: auto; scrollbar-width: none; }
.designer .side .tabs button { border-radius: 8px 8px 0 0; border-bottom: 2px solid transparent; padding: 6px 8px 8px; color: var(--muted); white-space: nowrap; font-size: 13px; outline-offset: -3px; }
.designer .side .tabs button[aria-selected="true"] { color: var(--text); font-weight: 600; border-bottom-color: var(--accent); }
.designer .badge { min-width: 18px; padding: 1px 5px; border-radius: 9px; background: var(--danger); color: var(--on-danger); font-size: 11px; font-weight: 700; line-height: 16px; text-align: center; }
.designer .panel { display: grid; gap: 12px; padding: 16px; grid-template-columns: minmax(0, 1fr); }
.designer .panel h2 { font-size: 16px; margin: 0; letter-spacing: -.005em; overflow-wrap: anywhere; }
.designer .panel h3, .designer .panel legend, .designer .panel summary { font-size: 13px; font-weight: 650; margin: 0; }
.designer .panel p { margin: 0; }
.designer .panel .note, .designer .panel .below, .designer .panel .empty { color: var(--muted); font-size: 13px; }
.designer .panel .problem { color: var(--danger); }
.designer .panel .good { color: var(--success-text); }
.designer .panel ul, .designer .panel ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 4px; }
.designer .panel details { border-top: 1px solid var(--line); padding-top: 12px; display: grid; gap: 10px; }
.designer .panel details[open] > summary { margin-bottom: 10px; }
.designer .panel details > * + * { margin-top: 10px; }
.designer .panel summary { cursor: pointer; min-height: 24px; border-radius: 6px; }
.designer .panel fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: grid; gap: 4px; }
.designer .panel legend { padding: 0; margin-bottom: 4px; }
.designer .panel .form, .designer .panel .group, .designer .panel .confirm, .designer .panel .tiers > * { display: grid; gap: 10px; }
.designer .panel .form, .designer .panel .confirm { padding: 10px 0 10px 12px; border-inline-start: 2px solid var(--line); }
.designer .panel .confirm { border-inline-start-color: var(--danger); }
.designer .panel .field { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); align-items: center; gap: 2px 10px; }
.designer .panel .field > label { overflow-wrap: anywhere; }
.designer .panel .field .below { grid-column: 2; }
.designer .panel .field .below:empty { display: none; }
.designer .panel .toggle { grid-template-columns: minmax(0, 1fr); }
.designer .panel .toggle .below { grid-column: 1; padding-inline-start: 28px; }
.designer .panel .toggle label, .designer .panel fieldset label { display: flex; align-items: center; gap: 8px; min-height: 26px; }
.designer .panel :is(input:not([type="checkbox"], [type="radio"], [type="color"]), select, textarea) { width: 100%; min-width: 0; min-height: 32px; padding: 4px 8px; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface); }
.designer .panel :is(input, select, textarea)[aria-invalid="true"] { border-color: var(--danger); outline-color: var(--danger); }
.designer .panel :is(input[type="checkbox"], input[type="radio"]) { width: 18px; height: 18px; margin: 3px; flex: none; accent-color: var(--accent); }
.designer .panel input[type="color"] { width: 40px; min-height: 32px; padding: 2px; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface); }
.designer .panel .number { display: flex; align-items: center; gap: 6px; }
.designer .panel .unit { color: var(--muted); flex: none; min-width: 2ch; }
.designer .panel .colour { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 6px; }
.designer .panel .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; }
.designer .panel .actions { display: flex; flex-wrap: wrap; gap: 6px; }
.designer .panel .actions button, .designer .panel .issues button, .designer .panel .brushes button { border-color: var(--edge); padding: 4px 12px; }
.designer .panel button.plain { border-color: transparent; color: var(--accent); }
.designer .panel button.danger { background: var(--danger); border-color: var(--danger); color: var(--on-danger); font-weight: 600; }
.designer .panel .category { display: flex; align-items: center; gap: 4px; }
.designer .panel .category .name { flex: 1; min-width: 0; justify-content: start; text-align: start; overflow-wrap: anywhere; }
.designer .panel .category .amount, .designer .panel .amount { color: var(--muted); font-variant-numeric: tabular-nums; white-space: nowrap; }
.designer .panel .swatch { width: 16px; height: 16px; }
.designer .panel .brushes { display: grid; gap: 6px; }
.designer .panel .brush { justify-content: start; text-align: start; }
.designer .panel .issues li { display: grid; gap: 6px; padding: 10px 12px; border: 1px solid var(--problem-line); border-radius: 10px; background: var(--problem-surface); color: var(--problem-text); overflow-wrap: anywhere; }
.designer .panel .issues button { justify-self: start; }
.designer .panel .clashes { color: var(--danger); }
.designer .panel .sample { font-variant-numeric: tabular-nums; font-weight: 600; padding: 8px 10px; border-radius: 8px; background: var(--ground); overflow-wrap: anywhere; }
`;
