/** The things of a chart that the format of an export lacks, in words for the caller. */
import type { Category, ChartDocument, ChartObject, Override, Section, Tier } from '../document.ts';
import { countOf } from '../imports/report.ts';
import { inSections, objectName } from '../place-names.ts';
import { bookingModeOf, isSeller, partsOf, placesOf } from '../places.ts';

export type Exported = { text: string; leftOut: string[] };

/** Things that a format may lack: one of them, several of them, and their number in a chart. */
type Loss = { one: string; many: string; count(document: ChartDocument, objects: readonly ChartObject[]): number };

const losses = {
  wholeTables: {
    one: 'table that is sold as a whole',
    many: 'tables that are sold as a whole',
    count: (_, objects) =>
      objects.filter((each) => each.type === 'table' && bookingModeOf(each) !== 'individual').length,
  },
  tableForms: {
    one: 'form of a table',
    many: 'forms of tables',
    count: (_, objects) =>
      objects.filter((each) => each.type === 'table' && bookingModeOf(each) === 'individual').length,
  },
  areas: { one: 'standing area', many: 'standing areas', count: (_, objects) => countType(objects, 'gaArea') },
  booths: { one: 'booth', many: 'booths', count: (_, objects) => countType(objects, 'booth') },
  accessibility: {
    one: 'kind of an accessible place',
    many: 'kinds of accessible places',
    count: (_, objects) => accessibleOf(objects),
  },
  seatDisplayLabels: {
    one: 'display label of a seat',
    many: 'display labels of seats',
    count: (_, objects) => countOverrides(objects, ({ displayLabel }) => displayLabel !== undefined),
  },
  otherDisplayLabels: {
    one: 'display label of a row, table or section',
    many: 'display labels of rows, tables and sections',
    count: ({ floors }, objects) => {
      const parts = floors?.length ? floors.map((floor) => floor.objects) : [objects];
      return parts.flatMap(inSections).filter(isNamedByHand).length;
    },
  },
  sectionDisplayLabels: {
    one: 'display label of a section',
    many: 'display labels of sections',
    count: (_, objects) => objects.filter((each) => each.type === 'section' && hasText(each, 'displayLabel')).length,
  },
  seatViews: {
    one: 'view or restricted view from a seat',
    many: 'views and restricted views from seats',
    count: (_, objects) =>
      countOverrides(objects, (each) => hasText(each, 'viewFromSeatUrl') || each.restrictedView === true),
  },
  otherViews: {
    one: 'view or entrance of a row, table, area or section',
    many: 'views and entrances of rows, tables, areas and sections',
    count: (_, objects) =>
      objects.filter((each) => hasText(each, 'viewFromSeatUrl') || hasText(each, 'entrance')).length,
  },
  outlines: {
    one: 'outline of a section',
    many: 'outlines of sections',
    count: (_, objects) => countType(objects, 'section'),
  },
  zones: { one: 'zone', many: 'zones', count: ({ zones }) => zones?.length ?? 0 },
  floors: { one: 'further floor', many: 'further floors', count: ({ floors }) => (floors?.length ?? 1) - 1 },
  prices: {
    one: 'price of a category',
    many: 'prices of categories',
    count: ({ categories }) =>
      categories.filter(({ price, tiers }) => price !== undefined || tiers !== undefined).length,
  },
  tiers: {
    one: 'category with tiers',
    many: 'categories with tiers',
    count: ({ categories }) => categories.filter(({ tiers }) => tiers !== undefined).length,
  },
  fees: {
    one: 'category with fees',
    many: 'categories with fees',
    count: ({ categories }) => countPriced(categories, ({ fees }) => (fees?.length ?? 0) > 0),
  },
  previousPrices: {
    one: 'category with a previous price',
    many: 'categories with previous prices',
    count: ({ categories }) => countPriced(categories, ({ previousPrice }) => previousPrice !== undefined),
  },
  colours: { one: 'colour of a category', many: 'colours of categories', count: ({ categories }) => categories.length },
  focalPoints: {
    one: 'focal point',
    many: 'focal points',
    count: ({ floors, zones = [] }) =>
      Math.max(1, floors?.length ?? 0) + zones.filter(({ focalPoint }) => focalPoint !== undefined).length,
  },
  drawings: {
    one: 'shape or text',
    many: 'shapes and texts',
    count: (_, objects) => countType(objects, 'shape') + countType(objects, 'text'),
  },
  pictures: {
    one: 'picture',
    many: 'pictures',
    count: (document, objects) =>
      countType(objects, 'decorImage') +
      [document, ...(document.floors ?? [])].filter(({ backgroundImage }) => !!backgroundImage).length,
  },
} as const satisfies Record<string, Loss>;

/** Readers work out by themselves a display label that only leaves the section out. */
function isNamedByHand([object, section]: readonly [ChartObject, Section | null]): boolean {
  if (!hasText(object, 'displayLabel')) return false;
  const { label } = object as { label: string };
  return (object as { displayLabel: string }).displayLabel !== objectName({ label }, section);
}

export type Lack = keyof typeof losses;

export function leftOutOf(document: ChartDocument, lacks: readonly Lack[]): string[] {
  const objects = partsOf(document).flatMap((part) => part.objects);
  return lacks.flatMap((lack) => {
    const { one, many, count } = losses[lack] as Loss;
    const number = count(document, objects);
    return number > 0 ? countOf(number, one, many) : [];
  });
}

function countType(objects: readonly ChartObject[], type: ChartObject['type']): number {
  return objects.filter((each) => each.type === type).length;
}

function hasText(fields: Record<string, unknown>, name: string): boolean {
  return typeof fields[name] === 'string' && fields[name] !== '';
}

function countOverrides(objects: readonly ChartObject[], test: (override: Override) => boolean): number {
  let count = 0;
  for (const object of objects) {
    if (object.type === 'row' || object.type === 'table') count += object.overrides?.filter(test).length ?? 0;
  }
  return count;
}

function countPriced(categories: readonly Category[], test: (priced: Category | Tier) => boolean): number {
  return categories.filter((category) => [category, ...(category.tiers ?? [])].some(test)).length;
}

function accessibleOf(objects: readonly ChartObject[]): number {
  let accessible = 0;
  for (const object of objects.filter(isSeller)) {
    if (object.type !== 'row' && object.type !== 'table') continue;
    if (!object.overrides) continue;
    accessible += placesOf(object).filter((place) => place.accessibility > 0).length;
  }
  return accessible;
}
