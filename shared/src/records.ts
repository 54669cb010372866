/**
 * What the journal says. A group is one commit of one event; folding all groups of an event in order gives its state
 * (I6). Units are indices in the plan named by `plan`; consumers turn them into labels through that plan.
 * Fields are only ever added, never renamed: the journal is kept for years.
 */
import type { AssignmentBuckets } from './assignment-buckets.ts';
import type { ScopesInForce } from './chart/scopes.ts';

export type AccessSource = 'public' | 'promoter' | 'partner' | 'hosted_link' | 'staff_override';
export type Mode = 'live' | 'test';
export type EventStatus = 'active' | 'closed' | 'archived' | 'deleted';
export type EventMove = 'close' | 'reopen' | 'archive' | 'unarchive' | 'delete';
/** By the id of a section, a logical section or a zone; what has none is open. */
export type SectionStates = Record<string, 'open' | 'closed' | 'hidden'>;

/** A price window. Only `buy` prices holds and uses its quota; the others lead to `actionUrl`. Null: not set. */
export type Release = {
  id: string;
  name: string;
  /** Major units. */
  price: number;
  previousPrice: number | null;
  /** Units that may be held and booked under it at one time. */
  quota: number | null;
  startsAt: number | null;
  endsAt: number | null;
  /** Null: every category without tiers. */
  categoryKey: string | null;
  action: 'buy' | 'apply' | 'invoice';
  actionUrl: string | null;
  /** When it was closed by a call, which sets `endsAt` too. */
  closedAt: number | null;
};

/** By section, logical section, zone or `__ungrouped__`; what has none is open. `labels` is the caller's own list, never trusted. */
export type AvailabilityRules = Record<
  string,
  {
    mode: 'hidden' | 'closed' | 'timed' | 'threshold';
    labels?: string[];
    /** Of `timed`. */
    revealAt?: number;
    /** Of `threshold`, 1 to 100. */
    thresholdPct?: number;
    /** Since when a `timed` or `threshold` scope is open for good. */
    revealedAt?: number;
  }
>;

/** Which seats somebody may select: those of these channels, and with `includePublic` those of none. */
export type Reach = { channelIds: string[]; includePublic: boolean };

/** A named allocation of an event's units. */
export type Channel = {
  id: string;
  name: string;
  color: string | null;
  marker: string | null;
  externalRef: string | null;
  state: 'active' | 'paused' | 'archived';
  /** Where its units went: a channel's id, or `public`. */
  archiveDestination: string | null;
  /** How its seats are meant to be reached. */
  accessIntent: 'none' | 'internal' | 'server' | 'hosted_link';
  priceOverrides: PriceOverride[];
  /** Grows with each change of `priceOverrides`, from 1. */
  pricingVersion: number;
  createdAt: number;
  updatedAt: number;
  archivedAt: number | null;
};

/** What a category costs in a channel; each tier of a tiered one by itself. Major units. */
export type PriceOverride = { categoryKey: string; tierId: string | null; price: number };

/** Prices of a channel for what another chart has not. */
export type DroppedPrices = { channelId: string; priceOverrides: PriceOverride[] };

/** What the actor must know of its event; the catalog's record is the wider one. */
export type EventConfig = {
  eventId: string;
  eventKey: string;
  organisationId: string;
  workspaceId: string;
  mode: Mode;
  ownership: 'platform' | 'managed';
  externalRef: string | null;
  currency: string;
  /** SHA-256 of the published chart document, as the catalog names it. */
  planHash: string;
  /** Of the chart; absent in journals from before it was told. */
  chartVersion?: number;
  holdTtlMs: number | null;
  /** [none] */
  sectionStates?: SectionStates;
};

/** One unit in a hold or booking with what was frozen when it was held. Absent fields have the value in brackets. */
export type Line = {
  unit: number;
  /** Major units; per guest where `quantity` counts guests. */
  price: number;
  /** [null] */
  tierId?: string;
  /** Guests at a table sold as a whole. [1] */
  quantity?: number;
  /** GA places bought together carry the same number, the lowest unit of the line. [a line of its own] */
  group?: number;
  /** [null: public sale] */
  channelId?: string;
  /** [null] */
  releaseId?: string;
  /** By what right a unit of a channel was had, where its hold or booking says another. [that] */
  accessSource?: AccessSource;
};

