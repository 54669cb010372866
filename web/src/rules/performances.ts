/** The performances of a group on one map: statuses, free places, prices and names of all of them. Pure. */
import type { Words } from '../messages/words.ts';
import type { Area } from './hall.ts';
import { feesHeld, type HeldItem } from './selection.ts';
import { placeOfArea, type SnapshotFrame } from './statuses.ts';

export type Performance = { eventKey: string; name: string; startsAt: number; timezone: string | null };

/** `GET objects` of a group: `partial` names the performances that lack a label which another has free. */
export type GroupMap = {
  revision: number;
  salesClosed: boolean;
  seats: Record<string, string>;
  partial: Record<string, string[]>;
  /** The last known state of a performance that sells nothing now. */
  stale?: true;
};

/** The map as a frame of the feed. It takes the map over: seats that some performances have free turn `partly`. */
export function frameOf(map: GroupMap, areas: readonly Area[], eventKeys: readonly string[]): SnapshotFrame {
  const ga = freeInAreas(map, areas, eventKeys);
  const { seats, partial } = map;
  for (const label of Object.keys(partial)) if (!placeOfArea(label)) seats[label] = 'partly';
  const base = { type: 'snapshot' as const, snapshotVersion: map.revision, default: 'not_for_sale' };
  return { ...base, seats, ga, hidden: [], closed: [], ...(map.stale && { stale: true }) };
}

/**
 * The places that a hold of each area could take. Places have no number for the buyer, so each performance gives its
 * own: the smallest number of free places counts.
 */
function freeInAreas({ seats, partial }: GroupMap, areas: readonly Area[], eventKeys: readonly string[]) {
  const counts = new Map(areas.map(({ id }) => [id, { everywhere: 0, onlyIn: new Map<string, number>() }]));
  const areaOf = areaFinder(areas);
  for (const label of areas.length === 0 ? [] : Object.keys(seats)) {
    const count = placeOfArea(label) ? counts.get(areaOf(label) ?? '') : undefined;
    if (!count) continue;
    if (seats[label] === 'free') count.everywhere++;
    const lacking = partial[label];
    if (!lacking) continue;
    for (const key of eventKeys) if (!lacking.includes(key)) count.onlyIn.set(key, (count.onlyIn.get(key) ?? 0) + 1);
  }
  return Object.fromEntries(
    [...counts].map(([id, { everywhere, onlyIn }]) => {
      const least = Math.min(...eventKeys.map((key) => onlyIn.get(key) ?? 0));
      return [id, { free: everywhere + least }];
    }),
  );
}

/** True for a map with places of an area that the chart does not show: the area was hidden until now. */
export function hasUnknownArea({ seats }: Pick<GroupMap, 'seats'>, areas: readonly Area[]): boolean {
  const stems = new Set(areas.flatMap(({ segments }) => segments.map(({ sourceAreaId }) => stemOf(sourceAreaId))));
  return Object.keys(seats).some((label) => placeOfArea(label) && !stems.has(label.slice(0, label.lastIndexOf('__'))));
}

const stemOf = (sourceAreaId: string): string => `__sl_ga__${encodeURIComponent(sourceAreaId)}`;

/** The area of a place's label. An area that joins others has the labels of their places. */
function areaFinder(areas: readonly Area[]): (label: string) => string | undefined {
  const ranges = new Map<string, { from: number; to: number; areaId: string }[]>();
  for (const { id, segments } of areas) {
    for (const { sourceAreaId, startIndex, count } of segments) {
      const stem = stemOf(sourceAreaId);
      const range = { from: startIndex + 1, to: startIndex + count, areaId: id };
      ranges.set(stem, [...(ranges.get(stem) ?? []), range]);
    }
  }
  return (label) => {
    const end = label.lastIndexOf('__');
    const place = Number(label.slice(end + 2));
    return ranges.get(label.slice(0, end))?.find(({ from, to }) => place >= from && place <= to)?.areaId;
  };
}

/** The line items of a hold, once for all performances: the price is the sum of theirs. */
export function mergedItems(allocations: readonly { items: readonly HeldItem[] }[]): HeldItem[] {
  const merged = new Map<string, { item: HeldItem; quantity: number; total: number; all: HeldItem[] }>();
  for (const [index, { items }] of allocations.entries()) {
    for (const item of items) {
      const quantity = item.quantity ?? 1;
      const key = `${item.objectType === 'ga' ? item.objectId : item.label} ${item.tierId}`;
      const known = merged.get(key) ?? { item, quantity: 0, total: 0, all: [] };
      known.total += item.unitPrice * quantity;
      known.all.push(item);
      if (index === 0) known.quantity += quantity;
      merged.set(key, known);
    }
  }
  return [...merged.values()].map(({ item, quantity, total, all }) => {
    const counted = quantity || (item.quantity ?? 1);
    const sums = feesHeld(all);
    const fees = sums.fees.map(({ name, amount }) => ({ name, amount: amount / counted }));
    return { ...item, unitPrice: total / counted, ...sums, fees, ...(counted === 1 ? {} : { quantity: counted }) };
  });
}

/** A name for each performance that tells it apart: its own name where no other has this name, else its time too. */
export function performanceNames(words: Words, performances: readonly Performance[]): ReadonlyMap<string, string> {
  const times = new Map<string, number>();
  for (const { name } of performances) times.set(name, (times.get(name) ?? 0) + 1);
  return new Map(
    performances.map((performance) => {
      const { eventKey, name } = performance;
      return [eventKey, times.get(name) === 1 ? name : `${name}, ${timeText(words, performance)}`];
    }),
  );
}

export const timeText = (words: Words, { startsAt, timezone }: Performance): string =>
  words.date(startsAt, timezone, 'medium');
