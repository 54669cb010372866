/**
 * The categories of an imported chart: every place gets one. A category has the price of its seats in the file; seats
 * of another price, or of none, get a category of their own. Nothing gets a price that the file does not tell.
 */
import type { Category } from '../document.ts';
import { usualCategory } from './fitting/seat-overrides.ts';
import { inUnits } from './prices.ts';
import { countOf, type Notes, quoted } from './report.ts';
import type { FoundSeat, FoundVenue } from './venue.ts';
import { isFoundSeller } from './venue.ts';

/** Distinct colours for categories that have none in the file. */
const COLOURS = ['#4e79a7', '#f28e2b', '#59a14f', '#b07aa1', '#edc948', '#76b7b2', '#e15759', '#9c755f'];
const UNCATEGORISED = 'uncategorised';

/** Fills in the categories of all places in place, and returns the categories of the chart. */
export function completeCategories(venue: FoundVenue, notes: Notes): Category[] {
  splitByPrice(venue, notes);
  const categories = venue.categories.map(({ key, label, color, price }, index) => ({
    key,
    label,
    color: color ?? COLOURS[index % COLOURS.length]!,
    ...(price !== undefined && { price: inUnits(price, venue.priceDigits) }),
  }));
  const colourless = venue.categories.filter(({ color }) => color === null).length;
  if (colourless > 0) {
    const have = colourless === 1 ? '1 category has' : `${colourless} categories have`;
    notes.changed('colour_chosen', `${have} no colour in the file that the import can read. It chose colours.`);
  }
  const filling = new Filling(new Set(categories.map(({ key }) => key)), notes);
  for (const item of venue.floors.flatMap(({ items }) => items)) {
    if (!isFoundSeller(item)) continue;
    if (item.type === 'row') filling.fill(item.seats, item.source, item.label);
    else if (item.type === 'table' && item.booking.mode === 'individual' && item.seats.length > 0) {
      filling.fill(item.seats, item.source, item.label);
      item.categoryKey = null;
    } else {
      if (item.type === 'table') item.categoryKey ??= usualCategory(item.seats, '') || null;
      filling.fill([item], item.source, item.label);
    }
  }
  if (!filling.isUsed) return categories;
  return [...categories, { key: filling.key, label: 'No category', color: '#8c8c8c' }];
}

type FoundCategory = FoundVenue['categories'][number];

/** Seats of one category by their price; null for those without. */
type ByPrice = Map<number | null, FoundSeat[]>;

function splitByPrice(venue: FoundVenue, notes: Notes): void {
  const byKey = new Map<string | null, ByPrice>();
  for (const item of venue.floors.flatMap(({ items }) => items)) {
    if (item.type !== 'row' && item.type !== 'table') continue;
    for (const seat of item.seats) {
      if (seat.price === undefined) continue;
      const byPrice = byKey.get(seat.categoryKey) ?? new Map<number | null, FoundSeat[]>();
      byKey.set(seat.categoryKey, byPrice);
      const seats = byPrice.get(seat.price);
      if (seats) seats.push(seat);
      else byPrice.set(seat.price, [seat]);
    }
  }
  if (byKey.size === 0) return;
  const taken = new Set(venue.categories.map(({ key }) => key));
  const digits = venue.priceDigits;
  venue.categories = [
    ...venue.categories.flatMap((category) =>
      pricedParts(category, byKey.get(category.key) ?? new Map(), { taken, notes, digits }),
    ),
    ...pricedParts(null, byKey.get(null) ?? new Map(), { taken, notes, digits }),
  ];
  const unpriced = [...byKey.values()].reduce((sum, byPrice) => sum + (byPrice.get(null)?.length ?? 0), 0);
  if (unpriced === 0) return;
  const message = `${countOf(unpriced, 'seat')} ${unpriced === 1 ? 'has' : 'have'} no price in the file, and no price here. Set the prices of their categories before you sell.`;
  notes.ambiguous('price_missing', message);
}

/** The category of the most frequent price keeps the name. `category` null: seats that have a price alone. */
function pricedParts(
  category: FoundCategory | null,
  byPrice: ByPrice,
  { taken, notes, digits }: { taken: Set<string>; notes: Notes; digits: number | null },
): FoundCategory[] {
  const usual = [...byPrice].sort(([a, seats], [b, others]) =>
    a === null ? 1 : b === null ? -1 : others.length - seats.length,
  );
  const [first, ...others] = category === null ? [null, ...usual] : usual;
  const parts: FoundCategory[] = [];
  if (category !== null) parts.push(first?.[0] == null ? category : { ...category, price: first[0] });
  for (const entry of others) {
    const [price, seats] = entry!;
    // Seats without a price and without a category become "No category".
    if (category === null && price === null) continue;
    const named = price === null ? 'no price' : price.toFixed(digits ?? 0);
    let key = category === null ? `Price ${named}` : `${category.label} (${named})`;
    while (taken.has(key)) key += '-';
    taken.add(key);
    for (const seat of seats) seat.categoryKey = key;
    parts.push({ key, label: key, color: null, ...(price !== null && { price }) });
  }
  if (category !== null && parts.length > 1) {
    const message = `Seats of the category ${quoted(category.label)} have several prices, or none. A category has one price, so they became ${parts.length} categories.`;
    notes.changed('category_of_price', message);
  }
  return parts;
}

class Filling {
  readonly #known: ReadonlySet<string>;
  readonly #notes: Notes;
  readonly key: string;
  isUsed = false;

  constructor(known: ReadonlySet<string>, notes: Notes) {
    this.#known = known;
    this.#notes = notes;
    let key = UNCATEGORISED;
    while (known.has(key)) key += '-';
    this.key = key;
  }

  fill(places: Pick<FoundSeat, 'categoryKey'>[], source: string, label: string): void {
    let missing = 0;
    const unknown = new Map<string, number>();
    for (const place of places) {
      if (place.categoryKey !== null && this.#known.has(place.categoryKey)) continue;
      if (place.categoryKey === null) missing++;
      else unknown.set(place.categoryKey, (unknown.get(place.categoryKey) ?? 0) + 1);
      place.categoryKey = this.key;
      this.isUsed = true;
    }
    const choose = 'The import put them into "No category". Choose their category before you publish.';
    if (missing > 0) {
      const message = `${countOf(missing, 'place')} of ${quoted(label)} ${missing === 1 ? 'has' : 'have'} no category in the file. ${choose}`;
      this.#notes.ambiguous('no_category', message, { source });
    }
    for (const [key, count] of unknown) {
      const message = `${countOf(count, 'place')} of ${quoted(label)} ${count === 1 ? 'names' : 'name'} the category ${quoted(key)}, which the file does not have. ${choose}`;
      this.#notes.ambiguous('unknown_category', message, { source });
    }
  }
}
