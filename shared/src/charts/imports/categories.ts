/** The categories of an imported chart: every place gets one, and none gets a price. */
import type { Category } from '../document.ts';
import { usualCategory } from './fitting/seat-overrides.ts';
import { countOf, type Notes, quoted } from './report.ts';
import type { FoundSeat, FoundVenue } from './venue.ts';
import { isFoundSeller } from './venue.ts';

/** Distinct colours for categories that have none in the file. */
const COLOURS = ['#4e79a7', '#f28e2b', '#59a14f', '#b07aa1', '#edc948', '#76b7b2', '#e15759', '#9c755f'];
const UNCATEGORISED = 'uncategorised';

/** Fills in the categories of all places in place, and returns the categories of the chart. */
export function completeCategories(venue: FoundVenue, notes: Notes): Category[] {
  const categories = venue.categories.map(({ key, label, color }, index) => ({
    key,
    label,
    color: color ?? COLOURS[index % COLOURS.length]!,
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
