/**
 * The commands of front doors to an event's actor; answers.ts has the answers. One message carries the commands of one
 * event-loop turn to one partition. Answers come back in the same form, matched by `id`. An absent field has the value
 * in brackets.
 */
import type { SelectionRules } from '../charts/selection-rules.ts';
import type { Refusal } from './errors.ts';
import type { OperationHead, OperationOwner, OperationTag, PartAction } from './operations/operation.ts';
import type {
  AccessSource,
  AvailabilityRules,
  ChangedFacts,
  Channel,
  EventConfig,
  EventMove,
  PublicSale,
  Reach,
  SaleSettings,
  SectionStates,
  TicketRelease,
} from './records.ts';
import type { SeatQuery } from './seat-query.ts';

export type { SeatQuery, Tickets } from './seat-query.ts';

/**
 * A unit that a caller names by its label, or an area by its label with `quantity`. `times` is the number of
 * occurrences of a label that a list repeats: for an area the number of places, for a unit still one. `price` is what a
 * server or an operator asks for a place without a price.
 */
export type Selection = { label: string; tierId?: string | null; quantity?: number; times?: number; price?: number };

/** The sale may take blocked units, for the caller's reason. [free units alone] */
type FromBlock = { fromBlock?: true };
/**
 * A place that an older system has sold, or one place of an area by the label of the area. `nth` counts the sales of
 * the file with this reference and this label. `price` is the price that was paid.
 */
export type ImportedSale = {
  label: string;
  bookingRef: string;
  price: number;
  /** [the channel of the place] */
  channelId?: string;
  buyerRef?: string;
  /** [1] */
  nth?: number;
};

/** Places of an area that sales of a dry run would take. */
export type AreaClaim = { label: string; channelId?: string; count: number };

/** The new units of an exchange: named, chosen by the event, or a hold or a part of it. */
export type ExchangeTarget =
  | ({ selections: Selection[] } & FromBlock)
  | { query: SeatQuery }
  | { holdId: string; labels?: string[] };
/** The side of an event that gives units up to another event. `places` counts guests; `value` is that of the sale. */
export type ExchangeGiven = {
  eventKey: string;
  labels: string[];
  places: number;
  value: number;
  currency: string;
  /** [major] */
  priceUnit?: string;
  /** The buyer of the places. [none named] */
  buyerRef?: string;
};

type ExchangeTerms = { bookingRef: string; from: Selection[]; to: ExchangeTarget; reason: string | null };

/** The units of one booking in a swap. An area stands for all places that the booking has there. */
export type SwapSide = { bookingRef: string; from: Selection[] };

/**
 * The organiser's fee for an exchange, in the unit of the event's prices, and why the customer neither pays nor gets
 * the price difference. [no fee, not waived]
 */
export type ExchangeCharge = { fee?: number; waiveDifference?: { reason: string } };

/** Answers as the command would, and does nothing. [false] */
type Dry = { isDry?: true };

type PartToHold = {
  head: OperationHead;
  selections: Selection[];
  expiresAt: number;
  actsUntil: number;
  fingerprint: string;
  expectedTotal?: number;
};

/**
 * Names one try of an exchange over two events. An exchange that was refused may be tried again, under another
 * `pinId`.
 */
export type ExchangeTry = { exchangeId: string; pinId: string };

/**
 * A ticket release as a caller sends it. `id` names the existing release, or comes from the front door for a new one;
 * see `isNew`.
 */
export type ReleaseDraft = Omit<TicketRelease, 'closedAt'> & { isNew: boolean };

/** The part of a division's availability rule that a caller sets. The event sets the rest. */
export type AvailabilityDraft = Record<string, Omit<AvailabilityRules[string], 'revealedAt'>>;

