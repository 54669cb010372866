/** Steps of the counter: reservations by name, and the ends of holds by their seats. */
import fc from 'fast-check';
import { DAY, MINUTE, type Reservation, type World } from '../reference/world.ts';
import {
  anyNumber,
  byAreas,
  fresh,
  type Kind,
  kind,
  oneOf,
  refPick,
  seatPick,
  seatPicks,
  seatsOf,
  weighted,
} from './steps.ts';

const until = weighted([5_000, 4], [20 * MINUTE, 4], [40 * DAY, 3], [0, 1], [401 * DAY, 1]);

/** Mostly an active reservation. */
function reservationIn({ reservations }: World, n: number): Reservation | undefined {
  const active = reservations.filter(({ state }) => state === 'active');
  return oneOf(active.length === 0 || n % 6 === 0 ? reservations : active, n);
}

function labelsOf(world: World, picks: Parameters<typeof seatsOf>[1], n: number): string[] {
  const seats = seatsOf(world, picks);
  if (n % 3 !== 0) return seats;
  const areas = byAreas(world, seats);
  return n % 2 === 0 ? [...areas, ...areas] : areas;
}

export const reservationKinds: readonly Kind[] = [
  kind('make a reservation', 7, fc.record({ seats: seatPicks, until, n: anyNumber }), (world, { seats, until, n }) => ({
    type: 'make-reservation',
    callId: fresh(world, 'call'),
    reservationId: fresh(world, 'rsv'),
    labels: labelsOf(world, seats, n),
    name: `Class ${n % 5}`,
    until: world.now + until,
    note: n % 2 === 0 ? 'Invoice' : null,
  })),
  kind(
    'change a reservation',
    4,
    fc.record({ seats: seatPicks, until, n: anyNumber }),
    (world, { seats, until, n }) => {
      const found = reservationIn(world, n);
      if (!found) return n % 20 === 0 ? change(world, 'rsv_nobody', { note: null }) : null;
      const kept = found.labels.slice(n % 2);
      const labels = n % 4 === 0 ? labelsOf(world, seats, n) : [...kept, ...labelsOf(world, seats.slice(0, n % 3), n)];
      return change(world, found.id, {
        ...(n % 3 !== 0 && labels.length > 0 && { labels }),
        ...(n % 5 === 0 && { until: world.now + until }),
        ...(n % 7 === 0 && { name: 'House seats' }),
        ...(n % 2 === 0 && { note: null }),
      });
    },
  ),
  kind('end a reservation', 2.5, anyNumber, (world, n) => {
    const id = reservationIn(world, n)?.id ?? (n % 20 === 0 ? 'rsv_nobody' : undefined);
    return id === undefined ? null : { type: 'end-reservation', callId: fresh(world, 'call'), reservationId: id };
  }),
  kind(
    'book a reservation',
    6,
    fc.record({ bookingRef: refPick, seat: seatPick, n: anyNumber }),
    (world, { bookingRef, seat, n }) => {
      const found = reservationIn(world, n);
      if (!found) return null;
      const some = n % 9 === 0 ? seatsOf(world, [seat]) : found.labels.slice(0, 1 + (n % 3));
      const labels = n % 11 === 0 ? byAreas(world, some) : some;
      const named = n % 2 === 0 || labels.length === 0 ? {} : { labels };
      return { type: 'book-reservation', callId: fresh(world, 'call'), reservationId: found.id, bookingRef, ...named };
    },
  ),
  kind('look at a reservation', 2, anyNumber, (world, n) => ({
    type: 'inspect-reservation',
    reservationId: oneOf(world.reservations, n)?.id ?? 'rsv_nobody',
  })),
  kind('end holds', 3, fc.record({ seats: seatPicks, n: anyNumber }), (world, { seats, n }) => {
    const held = Object.values(world.seats).filter(({ status }) => status === 'held');
    const some = seatsOf(world, seats);
    const first = oneOf(held, n);
    const labels = first ? [...some, first.label] : some;
    const reason = 'Abandoned';
    return {
      type: 'end-holds',
      callId: fresh(world, 'call'),
      labels: n % 5 === 0 ? byAreas(world, labels) : labels,
      reason,
    };
  }),
  kind('sell from a block', 4, fc.record({ bookingRef: refPick, n: anyNumber }), (world, { bookingRef, n }) => {
    const blocked = Object.values(world.seats).filter(({ status }) => status === 'blocked');
    if (blocked.length === 0) return null;
    const first = n % blocked.length;
    const labels = blocked.slice(first, first + 1 + (n % 3)).map(({ label }) => label);
    const area = oneOf(Object.keys(world.chart.areas), n);
    const quantities = n % 4 === 0 && area !== undefined ? [{ label: area, quantity: 1 + (n % 4) }] : [];
    const selections = [...labels.map((label) => ({ label })), ...quantities];
    const terms = { callId: fresh(world, 'call'), bookingRef, selections, fromBlock: true } as const;
    if (n % 3 === 0) return { type: 'book-direct', ...terms };
    return { type: world.ownership === 'platform' ? 'box-book' : 'box-office-sale', ...terms };
  }),
];

function change(world: World, reservationId: string, changed: object) {
  return { type: 'change-reservation' as const, callId: fresh(world, 'call'), reservationId, ...changed };
}
