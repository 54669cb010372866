/**
 * What is sold under each ticket release: units held and booked, counted as they change hands, which is part of the fold. An event
 * without releases counts nothing. A release that was taken out of the list is remembered for as long as it has units.
 */
import type { InventoryReport } from '@parterre/shared/answers';
import type { Line, Release } from '@parterre/shared/records';
import { type Booking, type EventState, type Hold, ownedLines, owns, type ReleaseUse } from '../state/state.ts';

/** What a release of the list has sold, by the quota that it has now. */
export function useOf(state: EventState, { id, name, quota }: Release, at: number): ReleaseUse {
  const { consumed, soldOutAt } = state.releaseUse.get(id) ?? unused;
  return { name, consumed, soldOutAt: quota !== null && consumed >= quota ? (soldOutAt ?? at) : null };
}

const unused: Pick<ReleaseUse, 'consumed' | 'soldOutAt'> = { consumed: 0, soldOutAt: null };

/** Part of the fold: `releases` is the event's list from now on. */
export function keepReleases(state: EventState, releases: Release[], at: number): void {
  const use = new Map(releases.map((release) => [release.id, useOf(state, release, at)]));
  for (const [id, { name, consumed }] of state.releaseUse) {
    if (!use.has(id) && consumed > 0) use.set(id, { name, consumed, soldOutAt: null });
  }
  state.releases = releases;
  state.releaseUse = use;
}

/** Part of the fold: the units of these lines came into somebody's hands. */
export function countTaken(state: EventState, lines: Iterable<Line>, at: number): void {
  countUse(state, lines, 1);
  settleUse(state, at);
}

/** Since when each is sold out, told by what is counted now: one that gave units up and got as many in one step was so all the while. */
function settleUse(state: EventState, at: number): void {
  for (const release of state.releases) {
    const { consumed, soldOutAt } = state.releaseUse.get(release.id)!;
    const isSoldOut = release.quota !== null && consumed >= release.quota;
    if (isSoldOut !== (soldOutAt !== null)) state.releaseUse.set(release.id, useOf(state, release, at));
  }
}

function countUse(state: EventState, lines: Iterable<Line>, by: 1 | -1): void {
  for (const { releaseId } of lines) {
    if (releaseId === undefined) continue;
    const use = state.releaseUse.get(releaseId) ?? { name: releaseId, ...unused };
    const consumed = use.consumed + by;
    const isListed = state.releases.some(({ id }) => id === releaseId);
    if (consumed === 0 && !isListed) state.releaseUse.delete(releaseId);
    else state.releaseUse.set(releaseId, { ...use, consumed });
  }
}

/** Part of the fold: before their owner lets go of these units. `at` is null where the next record takes units in their place. */
export function countFreed(
  state: EventState,
  owner: Hold | Booking,
  units: readonly number[],
  at: number | null,
): void {
  if (state.releaseUse.size === 0) return;
  const freed = new Set(units);
  const isFreed = ({ unit }: Line): boolean => freed.has(unit) && owns(state, owner, unit);
  countUse(state, owner.lines.filter(isFreed), -1);
  if (at !== null) settleUse(state, at);
}

type BookedRow = { booked: number; bookedValue: number };

/** By id, in the order of the report. */
export type ReleaseRows = Map<string, InventoryReport['byRelease'][number]>;

/** Those of the list in its order, then those that are out of it and have units still; with what is held, and nothing booked. */
export function heldByRelease(state: EventState): ReleaseRows {
  const rows: ReleaseRows = new Map();
  for (const [releaseId, { name }] of state.releaseUse) {
    rows.set(releaseId, { releaseId, name, held: 0, booked: 0, bookedValue: 0 });
  }
  if (rows.size === 0) return rows;
  for (const hold of state.holds.active.values()) {
    for (const { releaseId } of ownedLines(state, hold)) {
      const row = releaseId === undefined ? undefined : rows.get(releaseId);
      if (row) row.held++;
    }
  }
  return rows;
}

export function addBooked<Key>(rows: ReadonlyMap<Key, BookedRow>, key: Key, value: number): void {
  const row = rows.get(key);
  if (!row) return;
  row.booked++;
  row.bookedValue += value;
}