/** The caller, for the audit trail and for attribution. Never a token. */
export type Caller = {
  /** `server`: a secret key. `buyer`: a browser. `operator`: a console or dashboard. `timer`: the owner's clock. */
  source: 'server' | 'buyer' | 'operator' | 'timer';
  /** The id of the key, user or session; null for the timer. */
  actor: string | null;
  accessSource: AccessSource;
  /** [public sale only] */
  reach?: Reach;
  /** Allows units outside `reach`. The audit records each of these units, with the reason. */
  override?: { reason: string };
  /** The reason that an operator gives for a sale. It sells a companion's place without its wheelchair place. */
  reason?: string;
  /** A buyer's access session. `maxQuantity` bounds the total of its holds and bookings. */
  session?: { id: string; maxQuantity: number | null };
  /** The session's own references for its partner and buyer, set by the session's creator. */
  partnerRef?: string;
  buyerRef?: string;
  /** Set for commands that hold or extend. [not bound as public sale is] */
  visitor?: Visitor;
  /** The event's locale, in which refusals name places. [English] */
  locale?: string;
};

/**
 * A visitor of public sale: a page that calls with a publishable key, or with a session that such a key opened. The
 * session's id is the caller's actor.
 */
export type Visitor = {
  /** [a key alone, which no visitor has to themselves] */
  isSession?: true;
  /** A keyed hash of the network that the call comes from. [no address counts] */
  address?: string;
  /** The organisation's bounds, which the event's own bounds go before. [the defaults] */
  bounds?: PublicSale;
};

/** The settings of a new channel. The front door makes `id`. */
export type ChannelDraft = Pick<
  Channel,
  'id' | 'name' | 'color' | 'marker' | 'externalRef' | 'accessIntent' | 'salesStartAt' | 'priceOverrides'
>;

/**
 * The front door makes `callId`, which names one call. A repetition of the call, sent because its answer was lost, gets
 * the first answer and has no second effect (I5). A hold is named by its `holdId`.
 */
