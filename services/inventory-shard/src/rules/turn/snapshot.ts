/**
 * Turns a state into plain data and back: a cache of the fold up to `version`, never the truth (I6). Facts that follow
 * from other fields (counts, deadlines) are not stored but recomputed, so that they cannot disagree.
 *
 * Taking a snapshot has two parts. `capture` runs in the event's own turn and copies only the parts that may change
 * later; bookings and ended holds are taken by reference. `toSnapshot` does the rest later. The event may have a
 * hundred thousand units and some hundred thousand holders. The second part and the way back are therefore made in
 * steps, and other work may run between them.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { packStatuses, unpackStatuses } from '@parterre/shared/packed-statuses';
import {
  type Channel,
  type EventConfig,
  type EventStatus,
  type SectionStates,
  type TicketRelease,
  unitStatus,
} from '@parterre/shared/records';
import { findDivisions } from '../availability/availability.ts';
import { type CapturedMap, finish, livingOf, PackedMap, type Steps, weightOf } from '../packed/packed.ts';
import {
  bookingPacking,
  type Channels,
  cancelledInSteps,
  channelsFrom,
  type EventCall,
  type EventState,
  eachBookedLine,
  type Hold,
  Holds,
  holdPacking,
  type Listing,
  lineValue,
  liveDeadlinesInSteps,
  type NamedCall,
  newState,
  type ReadState,
  type SessionUse,
  type TicketReleaseUse,
  withheldOf,
} from '../state/state.ts';

/** The version of the snapshot's form. Snapshots of other versions are skipped. */
export const snapshotVersion = 14;

const holdsPerStep = 250;

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
  sessionUse: [string, SessionUse][];
  /** `of` as bytes, little-endian. */
  channels: { list: Channel[]; of: Uint8Array | null; version: number };
  soldOut: boolean;
  listings: (Omit<Listing, 'countedOnce'> & { countedOnce?: number[] })[];
  holdTtlMs: number | null;
  version: number;
  groups: number;
  at: number;
  nextSlot: number;
  blockedUntil: [number, number][];
  calls: [string, EventCall][];
  namedCalls: [string, NamedCall][];
};

/** `holds` are the active holds. */
export type CapturedState = Head & {
  statuses: Uint8Array;
  slotOf: Int32Array;
  holds: Hold[];
  ended: CapturedMap;
  bookings: CapturedMap;
};

/** `slots` has the slot of the holder of every unit that is not free, in the order of units. */
export type Snapshot = Head & {
  statuses: Uint8Array;
  slots: Uint8Array;
  holds: Uint8Array;
  ended: Uint8Array;
  bookings: Uint8Array;
};

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
    releaseUse: [...state.releaseUse].map(([id, use]) => [id, { ...use }]),
    channels: capturedChannels(state.channels),
    sessionUse: [...state.sessionUse],
    soldOut,
    listings: Array.from(state.listings.values(), ({ countedOnce, ...listing }) =>
      countedOnce ? { ...listing, countedOnce: [...countedOnce] } : listing,
    ),
    holdTtlMs,
    version,
    groups,
    at,
    nextSlot,
    blockedUntil: [...state.blockedUntil],
    calls: [...state.calls],
    namedCalls: [...state.namedCalls],
    statuses: packStatuses(state.statuses),
    slotOf: state.slotOf.slice(),
    holds: Array.from(state.holds.active.values(), (hold) => ({ ...hold })),
    ended: state.holds.ended.capture(),
    bookings: state.bookings.capture(),
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

export function* toSnapshotInSteps({ slotOf, holds, ended, bookings, ...rest }: CapturedState): Steps<Snapshot> {
  const active = new PackedMap(holdPacking);
  for (const [n, hold] of holds.entries()) {
    active.set(hold);
    if (n % holdsPerStep === 0) yield;
  }
  const slots = slotsOf(rest.statuses, slotOf);
  yield;
  return {
    ...rest,
    slots,
    holds: yield* livingOf(active.capture()),
    ended: yield* livingOf(ended),
    bookings: yield* livingOf(bookings),
  };
}

/** Little-endian, as on every platform Node runs on. */
function slotsOf(packedStatuses: Uint8Array, slotOf: Int32Array): Uint8Array {
  const statuses = unpackStatuses(packedStatuses, slotOf.length);
  const slots = slotOf.filter((_, unit) => statuses[unit] !== unitStatus.free);
  return new Uint8Array(slots.buffer, slots.byteOffset, slots.byteLength);
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
  state.sessionUse = new Map(snapshot.sessionUse);
  state.soldOut = snapshot.soldOut;
  for (const { countedOnce, ...stored } of snapshot.listings) {
    const listing: Listing = countedOnce ? { ...stored, countedOnce: new Set(countedOnce) } : stored;
    state.listings.set(listing.id, listing);
    for (const unit of listing.units) state.listingOf.set(unit, listing);
  }
  state.holdTtlMs = snapshot.holdTtlMs;
  state.version = snapshot.version;
  state.groups = snapshot.groups;
  state.at = snapshot.at;
  state.nextSlot = snapshot.nextSlot;
  state.statuses = unpackStatuses(snapshot.statuses, plan.unitCount);
  state.counts = [0, 0, 0, 0];
  for (const status of state.statuses) state.counts[status as 0 | 1 | 2 | 3]++;
  state.blockedUntil = new Map(snapshot.blockedUntil);
  state.calls = new Map(snapshot.calls);
  for (const { units, answer } of state.calls.values()) {
    state.callUnits += units?.length ?? 0;
    state.callBytes += weightOf(answer);
  }
  state.namedCalls = new Map(snapshot.namedCalls);
  for (const { units } of state.namedCalls.values()) state.namedCallUnits += units.length;
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
  eachBookedLine(state.bookings, (line) => {
    state.bookedValue += lineValue(line);
  });
  yield;
  readSlots(state, snapshot.slots);
  yield;
  state.withheld = withheldOf(plan, state.statuses);
  yield;
  findDivisions(state);
  yield;
  state.deadlines = yield* liveDeadlinesInSteps(state);
  return state;
}

function readSlots({ statuses, slotOf }: EventState, packed: Uint8Array): void {
  // Copied, since decoded bytes may not be aligned.
  const slots = new Int32Array(new Uint8Array(packed).buffer);
  let next = 0;
  for (let unit = 0; unit < statuses.length; unit++) {
    if (statuses[unit] !== unitStatus.free) slotOf[unit] = slots[next++]!;
  }
}
