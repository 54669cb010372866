/**
 * Cards on the map: of the seat under the pointer or the focus, with its price, tickets, kinds, status and view, and of
 * a section from afar. The place that a finger has tapped last has its card at the edge of the map, where a tap closes
 * it. Screen readers hear the same from the keyboard's map.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { entranceText, kindsText, placeName } from '../messages/places.ts';
import { namedFeesText, priceText } from '../messages/prices.ts';
import { pricedAt } from '../rules/prices.ts';
import { chosenSpot, tiersOf } from '../rules/selection.ts';
import { statusWords } from '../rules/statuses.ts';
import { freeGlyph, shapes } from '../telling.ts';
import { icon } from './icon.ts';
import type { PanelView } from './panel-view.ts';
import { before } from './price-before.ts';
import { seatPicture } from './seat-view.ts';

export type CardView = Pick<
  PanelView,
  'words' | 'hall' | 'colours' | 'describe' | 'pictureOf' | 'statuses' | 'sale' | 'offers' | 'event'
>;

/** `isUnderButtons`: the card stands in the flow below the buttons above the map. */
export type MapCard = { template: TemplateResult; isUnderButtons: boolean };

/** Beside a point, by a CSS transform, or at an edge of the map, where a tap closes the card. */
export type CardPlace = { transform: string } | { edge: 'top' | 'bottom'; close(): void };

export function spotCard(view: CardView, spot: number, place: CardPlace): MapCard {
  const { words, hall, colours, describe } = view;
  const category = hall.categoryOf[spot]!;
  const object = hall.objects[hall.objectOf[spot]!]!;
  const entrance = entranceText(words, object);
  const kinds = kindsText(words, hall, spot);
  const [price, standing] = describe(spot).slice(-2);
  const picture = view.pictureOf(spot);
  const status = statusWords[view.statuses.of[spot]!]!;
  const canBeHad = status === 'free' || view.sale.state.selection.has(hall.labels[spot]!);
  return card(
    place,
    html`${picture === null ? nothing : seatPicture(words, picture, '')}
    ${object.section === null ? nothing : html`<small>${object.section}</small>`}
    <b>${placeName(words, hall, spot)}</b>
    <span class="cost">${icon('free', colours[category])}${hall.categories[category]!.label}${canBeHad ? html`${before(view, spot)}<strong>${price}</strong>` : nothing}</span>
    ${canBeHad ? tickets(view, spot) : nothing}
    ${kinds.length > 0 ? html`<span class="kind">${icon(kindGlyph(view, spot), colours[category])}${words.join(kinds)}</span>` : nothing}
    ${entrance === null ? nothing : html`<span>${entrance}</span>`}
    <span class="standing">${status === 'free' || canBeHad ? nothing : icon(shapes[status])}${standing}</span>`,
  );
}

export function blockCard(name: string, lines: readonly string[], place: CardPlace): MapCard {
  return card(place, html`<b>${name}</b> ${lines.map((line) => html`<span>${line}</span>`)}`);
}

function card(place: CardPlace, content: TemplateResult): MapCard {
  if ('transform' in place) {
    const style = `transform:${place.transform}`;
    const template = html`<div class="card" part="card" aria-hidden="true" .style=${style}>${content}</div>`;
    return { template, isUnderButtons: false };
  }
  const { edge, close } = place;
  const template = html`<div class="card tapped at-${edge}" part="card" aria-hidden="true" @click=${close}>${content}</div>`;
  return { template, isUnderButtons: edge === 'top' };
}

/** The tickets to choose from, where a place has more than one. */
function tickets({ words, hall, offers, event }: CardView, spot: number): TemplateResult | typeof nothing {
  const tiers = tiersOf(hall, chosenSpot(hall, spot));
  if (tiers.length < 2) return nothing;
  const label = hall.labels[spot]!;
  const told = tiers.map((tier) => {
    const priced = pricedAt(hall, offers, hall.categoryOf[spot]!, label, tier);
    const price = priceText(words, priced, event, namedFeesText);
    return words.text('basket.ticketPrice', { ticket: tier.name, price });
  });
  return html`<span class="tickets">${words.join(told)}</span>`;
}

const kindGlyph = ({ hall }: CardView, spot: number) =>
  hall.accessibilityOf[spot] === 0 ? 'restricted' : freeGlyph(hall.accessibilityOf[spot]!);
