/** Seats that offers of a season reserve, free and book, and the lock under which they do. */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { addTo } from './bookings.ts';
import { free } from './endings.ts';
import { noteSoldOut } from './releases.ts';
import { choose, labelsOf } from './selecting.ts';
import {
  bookingNamed,
  DAY,
  done,
  isOnSale,
  itemsOf,
  type Offer,
  type Prediction,
  refused,
  unchanged,
  type World,
} from './world.ts';

export const season = { kind: 'season', key: 'sea_1' } as const;

export function lock(world: World, { owner, lockId, actsUntil }: Command & { type: 'lock' }): Prediction {
  const answer = { lock: { owner, lockId, isDraining: false, live: 0 } };
  if (world.lockId === lockId) return unchanged(answer);
  if (world.endedLocks.has(lockId)) return unchanged({ lock: null });
  if (world.lockId !== null) return refused('conflict', { reason: 'locked_otherwise' });
  if (world.now > actsUntil) return refused('conflict', { reason: 'too_late' });
  if (!isOnSale(world)) return refused('invalid_event_state', { status: world.status });
  world.lockId = lockId;
  return done(answer);
}

export function unlock(world: World, { lockId }: Command & { type: 'unlock' }): Prediction {
  if (world.lockId !== lockId) return unchanged({ unlocked: false });
  world.lockId = null;
  world.endedLocks.add(lockId);
  return done({ unlocked: true });
}

export function reserve(world: World, command: Command & { type: 'reserve' }, caller: Caller): Prediction {
  const { offerId, selections, actsUntil } = command;
  const known = offerNamed(world, offerId);
  if (known?.status === 'reserved') return unchanged(answerOf(world, known));
  if (known) return whyOver(known);
  if (world.now > actsUntil) return refused('conflict', { reason: 'too_late' });
  if (world.lockId === null) return refused('event_closed', { reason: 'owner_not_active' });
  const chosen = choose(world, selections, { caller, leavesListings: true });
  if ('refused' in chosen) return { ok: false, refused: chosen.refused };
  const offer: Offer = { offerId, claims: chosen.claims, status: 'reserved', ref: null, endedAt: null };
  world.offers = [...world.offers.filter((each) => each.offerId !== offerId), offer];
  for (const { label } of offer.claims)
    world.seats[label] = { label, status: 'blocked', owner: `offer ${offerId}`, freeAt: null };
  noteSoldOut(world);
  return done(answerOf(world, offer));
}

function answerOf(world: World, { claims }: Offer): object {
  return { reserved: labelsOf(claims), items: itemsOf(world, claims) };
}

/** An offer that ended a day ago is forgotten. */
function offerNamed({ offers, now }: World, offerId: string): Offer | undefined {
  return offers.find((each) => each.offerId === offerId && (each.endedAt === null || each.endedAt + DAY > now));
}

function whyOver({ status }: Offer): Prediction {
  return refused('conflict', { reason: status === 'booked' ? 'offer_booked' : 'offer_over' });
}

export function unreserve(world: World, { offerId }: Command & { type: 'unreserve' }): Prediction {
  const known = offerNamed(world, offerId);
  if (known?.status === 'booked') return whyOver(known);
  if (known?.status === 'over') return unchanged({ unreserved: labelsOf(known.claims) });
  const claims = known?.claims ?? [];
  const over: Offer = { offerId, claims, status: 'over', ref: null, endedAt: world.now };
  world.offers = [...world.offers.filter((each) => each.offerId !== offerId), over];
  free(world, labelsOf(claims));
  return done({ unreserved: labelsOf(claims) });
}

export function bookReserved(world: World, command: Command & { type: 'book-reserved' }, caller: Caller): Prediction {
  const { offerId, bookingRef: ref } = command;
  const known = offerNamed(world, offerId);
  const callId = `offer.${offerId}`;
  if (known?.status !== 'reserved') {
    const before = bookingNamed(world, ref)?.calls[callId] ?? (known?.ref === ref ? labelsOf(known.claims) : undefined);
    if (before) return unchanged({ booked: before });
    return known ? whyOver(known) : refused('conflict', { reason: 'offer_not_reserved' });
  }
  const { claims } = known;
  Object.assign(known, { status: 'booked', ref, endedAt: world.now });
  addTo(world, ref, callId, [...claims], caller.accessSource);
  return done({ booked: labelsOf(claims) });
}
