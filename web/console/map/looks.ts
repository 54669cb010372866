/** The looks of the panel beside the map. */
export const looks = `
.told { margin: 0 0 8px; }
.map-side { display: grid; gap: 16px; align-content: start; min-width: 0; }
.map-side h2 { margin: 0 0 4px; font-size: 1.1rem; }
.map-side h3 { margin: 8px 0 4px; font-size: 1rem; }
.map-side p { margin: 0 0 8px; }
.map-side summary { cursor: pointer; min-height: 28px; }
.map-side form { display: grid; gap: 8px; margin-block-end: 8px; }
.map-side :is(input, select, textarea) { width: 100%; box-sizing: border-box; }
.question ul { margin: 0; padding-inline-start: 20px; }
.choices { display: flex; flex-wrap: wrap; gap: 4px; }
.map-side .counts { display: flex !important; flex-wrap: wrap; gap: 4px 16px !important; margin-block-end: 8px !important; }
.map-side .counts strong { font-variant-numeric: tabular-nums; }
.chosen-list { max-height: 280px; overflow: auto; }
.refused { border: 1px solid var(--problem-line); border-radius: 10px; padding: 8px 12px; margin-block-end: 8px; background: var(--problem-surface); color: var(--problem-text); }
.refused p { overflow-wrap: anywhere; }
.seat-card { border: 1px solid var(--line); border-radius: 12px; padding: 12px; background: var(--surface); }
.seat-card dl { display: grid; gap: 4px; margin: 0; }
.seat-card dl div { display: grid; grid-template-columns: minmax(90px, 2fr) 3fr; gap: 8px; }
.seat-card dt { color: var(--muted); }
.seat-card dd { margin: 0; overflow-wrap: anywhere; }
.map-side .history { margin: 0; padding-inline-start: 20px; }
.found ul { max-height: 240px; overflow: auto; }
.found button { text-align: start; }
`;
