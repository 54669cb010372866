/**
 * A chart as CSV, one line for each seat, in the columns that an import of CSV reads. An import of the file gives the
 * same seats, with their labels, positions, categories, prices and kinds. A chart has no currency, so the prices of a
 * chart that counts in minor units have two decimals: an import reads the same prices from them.
 */
import { accessibilityKinds, type Way, wayOf } from '../accessibility.ts';
import type { ChartDocument, Override } from '../document.ts';
import { sectionFinder } from '../membership.ts';
import { seatNumberIn } from '../numbering.ts';
import { centreOf, type FloorObjects, hasSeats, type Place, partsOf, placesOf } from '../places.ts';
import { categoryNames } from './category-names.ts';
import { textCell } from './csv-cell.ts';
import { type Exported, type Lack, leftOutOf } from './left-out.ts';

const columns = [
  'floor',
  'section',
  'row',
  'seat',
  'label',
  'x',
  'y',
  'category',
  'accessible',
  'displayLabel',
  'view',
  'restrictedView',
  'price',
];

const PRICE_DIGITS = 2;

const lacks: readonly Lack[] = [
  ...([
    'wholeTables',
    'tableForms',
    'areas',
    'booths',
    'otherDisplayLabels',
    'otherViews',
    'outlines',
    'zones',
  ] as const),
  ...(['tiers', 'fees', 'previousPrices', 'colours', 'focalPoints', 'drawings', 'pictures'] as const),
];

export function csvOf(document: ChartDocument): Exported {
  const names = categoryNames(document.categories);
  const isMinor = document.priceUnit === 'minor';
  const prices = new Map(
    document.categories.map(({ key, price, tiers }) => [key, priceCells(tiers ? undefined : price, isMinor)]),
  );
  const header = [...columns, ...(isMinor ? ['priceUnit'] : [])].join(',');
  const priceOf = (key: string) => prices.get(key) ?? priceCells(undefined, isMinor);
  const lines = [header, ...partsOf(document).flatMap((part) => linesOf(part, names, priceOf))];
  const leftOut = leftOutOf(document, lacks);
  return { text: `${lines.join('\r\n')}\r\n`, leftOut };
}

/** The last cells of a line: the price, and the unit of a chart that does not count in whole units. */
function priceCells(price: number | undefined, isMinor: boolean): string {
  if (!isMinor) return String(price ?? '');
  return `${price === undefined ? '' : (price / 10 ** PRICE_DIGITS).toFixed(PRICE_DIGITS)},minor`;
}

function linesOf(
  { floor, objects }: FloorObjects,
  names: ReadonlyMap<string, string>,
  priceOf: (categoryKey: string) => string,
): string[] {
  const sections = objects.filter((object) => object.type === 'section');
  const find = sectionFinder(sections);
  return objects.filter(hasSeats).flatMap((object) => {
    const places = placesOf(object);
    const index = places.length === 0 ? -1 : find(centreOf(object, places));
    const section = index === -1 ? '' : sections[index]!.label;
    const overrides = new Map(object.overrides?.map((override) => [override.index, override]));
    return places.map((place) => {
      const category = names.get(place.categoryKey) ?? place.categoryKey;
      const way = wayOf(place.way, object, sections[index]);
      const at = [floor?.name ?? '', section, object.label] as const;
      const line = lineOf(at, place, { category, way }, overrides.get(place.index));
      return `${line},${priceOf(place.categoryKey)}`;
    });
  });
}

/** `at` names the floor, the section and the row of the place. */
function lineOf(
  at: readonly [floor: string, section: string, row: string],
  place: Place,
  { category, way }: { category: string; way: Way | null },
  override: Override | undefined,
): string {
  const kinds: string[] = accessibilityKinds.filter((_, bit) => place.accessibility & (1 << bit));
  if (way !== null) kinds.push(way);
  const { displayLabel = '', viewFromSeatUrl, restrictedView } = (override ?? {}) as Override & Record<string, unknown>;
  const texts = [...at, seatNumberIn(place.label, at[2]), place.label].map(textCell);
  const numbers = [place.x, place.y].map((value) => String(Math.round(value * 1e3) / 1e3));
  const view = typeof viewFromSeatUrl === 'string' ? viewFromSeatUrl : '';
  const rest = [category, kinds.join(' '), displayLabel, view].map(textCell);
  return [...texts, ...numbers, ...rest, restrictedView === true ? 'yes' : ''].join(',');
}
