/** Reservations by name, and the ends of holds by their seats. */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { addTo, firstAnswer } from './bookings.ts';
import { guestsOf, noteUse } from './channels.ts';
import { endHold, endReservation, free } from './endings.ts';
import { choose, named, placesAmong, shortOf } from './selecting.ts';
import {
  bookingNamed,
  type Claim,
  type Conflict,
  conflictOver,
  DAY,
  done,
  itemsOf,
  leftBehind,
  listingOf,
  noteLabels,
  once,
  ownedBy,
  type Prediction,
  type Refused,
  type Reservation,
  refused,
  unchanged,
  unknownLabels,
  type World,
} from './world.ts';

const longest = 400 * DAY;
const known = 30 * DAY;

function viewOf({ booked: _, endedAt: __, ...shown }: Reservation): object {
  return { ...shown, labels: [...shown.labels] };
}

/** A reservation that was over 30 days ago is forgotten. */
function reservationOf({ reservations, now }: World, id: string): Reservation | undefined {
  return reservations.find((each) => each.id === id && (each.endedAt === null || each.endedAt + known > now));
}

function isOwn(world: World, label: string, own: Reservation | null): boolean {
  return own !== null && world.seats[label]!.owner === `reservation ${own.id}`;
}

function isLate(world: World, until: number): boolean {
  return until <= world.now || until > world.now + longest;
}

/** An area that is named n times gives n places: its own, then free ones of public sale, then others. */
function placesFor(
  world: World,
  labels: string[],
  own: Reservation | null,
): { labels: string[] } | { refused: Refused[] } {
  const areas = once(labels.filter((label) => world.chart.areas[label]));
  const unknown = once(labels.filter((label) => !world.seats[label] && !areas.includes(label)));
  if (unknown.length > 0) return { refused: [unknownLabels(unknown)] };
  const isSpare = (label: string): boolean => world.seats[label]!.status === 'free' || isOwn(world, label, own);
  const chosen = once(labels.filter((label) => world.seats[label]));
  const conflicts: Conflict[] = chosen
    .filter((label) => !isSpare(label))
    .map((label) => ({ label, status: world.seats[label]!.status }));
  for (const area of areas) {
    const wanted = labels.filter((label) => label === area).length;
    const spare = world.chart.areas[area]!.filter((label) => isSpare(label) && !chosen.includes(label));
    const rankOf = (label: string): number => (isOwn(world, label, own) ? 0 : world.channelOf[label] ? 2 : 1);
    if (spare.length < wanted) conflicts.push(shortOf(area, spare.length));
    chosen.push(...spare.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, wanted));
  }
  if (conflicts.length > 0) return { refused: [{ code: 'conflict', reason: 'conflict', conflicts }] };
  // The order of the chart: a quota goes to the first.
  return { labels: world.chart.places.flatMap(({ label }) => (chosen.includes(label) ? [label] : [])) };
}

/** The labels of the answer move with the chart. */
function noteView(world: World, callId: string, reservation: Reservation): Prediction {
  const view = viewOf(reservation) as { labels: string[] };
  world.calls.push({ callId, labels: view.labels, as: 'reservation.labels', answer: view });
  return done({ reservation: view });
}

function keep(world: World, id: string, labels: string[]): void {
  for (const label of labels)
    world.seats[label] = { label, status: 'blocked', owner: `reservation ${id}`, freeAt: null };
}

export function makeReservation(
  world: World,
  { callId, reservationId: id, labels, name, until, note }: Command & { type: 'make-reservation' },
  { actor }: Caller,
): Prediction {
  if (isLate(world, until)) return refused('invalid_request');
  const places = placesFor(world, labels, null);
  if ('refused' in places) return { ok: false, refused: places.refused };
  const terms = { id, name, note, until, createdAt: world.now, createdBy: actor };
  const made: Reservation = { ...terms, state: 'active', labels: places.labels, booked: [], endedAt: null };
  world.reservations.push(made);
  keep(world, id, made.labels);
  return noteView(world, callId, made);
}

function over(world: World, { state, labels }: Reservation): Prediction {
  return conflictOver(world, labels, `reservation_${state}`);
}

export function changeReservation(world: World, command: Command & { type: 'change-reservation' }): Prediction {
  const found = reservationOf(world, command.reservationId);
  if (!found) return refused('reservation_not_found');
  if (found.state !== 'active') return over(world, found);
  const { callId, labels, name = found.name, note = found.note, until = found.until } = command;
  if (until !== found.until && isLate(world, until)) return refused('invalid_request');
  const places = labels ? placesFor(world, labels, found) : { labels: found.labels };
  if ('refused' in places) return { ok: false, refused: places.refused };
  free(
    world,
    found.labels.filter((label) => !places.labels.includes(label)),
  );
  Object.assign(found, { name, note, until, labels: places.labels });
  keep(world, found.id, found.labels);
  return noteView(world, callId, found);
}

export function endOne(world: World, { callId, reservationId }: Command & { type: 'end-reservation' }): Prediction {
  const found = reservationOf(world, reservationId);
  if (!found) return refused('reservation_not_found');
  if (found.state === 'booked') return over(world, found);
  if (found.state === 'ended') return unchanged({ freed: [] });
  endReservation(world, found);
  return noteLabels(world, callId, 'freed', [...found.labels]);
}

