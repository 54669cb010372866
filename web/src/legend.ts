/** The meaning of colours and shapes, with the price of each category. */
import { html, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { drawGlyph, type GlyphName } from './draw/glyphs.ts';
import type { MessageKey, Words } from './messages/words.ts';
import { COMPANION, type Hall, WHEELCHAIR } from './rules/hall.ts';
import type { Performance } from './rules/performances.ts';
import { type Offers, pricesOf } from './rules/prices.ts';

type SignKey = Extract<MessageKey, `legend.${GlyphName | 'yours'}`>;
type Sign = [GlyphName, SignKey];

const shapes: Sign[] = [
  ['chosen', 'legend.yours'],
  ['held', 'legend.held'],
  ['booked', 'legend.booked'],
  ['closed', 'legend.closed'],
];

const partly: Sign = ['partly', 'legend.partly'];

export type Legend = {
  hall: Hall;
  offers: readonly Offers[];
  performances: readonly Performance[];
  colours: readonly string[];
  currency: string;
  words: Words;
};

export function legend({ hall, offers, performances, colours, currency, words }: Legend): TemplateResult {
  const { text } = words;
  const used = new Set([...hall.categoryOf, ...hall.areas.map(({ category }) => category)]);
  const shown = hall.categories
    .map((category, index) => ({ ...category, index }))
    .filter(({ index }) => used.has(index));
  const price = (index: number) => {
    const { from, to } = pricesOf(hall, offers, index);
    const amount = words.money(from, currency);
    return from < to ? text('price.from', { price: amount }) : amount;
  };
  return html`<section class="legend" aria-label=${text('legend.label')}>
    <ul class="categories">
      ${shown.map(
        ({ label, index, notForSale }) => html`<li>
          ${icon(notForSale ? 'closed' : 'free', colours[index]!)}<span>${label}</span
          ><b>${notForSale ? text('price.none') : price(index)}</b>
        </li>`,
      )}
    </ul>
    <ul class="shapes">
      ${[...shapes, ...(performances.length > 0 ? [partly] : [])].map(([name, key]) => html`<li>${icon(name)}<span>${text(key)}</span></li>`)}
      ${signs(hall).map(([name, key]) => html`<li>${icon(name, '#4a5160')}<span>${text(key)}</span></li>`)}
    </ul>
  </section>`;
}

function signs(hall: Hall): Sign[] {
  const kinds = hall.accessibilityOf.reduce((all, each) => all | each, 0);
  const all: [...Sign, bits: number][] = [
    ['wheelchair', 'legend.wheelchair', WHEELCHAIR],
    ['companion', 'legend.companion', COMPANION],
    ['special', 'legend.special', ~(WHEELCHAIR | COMPANION)],
  ];
  return all.filter(([, , bits]) => kinds & bits).map(([name, key]) => [name, key]);
}

const made = new Map<string, HTMLCanvasElement>();

/** The shape of the map, drawn once however often the panel is drawn. */
export const icon = (name: GlyphName, tint = '#ffffff') => guard([name, tint], () => iconOf(name, tint));

/** A canvas stands in one place only, so each use gets a copy. */
function iconOf(name: GlyphName, tint: string): HTMLCanvasElement {
  const key = `${name}${tint}`;
  let drawing = made.get(key);
  if (!drawing) {
    drawing = document.createElement('canvas');
    drawing.width = 64;
    drawing.height = 64;
    drawGlyph(drawing.getContext('2d')!, name, tint);
    made.set(key, drawing);
  }
  const copy = document.createElement('canvas');
  copy.width = 64;
  copy.height = 64;
  copy.className = 'icon';
  copy.setAttribute('aria-hidden', 'true');
  copy.getContext('2d')!.drawImage(drawing, 0, 0);
  return copy;
}
