/** The refusals that name what is in the way: each label with what it is now, and what the caller may do about it. */
import type { Caller } from '@parterre/shared/commands';
import type { Refusal } from '@parterre/shared/errors';
import { statusNames, unitStatus } from '@parterre/shared/records';
import { isHiddenFrom } from '../availability/availability.ts';
import type { EventState } from '../state/state.ts';

/** `listingId` is of the listing that the unit is in already. */
export type Conflict = { label: string; status: string; available?: number; listingId?: string };

/** By the refusal's reason; what has none is not available. */
const messages = {
  conflict: 'Some of the requested seats are not available; nothing was changed.',
  hold_expired: 'This hold has expired and its seats are on sale again; hold them anew to book them.',
  hold_released: 'This hold was released and its seats are on sale again; hold them anew to book them.',
  not_owned_by_booking_ref: 'Some of these seats are not booked under this bookingRef; name only those that are.',
  already_listed: 'Some of these seats are up for resale already; remove the listing that is named with them first.',
  resale_in_checkout:
    'Somebody has these seats of a resale listing in checkout; try again when that hold has ended, or unbook them from their buyer.',
  own_resale_listing: 'This bookingRef offers these seats for resale itself; book the hold under another one.',
  seats_in_use: 'Some of these seats are held, booked or blocked, and stay what they are.',
  resale_listing_whole: 'A resale listing is taken whole or not at all; name all of its seats.',
} as const;

export type ConflictReason = Exclude<keyof typeof messages, 'conflict'>;

export function conflictWith(conflicts: Conflict[], reason?: ConflictReason): Refusal {
  return {
    code: 'conflict',
    message: messages[reason ?? 'conflict'],
    ...(reason ? { reason } : {}),
    details: { conflicts },
  };
}

/** The refusal that names these units and what they are now. */
export function conflictOver(
  state: EventState,
  units: readonly number[],
  reason?: ConflictReason,
): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: conflictWith(conflictsOf(state, units), reason) };
}

export function conflictsOf(state: EventState, units: readonly number[]): Conflict[] {
  return units.map((unit) => ({ label: state.plan.labels.at(unit), status: statusOf(state, unit) }));
}

/**
 * A listing is held and sold whole: these units of it would be left. To a buyer those out of his reach (`isOut`) are not for sale,
 * whoever lists them.
 */
export function listingIsWhole(
  state: EventState,
  left: readonly number[],
  caller: Caller,
  isOut: (unit: number) => boolean = () => false,
): { ok: false; refusal: Refusal } {
  const told = left.filter((unit) => !isHiddenFrom(caller, state, state.plan.objectOfUnit[unit]!));
  const conflicts = conflictsOf(state, told).map((each, nth) =>
    caller.source === 'buyer' && isOut(told[nth]!) ? { ...each, status: 'not_for_sale' } : each,
  );
  return { ok: false, refusal: conflictWith(conflicts, 'resale_listing_whole') };
}

/** What of an area can be had, where it is not all that was asked for. */
export function areaConflict(label: string, available: number): Conflict {
  return { label, status: available === 0 ? 'sold_out' : 'not_enough', available };
}

export function statusOf(state: EventState, unit: number): string {
  return statusNames[state.statuses[unit]!]!;
}

/** What is listed shows as held while somebody has it in checkout, though it is booked. */
export function offeredStatusOf(state: EventState, unit: number): string {
  return state.listingOf.has(unit) ? statusNames[unitStatus.held] : statusOf(state, unit);
}
