/** The looks of the start panel. Colours are those of the page. */
export const startLooks = `
.start { position: absolute; z-index: 3; inset: 12px; margin: auto; inline-size: min(860px, 100% - 24px); block-size: fit-content; max-block-size: calc(100% - 24px); overflow-y: auto; padding: 20px 22px; background: var(--surface); border: 1px solid var(--line); border-radius: 16px; box-shadow: var(--shadow); }
.start h2 { font-size: 19px; font-weight: 650; margin: 0 0 12px; }
.start p { margin: 6px 0; }
.start small { color: var(--muted); font-size: 12.5px; font-weight: 400; }
.start .problem { color: var(--danger); }
.start-offers { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(176px, 1fr)); gap: 12px; }
.designer .start-card { inline-size: 100%; block-size: 100%; display: grid; justify-items: start; justify-content: stretch; gap: 2px; padding: 10px; border-color: var(--line); border-radius: 12px; text-align: start; }
.designer .start-card:hover { border-color: var(--accent); }
.start canvas { display: block; inline-size: 100%; block-size: 112px; margin-block-end: 6px; border-radius: 8px; background: var(--ground); }
.start-leave { display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: 8px; color: var(--muted); }
.designer .start :is(.start-leave, .saving-choices) button:not(.primary) { border-color: var(--edge); color: var(--text); }
.start-sizes { display: grid; grid-template-columns: minmax(220px, 300px) minmax(0, 1fr); gap: 22px; align-items: start; }
.start-sizes label { display: grid; gap: 4px; margin-block: 10px; font-weight: 600; }
.start-sizes label span { display: flex; justify-content: space-between; gap: 8px; align-items: baseline; }
.start-sizes input { min-block-size: 34px; padding: 3px 9px; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface); }
.start-sizes canvas { block-size: min(340px, 44vh); margin: 0; }
@media (max-width: 1000px) { .start-sizes { grid-template-columns: minmax(0, 1fr); } .start-sizes canvas { block-size: 160px; } }
`;
