/** Reads of a unit's holder. */
import { endedHoldKeepMs } from '@parterre/shared/limits';
import { type Line, statusNames, unitStatus } from '@parterre/shared/records';
import type { ReadState } from './event-state.ts';
import type { Booking, Hold } from './holder.ts';

/** Whether the unit belongs to this holder, or is in a listing that this hold has in checkout. */
export function hasUnit(state: ReadState, { slot }: Readonly<Hold> | Readonly<Booking>, unit: number): boolean {
  return state.slotOf[unit] === slot || (state.listings.size > 0 && state.listingOf.get(unit)?.heldBy === slot);
}

/** The lines whose units the holder still has. */
export function heldLines(state: ReadState, holder: Readonly<Hold> | Readonly<Booking>): Line[] {
  return holder.lines.filter(({ unit }) => hasUnit(state, holder, unit));
}

export function hasAnyUnit(state: ReadState, holder: Readonly<Hold> | Readonly<Booking>): boolean {
  return holder.lines.some(({ unit }) => hasUnit(state, holder, unit));
}

/** The hold of this id. A hold that ended `endedHoldKeepMs` ago is forgotten. */
export function knownHold(state: ReadState, holdId: string, now: number): Readonly<Hold> | undefined {
  const hold = state.holds.get(holdId);
  const isForgotten = hold !== undefined && hold.endedAt !== null && hold.endedAt + endedHoldKeepMs <= now;
  return isForgotten ? undefined : hold;
}

/** Whether the event allows new holds and bookings. */
export function isOnSale(state: ReadState): boolean {
  return state.status === 'active' && !state.salesPaused;
}

export function isFree(state: ReadState, unit: number): boolean {
  return state.statuses[unit] === unitStatus.free;
}

export function unitStatusName(state: ReadState, unit: number): string {
  return statusNames[state.statuses[unit]!]!;
}

export function unitsOfLines(lines: readonly Line[]): number[] {
  return lines.map((line) => line.unit);
}

export function countsOf(state: ReadState): { free: number; held: number; booked: number; blocked: number } {
  const [free, held, booked, blocked] = state.counts;
  return { free, held, booked, blocked };
}
