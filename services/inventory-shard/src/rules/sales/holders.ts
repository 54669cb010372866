/**
 * Who has a unit and for what price: its booking, its active hold, its reservation, the listing for resale that it
 * stands in, and its channel.
 */
import { labelsOf } from '@parterre/shared/charts/plan';
import type { HolderView } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import type { Line } from '@parterre/shared/protocol/records';
import { everyPlace, unitsNamed } from '../selection/selection.ts';
import {
  channelOf,
  type Decision,
  eachBookedLine,
  type Hold,
  heldLines,
  type ReadState,
  unitStatusName,
  unitsOfLines,
} from '../state/state.ts';

/** The label of an area stands for all its places. Units that nobody has are told with their status alone. */
export function inspectHolders(
  state: ReadState,
  { labels }: Command & { type: 'inspect-holders' },
  _caller: Caller,
  _now: number,
): Decision<'inspect-holders'> {
  const named = unitsNamed(state.plan, labels, everyPlace);
  if (!named.ok) return named;
  const { units } = named.value;
  const wanted = new Set(units);
  const holds = new Map<number, Readonly<Hold>>();
  const terms = new Map<number, Line>();
  for (const hold of state.holds.active.values()) {
    for (const line of heldLines(state, hold)) {
      if (!wanted.has(line.unit)) continue;
      holds.set(line.unit, hold);
      terms.set(line.unit, line);
    }
  }
  const bookings = new Map<number, number>();
  // A listed unit in checkout is told with the price of its booking.
  eachBookedLine(state.bookings, (line, position) => {
    if (!wanted.has(line.unit)) return;
    bookings.set(line.unit, position);
    terms.set(line.unit, line);
  });
  const holders = units.map((unit): HolderView => {
    const position = bookings.get(unit);
    const hold = holds.get(unit);
    const listing = state.listingOf.get(unit);
    const reservation = state.reservations.ofSlot(state.slotOf[unit]!);
    return {
      label: labelsOf(state.plan, [unit])[0]!,
      status: unitStatusName(state, unit),
      channelId: channelOf(state, unit)?.id ?? null,
      unitPrice: terms.get(unit)?.price ?? null,
      tierId: terms.get(unit)?.tierId ?? null,
      bookingRef: position === undefined ? null : state.bookings.keyAt(position),
      hold: hold ? holdOf(state, hold) : null,
      reservation: reservation ? { id: reservation.id, name: reservation.name, until: reservation.until } : null,
      listing: listing ? { listingId: listing.id, labels: labelsOf(state.plan, listing.units) } : null,
    };
  });
  return { ok: true, records: [], answer: { holders } };
}

function holdOf(state: ReadState, hold: Readonly<Hold>): NonNullable<HolderView['hold']> {
  const { id: holdId, createdAt, expiresAt, extends: renewals, accessSource, buyerRef, partnerRef } = hold;
  const labels = labelsOf(state.plan, unitsOfLines(heldLines(state, hold)));
  return { holdId, labels, createdAt, expiresAt, extends: renewals, accessSource, buyerRef, partnerRef };
}
