/**
 * The lists of a snapshot that may be as long as the event has units or sessions, as bytes, in steps. As plain values
 * they would be encoded in one go.
 */
import type { EventLock, OperationOwner } from '@parterre/shared/protocol/operations/operation';
import { packedInSteps, type Steps, unpackedInSteps } from '../packed/packed.ts';
import type { EndedOffer, LiveOffer } from '../parts/offers.ts';
import type { EventPart } from '../parts/parts.ts';
import {
  type EventState,
  type Listing,
  type PlaceOfVisitor,
  packLines,
  putListing,
  type ReadState,
  type Reservation,
  type SessionUse,
  unpackLines,
} from '../state/state.ts';

export type Uses = { ids: readonly string[]; uses: readonly SessionUse[] };
export type Blocks = { units: readonly number[]; times: readonly number[] };

export function packedUses({ ids, uses }: Uses): Steps<Uint8Array> {
  return packedInSteps(uses.entries(), (to, [n, { used, at }]) => {
    to.text(ids[n]!);
    to.whole(used);
    to.whole(at);
  });
}

export function readUses({ sessionUse }: EventState, packed: Uint8Array): Steps<void> {
  return unpackedInSteps(packed, (from) => {
    sessionUse.set(from.text()!, { used: from.whole(), at: from.whole() });
  });
}

export function packedPlaces(places: readonly PlaceOfVisitor[]): Steps<Uint8Array> {
  return packedInSteps(places, (to, { visitor, place, since, until }) => {
    to.text(visitor);
    to.text(place);
    to.whole(since);
    to.step(until - since);
  });
}

export function readPlaces({ visitors }: EventState, packed: Uint8Array): Steps<void> {
  return unpackedInSteps(packed, (from) => {
    const visitor = from.text()!;
    const place = from.text()!;
    const since = from.whole();
    visitors.put({ visitor, place, since, until: since + from.step() });
  });
}

export type KnownParts = {
  parts: readonly EventPart[];
  forgottenUntil: number;
  locks: readonly EventLock[];
  endedLocks: readonly string[];
};

export function knownParts({ live, ended, forgottenUntil, locks, endedLocks }: ReadState['parts']): KnownParts {
  const parts = [...live.values(), ...ended.values()];
  return { parts, forgottenUntil, locks: [...locks.values()], endedLocks: [...endedLocks] };
}

export function packedParts(parts: readonly EventPart[]): Steps<Uint8Array> {
  return packedInSteps(parts, (to, part) => to.text(JSON.stringify(part)));
}

export function readParts({ parts }: EventState, packed: Uint8Array): Steps<void> {
  return unpackedInSteps(packed, (from) => parts.put(JSON.parse(from.text()!) as EventPart));
}

/** Live reservations, then ended ones in their order. */
export function knownOffers({ live, ended }: ReadState['offers']): (LiveOffer | EndedOffer)[] {
  return [...live.values(), ...ended.values()];
}

export function packedOffers(known: readonly (LiveOffer | EndedOffer)[]): Steps<Uint8Array> {
  return packedInSteps(known, (to, each) => {
    to.text(each.offerId);
    if ('lines' in each) {
      to.text(each.owner.kind);
      to.text(each.owner.key);
      to.whole(each.slot);
      packLines(to, each.lines);
    } else {
      to.text(null);
      to.units(each.units);
      to.text(each.bookingRef);
      to.whole(each.endedAt);
    }
  });
}

export function readOffers({ offers }: EventState, packed: Uint8Array): Steps<void> {
  return unpackedInSteps(packed, (from) => {
    const offerId = from.text()!;
    const kind = from.text() as OperationOwner['kind'] | null;
    if (kind === null) {
      offers.putEnded({ offerId, units: from.units()!, bookingRef: from.text(), endedAt: from.whole() });
      return;
    }
    const owner = { kind, key: from.text()! };
    offers.put({ offerId, owner, slot: from.whole(), lines: unpackLines(from) });
  });
}

/** All but the units is JSON, which a reservation has little of. */
export function packedReservations(known: readonly Reservation[]): Steps<Uint8Array> {
  return packedInSteps(known, (to, { units, ...rest }) => {
    to.text(JSON.stringify(rest));
    to.units(units);
  });
}

export function readReservations({ reservations }: EventState, packed: Uint8Array): Steps<void> {
  return unpackedInSteps(packed, (from) => {
    const rest = JSON.parse(from.text()!) as Omit<Reservation, 'units'>;
    reservations.put({ ...rest, units: from.units()! });
  });
}

export function packedListings(listings: readonly Listing[]): Steps<Uint8Array> {
  return packedInSteps(listings, (to, { id, bookingRef, units, heldBy, countedOnce }) => {
    to.text(id);
    to.text(bookingRef);
    to.units(units);
    to.whole(heldBy);
    to.units(countedOnce ? [...countedOnce] : null);
  });
}

export function readListings(state: EventState, packed: Uint8Array): Steps<void> {
  return unpackedInSteps(packed, (from) => {
    const listing = { id: from.text()!, bookingRef: from.text()!, units: from.units()!, heldBy: from.whole() };
    const countedOnce = from.units();
    putListing(state, countedOnce === null ? listing : { ...listing, countedOnce: new Set(countedOnce) });
  });
}

export function packedBlocks({ units, times }: Blocks): Steps<Uint8Array> {
  return packedInSteps(units.entries(), (to, [n, unit]) => {
    to.whole(unit);
    to.whole(times[n]!);
  });
}

export function readBlocks({ blockedUntil }: EventState, packed: Uint8Array): Steps<void> {
  return unpackedInSteps(packed, (from) => {
    blockedUntil.set(from.whole(), from.whole());
  });
}
