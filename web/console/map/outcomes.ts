/** What an act will do with the chosen places, before it is sent: which it changes, and which stay as they are. Pure. */
import type { Hall } from '../../src/rules/hall.ts';
import { type Counts, countsOf, type TrueStatus, trueStatuses } from '../event/hall/true-statuses.ts';

/** A chosen seat, table, booth or area, with its places by status. */
export type ChosenPlace = { label: string; counts: Counts; isReserved: boolean };

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
    const area = areas.get(label);
    const counts = countsOf(area === undefined ? [] : inArea[area]!);
    if (spot !== undefined) counts[trueStatuses[of[spot]!]!] = 1;
    return { label, counts, isReserved: isReserved(label) };
  });
}

type Judged = { count: number; again?: number } | Staying;

function outcomeOf(places: readonly ChosenPlace[], judge: (place: ChosenPlace) => Judged): ActOutcome {
  const outcome: ActOutcome = { goes: [], count: 0, again: 0, stays: {} };
  for (const place of places) {
    const all = Object.values(place.counts).reduce((sum, count) => sum + count, 0);
    const judged: Judged = all === 0 ? 'unknown' : judge(place);
    if (typeof judged === 'string') {
      outcome.stays[judged] = (outcome.stays[judged] ?? 0) + Math.max(place.counts[judged as TrueStatus] ?? all, 1);
    } else {
      outcome.goes.push(place.label);
      outcome.count += judged.count;
      outcome.again += judged.again ?? 0;
    }
  }
  return outcome;
}

/** Free places are blocked, blocked ones take the new reason and time. An area goes where nobody holds or has a place. */
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

/** Tables by their ids, of which a place is chosen. `inUse` has a place that is not free: it cannot be sold otherwise. */
export type ChosenTables = { ids: string[]; names: string[]; inUse: string[]; labels: string[] };

export function tablesOf(labels: Iterable<string>, hall: Hall, of: Uint8Array): ChosenTables {
  const objects = new Set<number>();
  for (const label of labels) {
    const spot = hall.spotOf.get(label);
    const object = spot === undefined ? undefined : hall.objectOf[spot]!;
    if (object !== undefined && hall.objects[object]!.type === 'table') objects.add(object);
  }
  const tables: ChosenTables = { ids: [], names: [], inUse: [], labels: [] };
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
