/**
 * The records of the journal. A group is the change of one event; a fold of all groups in order gives its state (I6).
 * Units are indices in the plan named by `plan`, which turns them into labels. Fields are only ever added, never
 * renamed: the journal is kept for years.
 */

import type { SelectionRules } from '../charts/selection-rules.ts';
import type { AssignmentBuckets } from './assignment-buckets.ts';
import type {
  Channel,
  DroppedPrices,
  PublicSale,
  SaleSettings,
  SetSaleSettings,
  TicketRelease,
} from './event-settings.ts';
import type { Link } from './journal/links.ts';
import type { FrozenFees, PriceUnit } from './money.ts';
import type { OperationOwner, OperationTag } from './operations/operation.ts';
import type { OperationRecord } from './operations/operation-records.ts';

export type {
  BuyerLimit,
  Channel,
  DroppedPrices,
  PriceOverride,
  PublicSale,
  SaleSettings,
  SetSaleSettings,
  TicketRelease,
} from './event-settings.ts';

export type AccessSource = 'public' | 'promoter' | 'partner' | 'hosted_link' | 'staff_override';
export type Mode = 'live' | 'test';
export type EventStatus = 'active' | 'closed' | 'archived' | 'deleted';
export type EventMove = 'close' | 'reopen' | 'archive' | 'unarchive' | 'delete';
/** By the id of a section, a logical section or a zone. A division without an entry is open. */
export type SectionStates = Record<string, 'open' | 'closed' | 'hidden'>;

/**
 * By section, logical section, zone or `__ungrouped__`. A division without a rule is open. Never trust the caller's
 * `labels`.
 */
export type AvailabilityRules = Record<
  string,
  {
    mode: 'hidden' | 'closed' | 'timed' | 'threshold';
    labels?: string[];
    /** For `timed`. */
    revealAt?: number;
    /** For `threshold`, 1 to 100. */
    thresholdPct?: number;
    /** The time since which a `timed` or `threshold` division is open for good. */
    revealedAt?: number;
  }
>;

/** Lines that become free: the units of a hold or a booking with the terms of their sale. */
export type FreedLines = { accessSource: AccessSource; lines: Line[] };

/** The units that a caller may select: units of these channels, and with `includePublic` units of public sale. */
export type Reach = { channelIds: string[]; includePublic: boolean };

/** The actor's part of the event's settings. The catalog's record has more. */
export type EventConfig = {
  eventId: string;
  eventKey: string;
  organisationId: string;
  workspaceId: string;
  mode: Mode;
  ownership: 'platform' | 'managed';
  externalRef: string | null;
  currency: string;
  /** Of all money of the event; never changes. [major] */
  priceUnit?: PriceUnit;
  /** SHA-256 of the published chart document, as the catalog names it. */
  planHash: string;
  /** The version of the chart; absent in journals that are older than this field. */
  chartVersion?: number;
  /** Set once the event has moved to another chart. [the chart of its creation] */
  chartId?: string;
  holdTtlMs: number | null;
  /** [none] */
  sectionStates?: SectionStates;
  /** [none] */
  selectionRules?: SelectionRules;
  /** [the organisation's] */
  publicSale?: PublicSale;
} & SetSaleSettings;

/**
 * One unit of a hold or booking, with the terms that were frozen when the unit was held. An absent field has the value
 * in brackets.
 */
export type Line = {
  unit: number;
  /** In the event's unit; per guest where `quantity` counts guests. */
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
  /**
   * The access source of a unit of a channel, if it differs from its hold's or booking's. [the hold's or booking's]
   */
  accessSource?: AccessSource;
  /** [none] */
  fees?: FrozenFees;
};

/** The attribution of units that were held, or booked without a hold; see `Caller`. */
export type Attribution = {
  /** [public sale only] */
  reach?: Reach;
  sessionId?: string;
  partnerRef?: string;
  buyerRef?: string;
  /** Units outside the caller's reach that an override allowed, and the reason. */
  overridden?: { units: number[]; reason: string };
  /** The operation over several events that the hold or booking is a part of. [none] */
  operation?: OperationTag;
};

/** The operation that a hold is a part of. [none] */
type OfPart = Pick<Attribution, 'operation'>;

/** `by` names the caller; see `Caller`. */
type By = { source: 'server' | 'buyer' | 'operator' | 'timer'; actor: string | null };

