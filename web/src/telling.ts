/** A seat in words and signs, from its status and the buyer's selection: for the keyboard, the cards and the list. */
import type { GlyphName } from './draw/glyphs.ts';
import { entranceText, kindsText, placeName, tellsApart } from './messages/places.ts';
import { priceText } from './messages/prices.ts';
import type { Words } from './messages/words.ts';
import { COMPANION, WHEELCHAIR } from './rules/hall.ts';
import { defaultAt } from './rules/prices.ts';
import { type StatusWord, statusWords } from './rules/statuses.ts';
import { isAwaited, isShut, type SalePause, waitingNow } from './rules/waiting.ts';
import type { House } from './sale/house.ts';
import type { SaleState } from './sale/sale-state.ts';
import { costsOfRows } from './sale/total.ts';

export const shapes: Record<Exclude<StatusWord, 'free'>, GlyphName> = {
  held: 'held',
  booked: 'booked',
  not_for_sale: 'closed',
  partly: 'partly',
};

export const standingKeys = { sold_out: 'map.soldOut', not_for_sale: 'price.none' } as const;

/** The seats that break a rule of the event, or that the choice would leave alone, and the places that are for all. */
export type Judged = { marked: ReadonlySet<string>; isForAll(spot: number): boolean };

/** Null while places can be chosen. */
export function shutBy({ waiting, statuses }: House): SalePause | null {
  const now = waitingNow(waiting, statuses);
  return isShut(now) ? now : null;
}

/** The glyph of a free seat: its kind. */
export function freeGlyph(accessibility: number): GlyphName {
  if (accessibility & WHEELCHAIR) return 'wheelchair';
  if (accessibility & COMPANION) return 'companion';
  return accessibility === 0 ? 'free' : 'special';
}

/** Name, section and floor, category, kinds, entrance, price and status, in the order they are spoken. */
export function describeSpot(words: Words, house: House, sale: SaleState, judged: Judged, spot: number): string[] {
  const { hall, statuses, lackingOf } = house;
  const label = hall.labels[spot]!;
  const { text } = words;
  const isOurs = sale.hold?.labels.includes(label) ?? false;
  const status = statusWords[statuses.of[spot]!]!;
  const known =
    status === 'partly'
      ? text('status.lacking', { performances: words.list(lackingOf(label)) })
      : text(status === 'free' ? freeKey(house, judged, spot) : `status.${status}`);
  const object = hall.objects[hall.objectOf[spot]!]!;
  const entrance = entranceText(words, object);
  const isChosen = sale.selection.has(label);
  const standing = isOurs ? text('status.ours') : isChosen ? text('status.chosen') : known;
  const category = hall.categories[hall.categoryOf[spot]!]!.label;
  const where = tellsApart(hall, object).filter((each) => each !== category);
  return [
    placeName(words, hall, spot),
    ...where,
    category,
    ...kindsText(words, hall, spot),
    ...(entrance === null ? [] : [entrance]),
    ...costText(words, house, sale, spot),
    judged.marked.has(label)
      ? words.join([standing, text(isChosen ? 'status.breaksRule' : 'status.leftAlone')])
      : standing,
  ];
}

/** Nobody can choose a free place while the sale is closed. */
function freeKey(house: House, { isForAll }: Judged, spot: number) {
  const pause = shutBy(house);
  if (pause === null) return isForAll(spot) ? 'status.forAll' : 'status.free';
  return isAwaited(pause) ? 'status.notYet' : 'status.notNow';
}

/**
 * The buyer's own places cost what their rows show. Any other place has the price that a choice begins with, and the
 * price before it. The price is last.
 */
function costText(words: Words, house: House, sale: SaleState, spot: number): string[] {
  const { hall, offers, event, performances } = house;
  const label = hall.labels[spot]!;
  const { mode, max } = hall.objects[hall.objectOf[spot]!]!;
  const { text } = words;
  const before: string[] = [];
  const own = sale.selection.get(label) ?? sale.held.get(label);
  let price = '';
  if (own) {
    const guests = own.quantity > 1 ? [text('place.guests', { count: own.quantity })] : [];
    price = words.join([words.money(costsOfRows(house, sale)(own).total, event), ...guests]);
  } else {
    const priced = defaultAt(hall, offers, hall.categoryOf[spot]!, label, hall.accessibilityOf[spot]!);
    const { previous } = priced;
    if (previous !== null) before.push(`${text('price.before')} ${words.money(previous, event)}`);
    const each = priceText(words, priced, event);
    price = mode === 'individual' ? each : text('place.guestPrice', { price: each, count: max });
  }
  return [...before, performances.length === 0 ? price : text('place.forAll', { price, count: performances.length })];
}
