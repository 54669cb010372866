/** The looks of the tab of channels. */
export const looks = `
.channel-list { display: grid; gap: 4px; }
.channel-list button { display: grid; grid-template-columns: auto 1fr auto; gap: 8px; align-items: center; width: 100%; text-align: start; }
.channel-list small { color: var(--muted); }
.channel-list span:nth-child(2) { overflow-wrap: anywhere; }
.letter { display: inline-grid; place-items: center; min-width: 28px; height: 24px; padding: 0 2px; border: 2px solid var(--edge); border-radius: 6px; font-weight: 700; font-size: 13px; }
.channel-open { margin-block: 16px; padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.paint { display: grid; gap: 8px; }
.paint table { font-size: 14px; }
.paint td, .paint th { padding: 4px; }
.revealed { display: grid; gap: 12px; max-width: 720px; margin-block: 12px; padding: 16px; border: 2px solid var(--success-line); border-radius: 12px; background: var(--success-surface); color: var(--success-text); }
.revealed p { margin: 0; }
.revealed input, .revealed textarea { color: var(--text); }
`;
