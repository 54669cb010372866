/**
 * Cards on the map: of the seat under the pointer or the focus, with its price, kinds, status and view, and of a
 * section from afar. `place` is a CSS transform. Screen readers hear the same from the keyboard's map.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { kindsText, placeName } from '../messages/places.ts';
import type { PanelView } from './panel-view.ts';
import { seatPicture } from './seat-view.ts';
import { icon } from './signs.ts';

type CardView = Pick<PanelView, 'words' | 'hall' | 'colours' | 'describe' | 'pictureOf'>;

export function spotCard(view: CardView, spot: number, place: string): TemplateResult {
  const { words, hall, colours, describe } = view;
  const category = hall.categoryOf[spot]!;
  const section = hall.blocks[hall.blockOf[spot]!]!.label;
  const kinds = kindsText(words, hall, spot);
  const [price, standing] = describe(spot).slice(-2);
  const picture = view.pictureOf(spot);
  return html`<div class="card" part="card" aria-hidden="true" .style=${`transform:${place}`}>
    ${picture === null ? nothing : seatPicture(words, picture, '')}
    ${section ? html`<small>${section}</small>` : nothing}
    <b>${placeName(words, hall, spot)}</b>
    <span class="cost">${icon('free', colours[category])}${hall.categories[category]!.label}<strong>${price}</strong></span>
    ${kinds.length > 0 ? html`<span>${words.join(kinds)}</span>` : nothing}
    <span class="standing">${standing}</span>
  </div>`;
}

export function blockCard(name: string, lines: readonly string[], place: string): TemplateResult {
  return html`<div class="card" part="card" aria-hidden="true" .style=${`transform:${place}`}>
    <b>${name}</b> ${lines.map((line) => html`<span>${line}</span>`)}
  </div>`;
}
