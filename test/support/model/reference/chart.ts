/**
 * The charts of the model's events and the places that they sell, written by hand beside each object: nothing here
 * comes from the chart compiler. `first` is the chart of a new event. `moved` has the same labels elsewhere, in other
 * categories, and more. `shrunk` has fewer, and its whole table by chairs.
 */
import { gzipSync } from 'node:zlib';
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';

export type ReferencePlace = {
  label: string;
  objectId: string;
  objectType: 'seat' | 'booth' | 'ga' | 'table';
  category: string;
  section: string;
  zone: string | null;
  /** The divisions by which section states and availability rules may name the place. */
  scopes: string[];
  kinds: string[];
  soldAs: 'individual' | 'whole' | 'variable';
  guestsMin: number;
  guestsMax: number;
  chairs: number;
  /** For a seat of a row or a chair of a table: the id of the row or table, and the index in it. */
  row: string | null;
  index: number;
  isChair: boolean;
  x: number;
  y: number;
};

/** The fees of a category or a tier. A tier with fees has none of its category. */
type WithFees = { fees?: { name: string; amount: number }[]; allIn?: boolean };

export type Category = WithFees & {
  key: string;
  label: string;
  color: string;
  price?: number;
  tiers?: (WithFees & {
    id: string;
    name: string;
    price: number;
    applicability?: { seatLabels?: string[]; accessibility?: string[] };
    restriction?: 'companion';
  })[];
  notForSale?: true;
};

export type Chart = {
  hash: string;
  document: ChartDocument;
  plan: Plan;
  categories: Category[];
  places: ReferencePlace[];
  placeNamed: Map<string, ReferencePlace>;
  /** The places of an area, lowest first, by the area's own label. */
  areas: Record<string, string[]>;
  sections: { id: string; label: string; zone: string | null }[];
  zones: Record<string, { x: number; y: number } | null>;
  /** The divisions that section states and availability rules may name. */
  scopes: string[];
  focalPoint: { x: number; y: number };
};

type Thing = { object: object; places: ReferencePlace[]; area?: string };
type Where = { category: string; section: string; zone: string | null; scopes: string[] };

const guests = { guestsMin: 1, guestsMax: 1, chairs: 1 } as const;
const one = { kinds: [], soldAs: 'individual', ...guests, row: null, index: 0, isChair: false } as const;

function row(label: string, y: number, seatCount: number, where: Where, kinds: Record<number, string> = {}): Thing {
  const id = `row-${label}`;
  const overrides = Object.entries(kinds).map(([index, kind]) => ({ index: Number(index), accessibility: [kind] }));
  const object = {
    type: 'row',
    id,
    label,
    origin: { x: 0, y },
    rotation: 0,
    curve: 0,
    seatCount,
    seatSpacing: 20,
    overrides,
    categoryKey: where.category,
  };
  const places = Array.from({ length: seatCount }, (_, index): ReferencePlace => {
    const mine = kinds[index] === undefined ? [] : [kinds[index]];
    const what = { ...where, label: `${label}-${index + 1}`, objectId: `${id}:${index}`, objectType: 'seat' as const };
    return { ...one, ...what, kinds: mine, row: id, index, x: 20 * index, y };
  });
  return { object, places };
}

function area(capacity: number, where: Where): Thing {
  const points = [
    { x: 0, y: 200 },
    { x: 90, y: 200 },
    { x: 90, y: 260 },
  ];
  const object = { type: 'gaArea', id: 'ga', label: 'Standing', points, capacity, categoryKey: where.category };
  const places = Array.from({ length: capacity }, (_, index): ReferencePlace => {
    const what = { ...where, label: `__sl_ga__ga__${index + 1}`, objectId: 'ga', objectType: 'ga' as const };
    return { ...one, ...what, kinds: [], index, x: 60, y: 220 };
  });
  return { object, places, area: 'Standing' };
}

