/** The frame of the map: its tools above, the map, and the list of its places below. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Words } from '../../messages/words.ts';
import type { LiveHall } from './live.ts';
import type { PlaceList } from './place-list.ts';
import { type HallTool, hallTools } from './tools.ts';

type FramedMap = {
  live: LiveHall;
  tool: HallTool;
  floor: number;
  take(tool: HallTool): void;
  zoom(step: 1 | -1 | 0): void;
  showFloor(floor: number): void;
};

export function drawPane(pane: FramedMap, host: HTMLElement, list: PlaceList, words: Words): TemplateResult {
  const { text } = words;
  return html`<div class="hall-pane">
    <div class="hall-bar">
      <div role="group" aria-label=${text('map.tools')}>${hallTools.map(
        (tool) => html`<button aria-pressed=${pane.tool === tool} title=${text(`map.tool.${tool}.hint`)}
          @click=${() => pane.take(tool)}>${text(`map.tool.${tool}`)}</button>`,
      )}</div>
      <div role="group" aria-label=${text('map.view')}>
        <button aria-label=${text('map.closer')} @click=${() => pane.zoom(1)}>+</button>
        <button aria-label=${text('map.further')} @click=${() => pane.zoom(-1)}>−</button>
        <button @click=${() => pane.zoom(0)}>${text('map.whole')}</button>
      </div>
      ${floors(pane, words)}
    </div>
    ${host}
    ${list.draw()}
  </div>`;
}

function floors(pane: FramedMap, { text }: Words): TemplateResult | typeof nothing {
  const names = pane.live.hall?.floors ?? [];
  if (names.length < 2) return nothing;
  return html`<label>${text('map.floor')} <select @change=${({ target }: Event) => {
    pane.showFloor(Number((target as HTMLSelectElement).value));
  }}>${names.map((name, floor) => html`<option value=${floor} ?selected=${pane.floor === floor}>${name}</option>`)}</select></label>`;
}
