/**
 * The answers of an event's actor: the successful answer of each command, and the types inside them. An absent field
 * has the value in brackets.
 */

import type { ScopesInForce } from '../charts/scopes.ts';
import type { BrokenSelectionRule, SelectionRules } from '../charts/selection-rules.ts';
import type { Spent } from '../runtime/fixed-windows.ts';
import type { AssignmentBuckets } from './assignment-buckets.ts';
import type { SaleFault } from './catalog/booking-imports.ts';
import type { AreaClaim, ExchangeGiven } from './commands.ts';
import type { Refusal } from './errors.ts';
import type { Offered } from './feed-change.ts';
import type { HeldUntil } from './held-until.ts';
import type { Fee, PriceUnit } from './money.ts';
import type { EventLock, OperationHead, PartStanding } from './operations/operation.ts';
import type {
  AccessSource,
  AvailabilityRules,
  Channel,
  DroppedPrices,
  EventStatus,
  ExchangeCharges,
  Line,
  PublicSale,
  SectionStates,
  SetSaleSettings,
  TicketRelease,
} from './records.ts';

export type LineItem = {
  label: string;
  objectId: string;
  objectType: 'seat' | 'booth' | 'ga' | 'table';
  categoryKey: string;
  tierId: string | null;
  /** In the event's unit of `currency`, without fees on top; per guest for a table sold as a whole. */
  unitPrice: number;
  currency: string;
  /** [none] */
  fees?: Fee[];
  /** The price has the fees in it. [false] */
  allIn?: boolean;
  quantity?: number;
  /** The places of one GA line with a quantity. */
  labels?: string[];
  bookingMode: 'individual' | 'whole' | 'variable';
  capacity?: number;
  minOccupancy?: number;
  maxOccupancy?: number;
  channelId: string | null;
  accessSource: AccessSource;
  releaseId: string | null;
};

export type HeldAnswer = {
  holdId: string;
  expiresAt: number;
  items: LineItem[];
  labels: string[];
  currency: string;
  /** The rules that a buyer's choice breaks, of an event whose rules refuse nothing. [none] */
  brokenRules?: BrokenSelectionRule[];
};

export type ExchangeAnswer = Pick<HeldAnswer, 'items' | 'currency'> &
  ExchangeSides & { priceDifference: number } & ExchangeCharges;

export type SwapAnswer = { exchangeId: string; currency: string; a: SwappedSide; b: SwappedSide };
/** `items`: the units that came, at the values of their sale. */
export type SwappedSide = Pick<HeldAnswer, 'items'> & { bookingRef: string; from: string[]; priceDifference: number };
type ExchangeSides = { exchangeId: string; bookingRef: string; from: string[]; to: string[] };
/** The units of a best-available call in parts: neighbours, places of one area, or a table that is sold as a whole. */
export type Parts = { parts: string[][] };

/** `items` are of all units that the call names. `total` with all fees. */
export type CounterSaleAnswer = { booked: string[]; items: LineItem[]; total: number; currency: string };

export type HoldView = {
  holdId: string;
  status: 'active' | 'booked' | 'released' | 'expired';
  items: LineItem[];
  expiresAt: number;
  currency: string;
  extends: number;
  bookingRef: string | null;
  accessSource: AccessSource;
  /** The buyer reference of the access session. [null] */
  buyerRef?: string;
  partnerRef?: string;
};

/** Who has a unit. `hold` is an active hold, `reservation` an active reservation. */
export type HolderView = {
  label: string;
  status: string;
  /** Null for public sale. */
  channelId: string | null;
  /** The price under which it is booked or else held; null for any other unit. */
  unitPrice: number | null;
  tierId: string | null;
  bookingRef: string | null;
  hold: {
    holdId: string;
    /** All units that the hold has. */
    labels: string[];
    createdAt: number;
    expiresAt: number;
    extends: number;
    accessSource: AccessSource;
    buyerRef: string | null;
    partnerRef: string | null;
  } | null;
  reservation: Pick<ReservationView, 'id' | 'name' | 'until'> | null;
  /** The listing for resale that the unit stands in, with all its units. */
  listing: { listingId: string; labels: string[] } | null;
};

/** A part with its places. The attribution is that of the hold. */
export type HeldPart = PartStanding & {
  items: LineItem[];
  currency: string;
  accessSource: AccessSource;
  sessionId?: string;
  partnerRef?: string;
  buyerRef?: string;
};

export type PartDetail = HeldPart & { head: OperationHead };

/** `live` counts the parts of the owner's operations that are held or pinned here. */
export type LockView = EventLock & { live: number };