function table(label: string, chairs: number, y: number, where: Where, bounds?: [number, number]): Thing {
  const id = `table-${label}`;
  const object = {
    type: 'table',
    id,
    label,
    center: { x: 0, y },
    shape: 'round',
    seatCount: chairs,
    rotation: 0,
    categoryKey: where.category,
    bookAsWhole: true,
    ...(bounds && { variableOccupancy: true, minOccupancy: bounds[0], maxOccupancy: bounds[1] }),
  };
  const [guestsMin, guestsMax] = bounds ?? [chairs, chairs];
  const soldAs = bounds ? 'variable' : 'whole';
  const what = { ...where, label, objectId: id, objectType: 'table' as const, x: 0, y };
  return { object, places: [{ ...one, ...what, kinds: [], soldAs, guestsMin, guestsMax, chairs }] };
}

function chairs(label: string, count: number, y: number, where: Where): Thing {
  const id = `table-${label}`;
  const object = {
    type: 'table',
    id,
    label,
    center: { x: 0, y },
    shape: 'round',
    seatCount: count,
    rotation: 0,
    categoryKey: where.category,
  };
  const places = Array.from({ length: count }, (_, index): ReferencePlace => {
    const what = { ...where, label: `${label}-${index + 1}`, objectId: `${id}:${index}`, objectType: 'seat' as const };
    // On a circle, from its right side, clockwise as drawn (downwards first).
    const angle = (2 * Math.PI * index) / count;
    const at = { x: chairDistance * Math.cos(angle), y: y + chairDistance * Math.sin(angle) };
    return { ...one, ...what, kinds: [], row: id, index, isChair: true, ...at };
  });
  return { object, places };
}

/** The default distance of a chair from the middle of its table. */
const chairDistance = 56;

function booth(where: Where): Thing {
  const object = {
    type: 'booth',
    id: 'booth',
    label: 'K1',
    center: { x: 0, y: 400 },
    width: 20,
    height: 20,
    rotation: 0,
    categoryKey: where.category,
  };
  const what = { ...where, label: 'K1', objectId: 'booth:0', objectType: 'booth' as const, x: 0, y: 400 };
  return { object, places: [{ ...one, ...what, kinds: [] }] };
}

type Outline = { id: string; label: string; zone: string | null; from: number; to: number; logical?: string };

/** Outlines are bands across the whole house, from one y to another. */
function chart(
  hash: string,
  categories: Category[],
  zones: Chart['zones'],
  outlines: Outline[],
  things: Thing[],
): Chart {
  const focalPoint = { x: 70, y: -50 };
  const sections = outlines.map(({ id, label, zone, from, to, logical }) => ({
    type: 'section',
    id,
    label,
    ...(zone && { zone }),
    ...(logical && { logicalSectionId: logical }),
    outline: [
      { x: -50, y: from },
      { x: 300, y: from },
      { x: 300, y: to },
      { x: -50, y: to },
    ],
  }));
  const document = {
    version: 1,
    name: 'House of the model',
    venueType: 'MIXED',
    focalPoint,
    categories,
    zones: Object.entries(zones).map(([id, at]) => ({ id, label: id, ...(at && { focalPoint: at }) })),
    objects: [...sections, ...things.map(({ object }) => object)],
  } as unknown as ChartDocument;
  const areas = things.filter(({ area }) => area).map(({ area, places }) => [area, places.map(({ label }) => label)]);
  const places = things.flatMap((thing) => thing.places);
  return {
    hash,
    document,
    plan: compilePlan(document, hash),
    categories,
    zones,
    focalPoint,
    places,
    placeNamed: new Map(places.map((place) => [place.label, place])),
    areas: Object.fromEntries(areas),
    sections: [
      ...outlines.map(({ id, label, zone, logical }) => ({ id: logical ?? id, label, zone })),
      { id: '__ungrouped__', label: '__ungrouped__', zone: null },
    ],
    scopes: [
      ...outlines.flatMap(({ id, logical }) => (logical ? [id, logical] : [id])),
      ...Object.keys(zones),
      '__ungrouped__',
    ],
  };
}

