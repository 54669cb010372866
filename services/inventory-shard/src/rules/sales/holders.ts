/**
 * Who has a unit and for what price: its booking, its active hold, its reservation, the listing for resale that it
 * stands in, and its channel.
 */
import { labelsOf } from '@parterre/shared/charts/plan';
import type { HolderView } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { labelsPerBulkMax } from '@parterre/shared/protocol/limits';
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

/**
 * The label of an area stands for all its places. Units that nobody has are told with their status alone.
 *
 * Each unit has all units of its hold or listing beside it, so an answer grows with the square of a hold. An answer
 * beyond `labelsPerBulkMax` labels would keep the sales of the event waiting: it is refused before it is made.
 */
export function inspectHolders(
  state: ReadState,
  { labels }: Command & { type: 'inspect-holders' },
  _caller: Caller,
  _now: number,
): Decision<'inspect-holders'> {
  const named = unitsNamed(state.plan, labels, everyPlace);
  if (!named.ok) return named;
  const { units } = named.value;
  if (units.length > labelsPerBulkMax) return tooMuch;
  const wanted = new Set(units);
  const holds = new Map<number, HeldUnits>();
  const terms = new Map<number, Line>();
  for (const hold of state.holds.active.values()) {
    const lines = heldLines(state, hold);
    const held = { hold, units: unitsOfLines(lines) };
    for (const line of lines) {
      if (!wanted.has(line.unit)) continue;
      holds.set(line.unit, held);
      terms.set(line.unit, line);
    }
  }
  if (labelsTold(state, units, holds) > labelsPerBulkMax) return tooMuch;
  const bookings = new Map<number, number>();
  // A listed unit in checkout is told with the price of its booking.
  eachBookedLine(state.bookings, (line, position) => {
    if (!wanted.has(line.unit)) return;
    bookings.set(line.unit, position);
    terms.set(line.unit, line);
  });
  const holders = units.map((unit): HolderView => {
    const position = bookings.get(unit);
    const held = holds.get(unit);
    const listing = state.listingOf.get(unit);
    const reservation = state.reservations.ofSlot(state.slotOf[unit]!);
    return {
      label: labelsOf(state.plan, [unit])[0]!,
      status: unitStatusName(state, unit),
      channelId: channelOf(state, unit)?.id ?? null,
      unitPrice: terms.get(unit)?.price ?? null,
      tierId: terms.get(unit)?.tierId ?? null,
      bookingRef: position === undefined ? null : state.bookings.keyAt(position),
      hold: held ? holdOf(state, held) : null,
      reservation: reservation ? { id: reservation.id, name: reservation.name, until: reservation.until } : null,
      listing: listing ? { listingId: listing.id, labels: labelsOf(state.plan, listing.units) } : null,
    };
  });
  return { ok: true, records: [], answer: { holders } };
}

type HeldUnits = { hold: Readonly<Hold>; units: number[] };

const tooMuch = refuse('invalid_request', 'The holds of these places have too many places for one answer. Name fewer.');

function labelsTold(state: ReadState, units: readonly number[], holds: ReadonlyMap<number, HeldUnits>): number {
  return units.reduce((sum, unit) => {
    const listing = state.listingOf.get(unit);
    return sum + 1 + (holds.get(unit)?.units.length ?? 0) + (listing?.units.length ?? 0);
  }, 0);
}

function holdOf(state: ReadState, { hold, units }: HeldUnits): NonNullable<HolderView['hold']> {
  const { id: holdId, createdAt, expiresAt, extends: renewals, accessSource, buyerRef, partnerRef } = hold;
  const labels = labelsOf(state.plan, units);
  return { holdId, labels, createdAt, expiresAt, extends: renewals, accessSource, buyerRef, partnerRef };
}
