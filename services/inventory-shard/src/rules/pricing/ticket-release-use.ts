/**
 * The use of each ticket release: the units held and booked under it, counted in the fold as units change hands. An
 * event without ticket releases counts nothing. A ticket release that was removed from the list is remembered while it
 * has units.
 */
import type { InventoryReport } from '@parterre/shared/protocol/answers';
import type { Line, TicketRelease } from '@parterre/shared/protocol/records';
import {
  type EventState,
  type Hold,
  hasUnit,
  heldLines,
  listingsOf,
  putListing,
  type ReadState,
  type TicketReleaseUse,
} from '../state/state.ts';

/** The use of a listed ticket release under its present quota. */
export function useOf(state: ReadState, { id, name, quota }: TicketRelease, at: number): TicketReleaseUse {
  const { consumed, soldOutAt } = state.releaseUse.get(id) ?? unused;
  return { name, consumed, soldOutAt: quota !== null && consumed >= quota ? (soldOutAt ?? at) : null };
}

const unused: Pick<TicketReleaseUse, 'consumed' | 'soldOutAt'> = { consumed: 0, soldOutAt: null };

/** For folds: `releases` replaces the event's list. */
export function keepReleases(state: EventState, releases: TicketRelease[], at: number): void {
  const use = new Map(releases.map((release) => [release.id, useOf(state, release, at)]));
  for (const [id, { name, consumed }] of state.releaseUse) {
    if (!use.has(id) && consumed > 0) use.set(id, { name, consumed, soldOutAt: null });
  }
  state.releases = releases;
  state.releaseUse = use;
}

/** For folds: the units of these lines were held or booked. */
export function countTaken(state: EventState, lines: readonly Line[], at: number): void {
  countUse(state, lines, 1);
  settleUse(state, at);
}

/**
 * For folds: runs before `countTaken`, when a hold takes these lines. A listed unit stays with its seller until it is
 * sold. If the hold has it under the seller's ticket release, the quota counts the unit once.
 */
export function noteCountedOnce(state: EventState, lines: readonly Line[]): void {
  if (state.listings.size === 0 || state.releaseUse.size === 0) return;
  const releaseOf = new Map(lines.map(({ unit, releaseId }) => [unit, releaseId]));
  for (const listing of listingsOf(state, [...releaseOf.keys()])) {
    const seller = heldLines(state, state.bookings.get(listing.bookingRef)!);
    const isSame = ({ unit, releaseId }: Line) => releaseId !== undefined && releaseOf.get(unit) === releaseId;
    putListing(state, { ...listing, countedOnce: new Set(seller.filter(isSame).map(({ unit }) => unit)) });
  }
}

function isCountedOnce(state: ReadState, unit: number): boolean {
  return state.listings.size > 0 && state.listingOf.get(unit)?.countedOnce?.has(unit) === true;
}

/** The units under this ticket release that become free for a call that replaces the hold. */
export function unitsBack(state: ReadState, replaced: Readonly<Hold>, id: string): number {
  return heldLines(state, replaced).filter(({ unit, releaseId }) => releaseId === id && !isCountedOnce(state, unit))
    .length;
}

/**
 * Sets the time since which each ticket release is sold out. A ticket release that loses and gains the same number of
 * units in one step stays sold out since its old time.
 */
function settleUse(state: EventState, at: number): void {
  for (const release of state.releases) {
    const { consumed, soldOutAt } = state.releaseUse.get(release.id)!;
    const isSoldOut = release.quota !== null && consumed >= release.quota;
    if (isSoldOut !== (soldOutAt !== null)) state.releaseUse.set(release.id, useOf(state, release, at));
  }
}

function countUse(state: EventState, lines: Iterable<Line>, by: 1 | -1): void {
  for (const { unit, releaseId } of lines) {
    if (releaseId === undefined || isCountedOnce(state, unit)) continue;
    const use = state.releaseUse.get(releaseId) ?? { name: releaseId, ...unused };
    const consumed = use.consumed + by;
    const isListed = state.releases.some(({ id }) => id === releaseId);
    if (consumed === 0 && !isListed) state.releaseUse.delete(releaseId);
    else state.releaseUse.set(releaseId, { ...use, consumed });
  }
}

/**
 * For folds: runs before the holder gives up these units. `at` is null if the next record takes units in their
 * place.
 */
export function countFreed(
  state: EventState,
  holder: Readonly<Pick<Hold, 'slot' | 'lines'>>,
  units: readonly number[],
  at: number | null,
): void {
  if (state.releaseUse.size === 0) return;
  const freed = new Set(units);
  const isFreed = ({ unit }: Line): boolean => freed.has(unit) && hasUnit(state, holder, unit);
  countUse(state, holder.lines.filter(isFreed), -1);
  if (at !== null) settleUse(state, at);
}

type BookedRow = { booked: number; bookedValue: number };

/** By ticket release id, in the order of the report. */
export type ReleaseRows = Map<string, InventoryReport['byRelease'][number]>;

/**
 * Listed ticket releases in order, then removed ticket releases that still have units. Counts held units; the counts of
 * booked units are 0.
 */
export function heldByRelease(state: ReadState): ReleaseRows {
  const rows: ReleaseRows = new Map();
  for (const [releaseId, { name }] of state.releaseUse) {
    rows.set(releaseId, { releaseId, name, held: 0, booked: 0, bookedValue: 0 });
  }
  if (rows.size === 0) return rows;
  for (const hold of state.holds.active.values()) {
    for (const { releaseId } of heldLines(state, hold)) {
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
