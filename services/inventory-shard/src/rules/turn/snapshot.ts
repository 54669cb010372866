/**
 * Turns a state into plain data and back: a cache of the fold up to `version`, never the truth (I6). Facts that follow
 * from other fields (counts, deadlines) are not stored but recomputed, so that they cannot disagree.
 *
 * Taking a snapshot has two parts. `capture` runs in the event's own turn: it copies columns by unit as bytes, and
 * takes everything else by reference, since holders, listings, calls and uses are never changed in place once captured.
 * `toSnapshot` does the rest later. The event may have a hundred thousand units and some hundred thousand holders. The
 * second part and the way back are therefore made in steps, and other work may run between them.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { EventLock } from '@parterre/shared/protocol/operations/operation';
import { packStatuses, unpackStatuses } from '@parterre/shared/protocol/packed-statuses';
import {
  type Channel,
  type EventConfig,
  type EventStatus,
  type SectionStates,
  type TicketRelease,
  unitStatus,
} from '@parterre/shared/protocol/records';
import { checkStored, readStored, type StoredForm } from '@parterre/shared/protocol/stored';
import { findDivisions } from '../availability/availability.ts';
import { type CapturedMap, finish, livingOf, PackedMap, type Steps, weightOf } from '../packed/packed.ts';
import { lockIdOf } from '../parts/parts.ts';
import {
  Buyers,
  bookingPacking,
  type CapturedBuyers,
  type Channels,
  cancelledInSteps,
  channelsFrom,
  type EventCall,
  type EventState,
  type ExchangeSums,
  eachBookedLineInSteps,
  type Hold,
  Holds,
  heldLines,
  holdPacking,
  type Listing,
  lineValue,
  liveDeadlinesInSteps,
  type NamedCall,
  newState,
  type PlaceOfVisitor,
  quantityOfLines,
  type ReadState,
  type Reservation,
  type TicketReleaseUse,
  withheldOf,
} from '../state/state.ts';
import {
  type Blocks,
  type KnownParts,
  knownOffers,
  knownParts,
  packedBlocks,
  packedListings,
  packedOffers,
  packedParts,
  packedPlaces,
  packedReservations,
  packedUses,
  readBlocks,
  readListings,
  readOffers,
  readParts,
  readPlaces,
  readReservations,
  readUses,
  type Uses,
} from './snapshot-lists.ts';

/** The version of the snapshot's form. A snapshot of another version is skipped, and the event replays its journal. */
const snapshotVersion = 2;

function isReadable({ v }: { v: number }): boolean {
  return v === snapshotVersion;
}

const holdsPerStep = 250;
/** A multiple of four: a packed byte has four units. */
const unitsPerStep = 10_000;

/** The state's own fields. */
type Head = {
  v: typeof snapshotVersion;
  config: EventConfig;
  status: EventStatus;
  salesPaused: boolean;
  formerCurrencies: EventState['formerCurrencies'];
  sectionStates: SectionStates;
  availability: EventState['availability'];
  releases: readonly TicketRelease[];
  releaseUse: [string, TicketReleaseUse][];
  /** `of` as bytes, little-endian. */
  channels: { list: Channel[]; of: Uint8Array | null; version: number };
  soldOut: boolean;
  holdTtlMs: number | null;
  version: number;
  groups: number;
  at: number;
  nextSlot: number;
  calls: [string, EventCall][];
  namedCalls: [string, NamedCall][];
  /** [none] */
  exchangeCharges?: ExchangeSums;
};

/** `holds` are the active holds. `ids` and `units` are keys of maps, in the order of the values beside them. */
export type CapturedState = Head & {
  buyers: CapturedBuyers;
  sessionUse: Uses;
  givenUp: readonly PlaceOfVisitor[];
  parts?: KnownParts;
  offers?: ReturnType<typeof knownOffers>;
  named?: readonly Reservation[];
  listings: Listing[];
  blockedUntil: Blocks;
  statuses: Uint8Array;
  slotOf: Int32Array;
  holds: Readonly<Hold>[];
  ended: CapturedMap;
  bookings: CapturedMap;
};

/**
 * `slots` has the slot of the holder of every unit that is not free, in the order of units. Uses, listings and
 * scheduled unblocks are packed one behind the other.
 */
export type Snapshot = Head & {
  buyers: CapturedBuyers;
  sessionUse: Uint8Array;
  givenUp: Uint8Array;
  /** [none] */
  parts?: Uint8Array;
  forgottenUntil?: number;
  locks?: EventLock[];
  /** [none] */
  endedLocks?: string[];
  /** The units of offers. [none] */
  reservations?: Uint8Array;
  /** Reservations with a name. [none] */
  namedReservations?: Uint8Array;
  listings: Uint8Array;
  blockedUntil: Uint8Array;
  statuses: Uint8Array;
  slots: Uint8Array;
  holds: Uint8Array;
  ended: Uint8Array;
  bookings: Uint8Array;
};

