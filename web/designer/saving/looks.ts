/** The looks of the saving bar, its panels and dialogs, and the page without a chart. */
export const savingLooks = `
.cover { block-size: 100%; display: grid; place-content: center; justify-items: center; text-align: center; gap: 12px; padding: 24px; }
.cover h1 { font-size: 20px; margin: 0 0 8px; }
.cover p { margin: 0; max-inline-size: 48ch; }
.cover button { min-block-size: 36px; padding: 6px 18px; border: 1px solid; border-radius: 8px; font: inherit; cursor: pointer; }
.saving { display: flex; align-items: center; gap: 10px; }
.saving-state { font-size: 13px; color: var(--muted); white-space: nowrap; }
.saving-state::before { content: ""; display: inline-block; inline-size: 8px; block-size: 8px; border-radius: 50%; margin-inline-end: 7px; background: var(--success-text); }
.saving[data-state="dirty"] .saving-state::before, .saving[data-state="saving"] .saving-state::before { background: var(--muted); }
.saving:is([data-state="offline"], [data-state="conflict"]) .saving-state::before { background: var(--warning-edge); }
.saving:is([data-state="refused"], [data-state="ended"]) .saving-state::before { background: var(--danger); }
.saving[data-state="read-only"] .saving-state::before { display: none; }
.saving-panels { position: absolute; z-index: 5; inset-block-start: 64px; inset-inline-end: 372px; inline-size: min(340px, calc(100vw - 396px)); max-block-size: calc(100vh - 90px); overflow-y: auto; display: grid; gap: 10px; }
.saving-panel { background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); padding: 14px 16px; font-size: 14px; }
.saving-panel p { margin: 4px 0; }
.saving-panel button:not(.primary, .link), .saving-dialog button:not(.primary, .link) { border: 1px solid var(--edge); border-radius: 8px; }
.saving-panel ul, .saving-dialog ul { list-style: none; margin: 8px 0; padding: 0; display: grid; gap: 10px; }
.saving-panel small { color: var(--muted); }
.saving-panel .problem { color: var(--danger); }
.saving-panel.news ul { margin: 4px 0 10px; gap: 2px; }
.saving-panel.conflicts li { display: grid; gap: 4px; }
.saving-panel.conflicts li + li { border-block-start: 1px solid var(--line); padding-block-start: 10px; }
.saving-panel table { inline-size: 100%; border-collapse: collapse; table-layout: fixed; }
.saving-panel :is(th, td) { text-align: start; vertical-align: top; padding: 3px 6px; overflow-wrap: anywhere; font-size: 13px; }
.saving-panel :is(th, td):first-child { padding-inline-start: 0; }
.saving-panel tbody th { font-weight: 400; color: var(--muted); }
.saving-panel thead button { inline-size: 100%; }
.saving .saving-panel thead [aria-pressed="true"] { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
.saving-choices { display: flex; flex-wrap: wrap; gap: 8px; justify-content: flex-end; margin-block-start: 12px; }
.saving-issues button.link, .saving-panel button.link { text-align: start; }
.saving .saving-panel button.link { padding-inline: 0; margin-inline-end: 4px; }
button.link { border: 0; background: none; padding: 4px 0; min-block-size: 24px; color: var(--accent); text-decoration: underline; font: inherit; cursor: pointer; box-shadow: none; }
.saving-dialog { inline-size: min(560px, calc(100vw - 32px)); max-block-size: 84vh; overflow-y: auto; border: 1px solid var(--line); border-radius: var(--radius); padding: 22px 24px; background: var(--surface); color: var(--text); box-shadow: var(--shadow); }
.saving-dialog::backdrop { background: rgb(0 0 0 / .4); }
.saving-dialog h2 { font-size: 19px; margin: 0 0 10px; }
.saving-dialog h3 { font-size: 15px; margin: 16px 0 4px; }
.saving-dialog p { margin: 4px 0; }
.saving-dialog small { color: var(--muted); }
.publish-taken { color: var(--danger); }
.saving-dialog.export li { display: grid; grid-template-columns: 140px minmax(0, 1fr); gap: 4px 14px; align-items: center; }
.saving .saving-export { border-color: var(--line); }
@media (forced-colors: active) { .saving-panel, .saving-dialog { border: 1px solid; } .saving-panel [aria-pressed="true"] { outline: 2px solid Highlight; } }
`;
