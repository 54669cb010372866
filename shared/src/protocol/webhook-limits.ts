/** The bounds of webhooks and their notifiers (I8). Names end in their unit. */
import { DAY_MS, KIB, MIB, MINUTE_MS, SECOND_MS } from '../runtime/units.ts';

/** How far the clocks of a shard and a catalog may differ before a new subscription misses occurrences. */
export const clockSkewMsMax = 5 * SECOND_MS;
/** Slots of one notifier, over all endpoints. */
export const slotsMax = 512;
/**
 * Slots of one endpoint: most, and at first and after a failure; it earns one more with each success. And slots for all
 * failing endpoints together.
 */
export const slotsPerEndpointMax = 8;
export const slotsPerEndpointAtFirst = 1;
export const slotsForFailingEndpointsMax = 256;
/** How long a delivery from the journal or a retry queue waits for a slot. Then it goes into its backlog. */
export const slotWaitMsMax = 2 * SECOND_MS;
/** Deliveries that wait for a slot at one endpoint, as far as so many gather within `slotWaitMsMax`. */
export const deliveriesWaitingPerEndpointMax = 4_096;
/**
 * Deliveries that wait for slots at all endpoints of one notifier. Past this bound the notifier reads no further in the
 * journal until some have slots.
 */
export const deliveriesWaitingForSlotMax = 256;
/** Endpoints whose last attempt a notifier remembers. */
export const endpointsRememberedMax = 20_000;
/** Unsettled retries of one retry queue in one notifier, and their bytes. */
export const retriesUnsettledPerQueueMax = 4_096;
export const retriesUnsettledPerQueueBytesMax = 32 * MIB;
/** Retries that are read together, and their bytes. */
export const retryBatchMax = 64;
export const retryBatchBytesMax = MIB;
/** Retries of one queue that all notifiers together have read, with those given back until they are due. */
export const retriesPendingPerQueueMax = 20_000;
/**
 * Bytes of waiting deliveries, in both streams together: of one subscription, and of one organisation. Past a bound its
 * owner's further deliveries are dropped. A message counts as the next power of two in KiB.
 */
export const queuedBytesPerSubscriptionMax = 64 * MIB;
export const queuedBytesPerOrganisationMax = 256 * MIB;
/**
 * Bytes of both streams together, unless PARTERRE_WEBHOOK_QUEUES_MB says otherwise; least; and the largest part of the
 * storage that NATS grants the account, where NATS tells the limit. Each stream gets half. The journal has the rest.
 */
export const queuesMbDefault = 4_096;
export const queuesMbMin = 64;
export const queuesShareOfAccountMax = 1 / 4;
/**
 * A stream that is this full takes only deliveries of organisations with at most this share of it, so a few
 * organisations cannot fill it.
 */
export const queueScarceShare = 3 / 4;
export const organisationShareWhenScarceMax = 1 / 256;
/** No queue takes more once the account's storage is this full: the rest is for the journal. */
export const accountFullShare = 9 / 10;
/** Estimated bytes of a queued message beside its deliveries: its subject and its headers. */
export const queuedMessageExtraBytes = 256;
/**
 * Retries of one subscription that wait in one retry queue among those of others, and their bytes. Further retries wait
 * in a queue of the subscription alone.
 */
export const retriesAmongOthersMax = 256;
export const retryBytesAmongOthersMax = MIB;
/**
 * Drops of one subscription within this time of each other are one loss, which is one row of the history. How often the
 * row is brought up to date; how often the log tells a loss; losses that one notifier counts; dropped deliveries of one
 * loss with a row of their own.
 */
export const lossQuietMs = MINUTE_MS;
export const lossReportMs = 5 * SECOND_MS;
export const lossLogMs = MINUTE_MS;
export const lossesMax = 1_000;
export const droppedRowsPerLossMax = 100;
/** Settled deliveries that a notifier remembers, of journal messages that wait for another delivery. */
export const settledDeliveriesMax = 50_000;
/**
 * Messages of one subject, a bound of the streams: of one subscription, and one size, in one queue. Past this bound
 * further deliveries are dropped. The server deletes messages where such a bound is lowered, so these stay.
 */
export const retriesPerSubscriptionMax = 250_000;
export const backlogMessagesMax = 250_000;
/**
 * Deliveries of one journal message to one subscription that share a message of the backlog, and the bytes of their
 * bodies.
 */
export const backlogPieceDeliveriesMax = 64;
export const backlogPieceBodyBytesMax = 128 * KIB;
/**
 * Backlogs that one notifier drains at once; unsettled messages of one backlog, with those just read; bytes of one
 * batch.
 */
export const backlogsDrainedMax = 1_024;
export const backlogUnsettledMax = 2_048;
export const backlogBatchBytesMax = 2 * MIB;
/**
 * Bytes of all backlogs that one notifier drains, in equal shares; each may have one message more. How long one backlog
 * is drained while other backlogs wait.
 */
export const backlogsBytesMax = 256 * MIB;
export const backlogSliceMs = 10 * SECOND_MS;
/** Unsettled messages of one backlog in all notifiers together. */
export const backlogPendingMax = 8_192;
/**
 * Pause between two looks for backlogs that others left or began. A backlog's consumer is removed when no notifier
 * reads it for `backlogIdleMs`.
 */
export const backlogLookMs = 2 * SECOND_MS;
export const backlogIdleMs = 10 * MINUTE_MS;
export const deliveryKeepMs = 7 * 24 * 60 * MINUTE_MS;
/**
 * How long the server remembers a message id. A journal message that is read again within this time is queued once.
 */
