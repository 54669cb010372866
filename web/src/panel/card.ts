/** A card beside the seat under the pointer or the focus: its section, name, price, kinds, status and view. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { kindsText, placeName } from '../messages/places.ts';
import type { PanelView } from './panel-view.ts';
import { icon } from './signs.ts';

/** The place of the seat on the map, and the map's height, in CSS pixels. */
export type Card = { spot: number; x: number; y: number; height: number };

type CardView = Pick<PanelView, 'words' | 'hall' | 'colours' | 'describe'> & { viewOf(spot: number): string | null };

export function card(view: CardView, { spot, x, y, height }: Card): TemplateResult {
  const { words, hall, colours, describe, viewOf } = view;
  const category = hall.categoryOf[spot]!;
  const section = hall.blocks[hall.blockOf[spot]!]!.label;
  const kinds = kindsText(words, hall.accessibilityOf[spot]!);
  const [price, standing] = describe(spot).slice(-2);
  const picture = viewOf(spot);
  // The card stands above a seat in the lower half, so that it hides no seat under the pointer.
  const side = y > height / 2 ? 'above' : 'below';
  return html`<div class="card ${side}" part="card" aria-hidden="true" .style=${`--x:${x}px;--y:${y}px`}>
    ${picture === null ? nothing : html`<img src=${picture} alt="" referrerpolicy="no-referrer" />`}
    ${section ? html`<small>${section}</small>` : nothing}
    <b>${placeName(words, hall, spot)}</b>
    <span class="cost">${icon('free', colours[category])}${hall.categories[category]!.label}<strong>${price}</strong></span>
    ${kinds.length > 0 ? html`<span>${kinds.join(', ')}</span>` : nothing}
    <span class="standing">${standing}</span>
  </div>`;
}
