/**
 * The history of webhook deliveries: the notifier's reports of attempts, and the operations. A delivery is one
 * occurrence for one subscription, with any number of attempts.
 */
import type { Scope } from './scope.ts';
import type { SeasonReach } from './season-outbox.ts';
import type { RowPlace } from './webhooks.ts';

/**
 * The place of an occurrence in the journal, from which its body can be made again. `index` counts the group's records.
 */
export type OccurrencePlace = { partition: number; sequence: number; index: number };

/**
 * The step after an attempt. `scheduled`: another attempt. `delivered`: nothing. `exhausted`: nothing, every attempt
 * has failed. `none`: nothing, because the receiver answered that it is gone, the subscription is paused or no longer
 * matches, its queue is full, or the body cannot be made any more.
 */
export type RetryState = 'scheduled' | 'delivered' | 'exhausted' | 'none';

/** The report of one attempt. Times are epoch ms. */
export type AttemptReport = {
  /** Derived from occurrence and subscription. */
  deliveryId: string;
  subId: string;
  organisationId: string;
  occurrenceId: string;
  /** The occurrence's name, `seat.booked`; of a loss `deliveries.dropped`. */
  event: string;
  /** Empty for an occurrence of a season. */
  eventKey: string;
  /** The season of an occurrence of its own. [of an event] */
  season?: SeasonReach;
  /** The subject of the occurrence in the caller's terms: a booking's reference, a hold's id; null for any other. */
  ref: string | null;
  place: OccurrencePlace;
  /** The body that was sent; null when it is too long to keep, and must be made again from its place. */
  body: string | null;
  /** For a body that is not kept: the body without its `data`, with `truncated: true`. The recorder makes it. */
  envelope?: string | null;
  /**
   * The time at which the delivery was made, in microseconds, different for each delivery of one notifier: the order of
   * lists.
   */
  order: number;
  /**
   * 1 for the first attempt. A report without an attempt (`status` 0 and `retryState` none: a paused subscription, a
   * full backlog) has the number of earlier attempts: it ends the delivery and is not counted.
   */
  attempt: number;
  /** Asked for by a person: outside the schedule, whose state changes only when the attempt succeeds. */
  manual: boolean;
  /** The time at which the attempt ended. */
  at: number;
  /** The receiver's status, 0 without an answer. */
  status: number;
  responseBody: string | null;
  errorMessage: string | null;
  retryState: RetryState;
  nextAttemptAt: number | null;
  /**
   * Only in the report of a loss: the number of deliveries that a full queue dropped so far. `errorMessage` tells them.
   * A later report of the same loss has a larger number.
   */
  dropped?: number;
};

/** A delivery as the API shows it. */
export type Delivery = {
  id: string;
  at: number;
  event: string;
  ref: string | null;
  status: number;
  attempt: number;
  maxAttempts: number;
  willRetry: boolean;
  retryState: RetryState;
  nextAttemptAt: number | null;
  occurrenceId: string;
  payload: unknown;
  responseBody: string | null;
  errorMessage: string | null;
  lastAttemptAt: number | null;
};

/**
 * The source of a further attempt: for a manual retry, and to check that a due delivery is still wanted. `attempt` is
 * the highest number of scheduled attempts; manual attempts, which `Delivery` counts too, are left out.
 */
export type KeptDelivery = Pick<
  AttemptReport,
  | 'deliveryId'
  | 'subId'
  | 'organisationId'
  | 'occurrenceId'
  | 'event'
  | 'eventKey'
  | 'season'
  | 'ref'
  | 'place'
  | 'body'
  | 'order'
> &
  Pick<AttemptReport, 'attempt' | 'retryState' | 'nextAttemptAt'>;

/** A delivery that has not arrived, with the end of its last attempt or of the delivery itself. */
export type UndeliveredDelivery = KeptDelivery & { endedAt: number };

/** operation → [input, output] */
export type DeliveryOperations = {
  /**
   * Records attempts in the history and in the health of their subscriptions. A repeated report counts once. Pauses a
   * subscription whose receiver is gone, or whose every attempt has failed for `failingPauseMs`.
   */
  'deliveries.record': [{ reports: AttemptReport[] }, { ok: true }];
  /**
   * Newest first. `status` filters by outcome: `ok` delivered, `failed` not (yet) delivered. `before` is a
   * `nextBefore`: an epoch time in ms, or in µs when the page ends within one ms.
   */
  'deliveries.list': [
    { scope: Scope; subId: string; limit?: number; status?: 'ok' | 'failed'; before?: number },
    { deliveries: Delivery[]; nextBefore: number | null },
  ];
  /** Without `scope` for the notifier itself. `not_found` for a delivery that the history lacks or has dropped. */
  /**
   * For the notifier: deliveries that have not arrived, the oldest first, from some time before `since` [now] on. A
   * body that can be made again is left out.
   */
  'deliveries.undelivered': [
    { subId: string; since: number | null; after: RowPlace | null },
    { kept: UndeliveredDelivery[]; next: RowPlace | null },
  ];
  /** For the notifier: the ids that the history has. */
  'deliveries.known': [{ ids: string[] }, { known: string[] }];
  'deliveries.get': [{ scope?: Scope; subId: string; deliveryId: string }, { kept: KeptDelivery; delivery: Delivery }];
};