/** By what right units were held, or booked without a hold; see `Caller`. */
export type Grant = {
  /** [public sale only] */
  reach?: Reach;
  sessionId?: string;
  partnerRef?: string;
  buyerRef?: string;
  /** Private units that were had by an override, and why. */
  overridden?: { units: number[]; reason: string };
};

/** `by` names who did it; see `Caller`. */
type By = { source: 'server' | 'buyer' | 'operator' | 'timer'; actor: string | null };

export type JournalRecord =
  | { type: 'created'; config: EventConfig; by: By }
  | ({
      type: 'held';
      holdId: string;
      expiresAt: number;
      accessSource: AccessSource;
      lines: Line[];
      fingerprint?: string;
      /** Scopes that are hidden or closed to buyers and were passed, since a server named labels in them. */
      passed?: string[];
      by: By;
    } & Grant)
  | { type: 'extended'; holdId: string; callId: string; expiresAt: number; units: number[]; by: By }
  /**
   * Units that a hold lets go of, by its holder's wish; the hold ends when none is left. Those of them that do not become free
   * stand in `kept` too: the booking that offers them for resale has them still, or the hold that replaces this one has them now.
   */
  | { type: 'released'; holdId: string; callId?: string; units: number[]; kept?: number[]; by: By }
  | { type: 'expired'; holdId: string; expiresAt: number; units: number[]; kept?: number[]; by: By }
  | ({
      type: 'booked';
      bookingRef: string;
      callId: string;
      holdId: string | null;
      accessSource: AccessSource;
      lines: Line[];
      passed?: string[];
      /** What the caller calls the channels that its lines name, as it was then; those that have a name of his. [none] */
      channelRefs?: Record<string, string>;
      /** Of seats that the event chose: what was asked for. */
      fingerprint?: string;
      /** Of a sale at a counter, and what its operator wrote. */
      counter?: true;
      note?: string;
      by: By;
    } & Grant)
  /** With `resale` the units go on to another booking, whose record follows in the same group. */
  | {
      type: 'unbooked';
      bookingRef: string;
      callId: string;
      units: number[];
      resale?: { listingId: string; toBookingRef: string };
      by: By;
    }
  | {
      type: 'blocked';
      callId?: string;
      fingerprint?: string;
      units: number[];
      releaseAt: number | null;
      reason: string | null;
      overridden?: Grant['overridden'];
      by: By;
    }
  /** Without units where a call found nothing to free: its name stands all the same. */
  | { type: 'unblocked'; callId?: string; units: number[]; reason: 'operator' | 'scheduled'; by: By }
  | { type: 'hold-ttl-set'; callId?: string; holdTtlMs: number | null; by: By }
  /** `salesPaused` absent: false. */
  | { type: 'status-set'; callId?: string; status: EventStatus; salesPaused?: boolean; by: By }
  /** What is absent stays. */
  | { type: 'configured'; callId: string; currency?: string; sectionStates?: SectionStates; by: By }
  /** Not written any more. */
  | { type: 'section-states-set'; callId: string; sectionStates: SectionStates; by: By }
  | { type: 'releases-set'; callId: string; releases: Release[]; by: By }
  /** Its end, and when it was closed. */
  | { type: 'release-closed'; callId: string; releaseId: string; at: number; by: By }
  | { type: 'availability-set'; callId: string; rules: AvailabilityRules; version: number; by: By }
  /** Scopes under a timed or threshold rule that are open from now on. */
  | { type: 'revealed'; scopes: string[]; by: By }
  /** Nothing is left to be sold: every unit that is for sale is booked. Told again only after one was freed. */
  | { type: 'sold-out'; seatTotal: number; by: By }
  | { type: 'resale-listed'; callId: string; listingId: string; bookingRef: string; units: number[]; by: By }
  | { type: 'resale-removed'; callId: string; listingId: string; bookingRef?: string; units: number[]; by: By }
  | { type: 'channel-created'; callId: string; channel: Channel; reason: string | null; by: By }
  /** `change` has what changed, `pricingVersion` with its prices. */
  | {
      type: 'channel-changed';
      callId: string;
      channelId: string;
      change: Partial<
        Pick<
          Channel,
          'name' | 'color' | 'marker' | 'externalRef' | 'accessIntent' | 'priceOverrides' | 'pricingVersion'
        >
      >;
      reason: string | null;
      by: By;
    }
  /** `version` is the allocation's, which says what viewers have seen of it. */
  | {
      type: 'channel-state-set';
      callId: string;
      channelId: string;
      state: 'active' | 'paused';
      version: number;
      reason: string | null;
      by: By;
    }
  /** Null: to public sale. Without units where a call found nothing to move. `requested` and `buckets` are what the call was answered with. */
  | {
      type: 'channels-assigned';
      callId: string;
      channelId: string | null;
      units: number[];
      version: number;
      requested: number;
      buckets: AssignmentBuckets;
      reason: string | null;
      by: By;
    }
  /** All that it had is now the destination's, null: public sale's. */
  | {
      type: 'channel-archived';
      callId: string;
      channelId: string;
      destination: string | null;
      units: number[];
      version: number;
      reason: string | null;
      by: By;
    }
  /** Alone in its group, whose plan is the new one: before it units are those of `from`, from it on those of `planHash`. */
  | {
      type: 'chart-updated';
      callId: string;
      from: string;
      planHash: string;
      chartVersion: number;
      seatTotal: number;
      reason: string | null;
      /** Scopes that rules or section states named and the new chart has not: what they said is gone. [none] */
      droppedScopes?: string[];
      /** Units of `from` that were blocked and are not on the new chart. [none] */
      unblocked?: number[];
      /** The same of units that were assigned to channels. [none] */
      droppedAssignments?: { channelId: string; units: number[] }[];
      droppedPrices?: DroppedPrices[];
      /** An operator's change of the event's own plan, of the same version of the chart. */
      adjusted?: true;
      by: By;
    };

