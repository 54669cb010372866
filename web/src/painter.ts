/** The look of each seat on the map and its description in words, from its status and the buyer's selection. */
import type { GlyphName } from './draw/glyphs.ts';
import type { Look } from './draw/seats.ts';
import type { Painter } from './draw/view.ts';
import { kindsText, placeName } from './messages/places.ts';
import type { Words } from './messages/words.ts';
import { COMPANION, WHEELCHAIR } from './rules/hall.ts';
import { inkOn } from './rules/palette.ts';
import { priceOf, tiersFor } from './rules/prices.ts';
import { type StatusWord, statusWords } from './rules/statuses.ts';
import type { House } from './sale/house.ts';
import type { SaleState } from './sale/sale-state.ts';

const UNTINTED = 0xffffff;
const shapes: Record<Exclude<StatusWord, 'free'>, Look> = {
  held: { glyph: 'held', tint: UNTINTED },
  booked: { glyph: 'booked', tint: UNTINTED },
  not_for_sale: { glyph: 'closed', tint: UNTINTED },
  partly: { glyph: 'partly', tint: UNTINTED },
};
const chosenLook: Look = { glyph: 'chosen', tint: UNTINTED };

export function createPainter(
  words: () => Words,
  house: () => House,
  sale: SaleState,
  colours: () => number[],
): Painter {
  let tints: number[] = [];
  let inks: string[] = [];
  const isChosen = (spot: number) => sale.selection.has(house().hall.labels[spot]!);
  return {
    words,
    begin() {
      tints = colours();
      inks = tints.map(inkOn);
    },
    lookOf(spot) {
      const { hall, statuses } = house();
      if (isChosen(spot)) return chosenLook;
      const status = statusWords[statuses.of[spot]!]!;
      if (status !== 'free') return shapes[status];
      return { glyph: freeGlyph(hall.accessibilityOf[spot]!), tint: tints[hall.categoryOf[spot]!] ?? UNTINTED };
    },
    inkOf(spot) {
      const { hall, statuses } = house();
      const isPlain = statuses.of[spot] === 0 && !isChosen(spot) && hall.accessibilityOf[spot] === 0;
      return isPlain ? (inks[hall.categoryOf[spot]!] ?? null) : null;
    },
    chosenIn(block) {
      const { hall } = house();
      let count = 0;
      for (const { spot } of sale.selection.values()) if (spot !== null && hall.blockOf[spot] === block) count++;
      return count;
    },
  };
}

/** The glyph of a free seat: its kind. */
export function freeGlyph(accessibility: number): GlyphName {
  if (accessibility & WHEELCHAIR) return 'wheelchair';
  if (accessibility & COMPANION) return 'companion';
  return accessibility === 0 ? 'free' : 'special';
}

/** Name, category, kinds, price and status, in the order they are spoken. */
export function describeSpot(
  words: Words,
  { hall, offers, statuses, event, performances, lackingOf }: House,
  sale: SaleState,
  spot: number,
): string[] {
  const label = hall.labels[spot]!;
  const category = hall.categoryOf[spot]!;
  const accessibility = hall.accessibilityOf[spot]!;
  const { mode, max } = hall.objects[hall.objectOf[spot]!]!;
  const tier = tiersFor(hall, category, label, accessibility)[0] ?? null;
  const each = priceOf(hall, offers, category, label, tier);
  const isOurs = sale.hold?.labels.includes(label) ?? false;
  const status = statusWords[statuses.of[spot]!]!;
  const { text } = words;
  const known =
    status === 'partly'
      ? text('status.lacking', { performances: words.list(lackingOf(label)) })
      : text(`status.${status}`);
  const standing = isOurs ? text('status.ours') : sale.selection.has(label) ? text('status.chosen') : known;
  const amount = words.money(each, event.currency);
  const price = mode === 'individual' ? amount : text('place.guestPrice', { price: amount, count: max });
  return [
    placeName(words, hall, spot),
    hall.categories[category]!.label,
    ...kindsText(words, accessibility),
    performances.length === 0 ? price : text('place.forAll', { price, count: performances.length }),
    standing,
  ];
}