/**
 * One selection, in the order of the call. `code` is null where the caller could be given it now; otherwise the code of
 * the refusal. `status` is the unit's: free, held, booked, blocked or reserved; null for an area or an unknown label.
 * `available` counts the free places of an area. `offerId` names the offer that has reserved the unit.
 */
export type UnitInspection = {
  label: string;
  code: Refusal['code'] | null;
  status: string | null;
  available: number | null;
  offerId: string | null;
};

export type Counts = { free: number; held: number; booked: number; blocked: number };

/** Times in epoch milliseconds. `labels`: its places; those at its end; of a booked one, all that were booked. */
export type ReservationView = {
  id: string;
  name: string;
  labels: string[];
  until: number;
  note: string | null;
  state: 'active' | 'booked' | 'ended';
  createdAt: number;
  createdBy: string | null;
};

/**
 * The state of an event after a move: `at` is the time of the commit, `version` counts the event's groups including it.
 */
export type MoveAnswer = { status: EventStatus; salesPaused: boolean; counts: Counts; at: number; version: number };

/** `updated` is false when the event was already on this chart. */
export type ChartUpdateAnswer = {
  updated: boolean;
  planHash: string;
  chartVersion: number;
  seatTotal: number;
  counts: Counts;
  /** The time of the commit. */
  at: number;
  /** Divisions of rules or section states that the new chart lacks. [none] */
  droppedScopes?: string[];
  /** Channel assignments of units that the new chart lacks. [none] */
  droppedAssignments?: DroppedAssignments[];
  /** Channel prices of categories or tiers that the new chart lacks. [none] */
  droppedPrices?: DroppedPrices[];
  /** Places of areas that have other numbers now. At most `missingLabelsMax` labels. [none] */
  renumbered?: RenumberedPlaces;
  /** What the move would do. [no preview] */
  preview?: ChartPreview;
};

/** `to` has the new label of each label. */
export type RenumberedPlaces = { count: number; labels: string[]; to: string[] };

/**
 * Held, booked and reserved units that the new chart lacks, and units that are not free and that it moves. Each list
 * has at most `missingLabelsMax` labels.
 */
export type ChartPreview = {
  vanishing: string[];
  vanishingCount: number;
  moved: string[];
  /** The labels of `moved` on the new chart, where they differ. [the same] */
  movedTo?: string[];
  movedCount: number;
  /** [none] */
  renumbered?: RenumberedPlaces;
  droppedAssignments: DroppedAssignments[];
};

/** `count` labels. All channels together list at most `missingLabelsMax` labels. */
export type DroppedAssignments = { channelId: string; count: number; labels: string[] };

/**
 * The whole map at `version`, the sequence of the event's last journaled group: two bits a unit in the plan's order,
 * four units a byte, lowest bits first; see `packStatuses`.
 */
export type EventView = {
  version: number;
  updatedAt: number;
  planHash: string;
  status: EventStatus;
  salesPaused: boolean;
  unitCount: number;
  statuses: Uint8Array;
  /** [none] */
  offered?: Offered;
  /** Hidden and closed divisions. [none] */
  scopes?: ScopesInForce;
  /** The channels of the units. [every unit is in public sale] */
  allocation?: Allocation;
  /** [0] */
  activeHolds?: number;
  /** The active holds. [unknown] */
  heldUntil?: HeldUntil[];
  /** The value of all booked units, in the event's unit. [unknown] */
  bookedValue?: number;
  /** Of `bookedValue`. [major] */
  priceUnit?: PriceUnit;
  /** The event is halted (I9): this is its last known state. [false] */
  stale?: true;
};

/**
 * The channel of each unit. `of` has a 16-bit number a unit, little-endian, in the plan's order: 0 for public sale, n
 * for the n-th of `channelIds`. `closed` lists the channels that sell nothing now.
 */
export type Allocation = { version: number; channelIds: string[]; closed: string[]; of: Uint8Array };

export type ChannelCounts = {
  allocated: number;
  free: number;
  held: number;
  booked: number;
  blocked: number;
  /** Equals `allocated`. Clients may read either field. */
  units: number;
};

export type ChannelView = Channel & { counts: ChannelCounts };

/** The units that a channel has now, and every sale in its name. Null stands for public sale. */
export type ChannelReportRow = {
  channelId: string | null;
  allocation: ChannelCounts;
  /** `sold` counts lines, `units` guests and places; `value` in the event's unit. */
  attribution: { sold: number; units: number; value: number };
};

export type StatusTotals = { total: number; free: number; held: number; booked: number; not_for_sale: number };

/**
 * A ticket release as it stands. `remaining` is null without a quota. `consumed` counts the units that are held and
 * booked under it.
 */
export type ReleaseView = Omit<TicketRelease, 'closedAt'> & {
  position: number;
  consumed: number;
  remaining: number | null;
  soldOutAt: number | null;
  status: 'upcoming' | 'active' | 'ended' | 'closed';
};

