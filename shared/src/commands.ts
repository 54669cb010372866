/**
 * What a front door asks of an event's actor; answers.ts has what it gets back. One message carries the commands of one event-loop
 * turn to one partition; answers come back the same way, matched by `id`.
 */
import type { AccessibilityKind } from './chart/accessibility.ts';
import type { Refusal } from './errors.ts';
import type {
  AccessSource,
  AvailabilityRules,
  Channel,
  EventConfig,
  EventMove,
  Reach,
  Release,
  SectionStates,
} from './records.ts';

/**
 * A unit a caller names: by label, or an area's own label with `quantity`. `times` is how often a list of labels has this one, where it
 * is more than once: so many places of an area, and a unit all the same.
 */
export type Selection = { label: string; tierId?: string | null; quantity?: number; times?: number };

/**
 * What best-available looks for: `qty` seats of one category and zone, where these are named. Seats with an accessibility
 * kind only where `accessible` names one of theirs, and then one such seat at the least.
 */
export type SeatQuery = { qty: number; categoryKey?: string; zoneId?: string; accessible?: AccessibilityKind[] };

/** A release as a caller sends it. `id` is the one it has, or one that the front door made for a new one; see `isNew`. */
export type ReleaseDraft = Omit<Release, 'closedAt'> & { isNew: boolean };

/** What a caller may say of a scope's availability; the rest of a rule is the event's to say. */
export type AvailabilityDraft = Record<string, Omit<AvailabilityRules[string], 'revealedAt'>>;

/** Who asks, for the audit trail and for attribution. Never a token. */
export type Caller = {
  /** `server` a secret key, `buyer` a browser, `operator` a console or dashboard, `timer` the owner's clock. */
  source: 'server' | 'buyer' | 'operator' | 'timer';
  /** The id of the key, user or session; null for the timer. */
  actor: string | null;
  accessSource: AccessSource;
  /** [public sale only] */
  reach?: Reach;
  /** Private seats may be had whatever `reach` says; each of them is told in the audit, with the reason. */
  override?: { reason: string };
  /** A buyer's access session; `maxQuantity` bounds what its holds and bookings have together. */
  session?: { id: string; maxQuantity: number | null };
  /** What whoever minted the session calls the partner and the buyer. */
  partnerRef?: string;
  buyerRef?: string;
};

/** What may be said of a channel when it is made. `id` is made by the front door. */
export type ChannelDraft = Pick<
  Channel,
  'id' | 'name' | 'color' | 'marker' | 'externalRef' | 'accessIntent' | 'priceOverrides'
>;

/**
 * `callId` is made by the front door and names one call: the same call again, because its answer was lost, gets the first
 * answer and has no second effect (I5). A hold is named by its `holdId`.
 */
