/** Looks of pages of lists, tables and forms, on the screen and on paper. A view that has them imports this file. */
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
.buttons.start { justify-content: flex-start; }
.list-head { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; margin-bottom: 12px; }
.list-head h1 { margin: 0; }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: 8px 12px; }
.filters label { display: grid; gap: 2px; flex: 0 1 auto; min-width: 0; font-size: .9em; }
.filters .wide { flex: 1 1 220px; }
.filters :is(input, select) { box-sizing: border-box; height: 38px; min-width: 0; max-width: 100%; }
.list-told { margin: 12px 0; }
.state { display: inline-block; padding: 0 8px; border: 1px solid var(--line); border-radius: 999px; white-space: nowrap; }
.state[data-state="on_sale"] { border-color: var(--success-line); background: var(--success-surface); color: var(--success-text); }
.state[data-state="paused"] { border-color: var(--warning-line); background: var(--warning-surface); color: var(--warning-text); }
.form-page { display: grid; gap: 16px; max-width: 720px; }
.form-page fieldset { display: grid; gap: 12px; min-width: 0; margin: 0; padding: 12px 16px 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.form-page legend { padding: 0 4px; font-weight: 600; }
.form-page :is(input, select) { min-width: 0; max-width: 100%; box-sizing: border-box; }
.form-page a.button[aria-current] { border-color: var(--accent); color: var(--accent); }
.form-page > p, .form-page fieldset p { margin: 0; }
.sizes { display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(160px, 1fr)); }
.sizes:empty { display: none; }
.small-picture { width: 100%; height: 220px; border-radius: 8px; background: var(--ground); }
.note { margin: 0; padding: 8px 12px; border: 1px solid var(--note-line); border-radius: 8px; background: var(--note-surface); color: var(--note-text); }
.note[data-mode="live"] { border-color: var(--warning-line); background: var(--warning-surface); color: var(--warning-text); }
.page code { overflow-wrap: anywhere; }
.secret { display: grid; gap: 8px; padding: 16px; border: 2px solid var(--warning-edge); border-radius: 12px; color: var(--warning-text); background: var(--warning-surface); }
.secret h2 { margin: 0; }
.secret code { font-size: 1.05rem; user-select: all; }
.secret button { color: var(--text); }
.secret button.primary { color: var(--on-accent); }
.page .acts { gap: 4px; }
.page .acts :is(button, a.button) { min-height: 30px; padding: 2px 8px; }
.ended { opacity: .75; }
.question fieldset { display: grid; gap: 4px; margin: 0; border: 1px solid var(--line); border-radius: 8px; max-height: 40vh; overflow: auto; }
.question fieldset label { display: flex; align-items: center; gap: 8px; }
.question fieldset input { min-height: 24px; }
.page pre { margin: 0; padding: 8px; overflow-x: auto; max-height: 50vh; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 0; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 480px) { .facts { grid-template-columns: 1fr; } }
.warned { padding: 8px 16px; border: 1px solid var(--warning-line); border-radius: 12px; color: var(--warning-text); background: var(--warning-surface); }
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
