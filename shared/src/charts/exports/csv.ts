/**
 * A chart as CSV, one line for each seat, in the columns that an import of CSV reads. An import of the file gives the
 * same seats, with their labels, positions, categories, prices and kinds.
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
  ...(['tiers', 'colours', 'focalPoints', 'drawings', 'pictures'] as const),
];

export function csvOf(document: ChartDocument): Exported {
  const names = categoryNames(document.categories);
  const prices = new Map(document.categories.map(({ key, price, tiers }) => [key, tiers ? undefined : price]));
  const lines = [columns.join(','), ...partsOf(document).flatMap((part) => linesOf(part, names, prices))];
  const leftOut = leftOutOf(document, lacks);
  return { text: `${lines.join('\r\n')}\r\n`, leftOut };
}

/** CategoryPrices by the keys of categories. */
type CategoryPrices = ReadonlyMap<string, number | undefined>;

function linesOf(
  { floor, objects }: FloorObjects,
  names: ReadonlyMap<string, string>,
  prices: CategoryPrices,
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
      return `${line},${prices.get(place.categoryKey) ?? ''}`;
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