export type Command =
  /** First command of an event's life. Repeating it with the same `eventId` is harmless. */
  | { type: 'create'; config: EventConfig }
  /**
   * Holds every selection or none. `holdId` names the command: a repetition gets the first answer (I5). `fingerprint`
   * is set when the caller chose the name (Idempotency-Key): another fingerprint is a conflict. With another total than
   * `expectedTotal` (with all fees), it is refused with `price_changed`.
   */
  | {
      type: 'hold';
      holdId: string;
      selections: Selection[];
      ttlMs?: number;
      replaceHoldId?: string;
      fingerprint?: string;
      expectedTotal?: number;
    }
  | { type: 'extend'; holdId: string; callId: string; ttlMs?: number; fingerprint?: string }
  | { type: 'release'; holdId: string; callId: string; labels?: string[]; fingerprint?: string }
  /** `note`: for the log, from an operator. [none] */
  | { type: 'book'; callId: string; bookingRef: string; holdId: string; labels?: string[]; note?: string }
  | ({ type: 'book-direct'; callId: string; bookingRef: string; selections: Selection[]; note?: string } & FromBlock)
  | { type: 'unbook'; callId: string; bookingRef: string; labels?: string[]; fingerprint?: string }
  /**
   * Gives `from` of a booking up for the units of `to`, all or none. An area in `from` stands for `quantity` of the
   * places that the booking has there. [all of them]
   */
  | ({ type: 'exchange'; callId: string; exchangeId: string } & ExchangeTerms)
  /** As `exchange`, with charges, or without effects. An earlier shard does not know the command, and refuses it. */
  | ({ type: 'exchange-on-terms'; callId: string; exchangeId: string } & ExchangeTerms & ExchangeCharge & Dry)
  /** Two bookings give each other their units, which keep the values of their sale. */
  | ({
      type: 'swap';
      callId: string;
      exchangeId: string;
      a: SwapSide;
      b: SwapSide;
      reason: string | null;
    } & Dry)
  /** The same as `hold`, `block` and `book-direct`, for seats that the event chooses. */
  | {
      type: 'hold-best';
      holdId: string;
      query: SeatQuery;
      ttlMs?: number;
      /** The units of this hold count as free for the choice. The hold stays as it is if nothing better is found. */
      replaceHoldId?: string;
      fingerprint?: string;
    }
  | {
      type: 'block-best';
      callId: string;
      query: SeatQuery;
      releaseAt: number | null;
      reason: string | null;
      fingerprint?: string;
    }
  | { type: 'book-best'; callId: string; bookingRef: string; query: SeatQuery }
  /** Choices for a hold, at most `count`, the best first. No two have a unit in common. Nothing is held. */
  | { type: 'choose-best'; query: SeatQuery; count: number; replaceHoldId?: string }
  /**
   * Sales at a counter: `box-book` for an event that a platform owns, `box-office-sale` for a managed event. The
   * operator may choose the ticket release of a `box-office-sale`.
   */
  | ({ type: 'box-book'; callId: string; bookingRef: string; selections: Selection[]; note?: string } & FromBlock)
  | ({
      type: 'box-office-sale';
      callId: string;
      bookingRef: string;
      selections: Selection[];
      releaseId?: string;
      note?: string;
    } & FromBlock)
  /**
   * Books places that an older system has sold, each sale by itself. A sale that cannot stand is a fault of the answer.
   * `dryRun` books nothing, and takes the `claims` of earlier pieces of the dry run for taken. `fingerprint` is of the
   * import, whose pieces have names of their own.
   */
  | {
      type: 'import-bookings';
      callId: string;
      sales: ImportedSale[];
      fingerprint?: string;
      dryRun?: true;
      claims?: AreaClaim[];
    }
  | {
      type: 'block';
      callId: string;
      labels: string[];
      releaseAt: number | null;
      reason: string | null;
      fingerprint?: string;
      /**
       * Steps of a batch over events. `free`: leaves units alone that are blocked already; `undo-block` takes the call
       * back. `blocked`: the batch is decided, and units that are still blocked take the new terms; never refused.
       */
      only?: 'free' | 'blocked';
    }
  /** Whether the event would block these units now, as a step of a batch (`only: 'free'`). Writes nothing. */
  | { type: 'look-block'; labels: string[]; releaseAt: number | null }
  /**
   * Frees blocked units. Without `labels` (null), it frees all blocked units. Steps of a batch over events: `check`
   * changes nothing, and is refused as the call would be; `decided` passes over labels that the chart has lost, and is
   * never refused.
   */
  | { type: 'unblock'; callId: string; labels: string[] | null; fingerprint?: string; step?: 'check' | 'decided' }
  /**
   * Frees the units that the named `block` has blocked, as far as they are still blocked. A copy of that call that
   * comes later does nothing, also where the event has never seen it.
   */
  | { type: 'undo-block'; callId: string; of: { callId: string; fingerprint: string } }
  /**
   * Ends the holds' places among the named units, whoever holds them. Other units are passed over. Refused with reason
   * `held_over_events` where a sale over several events holds one of them.
   */
  | { type: 'end-holds'; callId: string; labels: string[]; reason: string; fingerprint?: string }
  /**
   * Reserves every label or none. The label of an area stands for one place each time. The front door makes
   * `reservationId` of the call's name.
   */
  | {
      type: 'make-reservation';
      callId: string;
      reservationId: string;
      labels: string[];
      name: string;
      until: number;
      note: string | null;
      fingerprint?: string;
    }
  /** Absent fields keep their values. `labels` replaces all units. */
  | {
      type: 'change-reservation';
      callId: string;
      reservationId: string;
      labels?: string[];
      name?: string;
      until?: number;
      note?: string | null;
      fingerprint?: string;
    }
  | { type: 'end-reservation'; callId: string; reservationId: string; fingerprint?: string }
  /** Without `labels` it books all that the reservation has. */
  | { type: 'book-reservation'; callId: string; reservationId: string; bookingRef: string; labels?: string[] }
  | { type: 'set-hold-ttl'; callId: string; holdTtlMs: number | null; fingerprint?: string }
  /** One step of the event's life; refused with `invalid_event_state` from a state that does not allow the step. */
  | { type: 'move'; callId: string; move: EventMove }
  /**
   * Applies all named settings or none. Refused with reason `event_has_sales` when the currency would change under a
   * hold or under any booking, past ones included. `sectionStates` replaces all states; its keys are ids of sections,
   * logical sections and zones of the event's chart. `selectionRules` replaces all rules, null removes them.
   * `publicSale` replaces all bounds, null leaves them to the organisation. A field of `saleSettings` replaces its
   * value, null removes it; refused when the sale would end before it starts.
   */
  | {
      type: 'configure';
      callId: string;
      currency?: string;
      sectionStates?: SectionStates;
      selectionRules?: SelectionRules | null;
      publicSale?: PublicSale | null;
      saleSettings?: Partial<SaleSettings>;
      /** Facts that the catalog has changed. */
      facts?: ChangedFacts;
    }
  /**
   * Moves the event to another version of its chart, or to another chart. A unit is identified by its label, a place of
   * an area that shrinks by its area.
   */
  | {
      type: 'update-chart';
      callId: string;
      planHash: string;
      chartVersion: number;
      /** The chart of `planHash`. [the event's] */
      chartId?: string;
      /**
       * The event's chart as the caller knows it, which is right for an event that never moved to another chart. A move
       * from another chart than the event's is refused with reason `chart_changed`.
       */
      fromChart?: string;
      /**
       * The plan that `planHash` was made from: refused with reason `chart_changed` when the event is on another plan.
       * [any plan but an adjusted one]
       */
      from?: string;
      /**
       * Moves the event only when no unit is held, booked, blocked or assigned to a channel, and the new chart has
       * every division that is set: else refused with reason `event_in_use`, `event_adjusted`, `private_allocations` or
       * `scopes_would_drop`.
       */
      onlyIfIdle?: true;
      /** With a `reason`; else refused with `assignments_would_drop` when the new chart lacks seats of a channel. */
      acknowledgeDroppedAssignments?: boolean;
      /**
       * With a `reason`; else refused with `seats_would_move` when a unit that is not free has another object, section,
       * category or accessibility on the new chart.
       */
      acknowledgeMoved?: boolean;
      /** Changes nothing: the answer has `preview`. */
      isPreview?: true;
      reason?: string | null;
    }
  /**
   * Moves the event to a plan of its own: `from` with an operator's changes, of the same version of the chart. Refused
   * with reason `chart_changed` when the event is no longer on `from`, and with `seats_in_use` when a held or booked
   * unit would change.
   */
  | { type: 'adjust-chart'; callId: string; planHash: string; from: string }
  /** Replaces the whole list of ticket releases, in its order. */
  | { type: 'set-releases'; callId: string; releases: ReleaseDraft[] }
  | { type: 'close-release'; callId: string; releaseId: string }
  /**
   * Replaces all availability rules. `version` is the version that the caller has seen: refused with `conflict` when it
   * is older.
   */
  | { type: 'set-availability'; callId: string; rules: AvailabilityDraft; version?: number }
  /** Refused with `channel_name_taken`, or `invalid_request` for a category or tier that the chart lacks. */
  | { type: 'create-channel'; callId: string; channel: ChannelDraft; reason: string | null }
  /**
   * Absent fields keep their values. `expectedPricingVersion` is the version that the caller has seen: refused with
   * `channel_pricing_conflict`.
   */
  | {
      type: 'change-channel';
      callId: string;
      channelId: string;
      change: Partial<Omit<ChannelDraft, 'id'>>;
      expectedPricingVersion?: number;
      reason: string | null;
    }
  | { type: 'set-channel-state'; callId: string; channelId: string; state: 'active' | 'paused'; reason: string | null }
  /**
   * The channel's units go to the channel `destination`, or to public sale (null). Refused with
   * `channel_archive_blocked_by_holds`.
   */
  | { type: 'archive-channel'; callId: string; channelId: string; destination: string | null; reason: string | null }
  /**
   * Assigns units to a channel, or to public sale (null). Refused with `channel_assignment_conflict` for an old
   * version.
   */
  | {
      type: 'assign-channel';
      callId: string;
      channelId: string | null;
      labels: string[];
      assignmentVersion: number;
      reason: string | null;
    }
  /** Lists booked units for resale, as one listing, or removes the listing. */
  | {
      type: 'list-resale';
      callId: string;
      listingId: string;
      bookingRef: string;
      labels: string[];
      fingerprint?: string;
    }
  | { type: 'remove-resale'; callId: string; listingId: string; fingerprint?: string }
  // Parts of operations over several events. `id` is the operation's internal id; the commands' ids are action ids.
  // Their callers are the front door and the catalog: nobody else may name a part.
  /**
   * Holds every selection or none, until `expiresAt` (epoch milliseconds). Refused after `actsUntil`, and without an
   * active lock of the operation's owner. The home comes last. For the home `expectedTotal` (with all fees) is the
   * price of its part: refused with `price_changed` at another.
   */
  | ({ type: 'hold-part' } & PartToHold)
  /** Whether the event would hold the part now. Writes nothing. */
  | ({ type: 'look-part' } & PartToHold)
  /** For the home: it never holds this operation. Refused with reason `operation_stands` when it does. */
  | { type: 'abort-operation'; head: OperationHead; createdAt: number }
  /**
   * For a member: makes the checks of the action. The part does not expire until the action ends. Refused with reason
   * `other_events` where the operation has other events than `eventKeys`.
   */
  | { type: 'pin-part'; id: string; action: PartAction; actsUntil: number; eventKeys?: readonly string[] }
  /** For a member, behind the home's refusal of the action. */
  | { type: 'unpin-part'; id: string; actionId: string }
  /** At the home the decision; at a member its consequence, which needs the pin of the action. */
  | { type: 'book-part'; id: string; actionId: string; bookingRef: string }
  /** As `book-part`. The home may choose an earlier end than `expiresAt`, and names the end that it chose. */
  | { type: 'extend-part'; id: string; actionId: string; expiresAt: number }
  /** At the home the decision; at a member its consequence. Harmless without such a part. */
  | { type: 'release-part'; id: string }
  /** For the home: the action never books or extends the operation. Refused with reason `action_done` when it has. */
  | { type: 'refuse-action'; id: string; actionId: string }
  /** Cancels these units of the booking of an operation, as far as the booking still has them. */
  | { type: 'unbook-part'; operation: OperationTag; callId: string; bookingRef: string; labels: string[] }
  /**
   * Locks of a group's or season's life: see `EventLock`. `lock` is refused after `actsUntil`, and when the event is
   * not as expected. `unlock` of another lock than the present one does nothing; it is refused while operations live.
   */
  | {
      type: 'lock';
      owner: OperationOwner;
      lockId: string;
      actsUntil: number;
      /** `chartId`: for an event that has moved to another chart. [not compared] */
      expects?: { chartVersion: number; currency: string; chartId?: string };
    }
  | { type: 'drain-lock'; owner: OperationOwner; lockId: string }
  | { type: 'unlock'; owner: OperationOwner; lockId: string }
  /**
   * Reserves every label for an offer or none: until `unreserve` or `book-reserved`, only the offer sells them.
   * `offerId` names the reservation, whatever `callId` says: a repetition gets the first answer. An offer that has
   * ended in this event never reserves again, reason `offer_over` or `offer_booked`. Refused after `actsUntil`, an hour
   * ahead at most, and without an active lock of the owner.
   */
  | {
      type: 'reserve';
      callId: string;
      offerId: string;
      owner: OperationOwner;
      selections: Selection[];
      actsUntil: number;
    }
  /** Harmless without a reservation: a late copy of its `reserve` then does nothing. Refused with `offer_booked`. */
  | { type: 'unreserve'; callId: string; offerId: string }
  /**
   * Cannot fail once `reserve` has succeeded, unless the offer was unreserved (`offer_over`). `offer_not_reserved`:
   * this event knows no reservation of the offer.
   */
  | { type: 'book-reserved'; callId: string; offerId: string; bookingRef: string }
  /**
   * An exchange over two events (operations/exchanges.ts). At the event that gives units up: the units stay with their
   * booking, and nobody else changes them, until `give-exchange` or `unpin-exchange`. Refused after `actsUntil`.
   */
  | ({
      type: 'pin-exchange';
      bookingRef: string;
      from: Selection[];
      toEventKey: string;
      actsUntil: number;
    } & ExchangeTry &
      Dry)
  /** At the event that takes units: books them, which decides the exchange. Refused after `actsUntil`. */
  | ({
      type: 'take-exchange';
      bookingRef: string;
      to: ExchangeTarget;
      given: ExchangeGiven;
      reason: string | null;
      actsUntil: number;
    } & ExchangeTry &
      ExchangeCharge &
      Dry)
  /** At the event that takes units: this try never takes any. Answers with the booked exchange if it has. */
  | ({ type: 'refuse-exchange' } & ExchangeTry)
  /** Behind `take-exchange`: the pinned units are free. */
  | ({
      type: 'give-exchange';
      toEventKey: string;
      to: string[];
      priceDifference: number;
      reason: string | null;
    } & ExchangeTry)
  /** Behind `refuse-exchange`: the booking keeps its units. */
  | ({ type: 'unpin-exchange' } & ExchangeTry)
  // Reads: the actor answers after everything that the answer shows is journaled.
  | { type: 'inspect-hold'; holdId: string }
  /**
   * The answer that the sale `of` a counter would have. A command of its own: a shard that does not know it refuses it,
   * where it would pass over a field of the sale, and sell.
   */
  | ({
      type: 'quote-sale';
      of: 'box-book' | 'box-office-sale';
      bookingRef: string;
      selections: Selection[];
      releaseId?: string;
    } & FromBlock)
  /** Who has these units. At most `labelsPerSaleMax` labels. */
  | { type: 'inspect-holders'; labels: string[] }
  | { type: 'inspect-reservation'; reservationId: string }
  /** Newest first; those behind `after`. [all states] */
  | {
      type: 'list-reservations';
      state?: 'active' | 'booked' | 'ended';
      after?: { createdAt: number; id: string };
      limit: number;
    }
  /** The places of all active reservations. */
  | { type: 'reserved-places' }
  | { type: 'inspect-operation'; id: string }
  /** The locks of the event, each with the number of its live operations. */
  | { type: 'inspect-locks' }
  /** Seat by seat: what the caller could reserve or hold now. At most `labelsPerSaleMax` selections. */
  | { type: 'inspect-units'; selections: Selection[] }
  | { type: 'count' }
  | { type: 'view' }
  | { type: 'report' }
  /**
   * The report unit by unit, from unit `from` on, at most `most` units. [as many as fit in an answer] With `version`,
   * the answer goes on with the report of this version as long as the shard keeps it, and is of the present version
   * later.
   */
  | { type: 'unit-columns'; from: number; most?: number; version?: number }
  | { type: 'releases' }
  | { type: 'availability' }
  /** The channels, archived ones included, each with its units. */
  | { type: 'channels' }
  /** The channels, archived ones included, without counts. */
  | { type: 'channel-records' }
  /** The channels and their states, archived ones included, without counts. */
  | { type: 'channel-states' }
  /** Units that are assigned to channels, in the plan's order, after this label. */
  | { type: 'channel-allocation'; afterLabel?: string; limit: number }
  | { type: 'channel-report' }
  /**
   * Counts `amount` requests against a budget, whose address takes the place of an event key. Where fewer remain, it
   * counts these. Nothing is journaled. [amount: 1, and the answer names no `granted`] `weight` counts one request as
   * so many: all of them, or nothing.
   */
  | { type: 'spend'; limit: number; windowMs: number; amount?: number; weight?: number };