const categories: Category[] = [
  { key: 'stalls', label: 'Stalls', color: '#112233', price: 40, fees: [{ name: 'Service', amount: 2 }] },
  {
    key: 'circle',
    label: 'Circle',
    color: '#223344',
    // More than some prices: a cheap ticket has as much of the fees in it as it costs.
    ...{
      fees: [
        { name: 'Levy', amount: 10 },
        { name: 'Service', amount: 4 },
      ],
      allIn: true,
    },
    tiers: [
      { id: 'carer', name: 'Carer', price: 0, restriction: 'companion' },
      { id: 'local', name: 'Neighbour', price: 25, applicability: { seatLabels: ['C-1', 'C-2'] } },
      { id: 'adult', name: 'Adult', price: 30, fees: [] },
      { id: 'child', name: 'Child', price: 15, fees: [{ name: 'Levy', amount: 3 }], allIn: false },
      { id: 'wheel', name: 'Wheelchair', price: 12, applicability: { accessibility: ['wheelchair'] } },
    ],
  },
  { key: 'floor', label: 'Floor', color: '#334455', price: 10 },
  { key: 'house', label: 'House seats', color: '#445566', price: 0, notForSale: true },
];

const front = { section: 'west', zone: 'left', scopes: ['west', 'left'] };
const back = { section: 'upper', zone: 'right', scopes: ['east', 'upper', 'right'] };
const nowhere = { section: '__ungrouped__', zone: null, scopes: ['__ungrouped__'] };
const outlines: Outline[] = [
  { id: 'west', label: 'West', zone: 'left', from: -10, to: 30 },
  { id: 'east', label: 'East', zone: 'right', from: 50, to: 110, logical: 'upper' },
];
const zones = { left: null, right: { x: 0, y: 40 } };

const mixed = { 0: 'companion', 1: 'wheelchair', 2: 'companion', 3: 'hearing', 4: 'wheelchair' };

const first = chart('first-plan', categories, zones, outlines, [
  row('A', 0, 8, { category: 'stalls', ...front }),
  row('B', 20, 8, { category: 'stalls', ...front }),
  row('C', 60, 8, { category: 'circle', ...back }),
  row('M', 80, 6, { category: 'circle', ...back }, mixed),
  row('H', 100, 1, { category: 'house', ...back }),
  area(10, { category: 'floor', ...nowhere }),
  table('T1', 4, 300, { category: 'stalls', ...nowhere }),
  table('T2', 6, 350, { category: 'circle', ...nowhere }, [2, 6]),
  booth({ category: 'stalls', ...nowhere }),
]);

const westOnly: Outline[] = [{ id: 'west', label: 'Left', zone: 'left', from: -10, to: 30 }];

const moved = chart('moved-plan', categories.toReversed(), { left: { x: 0, y: 0 } }, westOnly, [
  area(12, { category: 'stalls', ...nowhere }),
  row('D', 10, 4, { category: 'floor', ...front }),
  booth({ category: 'stalls', ...nowhere }),
  table('T2', 6, 350, { category: 'stalls', ...nowhere }, [3, 5]),
  table('T1', 4, 300, { category: 'floor', ...nowhere }, [2, 4]),
  row('M', 80, 6, { category: 'stalls', ...nowhere }, { 1: 'hearing' }),
  row('C', 60, 8, { category: 'stalls', ...nowhere }),
  row('B', 20, 8, { category: 'stalls', ...front }),
  row('A', 0, 8, { category: 'circle', ...front }),
  row('H', 100, 1, { category: 'stalls', ...nowhere }),
]);

const shrunk = chart('shrunk-plan', categories, zones, outlines, [
  row('A', 0, 4, { category: 'stalls', ...front }),
  row('B', 20, 8, { category: 'stalls', ...front }),
  row('C', 60, 8, { category: 'circle', ...back }),
  area(6, { category: 'floor', ...nowhere }),
  chairs('T1', 4, 300, { category: 'stalls', ...nowhere }),
  table('T2', 6, 350, { category: 'circle', ...nowhere }, [2, 6]),
]);

export const charts: Record<string, Chart> = Object.fromEntries(
  [first, moved, shrunk].map((each) => [each.hash, each]),
);
export const firstChart: Chart = first;

/** The plan with this hash. */
export function planNamed(hash: string): Plan {
  return named(hash).plan;
}

const documents = new Map<string, Uint8Array>();

/** The document of the plan with this hash, as the catalog gives it. */
export function documentNamed(hash: string): Uint8Array {
  const known = documents.get(hash) ?? gzipSync(JSON.stringify(named(hash).document));
  documents.set(hash, known);
  return known;
}

function named(hash: string): Chart {
  const found = charts[hash];
  if (!found) throw new Error(`there is no plan ${hash}`);
  return found;
}