/** `hidden` and `closed` are the divisions that a rule or a section state hides or closes now. */
export type AvailabilityView = { rules: AvailabilityRules; hidden: string[]; closed: string[]; version: number };

/**
 * The inventory's part of a report, on the plan that `planHash` names. Sections come in the plan's order,
 * `__ungrouped__` last. `bookedValue` is in the event's unit.
 */
export type InventoryReport = {
  planHash: string;
  byStatus: Omit<StatusTotals, 'total'>;
  byCategory: ({ category: string; bookedValue: number } & StatusTotals)[];
  bySection: ({
    sectionId: string;
    sectionLabel: string;
    zoneId: string | null;
    bookedValue: number;
  } & StatusTotals)[];
  /** The units, among those that are not for sale, that reservations and offers have. [0] */
  reserved?: number;
  /** Ticket releases in their order, then removed ticket releases that still have units. */
  byRelease: { releaseId: string; name: string; held: number; booked: number; bookedValue: number }[];
  byAccessibility: ({ type: string; label: string } & StatusTotals)[];
  /** Of booked units, by name; `booked` counts guests. [none] */
  byFee?: { name: string; allIn: boolean; booked: number; amount: number }[];
  /** The fees of booked units that are on top of their prices. [0] */
  feesOnTop?: number;
  /** Booked and held units in the name of each channel; null is public sale. [none] */
  byChannel?: { channelId: string | null; name: string; held: number; booked: number; bookedValue: number }[];
  /** Fees of exchanges, and price differences that were waived. [none] */
  exchanges?: { fees: number; waived: number };
};

/** The terms under which a unit was held or booked. */
export type SoldTerms = Omit<Line, 'unit' | 'group'>;

/** The units from `from` on, in the plan's order: all of them, or as many as fit in a message. */
export type UnitColumns = {
  planHash: string;
  version: number;
  currency: string;
  from: number;
  /** `UnitStatus` by unit. */
  statuses: Uint8Array;
  /**
   * By unit: the index of its holder, and of its terms, in the tables beside; -1 without a holder. The holder of a held
   * unit is a hold id, the holder of a booked unit is a booking reference.
   */
  ownerOf: number[];
  owners: string[];
  termsOf: number[];
  sold: SoldTerms[];
};

