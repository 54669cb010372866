/**
 * Resale: booked seats that their buyer offers together. They belong to the booking until they are sold, as a whole or
 * not at all.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import { named, placesAmong, shortOf } from './selecting.ts';

import {
  bookingNamed,
  conflictOver,
  done,
  type Listing,
  listingOf,
  type Prediction,
  refused,
  unchanged,
  type World,
} from './world.ts';

export function list(world: World, command: Command & { type: 'list-resale' }): Prediction {
  const { callId, listingId, bookingRef } = command;
  if (!bookingNamed(world, bookingRef)) return refused('booking_not_found');
  const has = bookingNamed(world, bookingRef)!.claims.map(({ label }) => label);
  const asked = named(world, command.labels, placesAmong(world, has));
  if ('refused' in asked) return { ok: false, refused: asked.refused };
  const { labels, without } = asked;
  const foreign = labels.filter((label) => world.seats[label]!.owner !== `booking ${bookingRef}`);
  if (foreign.length + without.length > 0) {
    const missing = without.map((area) => shortOf(area, 0));
    return conflictOver(world, foreign, 'not_owned_by_booking_ref', missing);
  }
  const listed = labels.filter((label) => listingOf(world, label));
  const same = world.listings.find(
    (each) => each.labels.length === labels.length && labels.every((label) => each.labels.includes(label)),
  );
  if (same?.heldBy === null) return unchanged({ listingId: same.id, labels: same.labels });
  if (listed.length > 0) {
    const conflicts = listed.map((label) => ({ label, status: 'booked', listingId: listingOf(world, label)!.id }));
    return refused('conflict', { reason: 'already_listed', conflicts });
  }
  world.listings.push({ id: listingId, bookingRef, labels, heldBy: null });
  world.calls.push({ callId, labels, as: 'labels', answer: { listingId } });
  return done({ listingId, labels });
}

export function remove(world: World, { callId, listingId }: Command & { type: 'remove-resale' }): Prediction {
  const found = world.listings.find(({ id }) => id === listingId);
  if (!found) return refused('listing_not_found');
  if (found.heldBy !== null) return conflictOver(world, found.labels, 'resale_in_checkout');
  endListing(world, found);
  world.calls.push({ callId, labels: found.labels, as: 'labels', answer: {} });
  return done({ labels: found.labels });
}

export function endListing(world: World, ended: Listing): void {
  world.listings = world.listings.filter((listing) => listing !== ended);
}
