/** The looks of the tab of the sale. */
export const looks = `
.settings { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(280px, 100%), 1fr)); gap: 12px; margin-block: 12px; }
.setting { display: flex; flex-direction: column; gap: 8px; padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.setting :is(h3, p, ul) { margin: 0; }
.setting ul { padding: 0; list-style: none; font-weight: 600; }
.setting button { align-self: flex-start; margin-block-start: auto; }
.badge { display: inline-block; padding: 0 8px; border: 1px solid var(--edge); border-radius: 12px; white-space: nowrap; }
.badge:is([data-place="now"], [data-place="open"]) { border-color: var(--success-line); background: var(--success-surface); color: var(--success-text); }
.badge:is([data-place="sold_out"], [data-place="closed"], [data-place="hidden"]) { border-color: var(--warning-line); background: var(--warning-surface); color: var(--warning-text); }
.bound { display: grid; gap: 4px; margin: 0; border: 1px solid var(--line); border-radius: 8px; }
.preview { padding: 12px 16px; border: 1px solid var(--note-line); border-radius: 12px; background: var(--note-surface); color: var(--note-text); }
`;
