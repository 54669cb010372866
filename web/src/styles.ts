/** The picker's looks. A host sets the `--parterre-…` properties on the element; everything else follows from them. */
export const styles = `
:host { display: block; height: 100%; min-height: 420px; }
.parterre {
  --accent: var(--parterre-accent, #0b57d0);
  --on-accent: var(--parterre-on-accent, #ffffff);
  --text: var(--parterre-text, #14171f);
  --muted: var(--parterre-muted, #5a6170);
  --surface: var(--parterre-surface, #ffffff);
  --ground: var(--parterre-ground, #f7f8fa);
  --line: var(--parterre-line, #dfe2e8);
  --danger: var(--parterre-danger, #b3261e);
  --radius: var(--parterre-radius, 12px);
  font-family: var(--parterre-font, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif);
  font-size: 15px; line-height: 1.4; color: var(--text); background: var(--surface);
  container-type: size; height: 100%; overflow: hidden;
}
.parterre *, .parterre *::before { box-sizing: border-box; }
.frame { display: grid; grid-template-columns: minmax(0, 1fr) 340px; height: 100%; }
.map { position: relative; background: var(--ground); overflow: hidden; min-height: 0; }
.canvas { position: absolute; inset: 0; touch-action: none; cursor: grab; }
.canvas.on-seat { cursor: pointer; }
.canvas canvas { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
.canvas .minimap { inset: auto auto 12px 12px; pointer-events: auto; touch-action: none; cursor: pointer; border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 1px 4px rgb(20 23 31 / .14); }
.canvas .minimap[hidden] { display: none; }
.tools { position: absolute; right: 12px; bottom: 12px; display: grid; gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; box-shadow: 0 1px 4px rgb(20 23 31 / .14); }
.tools button { width: 44px; height: 44px; border: 0; border-radius: 0; background: var(--surface); font-size: 20px; padding: 0; }
.floors { position: absolute; left: 12px; top: 12px; display: flex; gap: 6px; flex-wrap: wrap; }
.floors button[aria-pressed="true"], .floors button[aria-pressed="true"]:hover:not(:disabled) { background: var(--text); border-color: var(--text); color: var(--surface); }
.map.closed .canvas { filter: grayscale(1) opacity(.55); }
.shut { position: absolute; left: 50%; top: 12px; transform: translateX(-50%); background: var(--danger); color: #fff; padding: 8px 18px; border-radius: 99px; font-weight: 600; white-space: nowrap; }
.shut + .connection { top: 56px; }
.connection { position: absolute; left: 50%; top: 12px; transform: translateX(-50%); background: var(--text); color: var(--surface); padding: 6px 14px; border-radius: 99px; font-size: 13px; }
.tip { position: absolute; left: 0; top: 0; width: max-content; pointer-events: none; background: var(--text); color: var(--surface); border-radius: 8px; padding: 7px 11px; font-size: 13px; max-width: 240px; box-shadow: 0 2px 8px rgb(20 23 31 / .25); }
.tip b { display: block; font-size: 14px; }
.cover { position: absolute; inset: 0; display: grid; place-items: center; text-align: center; padding: 24px; background: var(--ground); color: var(--muted); }
.mirror { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.map:has(.mirror :focus-visible)::after { content: ""; position: absolute; inset: 0; border: 3px solid var(--accent); pointer-events: none; }
.say { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.panel { border-left: 1px solid var(--line); overflow-y: auto; padding: 20px; display: flex; flex-direction: column; gap: 16px; }
.panel h2 { font-size: 20px; line-height: 1.25; margin: 0; letter-spacing: -.01em; }
.panel header p { margin: 4px 0 0; color: var(--muted); font-size: 14px; }
.panel ul { list-style: none; margin: 0; padding: 0; }
.notice { margin: 0; padding: 10px 14px; border-radius: var(--radius); background: #eef3fe; border: 1px solid #c6d7fb; font-size: 14px; }
.notice.problem { background: #fdf0ee; border-color: #f0c4be; color: #7a1a14; }
.notice.bought { background: #e8f5ef; border-color: #b5dcc9; color: #0c4a33; }
.empty { margin: 0; padding: 18px; border: 1.5px dashed var(--line); border-radius: var(--radius); color: var(--muted); text-align: center; }
.basket { display: grid; gap: 12px; }
.countdown { display: flex; align-items: center; justify-content: space-between; padding: 12px 16px; border-radius: var(--radius); background: var(--text); color: var(--surface); }
.countdown b { font-size: 24px; font-variant-numeric: tabular-nums; letter-spacing: .01em; }
.countdown.short { background: var(--danger); }
.chosen { display: grid; border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; }
.chosen li { position: relative; display: grid; grid-template-columns: 1fr auto 32px; gap: 8px; align-items: start; padding: 10px 8px 10px 18px; }
.chosen li + li { border-top: 1px solid var(--line); }
.stripe { position: absolute; left: 0; top: 0; bottom: 0; width: 6px; }
.what { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: center; font-size: 13px; color: var(--muted); }
.what b { font-size: 15px; color: var(--text); flex-basis: 100%; }
.pending { display: grid; gap: 8px; padding: 10px; border: 1.5px dashed #c98a00; border-radius: var(--radius); background: #fff8e6; }
.pending h3, .pending p { margin: 0; font-size: 14px; color: #6b4a00; }
.pending .chosen { background: var(--surface); }
.kind { display: inline-flex; gap: 5px; align-items: center; color: var(--text); }
.was { flex-basis: 100%; font-size: 12px; }
.bought { display: grid; gap: 8px; }
.bought p { margin: 0; }
.bought li { display: flex; justify-content: space-between; gap: 10px; font-variant-numeric: tabular-nums; }
.bought li:last-child { border-top: 1px solid; padding-top: 4px; margin-top: 4px; }
.basket:focus { outline: none; }
.countdown:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.checkout { position: sticky; bottom: -20px; display: grid; gap: 10px; background: var(--surface); padding: 4px 0 12px; }
.price { font-weight: 600; font-variant-numeric: tabular-nums; padding-top: 1px; }
.total { display: flex; justify-content: space-between; margin: 0; padding: 0 4px; align-items: baseline; }
.total b { font-size: 20px; font-variant-numeric: tabular-nums; }
.actions { display: flex; gap: 8px; }
button, select { font: inherit; color: inherit; border: 1px solid var(--line); background: var(--surface); border-radius: 10px; padding: 9px 14px; min-height: 40px; cursor: pointer; }
button:hover:not(:disabled) { background: var(--ground); }
button:disabled { opacity: .55; cursor: default; }
button:focus-visible, select:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.actions button { flex: 1 1 auto; font-weight: 600; }
button.primary { flex: 4 1 auto; background: var(--accent); border-color: var(--accent); color: var(--on-accent); min-height: 46px; }
button.primary:hover:not(:disabled) { background: var(--accent); filter: brightness(1.1); }
button.remove { border: 0; background: none; min-height: 32px; padding: 0; font-size: 20px; line-height: 1; color: var(--muted); }
.what select { min-height: 32px; padding: 3px 6px; font-size: 13px; color: var(--text); }
.stepper { display: inline-flex; align-items: center; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; background: var(--surface); }
.stepper button { border: 0; border-radius: 0; min-height: 36px; width: 38px; padding: 0; font-size: 18px; }
.stepper output { min-width: 28px; text-align: center; font-weight: 600; color: var(--text); font-variant-numeric: tabular-nums; }
.areas { display: grid; gap: 10px; }
.areas div { display: flex; justify-content: space-between; align-items: center; border: 1px solid var(--line); border-radius: var(--radius); padding: 10px 12px; font-size: 13px; color: var(--muted); }
.areas b { font-size: 15px; color: var(--text); }
.performances { margin: 8px 0 0; padding: 0; border: 0; font-size: 14px; }
.performances ul { display: grid; gap: 2px; padding-top: 4px; color: var(--muted); }
.performances b { color: var(--text); }
details { border-top: 1px solid var(--line); padding-top: 12px; margin-top: auto; }
summary { cursor: pointer; font-weight: 600; font-size: 14px; border-radius: 6px; }
.legend { display: grid; gap: 12px; margin-top: 10px; font-size: 14px; }
.legend li { display: flex; align-items: center; gap: 9px; }
.legend li b { margin-left: auto; font-weight: 600; font-variant-numeric: tabular-nums; }
.categories { display: grid; gap: 7px; }
.shapes { display: grid; grid-template-columns: 1fr 1fr; gap: 7px 10px; color: var(--muted); font-size: 13px; }
.icon { width: 18px; height: 18px; flex: none; }
@container (max-width: 719px) {
  .frame { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr) auto; }
  .panel { border-left: 0; border-top: 1px solid var(--line); max-height: 48cqh; padding: 14px 16px; gap: 12px; box-shadow: 0 -4px 16px rgb(20 23 31 / .1); }
  .panel header { display: flex; flex-wrap: wrap; gap: 0 10px; align-items: baseline; justify-content: space-between; }
  .panel h2 { font-size: 17px; }
  .performances { flex-basis: 100%; margin: 0; }
  .panel .empty { padding: 10px; }
  .panel:has(.pending) { max-height: 62cqh; }
  .countdown { padding: 7px 14px; }
  .countdown b { font-size: 20px; }
  .chosen li { padding: 6px 6px 6px 16px; }
  .checkout { bottom: -14px; gap: 6px; border-top: 1px solid var(--line); padding-top: 8px; }
  .total b { font-size: 17px; }
}
@media (prefers-reduced-motion: no-preference) {
  .notice, .countdown { animation: appear .18s ease-out; }
  @keyframes appear { from { opacity: 0; transform: translateY(4px); } }
}
@media (forced-colors: active) { .map, .panel, .chosen, .tools { border: 1px solid; } }
`;
