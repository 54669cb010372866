/** What an event's actor answers: the successful answer of each command, and what stands in these. */
import type { AssignmentBuckets } from './assignment-buckets.ts';
import type { ScopesInForce } from './chart/scopes.ts';
import type { Spent } from './fixed-windows.ts';
import type {
  AccessSource,
  AvailabilityRules,
  Channel,
  DroppedPrices,
  EventStatus,
  Line,
  Offered,
  Release,
  SectionStates,
} from './records.ts';

export type { AssignmentBuckets, LabelBucket } from './assignment-buckets.ts';

export type LineItem = {
  label: string;
  objectId: string;
  objectType: 'seat' | 'booth' | 'ga' | 'table';
  categoryKey: string;
  tierId: string | null;
  /** Major units of `currency`; per guest for a table sold as a whole. */
  unitPrice: number;
  currency: string;
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
};

export type HoldView = {
  holdId: string;
  status: 'active' | 'booked' | 'released' | 'expired';
  items: LineItem[];
  expiresAt: number;
  currency: string;
  extends: number;
  bookingRef: string | null;
  accessSource: AccessSource;
  /** What the access session was minted with. [null] */
  buyerRef?: string;
  partnerRef?: string;
};

export type Counts = { free: number; held: number; booked: number; blocked: number };

/** What an event was after a move: `at` the time of the commit, `version` the number of the event's groups with it. */
export type MoveAnswer = { status: EventStatus; salesPaused: boolean; counts: Counts; at: number; version: number };

/** `updated` is false where the event was on this very chart already. */
export type ChartUpdateAnswer = {
  updated: boolean;
  planHash: string;
  chartVersion: number;
  seatTotal: number;
  counts: Counts;
  /** The time of the commit. */
  at: number;
  /** Scopes that rules or section states named and this chart has not. [none] */
  droppedScopes?: string[];
  /** What channels had on the chart before and have not on this one. [none] */
  droppedAssignments?: DroppedAssignments[];
  /** What channels priced and this chart has not. [none] */
  droppedPrices?: DroppedPrices[];
};

/** `count` labels, of which at most `missingLabelsMax` are named, of all channels together. */
export type DroppedAssignments = { channelId: string; count: number; labels: string[] };

/**
 * The whole map at `version` (the sequence of the event's last journaled group): two bits a unit in the plan's order,
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
  /** What is hidden and closed. [none] */
  scopes?: ScopesInForce;
  /** Whose the units are. [all of public sale] */
  allocation?: Allocation;
  /** [0] */
  activeHolds?: number;
};

/**
 * To which channel each unit is assigned: `of` has a 16-bit number a unit, little-endian, in the plan's order: 0 for public sale, n for
 * the n-th of `channelIds`. `closed` are the channels that sell nothing just now.
 */
export type Allocation = { version: number; channelIds: string[]; closed: string[]; of: Uint8Array };

export type ChannelCounts = {
  allocated: number;
  free: number;
  held: number;
  booked: number;
  blocked: number;
  /** The same as `allocated`, for clients that read one or the other. */
  units: number;
};

export type ChannelView = Channel & { counts: ChannelCounts };

/** What a channel has, and what was sold in its name whatever it has now. Null stands for public sale. */
export type ChannelReportRow = {
  channelId: string | null;
  allocation: ChannelCounts;
  /** `sold` counts lines, `units` guests and places; `value` in major units. */
  attribution: { sold: number; units: number; value: number };
};

export type StatusTotals = { total: number; free: number; held: number; booked: number; not_for_sale: number };

/** A release as it stands: `remaining` is null without a quota; `consumed` counts the units held and booked under it. */
export type ReleaseView = Omit<Release, 'closedAt'> & {
  position: number;
  consumed: number;
  remaining: number | null;
  soldOutAt: number | null;
  status: 'upcoming' | 'active' | 'ended' | 'closed';
};

/** `hidden` and `closed` are the scopes that are so just now, by rule or section state. */
export type AvailabilityView = { rules: AvailabilityRules; hidden: string[]; closed: string[]; version: number };

/**
 * The inventory's part of a report, in the plan that `planHash` names; `bookedValue` in major units. Sections in the plan's order,
 * `__ungrouped__` last.
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
  /** Releases in their order, then those that are out of the list and have units still. */
  byRelease: { releaseId: string; name: string; held: number; booked: number; bookedValue: number }[];
  byAccessibility: ({ type: string; label: string } & StatusTotals)[];
  /** What was sold and is held in the name of each channel; null is public sale. [none] */
  byChannel?: { channelId: string | null; name: string; held: number; booked: number; bookedValue: number }[];
};

/** What a unit was held or booked for. */
export type SoldTerms = Omit<Line, 'unit' | 'group'>;

/** The units `from` on in the plan's order, all of them or as many as fit in a message. */
export type UnitColumns = {
  planHash: string;
  version: number;
  currency: string;
  from: number;
  /** `UnitStatus` by unit. */
  statuses: Uint8Array;
  /**
   * By unit: whose it is, and for what it was held or booked, in the tables beside; -1 where it is nobody's. The owner of a unit
   * that is held is the id of a hold, that of one that is booked the reference of a booking.
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
  book: { booked: string[] };
  'book-direct': { booked: string[] };
  unbook: { unbooked: string[] };
  'hold-best': HeldAnswer;
  'block-best': { blocked: string[] };
  'book-best': { labels: string[]; items: LineItem[] };
  'box-book': { booked: string[] };
  /** `total` in major units of `currency`. */
  'box-office-sale': { booked: string[]; items: LineItem[]; total: number; currency: string };
  'set-releases': { releases: ReleaseView[] };
  'close-release': { releases: ReleaseView[] };
  releases: { releases: ReleaseView[] };
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
  block: { blocked: string[] };
  unblock: { unblocked: string[] };
  'set-hold-ttl': { holdTtlMs: number | null };
  move: MoveAnswer;
  /** What stands after it, `at` the time of the commit. */
  configure: { currency: string; sectionStates: SectionStates; at: number };
  'update-chart': ChartUpdateAnswer;
  'adjust-chart': ChartUpdateAnswer;
  'inspect-hold': HoldView;
  count: {
    counts: Counts;
    holdTtlMs: number | null;
    status: EventStatus;
    salesPaused: boolean;
    sectionStates: SectionStates;
    /** Units that are assigned to channels. [0] */
    privateUnits?: number;
    /** Those that availability rules name. [none] */
    ruledScopes?: string[];
    /** Set where an operator has changed the event's own chart. */
    adjusted?: true;
    /** The chart that the event sells from just now; the catalog's record may lag. */
    planHash: string;
    /** Null where the event was made before its journal told. */
    chartVersion: number | null;
    /** The sequence of the last journaled group that the answer rests on. */
    version: number;
  };
  view: EventView;
  report: InventoryReport;
  'unit-columns': UnitColumns;
  spend: Spent;
};
