/**
 * What an act will do with the chosen places, before it is sent: which it changes, and which stay as they are. Pure.
 */
import type { Hall } from '../../src/rules/hall.ts';
import { type Counts, countsOf, type TrueStatus, trueStatuses } from '../event/hall/true-statuses.ts';

/** A chosen seat, table, booth or area, with its places by status. `total` is 0 for a label that the chart lacks. */
export type ChosenPlace = { label: string; counts: Counts; total: number; isReserved: boolean };

/** Why places stay as they are: their status, a reservation, or a chart that lacks them. */
export type Staying = TrueStatus | 'reserved' | 'unknown';

/** `goes` are the labels of the call, `count` their places that change, `again` those that only take new terms. */
export type ActOutcome = { goes: string[]; count: number; again: number; stays: Partial<Record<Staying, number>> };

type Statuses = { of: Uint8Array; inArea: readonly Int32Array[] };

export function placesOf(
  labels: Iterable<string>,
  hall: Hall,
  { of, inArea }: Statuses,
  isReserved: (label: string) => boolean,
): ChosenPlace[] {
  const areas = new Map(hall.areas.map(({ label }, index) => [label, index]));
  return Array.from(labels, (label) => {
    const spot = hall.spotOf.get(label);
    if (spot !== undefined) return { label, counts: countsOfSeat[of[spot]!]!, total: 1, isReserved: isReserved(label) };
    const area = areas.get(label);
    if (area === undefined) return { label, counts: countsOf([]), total: 0, isReserved: false };
    const { capacity } = hall.areas[area]!;
    return { label, counts: countsOf(inArea[area]!), total: capacity, isReserved: isReserved(label) };
  });
}

/** Shared by all seats of a status: a hall may have 100,000. */
const countsOfSeat = trueStatuses.map((status) => ({ ...countsOf([]), [status]: 1 }));

type Judged = { count: number; again?: number } | Staying;

function outcomeOf(places: readonly ChosenPlace[], judge: (place: ChosenPlace) => Judged): ActOutcome {
  const outcome: ActOutcome = { goes: [], count: 0, again: 0, stays: {} };
  for (const place of places) {
    const judged: Judged = place.total === 0 ? 'unknown' : judge(place);
    if (typeof judged === 'string') {
      const count = place.counts[judged as TrueStatus] ?? place.total;
      outcome.stays[judged] = (outcome.stays[judged] ?? 0) + Math.max(count, 1);
    } else {
      outcome.goes.push(place.label);
      outcome.count += judged.count;
      outcome.again += judged.again ?? 0;
    }
  }
  return outcome;
}

/**
 * Free places are blocked, blocked ones take the new reason and time. An area goes where nobody holds or has a place.
 */
export const outcomeOfBlock = (places: readonly ChosenPlace[]): ActOutcome =>
  outcomeOf(places, ({ counts: { free, held, booked, blocked }, isReserved }) => {
    if (held > 0) return 'held';
    if (booked > 0) return 'booked';
    if (isReserved) return 'reserved';
    return free + blocked > 0 ? { count: free, again: blocked } : 'not_for_sale';
  });

export const outcomeOfUnblock = (places: readonly ChosenPlace[]): ActOutcome =>
  outcomeOf(places, ({ counts, isReserved }) => {
    if (isReserved) return 'reserved';
    return counts.blocked > 0 ? { count: counts.blocked } : statusOfMost(counts);
  });

export const outcomeOfEnd = (places: readonly ChosenPlace[]): ActOutcome =>
  outcomeOf(places, ({ counts }) => (counts.held > 0 ? { count: counts.held } : statusOfMost(counts)));

/** Held and booked places keep their category and their price. */
export const outcomeOfCategory = (places: readonly ChosenPlace[]): ActOutcome =>
  outcomeOf(places, ({ counts: { free, held, booked, blocked } }) => {
    if (held > 0) return 'held';
    return booked > 0 ? 'booked' : { count: free + blocked };
  });

function statusOfMost(counts: Counts): TrueStatus {
  return trueStatuses.reduce((most, status) => (counts[status] > counts[most] ? status : most));
}

/**
 * Tables by their ids, of which a place is chosen. `inUse` has a place that is not free: it cannot be sold otherwise.
 */
export type ChosenTables = { ids: string[]; names: string[]; inUse: string[]; labels: string[] };

export function tablesOf(isChosen: (spot: number) => boolean, hall: Hall, of: Uint8Array): ChosenTables {
  const tables: ChosenTables = { ids: [], names: [], inUse: [], labels: [] };
  const objects = new Set<number>();
  for (let spot = 0; spot < of.length; spot++) {
    const object = hall.objectOf[spot]!;
    if (isChosen(spot) && hall.objects[object]!.type === 'table') objects.add(object);
  }
  if (objects.size === 0) return tables;
  const used = new Set<number>();
  for (const [spot, object] of hall.objectOf.entries()) {
    if (!objects.has(object)) continue;
    tables.labels.push(hall.labels[spot]!);
    if (of[spot] !== 0) used.add(object);
  }
  for (const object of objects) {
    const { id, name } = hall.objects[object]!;
    if (used.has(object)) tables.inUse.push(name);
    else {
      tables.ids.push(id);
      tables.names.push(name);
    }
  }
  return tables;
}