export type Command =
  /** First command of an event's life. Repeating it with the same `eventId` is harmless. */
  | { type: 'create'; config: EventConfig }
  /**
   * Holds every selection or none. `holdId` names the command: repeating it gives the first answer (I5).
   * `fingerprint` is set where the caller chose the name (Idempotency-Key): another fingerprint is a conflict.
   */
  | {
      type: 'hold';
      holdId: string;
      selections: Selection[];
      ttlMs?: number;
      replaceHoldId?: string;
      fingerprint?: string;
    }
  | { type: 'extend'; holdId: string; callId: string; ttlMs?: number }
  | { type: 'release'; holdId: string; callId: string; labels?: string[] }
  | { type: 'book'; callId: string; bookingRef: string; holdId: string; labels?: string[] }
  | { type: 'book-direct'; callId: string; bookingRef: string; selections: Selection[] }
  | { type: 'unbook'; callId: string; bookingRef: string; labels?: string[] }
  /** The same as `hold`, `block` and `book-direct`, of seats that the event chooses. */
  | { type: 'hold-best'; holdId: string; query: SeatQuery; ttlMs?: number; fingerprint?: string }
  | {
      type: 'block-best';
      callId: string;
      query: SeatQuery;
      releaseAt: number | null;
      reason: string | null;
      fingerprint?: string;
    }
  | { type: 'book-best'; callId: string; bookingRef: string; query: SeatQuery }
  /** Sales at a counter: of an event owned by a platform, and of a managed one, with a release that the operator chose. */
  | { type: 'box-book'; callId: string; bookingRef: string; selections: Selection[] }
  | {
      type: 'box-office-sale';
      callId: string;
      bookingRef: string;
      selections: Selection[];
      releaseId?: string;
      note?: string;
    }
  | { type: 'block'; callId: string; labels: string[]; releaseAt: number | null; reason: string | null }
  /** Frees blocked units; null means every one. */
  | { type: 'unblock'; callId: string; labels: string[] | null }
  | { type: 'set-hold-ttl'; callId: string; holdTtlMs: number | null }
  /** One step of the event's life; refused with `invalid_event_state` where it cannot be taken. */
  | { type: 'move'; callId: string; move: EventMove }
  /**
   * All that it names or nothing. Refused with reason `event_has_sales` when the currency would change under what is held
   * or was ever booked. `sectionStates` replaces all of them; ids of sections, logical sections and zones of the event's chart.
   */
  | { type: 'configure'; callId: string; currency?: string; sectionStates?: SectionStates }
  /** Moves the event to another published chart; a unit is the same one where its label is. */
  | {
      type: 'update-chart';
      callId: string;
      planHash: string;
      chartVersion: number;
      /** The plan that `planHash` was made from: refused with reason `chart_changed` where the event is on another. [any plan but an adjusted one] */
      from?: string;
      /**
       * Only where nothing is held, booked, blocked or assigned to a channel, and the chart has every scope that is set: else refused
       * with reason `event_in_use`, `event_adjusted`, `private_allocations` or `scopes_would_drop`.
       */
      onlyIfIdle?: true;
      /** With a `reason`; else refused with `assignments_would_drop` where the chart lacks seats of a channel. */
      acknowledgeDroppedAssignments?: boolean;
      reason?: string | null;
    }
  /**
   * Moves the event to a plan of its own, made of `from` with an operator's changes, of the same version of the chart. Refused with
   * reason `chart_changed` where it is not on `from` any more, and with `seats_in_use` where what is held or booked would be another.
   */
  | { type: 'adjust-chart'; callId: string; planHash: string; from: string }
  /** The whole list of ticket releases anew, in its order. */
  | { type: 'set-releases'; callId: string; releases: ReleaseDraft[] }
  | { type: 'close-release'; callId: string; releaseId: string }
  /** All availability rules anew. `version` is the one that the caller has seen: refused with `conflict` where it is older. */
  | { type: 'set-availability'; callId: string; rules: AvailabilityDraft; version?: number }
  /** Refused with `channel_name_taken`, or `invalid_request` for a category or tier that the chart has not. */
  | { type: 'create-channel'; callId: string; channel: ChannelDraft; reason: string | null }
  /** What is absent stays. `expectedPricingVersion` is the one that the caller has seen: refused with `channel_pricing_conflict`. */
  | {
      type: 'change-channel';
      callId: string;
      channelId: string;
      change: Partial<Omit<ChannelDraft, 'id'>>;
      expectedPricingVersion?: number;
      reason: string | null;
    }
  | { type: 'set-channel-state'; callId: string; channelId: string; state: 'active' | 'paused'; reason: string | null }
  /** What it has goes to another channel, or null: to public sale. Refused with `channel_archive_blocked_by_holds`. */
  | { type: 'archive-channel'; callId: string; channelId: string; destination: string | null; reason: string | null }
  /** To a channel, or null: to public sale. Refused with `channel_assignment_conflict` where the version is not the present one. */
  | {
      type: 'assign-channel';
      callId: string;
      channelId: string | null;
      labels: string[];
      assignmentVersion: number;
      reason: string | null;
    }
  /** Puts booked units up for resale, as one listing; and takes it back. */
  | { type: 'list-resale'; callId: string; listingId: string; bookingRef: string; labels: string[] }
  | { type: 'remove-resale'; callId: string; listingId: string }
  // Reads: answered from the actor, after all that they could have seen is journaled.
  | { type: 'inspect-hold'; holdId: string }
  | { type: 'count' }
  | { type: 'view' }
  | { type: 'report' }
  /** The report unit by unit, from this one on, of so many. [all that fit in an answer] */
  | { type: 'unit-columns'; from: number; most?: number }
  | { type: 'releases' }
  | { type: 'availability' }
  /** The channels, archived ones too, each with what it has. */
  | { type: 'channels' }
  /** The same without counting. */
  | { type: 'channel-records' }
  /** Which channels there are, archived ones too, and how each stands: counts nothing. */
  | { type: 'channel-states' }
  /** Private units in the plan's order, from the one after this label on. */
  | { type: 'channel-allocation'; afterLabel?: string; limit: number }
  | { type: 'channel-report' }
  /** Counts one request. Asked of a budget, whose address stands where an event's key does; nothing is journaled. */
  | { type: 'spend'; limit: number; windowMs: number };

export type CommandType = Command['type'];

/**
 * `attempt` counts the copies that are sent because nothing was heard of the ones before: any of them may arrive, in any
 * order. [1] Answers name the copy they are to: a success is one whichever copy it was, while a refusal of a copy that
 * was followed by another says nothing, since that one may succeed.
 */
export type Envelope = { id: number; eventKey: string; caller: Caller; command: Command; attempt?: number };

/**
 * `moved`: this process does not own the partition, nothing was done, ask again. `absent`: the event has no journal yet;
 * the front door creates it from the catalog's record and asks again.
 */
export type Reply = { id: number; attempt?: number } & Answer;

/** One of the `of` messages that a reply comes in where one would not do, in their order: together it, encoded. */
export type ReplyPart = { id: number; attempt?: number; index: number; of: number; bytes: Uint8Array };

export type Answer =
  | { kind: 'ok'; value: unknown }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'moved' }
  | { kind: 'absent' };
