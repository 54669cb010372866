/** Steps of exchanges: parts of bookings for named seats, for places of areas, for the best seats, and for holds. */
import type { Command, ExchangeTarget } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { ownedBy, type World } from '../reference/world.ts';
import {
  anyNumber,
  bookingOf,
  bookingPick,
  fresh,
  holdOf,
  holdPick,
  type Kind,
  kind,
  oneOf,
  recent,
  seatPicks,
  seatsOf,
  weighted,
} from './steps.ts';

const givenPick = fc.record({
  booking: bookingPick,
  size: fc.integer({ min: 1, max: 3 }),
  quantity: weighted([undefined, 9], [1, 3], [2, 2], [4, 1]),
  other: weighted([false, 14], [true, 1]),
  n: anyNumber,
});
type GivenPick = typeof givenPick extends fc.Arbitrary<infer T> ? T : never;

type Exchange = Command & { type: 'exchange' };

/** Seats of a booking, and as many to take as they have places. Null if there is no booking. */
function exchangeOf(
  world: World,
  { booking, size, quantity, other, n }: GivenPick,
  to: (places: number) => ExchangeTarget | null,
): Exchange | null {
  const bookingRef = bookingOf(world, booking);
  if (bookingRef === null) return null;
  const labels = ownedBy(world, `booking ${bookingRef}`).slice(n % 2, (n % 2) + size);
  if (other || labels.length === 0) labels.push(oneOf(Object.keys(world.seats), n)!);
  const area = n % 3 === 0 ? areaOf(world, labels[0]!) : undefined;
  const from = area
    ? [{ label: area, ...(quantity !== undefined && { quantity }) }]
    : labels.map((label) => ({ label, ...(n % 29 === 0 && quantity !== undefined && { quantity }) }));
  const target = to(area ? placesIn(world, bookingRef, area, quantity) : guestsOf(world, bookingRef, labels));
  if (target === null) return null;
  const names = { callId: fresh(world, 'call'), exchangeId: fresh(world, 'exc') };
  return { type: 'exchange', ...names, bookingRef, from, to: target, reason: n % 2 === 0 ? 'A pillar' : null };
}

function areaOf({ chart }: World, label: string): string | undefined {
  return Object.keys(chart.areas).find((name) => chart.areas[name]!.includes(label));
}

function placesIn(world: World, ref: string, area: string, quantity: number | undefined): number {
  const has = ownedBy(world, `booking ${ref}`).filter((label) => world.chart.areas[area]!.includes(label));
  return Math.min(quantity ?? has.length, has.length);
}

function guestsOf({ bookings }: World, ref: string, labels: string[]): number {
  const claims = bookings.find((each) => each.ref === ref)?.claims ?? [];
  return claims.filter(({ label }) => labels.includes(label)).reduce((sum, { guests }) => sum + (guests ?? 1), 0);
}

/** Mostly as many free seats as places. */
function freeSeats(world: World, places: number, n: number): string[] {
  const status = n % 3 === 0 && n % 2 === 0 ? 'blocked' : 'free';
  const free = Object.values(world.seats).filter((seat) => seat.status === status);
  const first = n % Math.max(free.length - places, 1);
  return free.slice(first, first + places + (n % 19 === 0 ? 1 : 0)).map(({ label }) => label);
}

