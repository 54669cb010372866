/** The looks of the bookings beside the map. */
export const looks = `
.beside.bookings { grid-template-columns: minmax(0, 1fr) minmax(280px, 520px); }
.bookings aside { display: grid; gap: 12px; align-content: start; min-width: 0; }
.bookings aside :is(h2, h3, p) { margin: 0; }
.bookings aside a { color: var(--accent); }
.bookings h2 { overflow-wrap: anywhere; }
.bookings .filters { display: flex; flex-wrap: wrap; gap: 8px; }
.bookings .filters input { flex: 1 1 160px; min-width: 0; }
.bookings .card { display: grid; gap: 8px; padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.bookings aside li.card { display: grid; gap: 4px; }
.bookings .fields { display: grid; gap: 10px; }
.bookings .fields label { display: grid; gap: 4px; }
.bookings label.inline, .bookings .labels label { display: flex; align-items: center; gap: 8px; }
.bookings .labels { display: flex; flex-wrap: wrap; gap: 4px 12px; max-height: 30vh; overflow: auto; margin: 0; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; min-width: 0; }
.bookings .fields :is(input:not([type="checkbox"]), select) { width: 100%; box-sizing: border-box; }
.bookings [role="alert"]:not(:empty) { color: var(--danger); }
.bookings dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 12px; margin: 0; }
.bookings dt { color: var(--muted); }
.bookings dd { margin: 0; overflow-wrap: anywhere; }
.bookings .state { padding: 0 8px; border-radius: 6px; color: var(--warning-text); background: var(--warning-surface); }
.bookings .history { display: grid; gap: 8px; margin: 8px 0 0; padding-inline-start: 20px; overflow-wrap: anywhere; }
.bookings td { overflow-wrap: anywhere; }
.bookings td input[type="checkbox"] { min-height: 24px; min-width: 24px; vertical-align: middle; }
@media (max-width: 720px) { .beside.bookings { grid-template-columns: minmax(0, 1fr); } .beside.bookings .hall { height: 50vh; } }
`;