export function bookReservation(
  world: World,
  { callId, reservationId, bookingRef: ref, labels }: Command & { type: 'book-reservation' },
  caller: Caller,
): Prediction {
  const found = reservationOf(world, reservationId);
  if (!found) return refused('reservation_not_found');
  const before = found.booked.flatMap((part) => (part.ref === ref ? part.labels : []));
  const itemsIn = (some: string[]): object[] =>
    itemsOf(
      world,
      (bookingNamed(world, ref)?.claims ?? []).filter(({ label }) => some.includes(label)),
    );
  const again = firstAnswer(world, ref, callId);
  if (again) return unchanged({ booked: again, items: itemsIn(before), reservation: viewOf(found) });
  const isActive = found.state === 'active';
  const all = isActive ? found.labels : before;
  const places = placesAmong(world, [...before, ...found.labels]);
  const asked = labels ? named(world, labels, places) : { labels: all, without: [] };
  if ('refused' in asked) return { ok: false, refused: asked.refused };
  const has = (label: string): boolean => isActive && isOwn(world, label, found);
  const inTheWay = asked.labels.filter((label) => !has(label) && !before.includes(label));
  const isNothing = asked.labels.length === 0 && asked.without.length === 0;
  if (isNothing || (!isActive && inTheWay.length > 0)) return over(world, found);
  if (inTheWay.length > 0 || asked.without.length > 0) {
    const short = asked.without.map((area) => shortOf(area, 0));
    return conflictOver(world, inTheWay, 'not_in_reservation', short);
  }
  const open = asked.labels.filter(has);
  if (open.length === 0) return unchanged({ booked: [], items: itemsIn(asked.labels), reservation: viewOf(found) });
  const chosen = choose(
    world,
    open.map((label) => ({ label })),
    { caller: sellerOf(world, found, caller, open), takes: (label) => isOwn(world, label, found) },
  );
  if ('refused' in chosen) return { ok: false, refused: chosen.refused };
  found.booked.push({ ref, labels: open });
  found.labels = found.labels.filter((label) => !open.includes(label));
  if (found.labels.length === 0) {
    Object.assign(found, { state: 'booked', endedAt: world.now, labels: found.booked.flatMap((part) => part.labels) });
  }
  addTo(world, ref, callId, bundled(world, chosen.claims), sellerOf(world, found, caller, open).accessSource);
  return done({ booked: open, items: itemsIn(asked.labels), reservation: viewOf(found) });
}

/** Places of one area that are sold alike are one line. */
function bundled(world: World, claims: Claim[]): Claim[] {
  for (const area of Object.values(world.chart.areas)) {
    const ofArea = claims.filter(({ label }) => area.includes(label));
    const alike = (one: Claim, other: Claim): boolean =>
      one.price === other.price &&
      one.tier === other.tier &&
      one.release === other.release &&
      one.channel === other.channel;
    if (ofArea.length < 2) continue;
    for (const claim of ofArea) claim.bundle = ofArea.find((other) => alike(claim, other))!.label;
  }
  return claims;
}

/** Seats of channels are sold by an override. */
function sellerOf(world: World, { name }: Reservation, caller: Caller, labels: string[]): Caller {
  const reason = `Reservation ${name}`;
  if (!labels.some((label) => world.channelOf[label])) return { ...caller, reason };
  return { ...caller, reason, accessSource: 'staff_override', override: { reason } };
}

export function inspectReservation(
  world: World,
  { reservationId }: Command & { type: 'inspect-reservation' },
): Prediction {
  const found = reservationOf(world, reservationId);
  return found ? unchanged({ reservation: viewOf(found) }) : refused('reservation_not_found');
}

/** A listed seat in checkout is in its buyer's hold. */
export function endHolds(world: World, { callId, labels }: Command & { type: 'end-holds' }): Prediction {
  const asked = named(world, labels, (area) => world.chart.areas[area]!);
  if ('refused' in asked) return { ok: false, refused: asked.refused };
  const holderOf = (label: string): string | null => {
    const { status, owner } = world.seats[label]!;
    return status === 'held' ? owner : (listingOf(world, label)?.heldBy ?? null);
  };
  const held = asked.labels.filter((label) => holderOf(label) !== null);
  const left = leftBehind(world, held);
  if (left.length > 0) return conflictOver(world, left, 'resale_listing_whole');
  const holders = new Map(held.map((label) => [label, holderOf(label)]));
  for (const hold of world.holds.filter(({ status }) => status === 'active')) {
    const its = held.filter((label) => holders.get(label) === `hold ${hold.id}`);
    if (its.length === 0) continue;
    if (its.length === ownedBy(world, `hold ${hold.id}`).length) {
      endHold(world, hold, 'released');
      continue;
    }
    noteUse(world, hold.session, -guestsOf(hold.claims.filter(({ label }) => its.includes(label))));
    free(world, its);
    hold.released.push(...its);
  }
  return noteLabels(world, callId, 'released', held);
}
