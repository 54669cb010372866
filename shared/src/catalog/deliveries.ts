/**
 * The history of webhook deliveries: what the notifier tells of each attempt, and what can be asked of it. A delivery is
 * one occurrence on its way to one subscription, whatever number of attempts that takes.
 */
import type { Scope } from './scope.ts';

/** Where an occurrence stands in the journal: its body can be made from there again. `index` counts the group's records. */
export type OccurrencePlace = { partition: number; sequence: number; index: number };

/**
 * What comes next after an attempt. `scheduled`: another one. `delivered`: nothing. `exhausted`: nothing, every attempt
 * has failed. `none`: nothing, as the receiver said that it is gone or its subscription is paused.
 */
export type RetryState = 'scheduled' | 'delivered' | 'exhausted' | 'none';

/** What is told of one attempt. Times are epoch ms. */
export type AttemptReport = {
  /** A function of occurrence and subscription. */
  deliveryId: string;
  subId: string;
  organisationId: string;
  occurrenceId: string;
  /** The occurrence's name, `seat.booked`. */
  event: string;
  eventKey: string;
  /** What the occurrence is about, in the caller's terms: a booking's reference, a hold's id; null where nothing names it. */
  ref: string | null;
  place: OccurrencePlace;
  /** As it was sent; null where it is too long to be kept and must be made again from its place. */
  body: string | null;
  /** Where the body is not kept: it without its `data`, with `truncated: true`. The recorder makes it of a body that is too long. */
  envelope?: string | null;
  /** When the delivery was made out, in microseconds, different for each delivery of one notifier: the order of lists. */
  order: number;
  /**
   * 1 for the first. Where none was made (`status` 0 and `retryState` none: a paused subscription, a full backlog), those made
   * before: such a report ends the delivery and counts nowhere.
   */
  attempt: number;
  /** Asked for by a person: outside the schedule, whose state it leaves as it is unless it succeeds. */
  manual: boolean;
  /** When it ended. */
  at: number;
  /** The receiver's status, 0 where none came. */
  status: number;
  responseBody: string | null;
  errorMessage: string | null;
  retryState: RetryState;
  nextAttemptAt: number | null;
};

/** A delivery as the API tells it (wire contract 9). */
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
 * What a delivery is made from again: for a retry by hand, and to see whether one that is due is still wanted. `attempt` is the
 * highest number of the attempts of the schedule; those by hand, which `Delivery` counts too, are not in it.
 */
export type KeptDelivery = Pick<
  AttemptReport,
  'deliveryId' | 'subId' | 'organisationId' | 'occurrenceId' | 'event' | 'eventKey' | 'ref' | 'place' | 'body' | 'order'
> &
  Pick<AttemptReport, 'attempt' | 'retryState' | 'nextAttemptAt'>;

/** operation → [input, output] */
export type DeliveryOperations = {
  /**
   * Notes attempts, in the history and in the health of their subscriptions. Told again, an attempt counts once. Pauses a
   * subscription that is gone, or whose every attempt has failed for `failingPauseMs`.
   */
  'deliveries.record': [{ reports: AttemptReport[] }, { ok: true }];
  /**
   * The newest first. `status` is over the outcome: `ok` delivered, `failed` not (yet) delivered. `before` as `nextBefore` gave it: an
   * epoch time in ms, or in µs where the page ends within one ms.
   */
  'deliveries.list': [
    { scope: Scope; subId: string; limit?: number; status?: 'ok' | 'failed'; before?: number },
    { deliveries: Delivery[]; nextBefore: number | null },
  ];
  /** Without `scope`, for the notifier itself. `not_found` when the history has it not, or no longer. */
  'deliveries.get': [{ scope?: Scope; subId: string; deliveryId: string }, { kept: KeptDelivery; delivery: Delivery }];
};