/** The successful answer of each command. */
export type Answers = {
  create: { counts: Counts };
  hold: HeldAnswer;
  extend: { holdId: string; expiresAt: number; extends: number; items: LineItem[] };
  release: { released: string[] };
  /** `items`: everything that the call names, in a repetition too. [a shard of an earlier build] */
  book: { booked: string[]; items?: LineItem[] };
  'book-direct': { booked: string[]; items?: LineItem[] };
  unbook: { unbooked: string[] };
  exchange: ExchangeAnswer;
  'exchange-on-terms': ExchangeAnswer;
  swap: SwapAnswer;
  /** `kept`: nothing better than the hold that the call names is free, and the answer tells of this hold. */
  'hold-best': HeldAnswer & Parts & { kept?: true };
  'block-best': { blocked: string[] } & Parts;
  'book-best': { labels: string[]; items: LineItem[] } & Parts;
  'choose-best': { alternatives: ({ labels: string[]; items: LineItem[] } & Parts)[]; currency: string };
  'box-book': CounterSaleAnswer;
  'box-office-sale': CounterSaleAnswer;
  'quote-sale': CounterSaleAnswer;
  /** The sales that cannot stand, by their number in the call. `claims` come with a dry run. */
  'import-bookings': { faults: { at: number; code: SaleFault }[]; claims?: AreaClaim[] };
  'set-releases': { releases: ReleaseView[] };
  'close-release': { releases: ReleaseView[] };
  /**
   * `opensAt`: the earliest known time at which units come on sale, by a timed rule or the end of a block. [none]
   * The beginning and the end of the sale, and the time of companions' places, where they are set.
   */
  releases: { releases: ReleaseView[]; opensAt?: number } & Pick<
    SetSaleSettings,
    'salesStartAt' | 'salesEndAt' | 'companionsUntil'
  >;
  'set-availability': AvailabilityView;
  availability: AvailabilityView;
  'create-channel': { channel: Channel };
  'change-channel': { channel: Channel };
  'set-channel-state': { channel: Channel };
  'archive-channel': {
    channel: Channel;
    assignmentVersion: number;
    moved: { free: number; blocked: number; booked: number; units: number };
  };
  'assign-channel': { assignmentVersion: number; requested: number; applied: number; buckets: AssignmentBuckets };
  channels: { assignmentVersion: number; publicSale: ChannelCounts; channels: ChannelView[] };
  'channel-records': { channels: Channel[] };
  'channel-states': { version: number; channels: Pick<Channel, 'id' | 'state'>[] };
  'channel-allocation': {
    assignmentVersion: number;
    allocations: { label: string; channelId: string }[];
    nextAfterLabel: string | null;
  };
  'channel-report': { assignmentVersion: number; rows: ChannelReportRow[] };
  'list-resale': { listingId: string; labels: string[] };
  'remove-resale': { labels: string[] };
  /** `already`: the units that were blocked before, with `only: 'free'`. [none] */
  block: { blocked: string[]; already?: number };
  /** The answer of the block. */
  'look-block': Answers['block'];
  'undo-block': { unblocked: string[] };
  unblock: { unblocked: string[] };
  'end-holds': { released: string[] };
  'make-reservation': { reservation: ReservationView };
  'change-reservation': { reservation: ReservationView };
  'end-reservation': { freed: string[] };
  'book-reservation': { booked: string[]; items: LineItem[]; reservation: ReservationView };
  'inspect-reservation': { reservation: ReservationView };
  'list-reservations': { reservations: ReservationView[]; hasMore: boolean };
  'reserved-places': { places: Pick<ReservationView, 'id' | 'name' | 'labels'>[] };
  'set-hold-ttl': { holdTtlMs: number | null };
  move: MoveAnswer;
  /** The settings after the change. Absent ones are not set. `at` is the time of the commit. */
  configure: {
    currency: string;
    sectionStates: SectionStates;
    selectionRules?: SelectionRules;
    publicSale?: PublicSale;
    saleSettings?: SetSaleSettings;
    at: number;
  };
  'update-chart': ChartUpdateAnswer;
  'adjust-chart': ChartUpdateAnswer;
  'inspect-hold': HoldView;
  'inspect-holders': { holders: HolderView[] };
  'hold-part': HeldPart;
  /** `wouldHold`: the event would hold the part now. The answer of a part that is there has no `wouldHold`. */
  'look-part': HeldPart & { wouldHold?: true };
  'abort-operation': PartStanding;
  'pin-part': PartStanding;
  'unpin-part': PartStanding;
  'book-part': PartStanding;
  'extend-part': PartStanding;
  /** Null: the event has no such part. */
  'release-part': { part: PartStanding | null };
  'refuse-action': PartStanding;
  'unbook-part': { unbooked: string[] };
  /** Null: the event has no such part, or has forgotten it a day after its end. */
  'inspect-operation': { part: PartDetail | null };
  /** Null: the event had this lock, and the lock has ended. */
  lock: { lock: LockView | null };
  /** Null: the event has no such lock. */
  'drain-lock': { lock: LockView | null };
  unlock: { unlocked: boolean };
  'inspect-locks': {
    locks: LockView[];
    status: EventStatus;
    /** Set once the event has moved to another chart. */
    chartId?: string;
    chartVersion: number | null;
    planHash: string;
    currency: string;
  };
  reserve: { reserved: string[]; items: LineItem[] };
  unreserve: { unreserved: string[] };
  'book-reserved': { booked: string[] };
  /** `gone`: the exchange is done. `pinId` names the try that pinned the units. */
  'pin-exchange': { state: 'pinned' | 'gone' | 'dry'; pinId: string; given: ExchangeGiven };
  'take-exchange': ExchangeAnswer;
  'refuse-exchange': { taken: ExchangeAnswer | null };
  'give-exchange': { given: string[] };
  'unpin-exchange': { unpinned: string[] };
  'inspect-units': { units: UnitInspection[] };
  count: {
    counts: Counts;
    holdTtlMs: number | null;
    status: EventStatus;
    salesPaused: boolean;
    sectionStates: SectionStates;
    /** [none] */
    selectionRules?: SelectionRules;
    /** [the organisation's] */
    publicSale?: PublicSale;
    /** [none set] */
    saleSettings?: SetSaleSettings;
    /** Set once the event has moved to another chart. */
    chartId?: string;
    /** Units that are assigned to channels. [0] */
    privateUnits?: number;
    /** Divisions that have an availability rule. [none] */
    ruledScopes?: string[];
    /** Set when an operator has changed the event's own chart. */
    adjusted?: true;
    /** The chart that the event sells from now. The catalog's record may lag. */
    planHash: string;
    /** Null for an event whose journal is older than this field. */
    chartVersion: number | null;
    /** The sequence of the last journaled group that the answer includes. */
    version: number;
  };
  view: EventView;
  report: InventoryReport;
  'unit-columns': UnitColumns;
  /** `granted`: the requests of `amount` that were counted; `allowed` is true where all were. */
  spend: Spent & { granted?: number };
};