/** Facts that the catalog keeps. The record gives their change a place in the event's history. Null clears a field. */
export type ChangedFacts = {
  name?: string;
  startsAt?: number | null;
  endsAt?: number | null;
  venue?: string | null;
  externalRef?: string | null;
  description?: string | null;
  timezone?: string | null;
  locale?: string | null;
  posterAssetId?: string | null;
};

type Configured = {
  type: 'configured';
  callId: string;
  currency?: string;
  sectionStates?: SectionStates;
  /** [none] */
  facts?: ChangedFacts;
  by: By;
};

/** The lines among the units that become free. [none, or written by an earlier shard] */
type Freeing = { freed?: FreedLines };

/** Lines that a booking gets, from a hold or without one. */
type NewLines = {
  bookingRef: string;
  callId: string;
  holdId: string | null;
  accessSource: AccessSource;
  lines: Line[];
  passed?: string[];
  /** The callers' own names of the channels in the lines, at that time. [none] */
  channelRefs?: Record<string, string>;
  /** The units among the lines that were blocked until then. [none] */
  blocked?: number[];
  by: By;
};

type OfReservation = { reservationId: string; name: string };
/** The fee of an exchange beside the price difference, and a price difference that is waived. [0, none] */
export type ExchangeCharges = { fee?: number; waived?: { amount: number; reason: string } };

/**
 * The other event of an exchange. `from`: its units were given up, and the record's booking has `lines` instead. `to`:
 * its units were taken, and the record's booking has given up `units`. `labels` are those of the other event.
 */
export type OtherEvent = { side: 'from' | 'to'; eventKey: string; labels: string[]; priceDifference: number };