const snapshotForm: StoredForm<Snapshot> = {
  v: 'number',
  config: 'fields',
  status: 'text',
  salesPaused: 'flag',
  formerCurrencies: 'list',
  sectionStates: 'fields',
  availability: 'fields',
  releases: 'list',
  releaseUse: 'list',
  channels: 'fields',
  soldOut: 'flag',
  holdTtlMs: 'number or null',
  version: 'number',
  groups: 'number',
  at: 'number',
  nextSlot: 'number',
  calls: 'list',
  namedCalls: 'list',
  buyers: 'fields',
  sessionUse: 'bytes',
  givenUp: 'bytes',
  listings: 'bytes',
  blockedUntil: 'bytes',
  statuses: 'bytes',
  slots: 'bytes',
  holds: 'bytes',
  ended: 'bytes',
  bookings: 'bytes',
};

/** Null for a snapshot of another version. Throws a `Fault` for anything else. */
export function readSnapshot(operation: string, bytes: Uint8Array): Snapshot | null {
  const stored = readStored<{ v: number }>(operation, bytes, { v: 'number' });
  return isReadable(stored) ? checkStored(operation, stored, snapshotForm) : null;
}

export function capture(state: ReadState): CapturedState {
  const { config, status, salesPaused, formerCurrencies, sectionStates, availability, releases, soldOut } = state;
  const { holdTtlMs, version, groups, at, nextSlot } = state;
  return {
    v: snapshotVersion,
    config,
    status,
    salesPaused,
    formerCurrencies,
    sectionStates,
    availability,
    releases,
    releaseUse: [...state.releaseUse],
    channels: capturedChannels(state.channels),
    sessionUse: { ids: [...state.sessionUse.keys()], uses: [...state.sessionUse.values()] },
    givenUp: state.visitors.places(),
    buyers: state.buyers.capture(),
    soldOut,
    listings: [...state.listings.values()],
    holdTtlMs,
    version,
    groups,
    at,
    nextSlot,
    blockedUntil: { units: [...state.blockedUntil.keys()], times: [...state.blockedUntil.values()] },
    calls: [...state.calls],
    namedCalls: [...state.namedCalls],
    ...(state.exchangeCharges && { exchangeCharges: state.exchangeCharges }),
    statuses: state.statuses.slice(),
    slotOf: state.slotOf.slice(),
    holds: state.holds.capture(nextSlot),
    ended: state.holds.ended.capture(),
    bookings: state.bookings.capture(),
    ...(!state.parts.isEmpty && { parts: knownParts(state.parts) }),
    ...(!state.offers.isEmpty && { offers: knownOffers(state.offers) }),
    ...(!state.reservations.isEmpty && { named: [...state.reservations.values()] }),
  };
}

function capturedChannels({ byId, of, version }: ReadState['channels']): Head['channels'] {
  return { list: [...byId.values()], of: of && new Uint8Array(of.slice().buffer), version };
}

/** Copied, since decoded bytes may not be aligned. */
function channelsIn({ list, of, version }: Head['channels']): Channels {
  return channelsFrom(list, of && new Uint16Array(new Uint8Array(of).buffer), version);
}

export function toSnapshot(captured: CapturedState): Snapshot {
  return finish(toSnapshotInSteps(captured));
}

export function* toSnapshotInSteps(captured: CapturedState): Steps<Snapshot> {
  const { statuses, slotOf, holds, ended, bookings, sessionUse, givenUp, listings, blockedUntil, ...rest } = captured;
  const { parts, offers, named, ...head } = rest;
  const active = new PackedMap(holdPacking);
  for (const [n, hold] of holds.entries()) {
    active.set(hold);
    if (n % holdsPerStep === 0) yield;
  }
  const packed = yield* packedStatuses(statuses);
  const slots = yield* slotsOf(statuses, slotOf);
  return {
    ...head,
    sessionUse: yield* packedUses(sessionUse),
    givenUp: yield* packedPlaces(givenUp),
    listings: yield* packedListings(listings),
    blockedUntil: yield* packedBlocks(blockedUntil),
    statuses: packed,
    slots,
    holds: yield* livingOf(active.capture()),
    ended: yield* livingOf(ended),
    bookings: yield* livingOf(bookings),
    ...(parts && {
      parts: yield* packedParts(parts.parts),
      forgottenUntil: parts.forgottenUntil,
      locks: [...parts.locks],
      ...(parts.endedLocks.length > 0 && { endedLocks: [...parts.endedLocks] }),
    }),
    ...(offers && { reservations: yield* packedOffers(offers) }),
    ...(named && { namedReservations: yield* packedReservations(named) }),
  };
}

function* packedStatuses(statuses: Uint8Array): Steps<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let unit = 0; unit < statuses.length; unit += unitsPerStep) {
    pieces.push(packStatuses(statuses.subarray(unit, unit + unitsPerStep)));
    yield;
  }
  return Uint8Array.from(Buffer.concat(pieces));
}

