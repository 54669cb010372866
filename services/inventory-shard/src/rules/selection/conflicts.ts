/**
 * Refusals that name the units in the way: each label with its present status, and a message with the caller's options.
 */
import type { Caller } from '@parterre/shared/protocol/commands';
import type { Refusal } from '@parterre/shared/protocol/errors';
import { statusNames, unitStatus } from '@parterre/shared/protocol/records';
import { isHiddenFrom } from '../availability/availability.ts';
import { type ReadState, unitStatusName } from '../state/state.ts';

/** `listingId`: the listing that the unit is already in. */
export type Conflict = { label: string; status: string; available?: number; listingId?: string };

/** By the refusal's reason. `conflict` serves refusals without a reason. */
const messages = {
  conflict:
    'Some of the requested seats are not available: conflicts lists them. Nothing was changed. Choose other seats.',
  hold_expired: 'This hold has expired and its seats are on sale again. To book them, hold them again.',
  hold_released: 'This hold was released and its seats are on sale again. To book them, hold them again.',
  hold_booked:
    'This hold has been booked already. Nothing was changed. Send the bookingRef that booked it, or make a new hold.',
  not_owned_by_booking_ref:
    'Some of these seats are not booked under this bookingRef. Name only seats of this booking.',
  already_listed:
    'Some of these seats are already listed for resale. Remove the listings that the conflicts name first.',
  resale_in_checkout:
    'A buyer has these listed seats in checkout. Try again when that hold has ended, or unbook them from their buyer.',
  exchange_pending: 'These seats are on their way to another event. Nothing was changed. Try again in some seconds.',
  own_resale_listing: 'This bookingRef itself offers these seats for resale. Book the hold under another bookingRef.',
  seats_in_use:
    'Some of these seats are held, booked or blocked, and the change ' +
    'would alter or remove them. Nothing was changed.',
  seats_reserved:
    'These seats are reserved, by name or for offers of a season. Nothing was changed. End the reservations or release the ' +
    'offers first, or leave the seats out.',
  reservation_ended: 'This reservation has ended, and its seats are on sale again. Make a new one.',
  reservation_booked: 'This reservation has been booked. Nothing was changed.',
  not_in_reservation: 'The reservation does not have some of these seats. Name only seats that it has.',
  held_over_events:
    'A sale over several events holds some of these seats. Nothing was changed. Release that sale, or leave the seats out.',
  resale_listing_whole: 'A resale listing is sold as a whole. Name all of its seats.',
} as const;

export type ConflictReason = Exclude<keyof typeof messages, 'conflict'>;

export function conflictWith(conflicts: Conflict[], reason?: ConflictReason, more?: { bookingRef: string }): Refusal {
  return {
    code: 'conflict',
    message: messages[reason ?? 'conflict'],
    ...(reason ? { reason } : {}),
    details: { conflicts, ...more },
  };
}

/** The refusal that names these units with their present status. */
export function conflictOver(
  state: ReadState,
  units: readonly number[],
  reason?: ConflictReason,
): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: conflictWith(conflictsOf(state, units), reason) };
}

export function conflictsOf(state: ReadState, units: readonly number[]): Conflict[] {
  return units.map((unit) => ({ label: state.plan.labels.at(unit), status: unitStatusName(state, unit) }));
}

/**
 * The refusal for a listing that is not taken as a whole; `left` are its missing units. To a buyer, units outside the
 * buyer's reach (`isOut`) show as not for sale.
 */
export function listingIsWhole(
  state: ReadState,
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

/** The conflict of an area that has fewer places than requested. */
export function areaConflict(label: string, available: number): Conflict {
  return { label, status: available === 0 ? 'sold_out' : 'not_enough', available };
}

/** A listed unit shows as held while it is in checkout, although it is booked. */
export function offeredStatusOf(state: ReadState, unit: number): string {
  return state.listingOf.has(unit) ? statusNames[unitStatus.held] : unitStatusName(state, unit);
}
