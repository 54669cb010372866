/** The looks of the panel, and of the sheet that it is on a phone. */
export const panelStyles = `
button, select { font: inherit; color: inherit; border: 1px solid var(--edge); background: var(--surface); border-radius: 10px; padding: 8px 14px; min-height: 40px; cursor: pointer; min-width: 0; }
button:hover:not(:disabled, [aria-disabled=true]), select:hover:not(:disabled) { background: var(--ground); }
button:disabled, button[aria-disabled=true], select:disabled { opacity: .55; cursor: default; }
button:focus-visible, select:focus-visible, summary:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; min-height: 44px; }
button.primary:hover:not(:disabled, [aria-disabled=true]) { background: color-mix(in srgb, var(--accent) 86%, var(--text)); }
button.plain { border: 0; background: none; padding: 4px 8px; min-height: 32px; color: var(--accent); font-weight: 600; text-decoration: underline; text-underline-offset: 3px; }
.panel { border-inline-start: 1px solid var(--line); min-height: 0; min-width: 0; display: flex; flex-direction: column; background: var(--surface); }
.panel h2 { font-size: 20px; line-height: 1.25; margin: 0; letter-spacing: -.01em; overflow-wrap: anywhere; }
.body h3 { font-size: 14px; margin: 0; font-weight: 600; }
.panel ul { list-style: none; margin: 0; padding: 0; }
.panel header { padding: 18px 20px 14px; display: flex; flex-wrap: wrap; gap: 0 10px; align-items: start; border-bottom: 1px solid var(--line); }
.panel .title { flex: 1; min-width: 0; }
.panel header p { margin: 3px 0 0; color: var(--muted); font-size: 14px; }
.grip { display: none; }
.body { flex: 1; min-height: 0; overflow-y: auto; padding: 16px 20px 20px; display: flex; flex-direction: column; gap: 20px; overscroll-behavior: contain; }
.banners { display: grid; gap: 10px; padding: 12px 20px 0; max-height: 45%; overflow-y: auto; flex: none; }
.banners:empty, .banners:not(:has(> *)) { display: none; }
.notice { margin: 0; padding: 10px 14px; border-radius: var(--radius); background: var(--note-surface); border: 1px solid var(--note-line); color: var(--note-text); font-size: 14px; display: grid; gap: 6px; }
.notice p { margin: 0; }
.notice.problem { background: var(--problem-surface); border-color: var(--problem-line); color: var(--problem-text); }
.notice.bought { background: var(--success-surface); border-color: var(--success-line); color: var(--success-text); }
.notice.waiting { background: var(--warning-surface); border-color: var(--warning-line); color: var(--warning-text); }
.notice.waiting b { font-size: 16px; }
.bought li { display: flex; justify-content: space-between; gap: 10px; font-variant-numeric: tabular-nums; }
.bought li:last-child { border-top: 1px solid; padding-top: 4px; margin-top: 4px; }
.empty { margin: 0; color: var(--muted); font-size: 14.5px; }
.basket { display: grid; gap: 12px; }
.basket:focus { outline: none; }
.chosen { border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; }
.chosen li { position: relative; display: grid; grid-template-columns: minmax(0, 1fr) auto 36px; gap: 8px; align-items: start; padding: 10px 6px 10px 18px; padding-inline: 18px 6px; }
.chosen li + li { border-top: 1px solid var(--line); }
.stripe { position: absolute; inset-inline-start: 0; top: 0; bottom: 0; width: 5px; }
.what { display: flex; flex-wrap: wrap; gap: 3px 10px; align-items: center; font-size: 13px; color: var(--muted); min-width: 0; }
.what > * { min-width: 0; max-width: 100%; overflow-wrap: anywhere; }
.what b { font-size: 15px; color: var(--text); flex-basis: 100%; }
.what select { flex: 1 1 100%; max-width: 100%; min-height: 36px; padding: 4px 8px; color: var(--text); text-overflow: ellipsis; overflow: hidden; white-space: nowrap; }
.what .look { margin-block: -3px; min-height: 26px; padding-block: 1px; font-size: 13px; }
.what .was, .what .parts, .what .fees { flex-basis: 100%; font-size: 12.5px; }
.price { font-weight: 600; font-variant-numeric: tabular-nums; padding-top: 1px; }
.remove { border: 0; padding: 0; min-height: 32px; width: 32px; font-size: 20px; line-height: 1; color: var(--muted); background: none; }
.pending { display: grid; gap: 8px; padding: 10px; border: 1.5px dashed var(--warning-edge); border-radius: var(--radius); background: var(--warning-surface); }
.pending h3, .pending p { margin: 0; font-size: 14px; color: var(--warning-text); }
.pending .chosen { background: var(--surface); }
.kind { display: inline-flex; gap: 5px; align-items: center; color: var(--text); }
.undo { margin: 0; display: flex; justify-content: space-between; align-items: center; gap: 8px; font-size: 14px; color: var(--muted); padding-inline-start: 4px; }
.rules { display: grid; gap: 6px; font-size: 14px; }
.rules li { padding: 8px 12px; border-radius: 10px; background: var(--warning-surface); color: var(--warning-text); border: 1px solid var(--warning-line); }
.checkout { flex: none; display: grid; gap: 10px; padding: 12px 20px 16px; border-top: 1px solid var(--line); box-shadow: 0 -4px 14px rgb(20 23 31 / .05); }
.countdown { display: flex; align-items: center; justify-content: space-between; padding: 8px 14px; border-radius: 10px; background: var(--text); color: var(--surface); }
.countdown b { font-size: 20px; font-variant-numeric: tabular-nums; }
.countdown.short { background: var(--danger); color: var(--on-danger); }
.countdown:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.total { display: flex; justify-content: space-between; gap: 10px; margin: 0; align-items: baseline; font-size: 14.5px; color: var(--muted); }
.total b { font-size: 21px; color: var(--text); font-variant-numeric: tabular-nums; }
.total + .fees { margin: -6px 0 0; font-size: 13px; color: var(--muted); }
.actions { display: flex; gap: 8px; flex-wrap: wrap; }
.actions .primary { flex: 1 1 auto; }
.stepper { display: inline-flex; align-items: center; border: 1px solid var(--edge); border-radius: 10px; overflow: hidden; background: var(--surface); flex: none; }
.stepper button { border: 0; border-radius: 0; min-height: 38px; width: 40px; padding: 0; font-size: 18px; background: none; }
.stepper output { min-width: 28px; text-align: center; font-weight: 600; color: var(--text); font-variant-numeric: tabular-nums; }
.finder { display: grid; gap: 10px; }
.wish { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.wish select { flex: 1 1 120px; }
.wish > button { flex: 1 1 100%; }
.check { display: inline-flex; gap: 8px; align-items: center; font-size: 14px; min-height: 32px; cursor: pointer; }
.check input { width: 20px; height: 20px; accent-color: var(--accent); margin: 0; }
.prices { display: grid; gap: 10px; }
.categories { display: grid; gap: 4px; }
.category { display: flex; align-items: center; gap: 10px; text-align: start; border-color: transparent; padding: 6px 10px; margin-inline: -10px; min-height: 42px; font-size: 14.5px; }
.category[aria-pressed="true"] { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 9%, var(--surface)); }
.category .label { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.category small { display: block; color: var(--muted); font-size: 12.5px; }
.category .amount { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.category s { font-size: 13px; margin-inline-end: 4px; }
.finer { display: flex; flex-wrap: wrap; gap: 8px; }
.chip { display: inline-flex; gap: 6px; align-items: center; border-radius: 99px; font-size: 14px; }
.chip[aria-pressed="true"] { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 9%, var(--surface)); }
.prices > .plain { justify-self: start; margin-inline-start: -8px; }
.areas { display: grid; gap: 10px; }
.area { display: flex; justify-content: space-between; align-items: center; gap: 10px; border: 1px solid var(--line); border-radius: var(--radius); padding: 10px 12px; font-size: 13px; color: var(--muted); background: var(--surface); }
.area b { font-size: 15px; color: var(--text); }
.performances { flex-basis: 100%; margin: 8px 0 0; font-size: 14px; }
.performances ul { display: grid; gap: 2px; padding-top: 4px; color: var(--muted); }
.performances b { color: var(--text); }
summary { cursor: pointer; font-weight: 600; font-size: 14px; border-radius: 6px; min-height: 28px; }
.shapes { display: grid; grid-template-columns: 1fr 1fr; gap: 8px 10px; padding-top: 8px !important; color: var(--muted); font-size: 13px; }
.shapes li { display: flex; align-items: center; gap: 8px; }
.icon { width: 18px; height: 18px; flex: none; }
@container (max-width: 719px) and (min-height: 500px) {
  .frame { --lap: 14px; grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr) auto; }
  .panel { border-inline-start: 0; border-top: 1px solid var(--line); border-radius: 16px 16px 0 0; margin-top: calc(0px - var(--lap)); position: relative; z-index: 3; max-height: 46cqh; box-shadow: 0 -6px 24px rgb(20 23 31 / .14); }
  .frame[data-sheet=open] .panel { max-height: 74cqh; }
  .frame[data-sheet=open] .top { top: 8px; }
  .frame[data-sheet=open] .top button { min-height: 28px; padding: 2px 12px; }
  .panel header { padding: 10px 16px; border-bottom: 0; }
  .panel h2 { font-size: 16px; }
  .panel header p { font-size: 13px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; margin: 0; }
  .grip { display: grid; place-items: center; width: 44px; height: 44px; min-height: 44px; padding: 0; border: 0; border-radius: 50%; background: var(--ground); }
  .grip i { width: 11px; height: 11px; border: solid var(--text); border-width: 2.5px 2.5px 0 0; transform: translateY(3px) rotate(-45deg); }
  .grip[aria-expanded="true"] i { transform: translateY(-3px) rotate(135deg); }
  .banners { padding: 0 16px 10px; max-height: 30cqh; }
  .body { padding: 4px 16px 14px; gap: 16px; }
  .frame[data-sheet=closed] .body { flex: none; overflow: hidden; padding-block: 0 10px; }
  .frame[data-sheet=closed] .body > :not(.prices), .frame[data-sheet=closed] .prices > :not(.categories), .frame[data-sheet=closed] .performances { display: none; }
  .frame[data-sheet=closed] .categories { display: flex; gap: 8px; overflow-x: auto; scrollbar-width: none; margin-inline: -16px; padding: 3px 16px; }
  .frame[data-sheet=closed] .category { flex: none; margin: 0; border-color: var(--line); border-radius: 99px; font-size: 14px; min-height: 38px; padding: 4px 12px; gap: 7px; }
  .frame[data-sheet=closed] .category[aria-pressed="true"] { border-color: var(--accent); }
  .frame[data-sheet=closed] .category small:not(.fees) { display: none; }
  .checkout { padding: 10px 16px 14px; gap: 8px; }
  .checkout .countdown { padding: 5px 12px; }
  .checkout .countdown b { font-size: 18px; }
}
@container (max-height: 499px) {
  .frame { grid-template-columns: minmax(0, 1fr) clamp(250px, 36%, 320px); }
  .panel { overflow-y: auto; }
  .panel header { padding: 10px 14px; }
  .panel h2 { font-size: 16px; }
  .banners { padding: 8px 14px 0; max-height: none; overflow: visible; }
  .body { padding: 10px 14px; gap: 14px; flex: 1 0 auto; overflow: visible; }
  .checkout { padding: 8px 14px 10px; gap: 6px; position: sticky; bottom: 0; background: var(--surface); }
  .tools button { width: 40px; height: 40px; }
}
/* A page at 400 %: beside a panel the map would be as narrow as its buttons. The map and the panel scroll as one. */
@container (max-width: 479px) and (max-height: 499px) {
  .frame { grid-template-columns: minmax(0, 1fr); grid-template-rows: max(220px, 70cqh) auto; overflow-y: auto; }
  .panel { border-inline-start: 0; border-top: 1px solid var(--line); overflow: visible; }
  .tools { display: flex; }
  .tools button + button { border-top: 0; border-inline-start: 1px solid var(--line); }
}
`;
