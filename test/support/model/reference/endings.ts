/** Seats that become free again, and everything that the passing of time ends. */
import { openByTime } from './availability.ts';
import { guestsOf, noteUse } from './channels.ts';
import { noteSoldOut } from './releases.ts';
import {
  countsOf,
  freeSeat,
  type Hold,
  listingOf,
  ownedBy,
  placeOf,
  type Reservation,
  type Seat,
  type World,
} from './world.ts';

/** Ends holds at `expiresAt` and blocks at their time, not a millisecond sooner. */
export function passTo(world: World, now: number): void {
  world.now = now;
  for (const hold of world.holds) {
    if (hold.status === 'active' && hold.expiresAt <= now) endHold(world, hold, 'expired');
  }
  for (const each of world.reservations) {
    if (each.state === 'active' && each.until <= now) endReservation(world, each);
  }
  for (const { label, freeAt } of Object.values(world.seats)) {
    if (freeAt !== null && freeAt <= now) free(world, [label]);
  }
  openByTime(world);
  tellSoldOut(world);
}

/**
 * Event time that stood in the future goes back. A hold that was made after the new time keeps the time that it had
 * left. All other times stay.
 */
export function setBackTo(world: World, now: number): void {
  for (const hold of world.holds) {
    if (hold.status !== 'active' || hold.createdAt <= now) continue;
    hold.createdAt -= world.now - now;
    hold.expiresAt -= world.now - now;
  }
  world.now = now;
}

/** Frees the remaining seats of the hold. A hold that was booked in part counts as booked. */
export function endHold(world: World, hold: Hold, how: 'released' | 'expired'): void {
  const rest = ownedBy(world, `hold ${hold.id}`);
  noteUse(world, hold.session, -guestsOf(hold.claims.filter(({ label }) => rest.includes(label))));
  free(world, rest);
  if (hold.bookingRef !== null) hold[how].push(...rest);
  hold.status = hold.bookingRef === null ? how : 'booked';
  hold.endedAt = world.now;
}

export function endReservation(world: World, reservation: Reservation): void {
  free(world, reservation.labels);
  reservation.state = 'ended';
  reservation.endedAt = world.now;
}

export function free(world: World, labels: string[]): void {
  for (const label of labels) {
    // A listed seat leaves a checkout as it was: booked.
    const listing = listingOf(world, label);
    if (listing) listing.heldBy = null;
    else world.seats[label] = freeSeat(label);
  }
  noteSoldOut(world);
}

/**
 * Counts a sold-out record once when a seat is booked and none for sale is free or held, and again only after a seat
 * was free.
 */
export function tellSoldOut(world: World): void {
  const { chart, seats, soldOut, status } = world;
  const isSold = (label: string): boolean => {
    const key = placeOf(world, label).category;
    return !chart.categories.find((category) => category.key === key)!.notForSale;
  };
  const isLeft = ({ label, status }: Seat): boolean => (status === 'free' || status === 'held') && isSold(label);
  if (Object.values(seats).some(isLeft)) soldOut.isTold = false;
  else if (!soldOut.isTold && countsOf(world).booked > 0 && (status === 'active' || status === 'closed')) {
    soldOut.isTold = true;
    soldOut.times++;
  }
}
