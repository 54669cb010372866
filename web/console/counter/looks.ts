/** The looks of the counter, and of its receipt on paper. */
export const looks = `
.beside.counter { grid-template-columns: minmax(0, 1fr) minmax(280px, 440px); }
.counter aside { display: grid; gap: 12px; align-content: start; min-width: 0; }
.counter aside h2, .counter aside p { margin: 0; }
.counter .parts { display: flex; flex-wrap: wrap; gap: 4px 16px; }
.counter .parts a { color: inherit; padding: 4px 0; }
.counter .parts a[aria-current] { font-weight: 650; text-decoration: none; border-bottom: 2px solid var(--accent); }
.counter .buttons a { color: var(--accent); padding: 8px 0; }
.counter .fields { display: grid; gap: 10px; }
.counter .fields label, .counter aside > label, .counter form > label { display: grid; gap: 4px; }
.counter label.inline { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.counter input:not([type]), .counter input[type="text"], .counter .fields select, .counter .fields input:not([type="checkbox"]) { width: 100%; box-sizing: border-box; }
.counter input[type="number"] { width: 5.5em; box-sizing: border-box; }
.counter select { max-width: 100%; }
.counter fieldset { display: grid; gap: 8px; margin: 0; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; min-width: 0; }
.counter .area { display: flex; flex-wrap: wrap; gap: 8px; justify-content: space-between; }
.counter .choice { max-height: 40vh; overflow: auto; }
.counter .state { padding: 0 8px; border-radius: 6px; color: var(--warning-text); background: var(--warning-surface); }
.counter .countdown { padding: 8px 12px; border: 1px solid var(--note-line); border-radius: 8px; color: var(--note-text); background: var(--note-surface); font-variant-numeric: tabular-nums; }
.counter .countdown[data-short="true"] { border-color: var(--warning-line); color: var(--warning-text); background: var(--warning-surface); }
.counter [role="alert"]:not(:empty) { color: var(--danger); }
.counter details { border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; }
.counter summary { cursor: pointer; font-weight: 600; }
.counter details[open] summary { margin-block-end: 8px; }
.counter dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 12px; margin: 8px 0; }
.counter dt { color: var(--muted); }
.counter dd { margin: 0; overflow-wrap: anywhere; }
.counter .cards { display: grid; gap: 8px; }
.counter .card { display: grid; gap: 6px; padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.counter .card p { overflow-wrap: anywhere; }
.question .labels { display: flex; flex-wrap: wrap; gap: 4px 12px; max-height: 30vh; overflow: auto; }
.question .labels label { display: flex; align-items: center; gap: 4px; }
@media (max-width: 720px) { .beside.counter { grid-template-columns: minmax(0, 1fr); } .beside.counter .hall { height: 50vh; } }
@media print {
  body * { visibility: hidden; }
  .receipt, .receipt * { visibility: visible; }
  .hall, .bar, .event-head, .notices, .no-print, .parts { display: none !important; }
  .receipt { position: absolute; inset: 0 0 auto 0; color: #000; background: #fff; }
}
`;
