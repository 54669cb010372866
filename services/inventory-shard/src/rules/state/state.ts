/**
 * The state of one event: columns by unit, and the holds and bookings that own units.
 *
 * A unit's owner is a slot number (0: nobody); slots are handed out in order and never again, so that folding the same
 * journal gives the same numbers (I6). A hold or booking keeps its lines; which of them it still owns is what `slotOf`
 * says, so a unit can never be owned twice (I1). A hold that has a resale listing in checkout has its units though their booking
 * owns them; see resale.ts.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { endedHoldKeepMs } from '@parterre/shared/limits';
import {
  type AccessSource,
  type AvailabilityRules,
  type EventConfig,
  type EventStatus,
  type Line,
  type Release,
  type SectionStates,
  unitStatus,
} from '@parterre/shared/records';
import { type Scopes, scopesOf, type ThresholdBase } from '../availability/divisions.ts';
import { type Withheld, withheldOf } from '../availability/sold-out.ts';
import type { FreeRuns } from '../best-available/free-runs.ts';
import { type Channels, noChannels } from '../channels/channels.ts';
import { PackedMap } from '../packed/packed-map.ts';
import type { FormerCurrency } from '../pricing/currencies.ts';
import type { Pools } from '../reach/reach.ts';
import type { SessionUse } from '../sales/session-use.ts';
import type { FirstFree } from '../selection/area-places.ts';
import { staleDeadlinesMin } from './bounds.ts';
import { type Deadline, DeadlineHeap } from './deadlines.ts';
import { Holds } from './holds.ts';
import { bookingPacking } from './packed-holders.ts';

/** A call that changed a hold or booking, and the units it did it to: what a repetition of it is answered with (I5). */
export type Call = { callId: string; units: number[] };

export type Hold = {
  kind: 'hold';
  id: string;
  slot: number;
  status: 'active' | 'booked' | 'released' | 'expired';
  createdAt: number;
  expiresAt: number;
  endedAt: number | null;
  extends: number;
  /** The last renewal, and the last release of a part. */
  lastExtend: string | null;
  lastRelease: Call | null;
  bookingRef: string | null;
  accessSource: AccessSource;
  fingerprint: string | null;
  /** The one that it was made with, packed (hold-reach.ts); null for public sale only. */
  reach: string | null;
  /** The access session that it counts with. */
  sessionId: string | null;
  partnerRef: string | null;
  buyerRef: string | null;
  /** `expiresAt` as it was when the hold was made. */
  firstExpiresAt: number;
  /** All that was held, for as long as the hold is known: a repeated call is answered with it. */
  lines: Line[];
  /**
   * Units that left while the rest stayed: released by the holder, booked (under which reference), or at the end of a hold of which
   * a part was booked.
   */
  parted: Parted | null;
};

export type Parted = { released: number[]; expired: number[]; booked: { ref: string; units: number[] }[] };

export const notParted: Parted = { released: [], expired: [], booked: [] };

export type Booking = {
  kind: 'booking';
  ref: string;
  slot: number;
  bookedAt: number;
  updatedAt: number;
  accessSource: AccessSource;
  lastCall: Call | null;
  /** What it had the event choose. */
  chosen: Chosen | null;
  /** Lines still booked; what was cancelled stays in the journal. */
  lines: Line[];
};

/** What was asked for, and the units chosen that have not been cancelled since: what a repetition is answered with (I5). */
export type Chosen = { fingerprint: string; units: number[] };

/** Booked units that their holder offers; whole or not at all. `heldBy` is the slot of the hold that has them, 0 without one. */
export type Listing = { id: string; bookingRef: string; units: number[]; heldBy: number };

/** What is sold under a ticket release: its name, units held and booked under it, and when these last came to its quota. */
export type ReleaseUse = { name: string; consumed: number; soldOutAt: number | null };

/** A call to the event as a whole: the units it did something to, or else what it was answered with, without what is long of it. */
export type EventCall = { units: number[] | null; answer: object | null };

/** One that its caller named, and when it was. */
export type NamedCall = { units: number[]; fingerprint: string; at: number };

export type EventState = {
  /** As it is now: `planHash` is the hash of `plan`. */
  config: EventConfig;
  plan: Plan;
  status: EventStatus;
  /** Brought back from the archive and not reopened since. */
  salesPaused: boolean;
  /** The oldest first; see currencies.ts. */
  formerCurrencies: readonly FormerCurrency[];
  sectionStates: SectionStates;
  availability: { rules: AvailabilityRules; version: number };
  /** These three follow from the rest: see scopes.ts and sold-out.ts. */
  scopes: Scopes;
  thresholdBase: ThresholdBase | null;
  withheld: Withheld | null;
  /** In the order in which they price. */
  releases: Release[];
  /** By id: every release of the list in its order, then those that were taken out of it and still have units. */
  releaseUse: Map<string, ReleaseUse>;
  channels: Channels;
  /** An index over these, null until a caller's reach is looked up. */
  pools: Pools | null;
  /** By session id, the one that changed first before the others. */
  sessionUse: Map<string, SessionUse>;
  /** Whether it was told that nothing is left, and nothing was freed since. */
  soldOut: boolean;
  /** By id, and the same by unit. */
  listings: Map<string, Listing>;
  listingOf: Map<number, Listing>;
  holdTtlMs: number | null;
  /** Stream sequence of the last group folded in (I7). */
  version: number;
  /** Groups folded in since the first: as many as the event has journal messages up to `version`. */
  groups: number;
  /** Time of the last group, epoch milliseconds; never goes back. */
  at: number;
  /** `UnitStatus` by unit. */
  statuses: Uint8Array;
  slotOf: Int32Array;
  nextSlot: number;
  /** Units by status, indexed by `UnitStatus`. */
  counts: [number, number, number, number];
  /** Ended ones too, for `endedHoldKeepMs`. */
  holds: Holds;
  /** What is read of one is a copy: a change counts once it is `set`. */
  bookings: PackedMap<Booking>;
  /** Scheduled releases of blocked units, epoch milliseconds by unit. */
  blockedUntil: Map<number, number>;
  /** By `callId`, the oldest first; see calls.ts. */
  calls: Map<string, EventCall>;
  /** Units in `calls` together. */
  callUnits: number;
  /** What their answers take in memory, see weight.ts. */
  callBytes: number;
  /** The same of calls that their callers named, and the units in them. */
  namedCalls: Map<string, NamedCall>;
  namedCallUnits: number;
  /** What must happen by itself and when. An index over `holds` and `blockedUntil`: may hold stale entries. */
  deadlines: DeadlineHeap;
  /** An index over `statuses`, null until best-available needs it. */
  freeRuns: FreeRuns | null;
  /** Another, see area-places.ts. Null until an area is asked for places. */
  firstFree: FirstFree[] | null;
};

