/** The looks of the list of charts, of a new chart and of an import. */
export const looks = `
.charts { list-style: none; margin: 0; padding: 0; display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); }
.chart-card { display: grid; gap: 8px; align-content: start; padding: 12px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); overflow-wrap: anywhere; }
.chart-card :is(h2, p) { margin: 0; }
.chart-card h2 { font-size: 1.1em; }
.chart-picture { width: 100%; height: 160px; border-radius: 8px; background: var(--ground); }
.chart-card[data-state="archived"] .chart-picture { opacity: .6; }
.chart-card summary { cursor: pointer; min-height: 24px; }
.chart-card details p { margin-top: 8px; }
.state[data-state="changed"] { border-color: var(--warning-line); background: var(--warning-surface); color: var(--warning-text); }
.import-counts { display: flex; flex-wrap: wrap; gap: 8px 24px; margin: 0; }
.import-counts div { display: grid; }
.import-counts dt { color: var(--muted); font-size: .9em; }
.import-counts dd { margin: 0; font-size: 1.2em; font-variant-numeric: tabular-nums; }
`;
