/** The looks of the map, its tools, and the list of its places. */
export const looks = `
.hall-pane { display: grid; gap: 8px; min-width: 0; align-content: start; }
.hall-bar { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; }
.hall-bar [role="group"] { display: flex; flex-wrap: wrap; gap: 4px; }
.hall:is([data-tool="box"], [data-tool="loop"]) { touch-action: none !important; cursor: crosshair; }
.hall-line { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
.hall-line polygon { fill: var(--accent); fill-opacity: .14; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; }
.place-list { border: 1px solid var(--line); border-radius: 12px; padding: 8px 12px; background: var(--surface); min-width: 0; }
.place-list summary { cursor: pointer; min-height: 28px; }
.place-list ul { list-style: none; margin: 4px 0 0; padding: 0; display: grid; gap: 4px; }
.place-list li { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; }
.place-list li > ul { flex-basis: 100%; padding-inline-start: 16px; }
.place-list .opener { flex: 1; display: flex; flex-wrap: wrap; gap: 2px 12px; justify-content: space-between; text-align: start; }
.place-list ul.seats { display: flex; flex-wrap: wrap; gap: 4px; }
.seat { min-width: 36px; padding: 4px 6px; }
.seat[data-status="booked"], .seat[data-status="blocked"], .seat[data-status="not_for_sale"] { color: var(--muted); background: var(--ground); }
.seat[data-status="held"] { border-style: dashed; border-color: var(--edge); }
.seat[aria-pressed="true"] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); color: var(--accent); }
`;
