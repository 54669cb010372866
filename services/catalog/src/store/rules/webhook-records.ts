/** The stored values of webhooks: subscriptions, their health, and the history of their deliveries. */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import type { PausedReason, Recovery, SigningSecret, WebhookSub } from '@parterre/shared/protocol/catalog/webhooks';

/** All subscriptions of an organisation in one document (the id), so one checked write bounds their number. */
export type WebhookBook = { subs: BookedSub[] };

/** The newest secret first. */
export type BookedSub = { sub: KeptSub; secrets: SigningSecret[] };

/** `createdBy` is the key or user that created the subscription. `pausedAt` is the beginning of its pause. */
export type KeptSub = Omit<WebhookSub, keyof SubHealth> & { createdBy: string; pausedAt?: number | null };

/** The health of a subscription in its last week, from the history of its deliveries. */
export type SubHealth = Pick<WebhookSub, 'lastStatus' | 'lastAt' | 'uptime7d' | 'lastDroppedAt'>;

/** The id is the subscription's. */
export type WebhookHealth = {
  /** Three numbers for each hour with attempts: the hour (since the epoch), delivered, failed. The oldest first. */
  hours: number[];
  lastAt: number | null;
  lastStatus: number | null;
  /** The latest success, or the time of the last enabling. Earlier failures say nothing. */
  soundAt: number;
  /** The latest failure. */
  failedAt: number;
  /** The first known failure since `soundAt`; null: none. */
  failingSince: number | null;
  /** The known failures since `soundAt`. [0] */
  failures?: number;
  /** When a full queue last dropped a delivery. [never] */
  droppedAt?: number | null;
  /** Deliveries since the oldest ones were last deleted. */
  untrimmed: number;
  /** Deliveries that were ever put into batches. [0] */
  arrived?: number;
  /** Set once the subscription is deleted, whose later reports are dropped; otherwise never. */
  expiresAt: number;
};

/** The id is the subscription's. See recoveries.ts. */
export type WebhookRecovery = Pick<Recovery, 'organisationId' | 'since' | 'asked' | 'askedAt' | 'rows' | 'cursor'> & {
  /** Set while a notifier has to go on, from `dueAt` on. */
  due: true | null;
  dueAt: number;
};

/** The id is the delivery's. */
export type DeliveryRow = Pick<
  AttemptReport,
  'subId' | 'organisationId' | 'occurrenceId' | 'event' | 'eventKey' | 'season' | 'ref' | 'place' | 'body' | 'order'
> &
  Pick<AttemptReport, 'status' | 'responseBody' | 'errorMessage' | 'retryState' | 'nextAttemptAt'> & {
    /** The body without its data, where the body is not stored; null where no report had it. */
    envelope: string | null;
    /** The filter of lists. */
    delivered: boolean;
    /** The reported attempts of the schedule, one bit for each number. */
    attempts: number;
    /** The position of `retryState` in the schedule: see `stepOf`. */
    step: number;
    /** Manual attempts, and the ends of the latest ones. */
    manuals: number;
    manualsAt: number[];
    /** The end of the attempt that `status` and the texts belong to. */
    lastAttemptAt: number | null;
    /** The reason and time of an end without a further attempt. */
    over: { why: string | null; at: number } | null;
    /** Only in the row of a loss: the number of dropped deliveries. */
    dropped?: number;
    expiresAt: number;
  };

/**
 * Deliveries of one subscription that arrived at their first attempt: see rules/delivery-batch.ts. The id is the first
 * delivery's.
 */
export type DeliveryBatch = {
  subId: string;
  organisationId: string;
  /** The order of the first delivery. The others follow within `batchSpanMicros`. */
  order: number;
  /** In their order. */
  deliveryIds: string[];
  orders: number[];
  /** The rest of each report, encoded. */
  reports: Uint8Array;
  /** The subscription's deliveries in batches up to this batch, from `WebhookHealth.arrived`. */
  arrivedUpTo: number;
  expiresAt: number;
};

/** The book with this subscription paused; the same book where it is paused already, or gone. Pure. */
export function withPaused(book: WebhookBook, id: string, pausedReason: PausedReason, pausedAt: number): WebhookBook {
  const active = book.subs.find(({ sub }) => sub.id === id && !sub.disabled);
  return active ? withSub(book, { ...active, sub: { ...active.sub, disabled: true, pausedReason, pausedAt } }) : book;
}

/** The book with this subscription in place of the one with its id. Pure. */
export function withSub({ subs }: WebhookBook, changed: BookedSub): WebhookBook {
  return { subs: subs.map((booked) => (booked.sub.id === changed.sub.id ? changed : booked)) };
}
