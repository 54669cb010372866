/** The looks of the list of events and of the card of one event. */
export const looks = `
.events-table { min-width: 0; }
.events-table td:first-child { min-width: 140px; overflow-wrap: anywhere; }
.events-table .number { white-space: nowrap; }
.list-beside { display: grid; gap: 16px; align-items: start; grid-template-columns: minmax(0, 1fr) minmax(280px, 380px); }
.list-beside > .event-card { order: 2; }
.event-card { padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); overflow-wrap: anywhere; }
.event-card header { display: flex; justify-content: space-between; gap: 8px; }
.event-card h2 { margin: 0; }
.event-card h2:focus { outline: none; }
.moves { list-style: none; margin: 16px 0 0; padding: 0; display: grid; gap: 12px; }
.moves li { display: grid; gap: 4px; justify-items: start; }
@media (max-width: 900px) {
  .list-beside { grid-template-columns: minmax(0, 1fr); }
  .list-beside > .event-card { order: 0; }
}
`;
