/**
 * The state of one event: columns by unit, and the holds and bookings that have units.
 *
 * A unit's holder is a slot number, 0 for none. Slots are handed out in order and never reused, so that folding the
 * same journal gives the same numbers (I6). A hold or booking keeps its lines. `slotOf` says which of their units it
 * still has, so a unit never has two holders (I1). While a hold has a resale listing in checkout, the booking stays the
 * holder of the listing's units; see sales/resale.ts.
 *
 * `EventState` is for folds, the only writers. `ReadState` is the same state for deciding, which only reads.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { ScopesInForce } from '@parterre/shared/charts/scopes';
import type {
  AvailabilityRules,
  Channel,
  EventConfig,
  EventStatus,
  SectionStates,
  TicketRelease,
} from '@parterre/shared/protocol/records';
import type { PackedMap } from '../packed/packed.ts';
import type { EventOffers } from '../parts/offers.ts';
import type { Parts } from '../parts/parts.ts';
import type { Buyers } from './buyers.ts';
import type { DeadlineHeap } from './deadlines.ts';
import type { Booking, CancelledBookings, Hold } from './holder.ts';
import type { Holds } from './holds.ts';
import type { Reservations } from './reservations.ts';
import type { Visitors } from './visitors.ts';

/**
 * Booked units that their buyer offers for resale, sold as a whole or not at all. `heldBy` is the slot of the hold that
 * has the listing in checkout, 0 without one. Listings are replaced, never changed in place, since captures share them.
 */
export type Listing = Readonly<{
  id: string;
  bookingRef: string;
  units: number[];
  heldBy: number;
  /** The units that the hold in checkout has under their seller's ticket release. A quota counts them once. */
  countedOnce?: ReadonlySet<number>;
}>;

/**
 * Stands in `heldBy` of a listing that is none: an exchange with another event has pinned its units. No hold ever has
 * this slot, so the units stay with their booking as those of a listing in checkout do.
 */
export const pinnedSlot = 2 ** 31 - 1;

/** The sums that exchanges asked for beside the price differences, and of the differences that were waived. */
export type ExchangeSums = Readonly<{ fees: number; waived: number }>;

/**
 * The use of a ticket release: its name, the units held and booked under it, and the time when they last reached its
 * quota.
 */
export type TicketReleaseUse = { name: string; consumed: number; soldOutAt: number | null };

/**
 * A remembered call. A call to the event as a whole (a block) has the units that it changed, or, where it changed none
 * (a change of settings), its answer without long parts. A call that ended a hold or booking has the units that it
 * changed.
 */
export type EventCall = { units: number[] | null; answer: object | null };

/** A call that its caller named, its time, and the part of its answer that its units do not tell. */
export type NamedCall = { units: number[]; fingerprint: string; at: number; answer?: object };

/** The use of an access session: guests and places held or booked. `at` is the time of the last change. */
export type SessionUse = { used: number; at: number };

/** The currency of holds with a slot below `slotsBelow` and not below the previous entry's `slotsBelow`. */
export type FormerCurrency = { currency: string; slotsBelow: number };

/** The channels of an event, and the channel of each unit. */
export type Channels = {
  /** In the order of creation, archived channels included. */
  readonly byId: Map<string, Channel>;
  /** In the same order: the n-th id has the number n in `of`. */
  readonly ids: string[];
  /** By unit: the channel's number, 0 for public sale. Null while nothing is assigned. */
  of: Uint16Array | null;
  /** The number of assigned units. */
  assigned: number;
  /** Grows whenever a change lets a caller select other units than before. */
  version: number;
  /** The estimated bytes of `byId`, see packed/weight.ts. */
  bytes: number;
};

/**
 * The hidden and closed divisions, the objects that they cover, and the time at which the next timed division opens.
 */
export type Divisions = ScopesInForce & {
  /** `ScopeState` by object, null if all objects are open. */
  readonly byObject: Uint8Array | null;
  readonly nextReveal: number | null;
};

/**
 * The base of thresholds: the units that no hidden or threshold rule covers, and the number of them that are booked.
 */
