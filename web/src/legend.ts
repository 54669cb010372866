/** The meaning of colours and shapes, with the price of each category. */
import { html, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { drawGlyph, type GlyphName } from './draw/glyphs.ts';
import { COMPANION, type Hall, WHEELCHAIR } from './rules/hall.ts';
import type { Performance } from './rules/performances.ts';
import { type Offers, pricesOf } from './rules/prices.ts';
import { money } from './rules/words.ts';

const shapes: [GlyphName, string][] = [
  ['chosen', 'Yours'],
  ['held', 'In a basket'],
  ['booked', 'Sold'],
  ['closed', 'Not for sale'],
];

const partly: [GlyphName, string] = ['partly', 'Not for every performance'];

export type Legend = {
  hall: Hall;
  offers: readonly Offers[];
  performances: readonly Performance[];
  colours: readonly string[];
  currency: string;
  locale: string | undefined;
};

export function legend({ hall, offers, performances, colours, currency, locale }: Legend): TemplateResult {
  const used = new Set([...hall.categoryOf, ...hall.areas.map(({ category }) => category)]);
  const shown = hall.categories
    .map((category, index) => ({ ...category, index }))
    .filter(({ index }) => used.has(index));
  const price = (index: number) => {
    const { from, to } = pricesOf(hall, offers, index);
    return `${from < to ? 'from ' : ''}${money(from, currency, locale)}`;
  };
  return html`<section class="legend" aria-label="Legend">
    <ul class="categories">
      ${shown.map(
        ({ label, index, notForSale }) => html`<li>
          ${icon(notForSale ? 'closed' : 'free', colours[index]!)}<span>${label}</span
          ><b>${notForSale ? 'not for sale' : price(index)}</b>
        </li>`,
      )}
    </ul>
    <ul class="shapes">
      ${[...shapes, ...(performances.length > 0 ? [partly] : [])].map(([name, text]) => html`<li>${icon(name)}<span>${text}</span></li>`)}
      ${signs(hall).map(([name, text]) => html`<li>${icon(name, '#4a5160')}<span>${text}</span></li>`)}
    </ul>
  </section>`;
}

function signs(hall: Hall): [GlyphName, string][] {
  const kinds = hall.accessibilityOf.reduce((all, each) => all | each, 0);
  const all: [GlyphName, string, number][] = [
    ['wheelchair', 'Wheelchair place', WHEELCHAIR],
    ['companion', 'Companion', COMPANION],
    ['special', 'Easier seat', ~(WHEELCHAIR | COMPANION)],
  ];
  return all.filter(([, , bits]) => kinds & bits).map(([name, text]) => [name, text]);
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
