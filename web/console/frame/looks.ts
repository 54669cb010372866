/** The looks of the console's page. Colours are those of the picker, light and dark. */
import { tokens } from '../../src/looks/tokens.ts';

export const looks = `
${tokens}
body { margin: 0; font: 15px/1.5 var(--font); color: var(--text); background: var(--ground); }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.muted { color: var(--muted); }
.space { flex: 1; }
button, input, select, textarea { font: inherit; color: inherit; }
button { min-height: 36px; padding: 4px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); cursor: pointer; }
.tools a, a.button { display: inline-flex; align-items: center; min-height: 36px; padding: 4px 12px; border: 1px solid var(--line); border-radius: 8px; color: inherit; text-decoration: none; background: var(--surface); box-sizing: border-box; }
:is(button, a.button).primary { border-color: transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; }
button[aria-pressed="true"] { border-color: var(--accent); color: var(--accent); }
button:disabled { opacity: .5; cursor: default; }
input, select, textarea { box-sizing: border-box; min-height: 36px; padding: 4px 8px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
:is(a, button, input, select, textarea, summary):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; padding: 8px 16px; background: var(--surface); border-bottom: 1px solid var(--line); }
.bar[data-mode="test"] { border-bottom: 6px solid; border-image: repeating-linear-gradient(-45deg, var(--warning-edge) 0 8px, var(--warning-surface) 8px 16px) 6; }
.mode-note { flex-basis: 100%; margin: -8px -16px 0; padding: 4px 16px; background: var(--warning-surface); border-bottom: 1px solid var(--warning-line); color: var(--warning-text); font-weight: 600; }
.bar > span { min-width: 0; overflow-wrap: anywhere; }
.bar nav { display: flex; flex-wrap: wrap; gap: 4px 12px; }
.bar nav a { padding: 4px 0; }
.bar a { color: inherit; }
.bar a[aria-current] { font-weight: 650; text-decoration: none; box-shadow: inset 0 -2px var(--accent); }
.bar[data-mode="test"] .modes button[aria-pressed="true"] { border-color: var(--warning-edge); background: var(--warning-surface); color: var(--warning-text); font-weight: 650; }
.bar[data-mode="live"] .modes button[aria-pressed="true"] { font-weight: 650; }
.me { display: flex; flex: 1 1 260px; align-items: center; justify-content: end; gap: 12px; min-width: 0; }
.bar .house, .bar .person { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 100%; min-width: 0; }
.bar .workspace { min-width: 0; }
.bar .workspace select { max-width: min(220px, 100%); }
.modes { display: flex; gap: 0; margin: 0; padding: 0; border: 0; }
.modes button:first-of-type { border-start-end-radius: 0; border-end-end-radius: 0; }
.modes button:last-of-type { border-start-start-radius: 0; border-end-start-radius: 0; margin-inline-start: -1px; }
@media (max-width: 720px) {
  .bar { gap: 6px 10px; padding: 8px 12px; }
  .mode-note { margin: -8px -12px 0; padding: 4px 12px; }
  .bar .house { flex: 1 1 100%; }
  .bar nav { order: 1; flex-basis: 100%; }
  .me { flex: 1 1 100%; justify-content: space-between; font-size: .9em; }
}
#view { padding: 16px; }
.event-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 16px; }
.event-head h1 { margin: 0; }
.tabs { display: flex; flex-wrap: wrap; gap: 4px; flex-basis: 100%; border-bottom: 1px solid var(--line); margin-bottom: 12px; }
.tabs a { padding: 8px 12px; color: inherit; text-decoration: none; border-bottom: 2px solid transparent; }
.tabs a[aria-current] { border-bottom-color: var(--accent); font-weight: 650; }
.rows { max-height: 70vh; overflow: auto; border: 1px solid var(--line); border-radius: 12px; }
.rows thead { position: sticky; top: 0; z-index: 1; background: var(--surface); }
.rows td[colspan] { padding: 0; border: 0; }
button.sort { min-height: 0; padding: 0; border: 0; background: none; font-weight: 600; text-align: start; }
th[aria-sort="ascending"] button::after { content: " ↑"; }
th[aria-sort="descending"] button::after { content: " ↓"; }
button.danger { border-color: transparent; background: var(--danger); color: var(--on-danger); font-weight: 600; }
.question { width: min(520px, 92vw); padding: 24px; border: 1px solid var(--line); border-radius: 12px; color: inherit; background: var(--surface); }
.question form { display: grid; gap: 12px; }
.question label { display: grid; gap: 4px; }
.question h2, .question p { margin: 0; }
.buttons { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 8px; }
.notices { position: sticky; inset-block-end: 12px; z-index: 5; display: grid; gap: 8px; box-sizing: border-box; width: fit-content; max-width: min(440px, 100vw - 24px); max-height: min(40vh, 260px); overflow: auto; margin-inline: 12px; pointer-events: none; }
.notices:has(> .notice) { margin-block-end: 12px; }
.notice { pointer-events: auto; display: flex; align-items: center; gap: 8px; margin: 0; padding: 8px 12px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); box-shadow: 0 4px 16px rgb(0 0 0 / .2); }
.notices summary { pointer-events: auto; width: fit-content; padding: 4px 12px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
.notices details .notice { margin-block-start: 8px; }
table { width: 100%; border-collapse: collapse; background: var(--surface); }
th, td { padding: 8px; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
.number { text-align: end; font-variant-numeric: tabular-nums; }
.beside { display: grid; grid-template-columns: minmax(0, 1fr) minmax(220px, 320px); gap: 16px; }
@media (max-width: 720px) { .beside { grid-template-columns: minmax(0, 1fr); } }
.hall { position: relative; height: 70vh; overflow: hidden; border: 1px solid var(--line); border-radius: 12px; touch-action: none; }
.hall canvas { position: absolute; inset: 0; width: 100%; height: 100%; }
.hall .minimap { inset: auto; inset-block-end: 12px; inset-inline-start: 12px; touch-action: none; cursor: pointer; border: 1px solid var(--line); border-radius: 8px; }
aside ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; }
aside li { display: flex; align-items: center; gap: 8px; flex-wrap: wrap; }
aside label { display: grid; gap: 4px; }
.field { display: grid; gap: 4px; }
.field :is(input, select, textarea) { width: 100%; }
.fault { color: var(--danger); }
.check, .question .check { display: flex; align-items: flex-start; gap: 8px; }
.check input { flex: none; width: 20px; min-height: 20px; margin: 2px 0 0; }
.part-head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; margin-block: 12px 8px; }
.part-head h2, .part-head h3 { margin: 0; }
.wide { overflow-x: auto; }
.total > * { font-weight: 650; }
.part { margin-block: 12px; }
.part > summary { cursor: pointer; }
.part > summary h2 { display: inline; }
.acts, .row-acts { display: flex; flex-wrap: wrap; gap: 8px; }
.row-acts { min-width: 220px; }
.row-acts button { min-height: 28px; padding: 0 8px; }
.cover { display: grid; min-height: 80vh; place-items: center; }
.sign-in { display: grid; gap: 12px; width: min(360px, 90vw); padding: 24px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.sign-in + button { margin-block-start: 8px; }
.sign-in label { display: grid; gap: 4px; }
`;