/** One commit group: the payload of one journal message. `at` never goes back within an event. */
export type Group = {
  v: 1;
  epoch: number;
  /** Counts the groups of one epoch from 1; with `epoch` it names the group. */
  n: number;
  at: number;
  plan: string;
  records: JournalRecord[];
};

/**
 * The payload of an epoch record: from its sequence on, appends of lower epochs fail (I3). `released` marks the second
 * record of an epoch, its owner's last: it answers nothing any more, and the next owner need not wait for its read lease.
 * `fence` stands in the records of a fence against late appends of the epoch `late`; `left` of them follow this one.
 */
export type EpochRecord = {
  v: 1;
  epoch: number;
  owner: string;
  at: number;
  released?: true;
  fence?: { late: number; left: number };
};

/** Booked units that are listed for resale, and what buyers see them as, in parallel: free, or held by somebody's checkout. */
export type Offered = { units: number[]; statuses: UnitStatus[] };

/**
 * What viewers' front doors hear after a commit, on core NATS. `from` is the event's version before this change and `to`
 * the one after it (both stream sequences): a listener whose version is not `from` has missed something and asks for
 * a view. Units and statuses stand in parallel.
 */
export type FeedChange = {
  from: number;
  to: number;
  at: number;
  units: number[];
  statuses: UnitStatus[];
  /** Those of `units` that are listed; the others are not, or not any more. */
  offered?: Offered;
  /** Both set when the event's own status changed, or whether its sales are paused. */
  eventStatus?: EventStatus;
  salesPaused?: boolean;
  /** Set when what is hidden or closed may have changed: all that is so now. */
  scopes?: ScopesInForce;
  /** Set when seats were assigned to channels, or a channel paused or archived: only a view shows to whom what is sold. */
  allocation?: number;
  /** Holds under way after it. */
  activeHolds?: number;
  /** Set when the event moved to another chart: units are numbered anew, so that only a view shows where it stands. */
  plan?: string;
};

export const unitStatus = { free: 0, held: 1, booked: 2, blocked: 3 } as const;
export type UnitStatus = (typeof unitStatus)[keyof typeof unitStatus];
export const statusNames = ['free', 'held', 'booked', 'blocked'] as const;
export type StatusName = (typeof statusNames)[number];

/** Two bits a unit, four units a byte, lowest bits first. */
export function packStatuses(statuses: Uint8Array): Uint8Array {
  const packed = new Uint8Array((statuses.length + 3) >> 2);
  for (let unit = 0; unit < statuses.length; unit++) {
    packed[unit >> 2]! |= statuses[unit]! << ((unit & 3) << 1);
  }
  return packed;
}

export function unpackStatuses(packed: Uint8Array, unitCount: number): Uint8Array {
  const statuses = new Uint8Array(unitCount);
  for (let unit = 0; unit < unitCount; unit++) {
    statuses[unit] = (packed[unit >> 2]! >> ((unit & 3) << 1)) & 3;
  }
  return statuses;
}