export type CommandType = Command['type'];

/**
 * `copy` is the number of this copy of the command. [1] A front door sends a further copy when no answer came. Copies
 * may arrive in any order. `trace` is the context of a traced request (runtime/tracing.ts). An answer names its copy. A
 * success counts for any copy. A refusal counts only for the last copy, because a later copy may succeed.
 */
export type Envelope = {
  id: number;
  eventKey: string;
  caller: Caller;
  command: Command;
  copy?: number;
  trace?: string;
};

/**
 * `moved`: this process does not own the partition, nothing was done, ask again. `absent`: the event has no journal
 * yet; the front door creates it from the catalog's record and asks again. `unchanged`: the command had no effect, so a
 * later copy of it may have one. `version` is the event's version behind the change that the answer tells of. A read of
 * the map waits for it.
 */
export type Reply = { id: number; copy?: number; version?: number } & Answer;

/**
 * One of the `of` messages of a reply that is too large for one message. Their bytes in order are the encoded reply.
 */
export type ReplyPart = { id: number; copy?: number; index: number; of: number; bytes: Uint8Array };

/**
 * An owner's pledge: for `ms` from the time when the front door asked, the owner carries out no command that could
 * change this refusal of a booked unit. `changes` is the number of such commands in this epoch. A front door keeps the
 * refusals that came with one number. All of them stay true while a pledge with the same number runs
 * (partition/intake/pledges.ts).
 */
export type Stand = [ms: number, epoch: number, changes: number];

export type Answer =
  | { kind: 'ok'; value: unknown; unchanged?: true }
  | { kind: 'refused'; refusal: Refusal; stands?: Stand }
  | { kind: 'moved' }
  | { kind: 'absent' };
