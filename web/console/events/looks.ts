/** The looks of the list of events, and of the page of a new event. */
export const looks = `
a.button { display: inline-flex; align-items: center; min-height: 36px; box-sizing: border-box; padding: 4px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: inherit; text-decoration: none; }
a.button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; }
.buttons.start { justify-content: flex-start; }
.list-head { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; margin-bottom: 12px; }
.list-head h1 { margin: 0; }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: 8px 12px; }
.filters label { display: grid; gap: 2px; flex: 0 1 auto; min-width: 0; font-size: .9em; }
.filters .wide { flex: 1 1 220px; }
.filters :is(input, select) { box-sizing: border-box; height: 38px; min-width: 0; max-width: 100%; }
.list-told { margin: 12px 0; }
.events-table { min-width: 0; }
.events-table td:first-child { min-width: 140px; overflow-wrap: anywhere; }
.events-table .number { white-space: nowrap; }
.state { display: inline-block; padding: 0 8px; border: 1px solid var(--line); border-radius: 999px; white-space: nowrap; }
.state[data-state="on_sale"] { border-color: var(--success-line); background: var(--success-surface); color: var(--success-text); }
.state[data-state="paused"] { border-color: var(--warning-line); background: var(--warning-surface); color: var(--warning-text); }
.list-beside { display: grid; gap: 16px; align-items: start; grid-template-columns: minmax(0, 1fr) minmax(280px, 380px); }
.list-beside > .event-card { order: 2; }
.event-card { padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); overflow-wrap: anywhere; }
.event-card header { display: flex; justify-content: space-between; gap: 8px; }
.event-card h2 { margin: 0; }
.event-card h2:focus { outline: none; }
.moves { list-style: none; margin: 16px 0 0; padding: 0; display: grid; gap: 12px; }
.moves li { display: grid; gap: 4px; justify-items: start; }
.check { display: flex; align-items: baseline; gap: 8px; }
.question label.check { display: flex; }
.check input { min-height: 0; flex: none; }
.new-event { display: grid; gap: 16px; max-width: 720px; }
.new-event fieldset { display: grid; gap: 12px; min-width: 0; margin: 0; padding: 12px 16px 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.new-event legend { padding: 0 4px; font-weight: 600; }
.new-event :is(input, select) { min-width: 0; max-width: 100%; box-sizing: border-box; }
.new-event .field { display: grid; gap: 4px; }
.new-event .fault { color: var(--danger); font-weight: 400; }
.new-event a.button[aria-current] { border-color: var(--accent); color: var(--accent); }
.new-event > p, .new-event fieldset p { margin: 0; }
.sizes { display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(160px, 1fr)); }
.sizes:empty { display: none; }
.small-picture { width: 100%; height: 220px; border-radius: 8px; background: var(--ground); }
.note { margin: 0; padding: 8px 12px; border: 1px solid var(--note-line); border-radius: 8px; background: var(--note-surface); color: var(--note-text); }
.note[data-mode="live"] { border-color: var(--warning-line); background: var(--warning-surface); color: var(--warning-text); }
@media (max-width: 900px) {
  .list-beside { grid-template-columns: minmax(0, 1fr); }
  .list-beside > .event-card { order: 0; }
}
`;
