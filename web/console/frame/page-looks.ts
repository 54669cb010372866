/** Looks of pages of tables and forms, on the screen and on paper. A view that has them imports this file. */
import { adopt } from './adopt.ts';

adopt(`
.page { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; }
.page p { margin: 0; }
.page h2 { margin: 8px 0 0; font-size: 1.15rem; overflow-wrap: anywhere; }
.page > section { display: grid; gap: 8px; min-width: 0; }
.page .wide { position: relative; overflow-x: auto; }
.page caption { text-align: start; padding-block: 4px; color: var(--muted); }
.page tfoot th, .page tfoot td { font-weight: 650; border-top: 2px solid var(--edge); }
.page meter { width: 80px; height: 10px; }
.figures { display: flex; flex-wrap: wrap; gap: 8px; margin: 0; }
.figures div { min-width: 110px; padding: 8px 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.figures dt { color: var(--muted); }
.figures dd { margin: 0; font-size: 1.3rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.tools { display: flex; flex-wrap: wrap; align-items: end; gap: 8px 12px; }
.tools label { display: grid; gap: 2px; }
.tools :is(input, select) { box-sizing: border-box; height: 36px; max-width: 100%; }
.tools a, a.button { display: inline-flex; align-items: center; min-height: 36px; padding: 0 12px; border: 1px solid var(--line); border-radius: 8px; color: inherit; text-decoration: none; background: var(--surface); box-sizing: border-box; }
.only-paper { display: none; }
@media print {
  .only-paper { display: block; }
  .bar, .tabs, .tools, .notices, .only-screen { display: none !important; }
  body { background: none; font-size: 12px; }
  #view { padding: 0; }
  table { break-inside: auto; }
  tr { break-inside: avoid; }
}
`);