export type JournalRecord =
  | { type: 'created'; config: EventConfig; by: By }
  | ({
      type: 'held';
      holdId: string;
      expiresAt: number;
      /** The creation of the first hold of a chain of replacements, and the chain's renewals. [the group's time, 0] */
      createdAt?: number;
      extends?: number;
      accessSource: AccessSource;
      lines: Line[];
      fingerprint?: string;
      /** Hidden or closed divisions in which the sale has units, because a server named their labels. */
      passed?: string[];
      /** The caller's reason for the sale of a companion's place. [none needed] */
      reason?: string;
      /** The session and the address (a keyed hash) whose places public sale counts. [none] */
      visitors?: string[];
      by: By;
    } & Attribution)
  | ({ type: 'extended'; holdId: string; callId: string; expiresAt: number; units: number[]; by: By } & OfPart)
  /**
   * Units that a hold gives back; the hold ends when it has no unit left. Units that do not become free stand in `kept`
   * too: the booking that lists them for resale still has them, or the hold that replaces this one has them now.
   */
  | ({
      type: 'released';
      holdId: string;
      callId?: string;
      units: number[];
      kept?: number[];
      /** An operator ended the hold's places, and gave this reason. `holds-ended` follows. */
      reason?: string;
      by: By;
    } & OfPart &
      Freeing)
  /** Ends the records of a call that ended holds. `units`: of all these holds, also none. */
  | { type: 'holds-ended'; callId: string; units: number[]; reason: string; by: By }
  /**
   * A hold that a best-available call would have replaced, and that stays as it is because nothing better is free.
   * `callId` is the id that the new hold would have had.
   */
  | {
      type: 'hold-kept';
      holdId: string;
      callId: string;
      expiresAt: number;
      units: number[];
      fingerprint?: string;
      by: By;
    }
  | ({ type: 'expired'; holdId: string; expiresAt: number; units: number[]; kept?: number[]; by: By } & OfPart &
      Freeing)
  | ({
      type: 'booked';
      /** The query of a sale whose seats the event chose. */
      fingerprint?: string;
      /** A sale at a counter, and the operator's note. */
      counter?: true;
      note?: string;
      /** As of a hold. */
      reason?: string;
      /** A sale of an older system. Webhooks do not tell it. */
      imported?: true;
    } & NewLines &
      Attribution)
  /** With `resale` the units go to another booking, whose record follows in the same group. */
  | ({
      type: 'unbooked';
      bookingRef: string;
      callId: string;
      units: number[];
      resale?: { listingId: string; toBookingRef: string };
      /** The operation whose booking is cancelled, with the action that cancels it. [none] */
      operation?: OperationTag;
      by: By;
    } & Freeing)
  /**
   * A booking gives up `units` and has `lines` instead, in one step: a unit that it gives up is never free before the
   * new ones are booked.
   */
  | ({ type: 'exchanged'; exchangeId: string; units: number[]; reason: string | null } & NewLines &
      Freeing &
      Pick<Attribution, 'partnerRef' | 'buyerRef' | 'overridden'>)
  /**
   * As `exchanged`, with at least one of: charges; the other booking of a swap, which has the old units from the next
   * record of the group on; the other event, beside which `units` or `lines` are empty.
   */
  | ({ type: 'exchanged-with'; exchangeId: string; units: number[]; reason: string | null } & NewLines &
      Freeing &
      Pick<Attribution, 'partnerRef' | 'buyerRef' | 'overridden'> &
      ExchangeCharges & { swappedWith?: string; other?: OtherEvent })
  /** The booking keeps the units, and nobody changes them, until `exchanged-with` or `exchange-unpinned`. */
  | {
      type: 'exchange-pinned';
      exchangeId: string;
      pinId: string;
      bookingRef: string;
      units: number[];
      toEventKey: string;
      by: By;
    }
  | { type: 'exchange-unpinned'; exchangeId: string; pinId: string; bookingRef: string; units: number[]; by: By }
  /** At the event that would have taken units: this try of the exchange never takes any. */
  | { type: 'exchange-refused'; exchangeId: string; pinId: string; by: By }
  | {
      type: 'blocked';
      callId?: string;
      fingerprint?: string;
      units: number[];
      releaseAt: number | null;
      reason: string | null;
      overridden?: Attribution['overridden'];
      by: By;
    }
  /**
   * Ends the records of a call that its caller named by an Idempotency-Key, also of a call that changed nothing.
   * `units` and `answer` make the first answer again, as far as no other record of the call tells them.
   */
  | { type: 'call-named'; callId: string; fingerprint: string; units?: number[]; answer?: object; by: By }
  /** Without units when a call found nothing to free: the call is recorded all the same. */
  | { type: 'unblocked'; callId?: string; units: number[]; reason: 'operator' | 'scheduled'; by: By }
  | { type: 'hold-ttl-set'; callId?: string; holdTtlMs: number | null; by: By }
  /** `salesPaused` absent: false. */
  | { type: 'status-set'; callId?: string; status: EventStatus; salesPaused?: boolean; by: By }
  /** Absent fields keep their values. */
  | Configured
  /** As `configured`, with selection rules. Null: none. */
  | (Omit<Configured, 'type' | 'facts'> & { type: 'event-configured'; selectionRules: SelectionRules | null })
  /** Null: the organisation's. */
  | { type: 'public-sale-set'; callId: string; publicSale: PublicSale | null; by: By }
  /** Absent fields keep their values, null removes them. The last record of its call. */
  | { type: 'sale-settings-set'; callId: string; settings: Partial<SaleSettings>; by: By }
  | { type: 'releases-set'; callId: string; releases: TicketRelease[]; by: By }
  /** The end of the ticket release, and the time of the call. */
  | { type: 'release-closed'; callId: string; releaseId: string; at: number; by: By }
  | { type: 'availability-set'; callId: string; rules: AvailabilityRules; version: number; by: By }
  /** Divisions under a timed or threshold rule that are open from now on. */
  | { type: 'revealed'; scopes: string[]; by: By }
  /** Every unit that is for sale is booked. Recorded again only after a unit was freed. */
  | { type: 'sold-out'; seatTotal: number; by: By }
  | { type: 'resale-listed'; callId: string; listingId: string; bookingRef: string; units: number[]; by: By }
  | { type: 'resale-removed'; callId: string; listingId: string; bookingRef?: string; units: number[]; by: By }
  | { type: 'channel-created'; callId: string; channel: Channel; reason: string | null; by: By }
  /** `change` has the changed fields, `pricingVersion` comes with changed prices. */
  | {
      type: 'channel-changed';
      callId: string;
      channelId: string;
      change: Partial<
        Pick<
          Channel,
          | 'name'
          | 'color'
          | 'marker'
          | 'externalRef'
          | 'accessIntent'
          | 'salesStartAt'
          | 'priceOverrides'
          | 'pricingVersion'
        >
      >;
      reason: string | null;
      by: By;
    }
  /** `version` is the allocation's: viewers name the version that they have seen. */
  | {
      type: 'channel-state-set';
      callId: string;
      channelId: string;
      state: 'active' | 'paused';
      version: number;
      reason: string | null;
      by: By;
    }
  /**
   * Units go to the channel, or to public sale (null). Without units when nothing moved. `requested` and `buckets` are
   * parts of the answer.
   */
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
  /** All units of the channel go to the destination, or to public sale (null). */
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
  /**
   * The event's time stood at `from`, in the future, and goes back to the group's time. A hold that was made after the
   * group's time keeps its remaining time: its times go back by the same step. All other times stay.
   */
  | { type: 'clock-set'; from: number; by: By }
  /**
   * The operator opens the event without the records that the journal has lost (I9). The record begins the first part
   * behind the break, or follows `created` where nothing of the event is left. Lost or given up are the event's parts
   * from `lostFrom` on. `lostTo` is the highest sequence that evidence names.
   */
  | { type: 'accepted'; reason: string; lostFrom: number; lostTo: number; by: By }
  /**
   * The operator writes a lost part of the event again (I9). The record begins the part, and the lost part's records
   * follow. `sequence` was the lost part's, and `link` the event's link behind it, as text. Without a link the part
   * has bookings that other evidence of this sequence proves. The event is whole again behind the part with no part
   * `left` to restore.
   */
  | { type: 'restored'; reason: string; sequence: number; left: number; link?: string; by: By }
  /** Units that only the offer sells. Viewers see them as not for sale. The lines have their frozen prices. */
  | { type: 'reserved'; offerId: string; owner: OperationOwner; callId: string; lines: Line[]; by: By }
  /** An operator keeps units under a name until a time. */
  | ({
      type: 'reservation-made';
      callId: string;
      units: number[];
      until: number;
      note: string | null;
      by: By;
    } & OfReservation)
  /** All terms and units after the change. `givenUp` are the units that are free now. */
  | ({
      type: 'reservation-changed';
      callId: string;
      units: number[];
      givenUp: number[];
      until: number;
      note: string | null;
      by: By;
    } & OfReservation)
  | ({
      type: 'reservation-ended';
      callId?: string;
      units: number[];
      reason: 'operator' | 'scheduled';
      by: By;
    } & OfReservation)
  /** The units go to the booking whose record follows in the same group. */
  | ({ type: 'reservation-booked'; callId: string; bookingRef: string; units: number[]; by: By } & OfReservation)
  | (OperationRecord & { by: By })
  /** Alone in its group, whose plan is the new one. Earlier units are of `from`, later units of `planHash`. */
  | {
      type: 'chart-updated';
      callId: string;
      from: string;
      planHash: string;
      chartVersion: number;
      seatTotal: number;
      reason: string | null;
      /** Divisions of rules or section states that the new chart lacks: their rules are gone. [none] */
      droppedScopes?: string[];
      /** Blocked units of `from` that the new chart lacks. [none] */
      unblocked?: number[];
      /** Units of channels that the new chart lacks. [none] */
      droppedAssignments?: { channelId: string; units: number[] }[];
      droppedPrices?: DroppedPrices[];
      /** An operator's change to the event's own plan, within the same version of the chart. */
      adjusted?: true;
      /** Places of areas whose numbers the new chart lacks: units of `from`, and their units of `planHash`. [none] */
      renumbered?: { from: number[]; to: number[] };
      by: By;
    }
  /**
   * Behind `chart-updated`, in the same group: the event belongs to this chart. Each group with renumbered places has
   * this record or `renumbered`, so a shard that knows neither refuses the group.
   */
  | { type: 'chart-set'; callId: string; chartId: string; by: By }
  /**
   * Behind `chart-updated`, in the same group, for each booking with places that have other numbers now: for logs and
   * webhooks, which tell an exchange. `chart-updated` has moved the places. `labels` are the labels before, in the
   * order of `lines`.
   */
  | {
      type: 'renumbered';
      callId: string;
      bookingRef: string;
      exchangeId: string;
      accessSource: AccessSource;
      labels: string[];
      lines: Line[];
      /** The references of the channels of the lines. [none] */
      channelRefs?: Record<string, string>;
      by: By;
    };

/**
 * The change of one event at one sequence of its partition's stream. `at` goes back within an event only with a
 * `clock-set` record, which is alone in its group.
 */
export type EventGroup = {
  at: number;
  plan: string;
  records: JournalRecord[];
  /** The event's version before the group: the sequence of the event's group before it, 0 for its first. */
  from: number;
};

/** `link`: the event's link before the group (journal/links.ts). */
export type LinkedGroup = EventGroup & { link: Link };

/** A commit has at most one part of an event. docs/internals/journal-and-fence.md has the protocol. */
export type Part = LinkedGroup & { event: string };

export const unitStatus = { free: 0, held: 1, booked: 2, blocked: 3 } as const;
export type UnitStatus = (typeof unitStatus)[keyof typeof unitStatus];
export const statusNames = ['free', 'held', 'booked', 'blocked'] as const;
export type StatusName = (typeof statusNames)[number];
