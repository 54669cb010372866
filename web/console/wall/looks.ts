/** The looks of the control room: dark, and large enough to read from across a room. */
import { heats } from './momentum.ts';

export const looks = `
.wall { color-scheme: dark; display: grid; gap: 16px; padding: 16px; border-radius: 12px; color: var(--text); background: var(--ground); accent-color: var(--accent); }
.wall:fullscreen { overflow: auto; align-content: start; padding: 24px; border-radius: 0; font-size: clamp(16px, 1.1vw, 28px); }
.wall h2 { margin: 0 0 8px; font-size: 1.1em; }
.wall-head { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; }
.wall-head h2 { margin: 0; font-size: clamp(1.2em, 2vw, 2.4em); }
.wall-age { margin: 0; }
.wall-age[data-old] { padding: 4px 12px; border: 2px solid var(--warning-edge); border-radius: 8px; color: var(--warning-text); background: var(--warning-surface); font-weight: 650; }
.wall-numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 190px), 1fr)); gap: 12px; margin: 0; }
.wall-numbers div, .wall-part { container-type: inline-size; padding: 12px 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); min-width: 0; }
.wall-numbers dt { color: var(--muted); font-size: 1.05em; }
.wall-numbers dd { margin: 0; font-size: clamp(1.6rem, 24cqi, 6rem); font-weight: 700; line-height: 1.15; font-variant-numeric: tabular-nums; white-space: nowrap; }
.wall-numbers dd[data-long] { font-size: clamp(1.2rem, 14cqi, 6rem); }
.wall-numbers dd small { display: block; color: var(--muted); font-size: 1.1rem; font-weight: 400; white-space: normal; }
.wall:fullscreen .wall-numbers dd { font-size: clamp(1.6em, 24cqi, 4.6em); }
.wall:fullscreen .wall-numbers dd[data-long] { font-size: clamp(1.2em, 14cqi, 4.6em); }
.wall:fullscreen .wall-numbers dd small { font-size: clamp(14px, .5em, 26px); }
.wall-parts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26em), 1fr)); grid-auto-flow: dense; gap: 16px; align-items: start; }
.wall-map { grid-row: span 2; }
.wall-part table { font-size: 1.1em; background: none; }
.wall-part .scroll { overflow-x: auto; }
.wall-part th, .wall-part td { padding: 6px 8px; overflow-wrap: break-word; hyphens: auto; }
.wall-part .number { white-space: nowrap; hyphens: none; }
@container (max-width: 360px) { .wall-part .bar-cell { display: none; } .wall-part table { font-size: .95em; } .wall-part th, .wall-part td { padding: 6px 3px; } }
.wall-part meter { width: 100%; min-width: 60px; height: .9em; }
.wall-part ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; }
.wall-keys { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0 0 8px; }
.wall-keys span::before { content: ""; display: inline-block; width: 1.6em; height: 0; margin-inline-end: 6px; vertical-align: middle; border-top: 3px solid var(--accent); }
.wall-keys .held::before { border-top: 2px dashed var(--text); }
.wall-map > ul { margin-block-end: 12px; }
.wall-heat { position: relative; display: inline-grid; place-items: center; width: 18px; height: 18px; margin-inline-end: 6px; border-radius: 50%; vertical-align: middle; }
.wall-heat::after { content: ""; width: 6px; height: 6px; border-radius: 50%; background: #14171f; }
${heats.map(({ colour }, heat) => `.wall-heat[data-heat="${heat}"] { background: ${colour}; }`).join('\n')}
.wall-heat[data-heat="0"]::before { content: ""; position: absolute; inset-block-start: -4px; inset-inline-end: -4px; width: 8px; height: 8px; border: 2px solid var(--text); border-radius: 50%; background: var(--ground); }
.wall .hall { height: clamp(280px, 50vh, 900px); }
.sold-out { display: inline-block; padding: 0 8px; border: 2px solid currentColor; border-radius: 6px; font-weight: 700; }
.wall-part.is-late { border-color: var(--warning-edge); }
.graph { width: 100%; min-height: 15em; overflow: hidden; direction: ltr; }
.graph .u-wrap { position: relative; user-select: none; }
.graph .u-over, .graph .u-under { position: absolute; }
.graph .u-under { overflow: hidden; }
.graph canvas { display: block; position: relative; width: 100%; height: 100%; }
.graph .u-axis { position: absolute; }
`;