export function newState(config: EventConfig, plan: Plan): EventState {
  const statuses = new Uint8Array(plan.unitCount);
  const sectionStates = config.sectionStates ?? {};
  return {
    config,
    plan,
    status: 'active',
    salesPaused: false,
    formerCurrencies: [],
    sectionStates,
    availability: { rules: {}, version: 0 },
    scopes: scopesOf(plan, {}, sectionStates),
    thresholdBase: null,
    withheld: withheldOf(plan, statuses),
    releases: [],
    releaseUse: new Map(),
    channels: noChannels(),
    pools: null,
    sessionUse: new Map(),
    soldOut: false,
    listings: new Map(),
    listingOf: new Map(),
    holdTtlMs: config.holdTtlMs,
    version: 0,
    groups: 0,
    at: 0,
    statuses,
    slotOf: new Int32Array(plan.unitCount),
    nextSlot: 1,
    counts: [plan.unitCount, 0, 0, 0],
    holds: new Holds(),
    bookings: new PackedMap(bookingPacking),
    blockedUntil: new Map(),
    calls: new Map(),
    callUnits: 0,
    callBytes: 0,
    namedCalls: new Map(),
    namedCallUnits: 0,
    deadlines: new DeadlineHeap(),
    freeRuns: null,
    firstFree: null,
  };
}

/** The index of deadlines, made anew. */
export function liveDeadlines(state: EventState): DeadlineHeap {
  const deadlines = new DeadlineHeap();
  for (const hold of state.holds.active.values()) deadlines.push({ at: hold.expiresAt, what: { holdId: hold.id } });
  for (const [unit, at] of state.blockedUntil) deadlines.push({ at, what: { unit } });
  const { nextReveal } = state.scopes;
  if (nextReveal !== null) deadlines.push({ at: nextReveal, what: 'reveal' });
  return deadlines;
}

/**
 * Extended and ended holds, and times that were changed, leave their old entries behind: past as many as are live, and
 * `staleDeadlinesMin`, they are taken out.
 */
export function schedule(state: EventState, deadline: Deadline): void {
  state.deadlines.push(deadline);
  const live = state.holds.active.size + state.blockedUntil.size;
  if (state.deadlines.size > 2 * live + staleDeadlinesMin) state.deadlines.keep((each) => !isStale(state, each));
}

/** Whether an entry of `deadlines` stands for nothing any more. */
export function isStale(state: EventState, { at, what }: Deadline): boolean {
  if (what === 'reveal') return state.scopes.nextReveal !== at;
  if ('unit' in what) {
    return state.statuses[what.unit] !== unitStatus.blocked || state.blockedUntil.get(what.unit) !== at;
  }
  return state.holds.active.get(what.holdId)?.expiresAt !== at;
}

/** One more group is folded in: the one at this stream sequence. */
export function advance(state: EventState, sequence: number): void {
  state.version = sequence;
  state.groups++;
}

/** Whether the unit is this owner's, or in a listing that this hold has in checkout. */
export function owns(state: EventState, { slot }: Hold | Booking, unit: number): boolean {
  return state.slotOf[unit] === slot || (state.listings.size > 0 && state.listingOf.get(unit)?.heldBy === slot);
}

/** The hold of this id, unless it ended so long ago that nothing is told of it any more. */
export function knownHold(state: EventState, holdId: string, now: number): Readonly<Hold> | undefined {
  const hold = state.holds.get(holdId);
  const isForgotten = hold !== undefined && hold.endedAt !== null && hold.endedAt + endedHoldKeepMs <= now;
  return isForgotten ? undefined : hold;
}

/** The lines of a hold or booking that it still owns. */
export function ownedLines(state: EventState, owner: Hold | Booking): Line[] {
  return owner.lines.filter(({ unit }) => owns(state, owner, unit));
}

export function ownsLines(state: EventState, owner: Hold | Booking): boolean {
  return owner.lines.some(({ unit }) => owns(state, owner, unit));
}

/** Whether anything new may be held or booked. */
export function isOnSale(state: EventState): boolean {
  return state.status === 'active' && !state.salesPaused;
}
