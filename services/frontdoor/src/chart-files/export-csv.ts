/**
 * A chart as CSV, one line for each seat, in the columns that an import of CSV reads. An import of the file gives the
 * same seats, with their labels, positions, categories and kinds.
 */
import { accessibilityKinds } from '@parterre/shared/chart/accessibility';
import type { ChartDocument, Override, Row, Table } from '@parterre/shared/chart/document';
import { sectionFinder } from '@parterre/shared/chart/membership';
import {
  bookingModeOf,
  centreOf,
  isSeller,
  type Part,
  type Place,
  partsOf,
  placesOf,
} from '@parterre/shared/chart/places';
import { textCell } from '../answers/answers.ts';
import { categoryNames } from './category-names.ts';
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
  ...(['prices', 'colours', 'focalPoints', 'drawings', 'pictures'] as const),
];

export function csvOf(document: ChartDocument): Exported {
  const lines = [columns.join(',')];
  const names = categoryNames(document.categories);
  for (const part of partsOf(document)) lines.push(...linesOf(part, names));
  const leftOut = leftOutOf(document, lacks);
  return { text: `${lines.join('\r\n')}\r\n`, leftOut };
}

function linesOf({ floor, objects }: Part, names: ReadonlyMap<string, string>): string[] {
  const sections = objects.filter((object) => object.type === 'section');
  const find = sectionFinder(sections);
  return objects.filter(isSeller).flatMap((object) => {
    const isSeated = object.type === 'row' || (object.type === 'table' && bookingModeOf(object) === 'individual');
    if (!isSeated) return [];
    const seated = object as Row | Table;
    const places = placesOf(seated);
    const index = places.length === 0 ? -1 : find(centreOf(seated, places));
    const section = index === -1 ? '' : sections[index]!.label;
    const overrides = new Map(seated.overrides?.map((override) => [override.index, override]));
    return places.map((place) => {
      const category = names.get(place.categoryKey) ?? place.categoryKey;
      return lineOf([floor?.name ?? '', section, seated.label], place, category, overrides.get(place.index));
    });
  });
}

/** `at` names the floor, the section and the row of the place. */
function lineOf(
  at: readonly [floor: string, section: string, row: string],
  place: Place,
  category: string,
  override: Override | undefined,
): string {
  const label = at[2];
  const stem = `${label}-`;
  const number = place.label.startsWith(stem) ? place.label.slice(stem.length) : place.label;
  const kinds = accessibilityKinds.filter((_, bit) => place.accessibility & (1 << bit));
  const { displayLabel = '', viewFromSeatUrl, restrictedView } = (override ?? {}) as Override & Record<string, unknown>;
  const texts = [...at, number, place.label].map(textCell);
  const numbers = [place.x, place.y].map((value) => String(Math.round(value * 1e3) / 1e3));
  const view = typeof viewFromSeatUrl === 'string' ? viewFromSeatUrl : '';
  const rest = [category, kinds.join(' '), displayLabel, view].map(textCell);
  return [...texts, ...numbers, ...rest, restrictedView === true ? 'yes' : ''].join(',');
}
