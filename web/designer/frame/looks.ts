/** The looks of the designer's page. Colours are those of the picker, light and dark. */
import { tokens } from '../../src/looks/tokens.ts';

export const looks = `
${tokens}
.designer { position: absolute; inset: 0; overflow: hidden; font: 14px/1.45 var(--font); color: var(--text); background: var(--surface); }
.designer *, .designer *::before { box-sizing: border-box; }
.designer [hidden] { display: none !important; }
.designer .unseen, .designer .say { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.designer .page { display: grid; height: 100%; grid-template: 52px minmax(0, 1fr) 34px / auto minmax(0, 1fr) 360px; grid-template-areas: "bar bar bar" "left stage side" "status status status"; }
.designer button, .designer select, .designer input { font: inherit; color: inherit; }
.designer button { border: 1px solid transparent; border-radius: 8px; background: none; min-width: 32px; min-height: 32px; padding: 4px 8px; cursor: pointer; display: inline-flex; align-items: center; justify-content: center; gap: 8px; }
.designer button:hover { background: color-mix(in srgb, var(--text) 8%, transparent); }
.designer button[aria-pressed="true"] { background: color-mix(in srgb, var(--accent) 16%, var(--surface)); color: var(--accent); }
.designer button[aria-disabled="true"], .designer button:disabled { opacity: .5; cursor: default; background: none; }
.designer button.primary { background: var(--accent); color: var(--on-accent); font-weight: 600; padding: 4px 14px; }
.designer :is(button, input, select, textarea, summary, a, [tabindex]):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.designer svg { display: block; flex: none; }
.designer .space { flex: 1; }
.designer kbd { font: 600 11px/1 var(--font); padding: 3px 5px; border: 1px solid var(--line); border-radius: 5px; background: var(--ground); color: var(--text); }

.designer .bar { grid-area: bar; display: flex; align-items: center; gap: 8px; padding: 0 12px; border-bottom: 1px solid var(--line); min-width: 0; }
.designer .bar h1 { font-size: 15px; font-weight: 650; margin: 0 8px 0 4px; min-width: 0; max-width: 30ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.designer .bar .buttons { display: flex; }
.designer .bar .wide { border-color: var(--line); color: var(--muted); padding: 4px 8px 4px 10px; }

.designer .left { grid-area: left; display: flex; min-height: 0; }
.designer .rail { width: 56px; overflow-y: auto; border-inline-end: 1px solid var(--line); padding: 8px; scrollbar-width: none; }
.designer .list { width: 240px; overflow-y: auto; border-inline-end: 1px solid var(--line); overscroll-behavior: contain; }
.designer .rail .group { display: grid; gap: 1px; }
.designer .rail .group + .group { margin-top: 4px; padding-top: 4px; border-top: 1px solid var(--line); }
.designer .rail button { width: 39px; min-height: 0; height: 29px; padding: 0; color: var(--muted); }
.designer .rail button:hover { color: var(--text); }
.designer .rail button[aria-pressed="true"] { background: var(--accent); color: var(--on-accent); }

.designer .stage { grid-area: stage; position: relative; min-width: 0; min-height: 0; background: var(--ground); }
.designer .map { position: absolute; inset: 0; cursor: default; }
.designer .map.panning { cursor: grab; }
.designer .map.drawing { cursor: crosshair; }
.designer .map:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; z-index: 1; }
/* A layer of its own: a frame of the map must not paint the page around it again. */
.designer .canvas { position: absolute; inset: 0; touch-action: none; user-select: none; -webkit-user-select: none; will-change: transform; }
.designer .canvas canvas { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
.designer .canvas .minimap { inset: auto auto 12px 12px; pointer-events: auto; touch-action: none; cursor: pointer; border: 1px solid var(--line); border-radius: 8px; box-shadow: var(--shadow); }
.designer .over-map { position: absolute; z-index: 2; inset: 12px 12px auto; display: flex; flex-direction: column; align-items: center; gap: 8px; pointer-events: none; }
.designer .over-map > *, .designer .arrange, .designer .zoom { pointer-events: auto; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow); }
.designer .options { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px; padding: 6px 14px; max-width: 100%; }
.designer .options p { margin: 0; color: var(--muted); }
.designer .options label { display: flex; align-items: center; gap: 6px; white-space: nowrap; }
.designer .options input, .designer .options select, .designer .outline input { border: 1px solid var(--edge); border-radius: 7px; background: var(--surface); min-height: 30px; padding: 2px 8px; }
.designer .options input[type="number"] { width: 76px; }
.designer .options input[type="file"] { border: 0; max-width: 220px; }
.designer .floors { display: flex; gap: 2px; padding: 3px; align-self: flex-start; }
.designer .arrange { position: absolute; z-index: 2; bottom: 12px; inset-inline: 12px 66px; margin-inline: auto; display: flex; flex-wrap: wrap; justify-content: center; width: max-content; max-width: calc(100% - 78px); padding: 4px; }
.designer .arrange .group { display: flex; }
.designer .arrange .group + .group { margin-inline-start: 4px; padding-inline-start: 4px; border-inline-start: 1px solid var(--line); }
.designer .over-map > .marked { margin: 0; padding: 6px 14px; font-weight: 600; font-variant-numeric: tabular-nums; }
.designer .over-map > .notice { margin: 0; padding: 9px 16px; max-width: min(64ch, 100%); font-weight: 550; background: var(--text); color: var(--surface); border-color: var(--text); overflow-wrap: anywhere; }
.designer .zoom { position: absolute; z-index: 2; right: 12px; bottom: 12px; display: grid; padding: 3px; }

.designer .side { grid-area: side; min-height: 0; overflow-y: auto; border-inline-start: 1px solid var(--line); overscroll-behavior: contain; }

.designer .outline { padding: 12px; display: grid; gap: 10px; }
.designer .outline .search { display: grid; gap: 4px; font-weight: 600; }
.designer .outline .search input { font-weight: 400; width: 100%; min-height: 34px; }
.designer .outline ul { list-style: none; margin: 0; padding: 0; }
.designer .outline p, .designer .outline .rest { margin: 0; color: var(--muted); }
.designer .outline .head { display: flex; align-items: center; gap: 2px; }
.designer .outline .group > ul { padding-inline-start: 28px; }
.designer .outline .entry { flex: 1; min-width: 0; justify-content: start; text-align: start; min-height: 28px; padding: 3px 8px; overflow-wrap: anywhere; width: 100%; }
.designer .outline .fold { min-width: 26px; min-height: 26px; padding: 0; color: var(--muted); }
.designer .outline .count { color: var(--muted); font-variant-numeric: tabular-nums; }

.designer .status { grid-area: status; display: flex; align-items: center; gap: 18px; padding: 0 14px; border-top: 1px solid var(--line); color: var(--muted); font-size: 13px; font-variant-numeric: tabular-nums; }
.designer .status button { min-height: 26px; min-width: 30px; padding: 2px; margin-inline-end: -12px; }
.designer .status label { display: flex; align-items: center; gap: 6px; margin-inline-end: -12px; }
.designer .status input { width: 60px; min-height: 26px; padding: 1px 6px; border: 1px solid var(--edge); border-radius: 6px; background: var(--surface); color: var(--text); }
.designer .percent { min-width: 6ch; text-align: end; }

.designer dialog.over { border: 1px solid var(--line); border-radius: 14px; padding: 0; color: var(--text); background: var(--surface); box-shadow: var(--shadow); max-height: 80vh; }
.designer dialog.over[open] { display: flex; }
.designer dialog.over::backdrop { background: rgb(0 0 0 / .35); }
.designer .palette { width: min(560px, 90vw); display: flex; flex-direction: column; min-height: 0; }
.designer .palette input { border: 0; border-bottom: 1px solid var(--line); background: none; padding: 14px 18px; font-size: 16px; outline-offset: -3px; border-radius: 14px 14px 0 0; }
.designer .palette ul { list-style: none; margin: 0; padding: 6px; overflow-y: auto; }
.designer .palette li { display: flex; justify-content: space-between; align-items: center; gap: 12px; min-height: 34px; padding: 4px 12px; border-radius: 8px; cursor: pointer; }
.designer .palette li[aria-selected="true"] { background: color-mix(in srgb, var(--accent) 14%, var(--surface)); }
.designer .palette li[aria-disabled="true"] span { color: var(--muted); }
.designer .keys { display: inline-flex; gap: 3px; }
.designer .help { display: flex; flex-direction: column; width: min(980px, 92vw); min-height: 0; padding: 18px 22px; gap: 8px; }
.designer .help header { display: flex; justify-content: space-between; align-items: center; }
.designer .help h2 { font-size: 18px; margin: 0; }
.designer .help header button { border-color: var(--edge); }
.designer .help p { margin: 0; color: var(--muted); }
.designer .help .tables { overflow-y: auto; columns: 3 260px; column-gap: 28px; }
.designer .help table { width: 100%; border-collapse: collapse; margin-bottom: 16px; }
.designer .help caption { text-align: start; font-weight: 650; padding: 6px 0; }
.designer .help tr { break-inside: avoid; border-bottom: 1px solid var(--line); }
.designer .help th { text-align: start; font-weight: 400; padding: 5px 8px 5px 0; }
.designer .help td { text-align: end; padding: 5px 0; white-space: nowrap; }
@media (max-width: 1100px) {
  .designer .page { grid-template-columns: auto minmax(0, 1fr) 300px; }
  .designer .bar .wide { position: relative; }
  .designer .bar .wide span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
@media (forced-colors: active) {
  .designer button[aria-pressed="true"], .designer li[aria-selected="true"], .designer .tabs [aria-selected="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
}
`;