export const deliveryDuplicateWindowMs = 10 * MINUTE_MS;
/**
 * After this time without a sign of life, an unsettled message goes to another notifier. A living notifier gives three
 * signs in this time.
 */
export const deliveryAckWaitMs = 12 * SECOND_MS;
/** A retry that is due within this time waits in the notifier. A later one goes back to its queue until then. */
export const retryWaitMsMax = 10 * SECOND_MS;
/** Attempts of the schedule, with the first. */
export const deliveryAttemptsMax = 8;
export const postTimeoutMs = 15 * SECOND_MS;
export const testSendMs = 5 * SECOND_MS;
export const webhookUrlLengthMax = 2_048;
/** How long a front door waits for a manual retry or a test: longer than either may take. */
export const manualRetryDeadlineMs = postTimeoutMs + 5 * SECOND_MS;
/** How long a front door waits for the lengths of backlogs. */
export const backlogsDeadlineMs = 2 * SECOND_MS;
export const testDeadlineMs = testSendMs + SECOND_MS;
/**
 * Manual posts under way in one notifier; to one host for one organisation at once, and within a window. Past this
 * bound `overloaded`.
 */
export const manualPostsAtOnce = 32;
export const manualPostsPerHostAtOnce = 2;
export const manualPostsPerHostMax = 30;
export const manualPostsWindowMs = MINUTE_MS;
/** A subscription is paused when all its attempts have failed for so long. */
export const failingPauseMs = 5 * 24 * 60 * MINUTE_MS;
/** A replaced secret signs beside the new one for so long. */
export const replacedSecretMs = 24 * 60 * MINUTE_MS;
/** A longer body is not stored beside its delivery. It is made again from the journal. */
export const deliveryBodyBytesMax = 64 * KIB;
/**
 * How long a report waits for others, and how many reports and bytes (bodies estimated) one call to the catalog
 * carries.
 */
export const historyFlushMs = 250;
export const reportsPerCallMax = 256;
export const reportBytesPerCallMax = MIB;
/** How long a delivery waits for its report to be recorded. Then it counts as settled, and the report waits alone. */
export const historyWaitMsMax = 2 * SECOND_MS;
/**
 * Calls with reports that one notifier has under way; waiting reports and their bytes. Past this bound reports are
 * dropped.
 */
export const reportCallsAtOnce = 2;
export const reportsWaitingMax = 20_000;
export const reportBytesWaitingMax = 128 * MIB;
/** Bytes of a receiver's answer that are read. */
export const responseBodyBytesMax = 2 * KIB;
/**
 * A longer answer costs its connection. A shorter answer is read to its end, so the next post may use the connection.
 */
export const responseDrainBytesMax = 64 * KIB;
/** How long the body of an answer may take after its status. The status alone decides. */
export const responseBodyMs = SECOND_MS;
/** Informational answers (1xx) before the answer. */
export const interimAnswersMax = 8;
/** How long a connection to a receiver stays open for the next post, and how many idle ones a notifier keeps. */
export const idleConnectionMs = 4 * SECOND_MS;
export const idleConnectionsMax = 512;
/** TLS sessions that are remembered, which makes the next connection to a receiver cheaper. */
export const tlsSessionsMax = 1_000;
/** Time for a receiver's name to resolve. Where IPv4 or IPv6 has answered, the other gets `resolveSecondMs` more. */
export const resolveMs = 5 * SECOND_MS;
export const resolveSecondMs = 100;
/** Addresses of one name that are dialled in turn. */
export const receiverAddressesMax = 8;
/** The longest pause that a receiver's Retry-After may ask for. */
export const retryAfterMsMax = 10 * 60 * MINUTE_MS;
export const subscriptionCacheEntries = 10_000;
export const subscriptionCacheMs = 30 * SECOND_MS;
/** How often a notifier looks into the outbox of seasons, and the occurrences that it has under way. */
export const outboxPollMs = SECOND_MS;
export const outboxUnsettledMax = 256;
/** How often a notifier looks for recoveries, and the recoveries that it has under way. */
export const recoveryPollMs = SECOND_MS;
export const recoveriesAtOnceMax = 8;
/** Journal messages of one partition that notifiers have read and not settled. */
export const journalPendingMax = 2_048;
/**
 * How often a notifier asks how far a journal is settled. The age of the journal at which a new consumer begins where
 * no notifier knows the place.
 */
export const journalPlaceMs = 30 * SECOND_MS;
export const journalResumeMs = 24 * 60 * MINUTE_MS;
/** Places of a journal that a notifier remembers: a journal that lost records may still have an older one. */
export const journalPlacesKept = 20;
/** How long the list of occurrences has an occurrence, and the occurrences on a page. */
export const occurrencesKeptMs = 30 * DAY_MS;
export const occurrencesPageMax = 200;
/** Unsettled journal messages of one notifier, over all partitions. Their bytes include the bodies of deliveries. */
export const journalUnsettledMax = 4_096;
export const journalUnsettledBytesMax = 64 * MIB;
/** Journal messages of one partition that a notifier reads together. */
export const journalBatchMax = 256;
/** The same after a batch without a receiver: such messages are acknowledged at once. */
export const journalQuietBatchMax = 1_024;
/** The bytes of a batch. A larger message is read by itself. */
export const journalBatchBytesMax = 16 * MIB;
/**
 * Rest between two batches that are not full; the least rest where a receiver hears of a journal. A webhook may wait
 * for a rest.
 */
export const journalRestMs = { msMin: 250, msMax: 1_000 };