export type ThresholdBase = {
  /** 1 for each object whose units count. */
  readonly counts: Uint8Array;
  readonly units: number;
  /** The lowest percentage that a division waits for. */
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
  /** The current settings: `planHash` is the hash of `plan`. */
  config: EventConfig;
  plan: Plan;
  status: EventStatus;
  /** True for an event that left the archive and was not reopened since. */
  salesPaused: boolean;
  /** The oldest first; see pricing/currencies.ts. */
  formerCurrencies: readonly FormerCurrency[];
  sectionStates: SectionStates;
  availability: { rules: AvailabilityRules; version: number };
  /** `divisions`, `thresholdBase` and `withheld` follow from other fields and are in no snapshot. */
  divisions: Divisions;
  thresholdBase: ThresholdBase | null;
  withheld: Withheld | null;
  /** Ticket releases, in the order in which they price. */
  releases: TicketRelease[];
  /** By id: every ticket release of the list in its order, then removed ticket releases that still have units. */
  releaseUse: Map<string, TicketReleaseUse>;
  channels: Channels;
  /** By session id. The session whose last change is oldest comes first. */
  sessionUse: Map<string, SessionUse>;
  /** The sessions and addresses of public sale. */
  visitors: Visitors;
  /** The places of each buyer that a session or a server has named. */
  buyers: Buyers;
  /** True from the sold-out record until a unit for sale becomes free. */
  soldOut: boolean;
  /** Listings by id, and by unit. */
  listings: Map<string, Listing>;
  listingOf: Map<number, Listing>;
  holdTtlMs: number | null;
  /** The stream sequence of the last folded group (I7). */
  version: number;
  /** The number of folded groups: equal to the number of the event's journal messages up to `version`. */
  groups: number;
  /** The time of the last record in epoch milliseconds. Only a `clock-set` record sets it back. */
  at: number;
  /** `UnitStatus` by unit. */
  statuses: Uint8Array;
  slotOf: Int32Array;
  nextSlot: number;
  /** The number of units in each status, indexed by `UnitStatus`. */
  counts: [number, number, number, number];
  /** Active holds, and ended holds for `endedHoldKeepMs`. */
  holds: Holds;
  /** A booking that is read is a copy: a change counts only after `set`. */
  bookings: PackedMap<Booking>;
  /** Bookings without units, until they are forgotten; see sales/cancelled-bookings.ts. */
  cancelled: CancelledBookings;
  /** The value of all booked lines, in the event's unit. Follows from `bookings` and is in no snapshot. */
  bookedValue: number;
  /** Null before the first charge. */
  exchangeCharges: ExchangeSums | null;
  /** Scheduled unblocks: epoch milliseconds by unit. */
  blockedUntil: Map<number, number>;
  /** Parts of operations over several events, and the locks of their owners. */
  parts: Parts;
  offers: EventOffers;
  /** Units that operators keep under a name until a time. */
  reservations: Reservations;
  /** By `callId`, the oldest first; see calls.ts. */
  calls: Map<string, EventCall>;
  /** The number of units in all of `calls`. */
  callUnits: number;
  /** The estimated bytes of their answers, see packed/weight.ts. */
  callBytes: number;
  /** Calls that their callers named, and the number of their units. */
  namedCalls: Map<string, NamedCall>;
  namedCallUnits: number;
  /**
   * The times at which the event changes by itself. An index over `holds`, `blockedUntil`, `reservations` and
   * `divisions`; see
   * schedule.ts.
   */
  deadlines: DeadlineHeap;
};

/** A field that is only read: a map, a list, a column by unit, or an object with its fields. */
type ReadField<T> =
  T extends Map<infer K, infer V>
    ? ReadonlyMap<K, Readonly<V>>
    : T extends readonly (infer E)[]
      ? number extends T['length']
        ? readonly E[]
        : Readonly<T>
      : T extends object
        ? { readonly [K in keyof T]: T[K] extends Map<infer Key, infer V> ? ReadonlyMap<Key, Readonly<V>> : T[K] }
        : T;

type ReadMap<V> = Omit<PackedMap<V>, 'set' | 'delete'>;

/** The state for deciding, which only reads. */
export type ReadState = {
  readonly [K in Exclude<
    keyof EventState,
    | 'plan'
    | 'holds'
    | 'bookings'
    | 'cancelled'
    | 'deadlines'
    | 'parts'
    | 'offers'
    | 'reservations'
    | 'visitors'
    | 'buyers'
  >]: ReadField<EventState[K]>;
} & {
  readonly plan: Plan;
  readonly holds: Pick<Holds, 'get' | 'values' | 'size' | 'capture'> & {
    readonly active: ReadonlyMap<string, Readonly<Hold>>;
    readonly ended: ReadMap<Hold>;
  };
  readonly bookings: ReadMap<Booking>;
  readonly cancelled: Pick<CancelledBookings, 'size'>;
  readonly visitors: Pick<Visitors, 'heldBy' | 'firstHeldAt' | 'places' | 'size' | 'count'>;
  readonly buyers: Pick<Buyers, 'placesOf' | 'buyerOf' | 'counts' | 'size' | 'bytes' | 'capture'>;
  readonly parts: Pick<
    Parts,
    'get' | 'liveOf' | 'booksAnother' | 'hasBookedAnother' | 'hasEnded' | 'forgottenUntil' | 'isEmpty'
  > & {
    readonly endedLocks: ReadonlySet<string>;
  } & {
    readonly [Name in 'live' | 'ended' | 'ofHold' | 'locks']: Parts[Name] extends Map<infer K, infer V>
      ? ReadonlyMap<K, Readonly<V>>
      : never;
  };
  readonly offers: Pick<EventOffers, 'isEmpty' | 'unitCount'> & {
    readonly [Name in 'live' | 'ended']: EventOffers[Name] extends Map<infer K, infer V> ? ReadonlyMap<K, V> : never;
  };
  readonly reservations: Omit<Reservations, 'put' | 'end'>;
  readonly deadlines: Pick<DeadlineHeap, 'size' | 'peek' | 'inOrder'>;
};
