/** Steps of offers: the lock of a season, reservations, their ends and their bookings. */
import fc from 'fast-check';
import { season } from '../reference/offers.ts';
import type { World } from '../reference/world.ts';
import { anyNumber, byAreas, fresh, type Kind, kind, oneOf, refPick, seatPicks, seatsOf } from './steps.ts';

const offerId = fc.constantFrom('sro_1', 'sro_2', 'sro_3', 'sro_4', 'sro_5');
/** An event remembers as many ended locks at least. */
const locksRemembered = 50;
/** A command may come so late. */
const actsMs = 300;

export const offerKinds: readonly Kind[] = [
  // A lock stays a short time, since it refuses moves and charts.
  kind('lock', 3, anyNumber, (world, n) => {
    const ended = n % 5 === 0 ? oneOf([...world.endedLocks].slice(-locksRemembered), n) : undefined;
    const lockId = world.lockId ?? ended ?? fresh(world, 'call');
    return { type: 'lock', owner: season, lockId, actsUntil: world.now + actsMs };
  }),
  kind('unlock', 8, anyNumber, (world, n) => {
    const lockId = world.lockId ?? (n % 20 === 0 ? 'lock of nobody' : null);
    return lockId === null ? null : { type: 'unlock', owner: season, lockId };
  }),
  kind('reserve', 40, fc.record({ picks: seatPicks, offerId, n: anyNumber }), (world, { picks, offerId, n }) => {
    if (world.lockId === null && n % 20 !== 0) return null;
    const seats = seatsOf(world, picks);
    const labels = n % 5 === 0 ? byAreas(world, seats) : seats;
    const selections = labels.map((label) => (world.chart.areas[label] ? { label, quantity: 2 } : { label }));
    return {
      type: 'reserve',
      callId: fresh(world, 'call'),
      offerId,
      owner: season,
      selections,
      actsUntil: world.now + actsMs,
    };
  }),
  kind('unreserve', 5, fc.record({ offerId, n: anyNumber }), (world, { offerId, n }) => {
    const found = reservedIn(world, n) ?? (n % 9 === 0 ? offerId : undefined);
    return found === undefined ? null : { type: 'unreserve', callId: fresh(world, 'call'), offerId: found };
  }),
  kind('book reserved', 8, fc.record({ offerId, ref: refPick, n: anyNumber }), (world, { offerId, ref, n }) => {
    const found = n % 9 === 0 ? offerId : reservedIn(world, n);
    if (found === undefined) return null;
    return { type: 'book-reserved', callId: fresh(world, 'call'), offerId: found, bookingRef: ref };
  }),
];

function reservedIn({ offers }: World, n: number): string | undefined {
  return oneOf(
    offers.filter(({ status }) => status === 'reserved'),
    n,
  )?.offerId;
}
