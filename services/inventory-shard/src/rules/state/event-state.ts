/**
 * The state of one event: columns by unit, and the holders of units.
 *
 * A unit's holder is a slot number (0: nobody). Slots are handed out in order and never again, so that the same journal gives
 * the same numbers (I6). A hold that has a resale listing in checkout has its units although their booking is still the holder
 * in `slotOf`; see listings.ts.
 *
 * `EventState` is for folds, the only writers. `ReadState` is the same state for deciding, which only reads.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import type { ScopesInForce } from '@parterre/shared/chart/scopes';
import type {
  AvailabilityRules,
  Channel,
  EventConfig,
  EventStatus,
  SectionStates,
  TicketRelease,
} from '@parterre/shared/records';
import type { PackedMap } from '../packed/packed.ts';
import type { DeadlineHeap } from './deadlines.ts';
import type { Booking, Hold } from './holder.ts';
import type { Holds } from './holds.ts';

/** Booked units that their buyer offers, whole or not at all. `heldBy` is the slot of the hold in checkout, 0 without one. */
export type Listing = { id: string; bookingRef: string; units: number[]; heldBy: number };

/** The use of a ticket release: its name, the units held and booked under it, and when these last reached its quota. */
export type TicketReleaseUse = { name: string; consumed: number; soldOutAt: number | null };

/** A call to the event as a whole: the units that it changed, or its answer without the long parts. */
export type EventCall = { units: number[] | null; answer: object | null };

/** A call that its caller named, and its time. */
export type NamedCall = { units: number[]; fingerprint: string; at: number };

/** The use of an access session: guests and places held or booked. `at` is the time of the last change. */
export type SessionUse = { used: number; at: number };

/** Holds with a slot below `slotsBelow`, and not below the entry before, were made in this currency. */
export type FormerCurrency = { currency: string; slotsBelow: number };

/** The channels of an event, and the channel of each unit. */
export type Channels = {
  /** In the order of creation, archived ones too. */
  readonly byId: Map<string, Channel>;
  /** The same order: the n-th channel is the number n in `of`. */
  readonly ids: string[];
  /** By unit; 0 is public sale. Null while nothing is assigned. */
  of: Uint16Array | null;
  /** Units that are assigned. */
  assigned: number;
  /** Grows whenever somebody may select other units than before. */
  version: number;
  /** The memory weight of `byId`, see packed/weight.ts. */
  bytes: number;
};

/** Divisions that are hidden or closed, the objects that they cover, and when the next timed division opens. */
export type Divisions = ScopesInForce & {
  /** `ScopeState` by object; null where all are open. */
  readonly byObject: Uint8Array | null;
  readonly nextReveal: number | null;
};

/** Thresholds are measured on the units under no hidden or threshold rule, and on how many of them are booked. */
export type ThresholdBase = {
  /** 1 for the objects whose units count. */
  readonly counts: Uint8Array;
  readonly units: number;
  /** The least percentage that a division waits for. */
  readonly leastPct: number;
  booked: number;
};

/** Free and held units in categories that are not for sale. The counts by status include them. */
export type Withheld = {
  /** 1 for a category that is not for sale. */
  readonly byCategory: Uint8Array;
  units: number;
};

export type EventState = {
  /** As it is now: `planHash` is the hash of `plan`. */
  config: EventConfig;
  plan: Plan;
  status: EventStatus;
  /** Brought back from the archive and not reopened since. */
  salesPaused: boolean;
  /** The oldest first; see pricing/currencies.ts. */
  formerCurrencies: readonly FormerCurrency[];
  sectionStates: SectionStates;
  availability: { rules: AvailabilityRules; version: number };
  /** These three follow from the rest and are in no snapshot. */
  divisions: Divisions;
  thresholdBase: ThresholdBase | null;
  withheld: Withheld | null;
  /** Ticket releases, in the order in which they price. */
  releases: TicketRelease[];
  /** By id: every ticket release of the list in its order, then those that left the list and still have units. */
  releaseUse: Map<string, TicketReleaseUse>;
  channels: Channels;
  /** By session id; the session that changed first comes first. */
  sessionUse: Map<string, SessionUse>;
  /** The sold-out record was written, and no unit was freed since. */
  soldOut: boolean;
  /** By id, and the same by unit. */
  listings: Map<string, Listing>;
  listingOf: Map<number, Listing>;
  holdTtlMs: number | null;
  /** Stream sequence of the last group folded in (I7). */
  version: number;
  /** Groups folded in since the first: as many as the event has journal messages up to `version`. */
  groups: number;
  /** Time of the last record, epoch milliseconds; never goes back. */
  at: number;
  /** `UnitStatus` by unit. */
  statuses: Uint8Array;
  slotOf: Int32Array;
  nextSlot: number;
  /** Units by status, indexed by `UnitStatus`. */
  counts: [number, number, number, number];
  /** Ended holds too, for `endedHoldKeepMs`. */
  holds: Holds;
  /** A booking that is read is a copy: a change counts once it is `set`. */
  bookings: PackedMap<Booking>;
  /** Scheduled unblocks, epoch milliseconds by unit. */
  blockedUntil: Map<number, number>;
  /** By `callId`, the oldest first; see calls.ts. */
  calls: Map<string, EventCall>;
  /** Units in `calls` together. */
  callUnits: number;
  /** The memory weight of their answers, see packed/weight.ts. */
  callBytes: number;
  /** Calls that their callers named, and the units in them. */
  namedCalls: Map<string, NamedCall>;
  namedCallUnits: number;
  /** Moments at which something happens by itself. An index over `holds`, `blockedUntil` and `divisions`; see schedule.ts. */
  deadlines: DeadlineHeap;
};

/** A map or array that is only read, and its values too, one level deep. */
type Read<T> =
  T extends Map<infer K, infer V>
    ? ReadonlyMap<K, Readonly<V>>
    : T extends readonly [number, number, number, number]
      ? Readonly<T>
      : T extends readonly (infer E)[]
        ? readonly E[]
        : T extends Uint8Array | Uint16Array | Int32Array
          ? Omit<Readonly<T>, 'set' | 'fill' | 'sort' | 'reverse' | 'copyWithin'>
          : T extends object
            ? { readonly [K in keyof T]: T[K] extends Map<infer Key, infer V> ? ReadonlyMap<Key, Readonly<V>> : T[K] }
            : T;

/** The state for deciding: only read. */
export type ReadState = Readonly<
  Omit<EventState, 'holds' | 'bookings' | 'deadlines' | ReadField> & { [K in ReadField]: Read<EventState[K]> }
> & {
  readonly holds: Pick<Holds, 'get' | 'values' | 'size' | 'ended'> & {
    readonly active: ReadonlyMap<string, Readonly<Hold>>;
  };
  readonly bookings: Omit<PackedMap<Booking>, 'set' | 'delete'>;
  readonly deadlines: Pick<DeadlineHeap, 'size' | 'peek' | 'inOrder'>;
};

type ReadField =
  | 'releases'
  | 'releaseUse'
  | 'channels'
  | 'sessionUse'
  | 'listings'
  | 'listingOf'
  | 'counts'
  | 'blockedUntil'
  | 'calls'
  | 'namedCalls';