/** Little-endian, as on every platform Node runs on. */
function* slotsOf(statuses: Uint8Array, slotOf: Int32Array): Steps<Uint8Array> {
  const slots = new Int32Array(slotOf.length);
  let length = 0;
  for (let unit = 0; unit < slotOf.length; unit++) {
    if (statuses[unit] !== unitStatus.free) slots[length++] = slotOf[unit]!;
    if (unit % unitsPerStep === 0) yield;
  }
  return new Uint8Array(slots.buffer, 0, slots.BYTES_PER_ELEMENT * length);
}

export function fromSnapshot(snapshot: Snapshot, plan: Plan): EventState {
  return finish(fromSnapshotInSteps(snapshot, plan));
}

export function* fromSnapshotInSteps(snapshot: Snapshot, plan: Plan): Steps<EventState> {
  const state = newState(snapshot.config, plan);
  yield;
  state.status = snapshot.status;
  state.salesPaused = snapshot.salesPaused;
  state.formerCurrencies = snapshot.formerCurrencies;
  state.sectionStates = snapshot.sectionStates;
  state.availability = snapshot.availability;
  state.releases = [...snapshot.releases];
  state.releaseUse = new Map(snapshot.releaseUse);
  state.channels = channelsIn(snapshot.channels);
  state.soldOut = snapshot.soldOut;
  state.holdTtlMs = snapshot.holdTtlMs;
  state.version = snapshot.version;
  state.groups = snapshot.groups;
  state.at = snapshot.at;
  state.nextSlot = snapshot.nextSlot;
  state.statuses = unpackStatuses(snapshot.statuses, plan.unitCount);
  yield;
  state.counts = [0, 0, 0, 0];
  for (const status of state.statuses) state.counts[status as 0 | 1 | 2 | 3]++;
  yield* readUses(state, snapshot.sessionUse);
  yield* readPlaces(state, snapshot.givenUp);
  if (snapshot.parts) yield* readParts(state, snapshot.parts);
  for (const lock of snapshot.locks ?? []) state.parts.locks.set(lockIdOf(lock.owner), lock);
  for (const ended of snapshot.endedLocks ?? []) state.parts.endedLocks.add(ended);
  state.parts.forgottenUntil = snapshot.forgottenUntil ?? 0;
  if (snapshot.reservations) yield* readOffers(state, snapshot.reservations);
  if (snapshot.namedReservations) yield* readReservations(state, snapshot.namedReservations);
  yield* readListings(state, snapshot.listings);
  yield* readBlocks(state, snapshot.blockedUntil);
  state.calls = new Map(snapshot.calls);
  for (const { units, answer } of state.calls.values()) {
    state.callUnits += units?.length ?? 0;
    state.callBytes += weightOf(answer);
  }
  state.namedCalls = new Map(snapshot.namedCalls);
  for (const { units } of state.namedCalls.values()) state.namedCallUnits += units.length;
  state.exchangeCharges = snapshot.exchangeCharges ?? null;
  yield;
  const active = yield* PackedMap.fromInSteps(holdPacking, snapshot.holds);
  for (const hold of active.values()) {
    state.holds.active.set(hold.id, hold);
    if (state.holds.active.size % holdsPerStep === 0) yield;
  }
  state.holds = new Holds(state.holds.active, yield* PackedMap.fromInSteps(holdPacking, snapshot.ended));
  state.bookings = yield* PackedMap.fromInSteps(bookingPacking, snapshot.bookings);
  yield;
  state.cancelled = yield* cancelledInSteps(state.bookings);
  yield;
  state.buyers = Buyers.from(snapshot.buyers);
  yield* eachBookedLineInSteps(state.bookings, (line) => {
    state.bookedValue += lineValue(line);
    const buyerRef = state.buyers.buyerOf(line.unit);
    if (buyerRef !== null) state.buyers.change(buyerRef, line.quantity ?? 1);
  });
  yield* readSlots(state, snapshot.slots);
  yield* countVisits(state);
  state.withheld = withheldOf(plan, state.statuses);
  yield;
  findDivisions(state);
  yield;
  state.deadlines = yield* liveDeadlinesInSteps(state);
  return state;
}

/** The places of visitors follow from the active holds, and those of buyers from active holds and bookings. */
function* countVisits(state: EventState): Steps<void> {
  let holds = 0;
  for (const hold of state.holds.active.values()) {
    if (hold.buyerRef !== null) state.buyers.change(hold.buyerRef, quantityOfLines(heldLines(state, hold)));
    if (hold.visitors.length > 0) state.visitors.changeHeld(hold.visitors, quantityOfLines(heldLines(state, hold)));
    if (++holds % holdsPerStep === 0) yield;
  }
}

function* readSlots({ statuses, slotOf }: EventState, packed: Uint8Array): Steps<void> {
  // Copied, since decoded bytes may not be aligned.
  const slots = new Int32Array(new Uint8Array(packed).buffer);
  let next = 0;
  for (let unit = 0; unit < statuses.length; unit++) {
    if (statuses[unit] !== unitStatus.free) slotOf[unit] = slots[next++]!;
    if (unit % unitsPerStep === 0) yield;
  }
}
