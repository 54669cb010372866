/**
 * The picker's looks. A host sets the `--parterre-…` properties on the element; everything else follows from them. The
 * element has a height of its own, so that it shows without any style of the page.
 */
import { tokens } from '../looks/tokens.ts';
import { panelStyles } from './panel-styles.ts';

export const styles = `
:host { display: block; position: relative; block-size: clamp(420px, 82vh, 760px); min-block-size: 280px; overflow: hidden; }
:host([hidden]) { display: none; }
${tokens}.parterre {
  font-family: var(--font);
  font-size: 15px; line-height: 1.4; color: var(--text); background: var(--surface);
  container-type: size; position: absolute; inset: 0; overflow: hidden; text-align: start;
}
.parterre *, .parterre *::before { box-sizing: border-box; }
.parterre [hidden] { display: none !important; }
s { color: var(--muted); }
.unseen, .mirror, .say { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.frame { --lap: 0px; display: grid; grid-template-columns: minmax(0, 1fr) 360px; height: 100%; }
.map { position: relative; background: var(--ground); overflow: hidden; min-height: 0; container-type: size; }
/* Layers of their own (the map, its ring, the card): a frame of the map must not paint the page around it again. */
.canvas { position: absolute; inset: 0 0 var(--lap); touch-action: none; cursor: grab; will-change: transform; }
.canvas.on-seat { cursor: pointer; }
.canvas canvas { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
.canvas .minimap { inset: auto; inset-block-end: 12px; inset-inline-start: 12px; pointer-events: auto; touch-action: none; cursor: pointer; border: 1px solid var(--line); border-radius: 8px; box-shadow: var(--shadow); }
.canvas .minimap[hidden] { display: none; }
.map.closed .canvas { filter: grayscale(1) opacity(.55); }
.map:focus { outline: none; }
.map:focus-visible::after, .map:has(.mirror :focus-visible)::after { content: ""; position: absolute; inset: 0; border: 3px solid var(--accent); pointer-events: none; will-change: transform; }
.top { position: absolute; inset-inline: 12px; top: 12px; display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 8px; justify-items: start; align-items: start; pointer-events: none; }
.top > * { pointer-events: auto; }
.floors, .surfaces { display: flex; flex-wrap: wrap; gap: 2px; padding: 3px; border-radius: 12px; background: var(--surface); box-shadow: var(--shadow); }
.surfaces { grid-column: 2; }
.top .no-map { grid-column: 1 / -1; justify-self: end; }
.floors button, .surfaces button { border: 0; min-height: 34px; padding: 4px 14px; border-radius: 9px; font-size: 14px; font-weight: 500; }
.floors small { font-size: 12px; font-variant-numeric: tabular-nums; white-space: nowrap; }
.floors button[aria-pressed="true"], .surfaces button[aria-pressed="true"], .floors button[aria-pressed="true"]:hover:not(:disabled), .surfaces button[aria-pressed="true"]:hover:not(:disabled) { background: var(--text); color: var(--surface); }
.tools { position: absolute; inset-inline-end: 12px; bottom: calc(12px + var(--lap)); display: grid; background: var(--surface); border-radius: 12px; overflow: hidden; box-shadow: var(--shadow); }
.tools button { width: 44px; height: 44px; border: 0; border-radius: 0; background: none; font-size: 20px; padding: 0; }
.tools button + button { border-top: 1px solid var(--line); }
.tools button:focus-visible, .stepper button:focus-visible, .floors button:focus-visible, .surfaces button:focus-visible { outline-offset: -3px; border-radius: 10px; }
.connection { position: absolute; inset-inline: 0; margin-inline: auto; width: max-content; bottom: calc(12px + var(--lap)); background: var(--text); color: var(--surface); padding: 6px 14px; border-radius: 99px; font-size: 13px; }
.card { position: absolute; z-index: 2; pointer-events: none; will-change: transform; width: max-content; min-width: 180px; max-width: 250px; left: 0; top: 0; display: grid; gap: 2px; background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: var(--radius); padding: 10px 14px; font-size: 13px; box-shadow: var(--shadow); overflow: hidden; }
.card b { font-size: 15px; }
.card small, .card .standing { color: var(--muted); font-size: 12.5px; }
.card .cost { display: flex; gap: 7px; align-items: center; }
.card strong { margin-inline-start: auto; font-size: 14px; font-variant-numeric: tabular-nums; }
.card s { margin-inline-start: auto; }
.card s + strong { margin-inline-start: 0; }
.card .picture { margin: -10px -14px 6px; }
.card .picture span { display: block; padding: 10px 14px 0; color: var(--muted); }
.card img { display: block; width: 100%; max-height: 120px; object-fit: cover; }
.card .standing, .card .kind { display: flex; gap: 6px; align-items: center; }
.card .kind { font-weight: 600; }
.card .tickets { color: var(--muted); }
.card.tapped { will-change: auto; width: auto; max-width: 400px; cursor: pointer; pointer-events: auto; }
.card.at-top { position: relative; inset: auto; grid-column: 1 / -1; justify-self: stretch; }
.card.at-bottom { inset: auto; inset-inline: 12px 68px; bottom: calc(12px + var(--lap)); }
.card.tapped img { max-height: 72px; }
.frame[data-sheet=open] .card.tapped { display: none; }
.view { width: min(760px, 100vw - 24px); max-width: none; max-height: calc(100dvh - 24px); padding: 0; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); color: var(--text); box-shadow: var(--shadow); }
.view::backdrop { background: rgb(0 0 0 / .6); }
.sight { display: grid; gap: 12px; padding: 12px 16px 16px; }
.sight .head { display: flex; justify-content: space-between; align-items: center; gap: 12px; }
.sight h3 { font-size: 17px; line-height: 1.3; margin: 0; }
.sight p { margin: 0; color: var(--muted); font-size: 14px; }
.sight .picture { display: grid; place-items: center; min-height: 180px; border-radius: 10px; overflow: hidden; background: var(--ground); }
.sight img { display: block; width: 100%; max-height: calc(100dvh - 140px); object-fit: contain; }
.cover { position: absolute; inset: 0; display: grid; gap: 14px; place-content: center; justify-items: center; text-align: center; padding: 24px; background: var(--ground); color: var(--muted); }
.cover[role=alert] p { color: var(--text); font-size: 16px; max-width: 36ch; margin: 0; }
.no-map { margin: 0; padding: 8px 14px; border-radius: var(--radius); background: var(--surface); box-shadow: var(--shadow); font-size: 14px; }
.bones { display: grid; gap: 8px; justify-items: center; }
.bones div { display: flex; gap: 8px; }
.bones i { width: 16px; height: 16px; border-radius: 50%; background: var(--line); }
.bones.lines { justify-items: stretch; gap: 14px; padding: 20px; }
.bones.lines i { width: 100%; border-radius: 8px; height: 20px; }
.bones.lines .title { height: 28px; width: 70%; }
.bones.lines .short { width: 45%; }
.bones.lines .block { height: 96px; }
.places { position: absolute; inset: 0; overflow-y: auto; padding: 64px 20px calc(20px + var(--lap)); background: var(--ground); display: grid; gap: 12px; align-content: start; }
.places ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; }
.places .search { font: inherit; width: 100%; min-height: 44px; padding: 8px 14px; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--surface); color: var(--text); }
.places .section, .places .row { width: 100%; display: grid; grid-template-columns: 1fr auto auto; gap: 14px; align-items: center; text-align: start; min-height: 48px; }
.places .section span, .places .row span:last-child { color: var(--muted); font-size: 13.5px; }
.places .section .amount { color: var(--text); font-weight: 600; }
.places .section::after, .places .row::after { content: "▾"; color: var(--muted); }
.places .section { grid-template-columns: 1fr auto auto 1em; }
.places .row { grid-template-columns: 1fr auto 1em; min-height: 42px; }
.places [aria-expanded="true"]::after { content: "▴"; }
.places .rows { padding-block: 8px; padding-inline-start: 16px; }
.places .seats { grid-template-columns: repeat(auto-fill, minmax(104px, 1fr)); padding: 8px 0; }
.places .seats button { width: 100%; min-height: 52px; display: grid; padding: 6px 8px; text-align: center; font-size: 13px; }
.places .seats b { font-size: 15px; }
.places .seats .look { min-height: 32px; padding: 4px 8px; }
.places .seats [aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.places .count { margin: 0; color: var(--muted); font-size: 14px; }
${panelStyles}
@media (prefers-reduced-motion: no-preference) {
  .notice, .countdown, .card, .view { animation: appear .16s ease-out; }
  @keyframes appear { from { opacity: 0; } }
  .bones i { animation: breathe 1.4s ease-in-out infinite alternate; }
  @keyframes breathe { from { opacity: 1; } to { opacity: .45; } }
}
@media (forced-colors: active) { .map, .panel, .chosen, .tools, .card, .surfaces, .floors { border: 1px solid; } [aria-pressed="true"] { outline: 2px solid Highlight; } }
`;