export const exchangeKinds: readonly Kind[] = [
  kind(
    'exchange for labels',
    9,
    fc.record({ given: givenPick, seats: fc.option(seatPicks, { freq: 4 }), n: anyNumber }),
    (world, { given, seats, n }) =>
      exchangeOf(world, given, (places) => {
        const free = freeSeats(world, places, n);
        const labels = n % 4 === 0 && seats ? seatsOf(world, seats) : free;
        const fromBlock = n % 3 === 0 ? ({ fromBlock: true } as const) : {};
        return labels.length === 0 ? null : { selections: labels.map((label) => ({ label })), ...fromBlock };
      }),
  ),
  kind('exchange for places of an area', 4, fc.record({ given: givenPick, n: anyNumber }), (world, { given, n }) =>
    exchangeOf(world, given, (quantity) => {
      const label = oneOf(Object.keys(world.chart.areas), n);
      return label === undefined ? null : { selections: [{ label, quantity: Math.max(quantity, 1) }] };
    }),
  ),
  kind('exchange for the best', 5, givenPick, (world, given) =>
    exchangeOf(world, given, (places) => ({ query: { qty: Math.max(places, 1) } })),
  ),
  kind(
    'exchange for a hold',
    9,
    fc.record({ given: givenPick, hold: holdPick, n: anyNumber }),
    (world, { given, hold, n }) =>
      exchangeOf(world, given, (places) => {
        const holdId = holdOf(world, hold);
        if (holdId === null) return null;
        const labels = ownedBy(world, `hold ${holdId}`).slice(0, places);
        return n % 5 === 0 || labels.length === 0 ? { holdId } : { holdId, labels };
      }),
  ),
  kind('exchange back', 5, anyNumber, (world, n, sent) => {
    const found = oneOf(
      recent(world, sent).filter(({ command }) => command.type === 'exchange' && 'selections' in command.to),
      n,
    );
    if (!found) return null;
    const { from, to, ...rest } = found.command as Exchange & { to: { selections: Exchange['from'] } };
    const names = { callId: fresh(world, 'call'), exchangeId: fresh(world, 'exc') };
    return { ...rest, ...names, from: to.selections, to: { selections: from } };
  }),
  kind(
    'exchange on terms',
    6,
    fc.record({ given: givenPick, fee: weighted([undefined, 1], [0, 1], [4, 2]), n: anyNumber }),
    (world, { given, fee, n }) => {
      const plain = exchangeOf(world, given, (places) => {
        const labels = freeSeats(world, places, n);
        return labels.length === 0 ? null : { selections: labels.map((label) => ({ label })) };
      });
      if (!plain) return null;
      return {
        ...plain,
        type: 'exchange-on-terms',
        ...(fee !== undefined && { fee }),
        ...(n % 3 === 0 && { waiveDifference: { reason: 'Ill' } }),
        ...(n % 4 === 0 && { isDry: true as const }),
      };
    },
  ),
  kind('permute', 4, fc.record({ given: givenPick, n: anyNumber }), (world, { given, n }) =>
    exchangeOf(world, given, (places) => {
      const own = ownedBy(world, `booking ${bookingOf(world, given.booking)}`).slice(given.n % 2);
      const free = freeSeats(world, Math.max(places - 1, 1), n);
      const labels = [...own.slice(0, 1), ...free];
      return labels.length === 0 ? null : { selections: labels.map((label) => ({ label })) };
    }),
  ),
  kind(
    'swap',
    7,
    fc.record({ one: bookingPick, other: bookingPick, size: fc.integer({ min: 1, max: 2 }), n: anyNumber }),
    (world, { one, other, size, n }) => {
      const [a, b] = [bookingOf(world, one), bookingOf(world, other)];
      if (a === null || b === null) return null;
      const side = (bookingRef: string, wrong: boolean) => {
        const labels = ownedBy(world, `booking ${bookingRef}`).slice(n % 2, (n % 2) + size);
        if (wrong || labels.length === 0) labels.push(oneOf(Object.keys(world.seats), n)!);
        return { bookingRef, from: labels.map((label) => ({ label })) };
      };
      const names = { callId: fresh(world, 'call'), exchangeId: fresh(world, 'exc') };
      const sides = { a: side(a, n % 17 === 0), b: side(b, n % 19 === 0) };
      return { type: 'swap', ...names, ...sides, reason: null, ...(n % 5 === 0 && { isDry: true as const }) };
    },
  ),
  kind('exchange once more', 3, anyNumber, (world, n, sent) => {
    const types = ['exchange', 'exchange-on-terms', 'swap'];
    const exchanges = recent(world, sent).filter(({ command }) => types.includes(command.type));
    return oneOf(exchanges, n)?.command ?? null;
  }),
];
