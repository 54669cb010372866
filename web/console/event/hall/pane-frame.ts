/** The frame of the map: its tools above, the map, and the list of its places below. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Words } from '../../messages/words.ts';
import type { MapPane } from './map-pane.ts';
import type { PlaceList } from './place-list.ts';
import { hallTools } from './tools.ts';

export function drawPane(pane: MapPane, host: HTMLElement, list: PlaceList, words: Words): TemplateResult {
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

function floors(pane: MapPane, { text }: Words): TemplateResult | typeof nothing {
  const names = pane.live.hall?.floors ?? [];
  if (names.length < 2) return nothing;
  return html`<label>${text('map.floor')} <select @change=${({ target }: Event) => {
    pane.showFloor(Number((target as HTMLSelectElement).value));
  }}>${names.map((name, floor) => html`<option value=${floor} ?selected=${pane.floor === floor}>${name}</option>`)}</select></label>`;
}
