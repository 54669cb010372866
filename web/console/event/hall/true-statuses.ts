/**
 * The true statuses of a hall, kept from readings of the whole map and from the frames of the feed. Seats stand in
 * typed arrays by spot. Places of areas have labels of their own, and are counted by area. Changes nothing but the
 * statuses that it is given.
 */
import type { Hall } from '../../../src/rules/hall.ts';
import { placeOfArea } from '../../../src/rules/statuses.ts';

export const trueStatuses = ['free', 'held', 'booked', 'blocked', 'not_for_sale'] as const;
export type TrueStatus = (typeof trueStatuses)[number];

export type Counts = Record<TrueStatus, number>;

const FREE = 0;
const UNKNOWN = trueStatuses.indexOf('not_for_sale');
const codes = new Map<string, number>(trueStatuses.map((status, code) => [status, code]));
const codeOf = (status: string): number => codes.get(status) ?? UNKNOWN;

export type TrueStatuses = {
  /** By spot, an index of `trueStatuses`. */
  of: Uint8Array;
  /** By block and by area: places by status. */
  inBlock: Int32Array[];
  inArea: Int32Array[];
  /** Places of areas that are not free, by label. */
  places: Map<string, number>;
  version: number;
  /** The last known state of an event that sells nothing at present. */
  isStale: boolean;
  hidden: readonly string[];
  closed: readonly string[];
};

/** A reading of the whole map, or the snapshot of a feed. Without `default` every other place is free. */
export type WholeMap = {
  seats: Record<string, string>;
  default?: string;
  hidden: string[];
  closed: string[];
  snapshotVersion: number;
  stale?: true;
};

export type MapChanges = { snapshotVersion: number; changes: { label: string; status: string }[] };

/** Spots and areas, by index, that have changed. `isUnknown`: the chart lacks a label, so there is a newer chart. */
export type Changed = { spots: number[]; areas: number[]; isUnknown: boolean };

const noCounts = (): Int32Array => new Int32Array(trueStatuses.length);

/** Everything is free until it is read. */
export function freshStatuses(hall: Hall): TrueStatuses {
  return {
    of: new Uint8Array(hall.labels.length),
    inBlock: hall.blocks.map(({ spots }) => noCounts().fill(spots.length, FREE, FREE + 1)),
    inArea: hall.areas.map(({ capacity }) => noCounts().fill(capacity, FREE, FREE + 1)),
    places: new Map(),
    version: 0,
    isStale: false,
    hidden: [],
    closed: [],
  };
}

export function takeWhole(statuses: TrueStatuses, hall: Hall, whole: WholeMap): Changed {
  const changed: Changed = { spots: [], areas: [...hall.areas.keys()], isUnknown: false };
  const usual = codeOf(whole.default ?? 'free');
  const next = new Uint8Array(statuses.of.length).fill(usual);
  const places = new Map<string, number>();
  for (const label of Object.keys(whole.seats)) {
    const spot = hall.spotOf.get(label);
    const code = codeOf(whole.seats[label]!);
    if (spot !== undefined) next[spot] = code;
    else if (placeOfArea(label)) places.set(label, code);
    else changed.isUnknown = true;
  }
  for (let spot = 0; spot < next.length; spot++) {
    if (next[spot] === statuses.of[spot]) continue;
    move(statuses.inBlock[hall.blockOf[spot]!]!, statuses.of[spot]!, next[spot]!);
    changed.spots.push(spot);
  }
  const { hidden, closed, snapshotVersion: version, stale } = whole;
  Object.assign(statuses, { of: next, places, version, isStale: stale === true, hidden, closed });
  for (const [index, { capacity }] of hall.areas.entries()) statuses.inArea[index] = noCounts().fill(capacity, 0, 1);
  for (const [label, code] of places) {
    const area = areaOfPlace(hall, label);
    if (area !== null) move(statuses.inArea[area]!, FREE, code);
  }
  return changed;
}

/** Changes that are older than the statuses change nothing. */
export function takeChanges(statuses: TrueStatuses, hall: Hall, { snapshotVersion, changes }: MapChanges): Changed {
  const changed: Changed = { spots: [], areas: [], isUnknown: false };
  if (snapshotVersion < statuses.version) return changed;
  statuses.version = snapshotVersion;
  for (const { label, status } of changes) {
    const code = codeOf(status);
    const spot = hall.spotOf.get(label);
    if (spot !== undefined) {
      const before = statuses.of[spot]!;
      if (before === code) continue;
      statuses.of[spot] = code;
      move(statuses.inBlock[hall.blockOf[spot]!]!, before, code);
      changed.spots.push(spot);
    } else if (placeOfArea(label)) movePlace(statuses, hall, label, code, changed);
    else changed.isUnknown = true;
  }
  return changed;
}

function movePlace(statuses: TrueStatuses, hall: Hall, label: string, code: number, changed: Changed): void {
  const before = statuses.places.get(label) ?? FREE;
  const area = areaOfPlace(hall, label);
  if (area === null || before === code) return;
  if (code === FREE) statuses.places.delete(label);
  else statuses.places.set(label, code);
  move(statuses.inArea[area]!, before, code);
  if (!changed.areas.includes(area)) changed.areas.push(area);
}

function move(counts: Int32Array, from: number, to: number): void {
  counts[from]!--;
  counts[to]!++;
}

/** A place of an area is named `__sl_ga__{area}__{n}`, n from 1; the area is the one that the place was made for. */
function areaOfPlace(hall: Hall, label: string): number | null {
  const end = label.lastIndexOf('__');
  const source = decodeURIComponent(label.slice('__sl_ga__'.length, end));
  const index = Number(label.slice(end + 2)) - 1;
  const at = hall.areas.findIndex(({ segments }) =>
    segments.some(
      (each) => each.sourceAreaId === source && index >= each.startIndex && index < each.startIndex + each.count,
    ),
  );
  return at < 0 ? null : at;
}

export function countsOf(numbers: Iterable<number>): Counts {
  const [free = 0, held = 0, booked = 0, blocked = 0, not_for_sale = 0] = numbers;
  return { free, held, booked, blocked, not_for_sale };
}

export function sumOf(all: readonly Int32Array[]): Counts {
  const sum = noCounts();
  for (const counts of all) for (let code = 0; code < sum.length; code++) sum[code]! += counts[code]!;
  return countsOf(sum);
}
