/** The bounds of webhooks and their notifiers (I8). Names end in their unit. */
import { KIB, MIB, MINUTE_MS, SECOND_MS } from './units.ts';

/** How far the clocks of a shard and a catalog may be apart before a new subscription misses what happens. */
export const clockSkewMsMax = 5 * SECOND_MS;
/** Posts under way at once in one notifier, over all endpoints. */
export const slotsMax = 512;
/**
 * Posts under way at once to one subscription: one at first and after a failure, one more with each success; and so many to all that
 * fail together.
 */
export const slotsPerEndpointMax = 8;
export const slotsPerEndpointAtFirst = 1;
export const slotsForFailingEndpointsMax = 256;
/** How long a delivery from the journal or a lane waits in line for its endpoint; then it goes into the backlog. */
export const slotWaitMsMax = 2 * SECOND_MS;
/** Deliveries in the line of one endpoint, as far as they come to that within `slotWaitMsMax`. */
export const deliveriesWaitingPerEndpointMax = 4_096;
/** In all lines of one notifier; past it the journal is read no further until some have had their turn. */
export const deliveriesWaitingForSlotMax = 1_024;
/** Endpoints whose last post a notifier remembers. */
export const endpointsRememberedMax = 20_000;
/** Retries of one lane that one notifier has taken and not settled, and their bytes. */
export const retriesUnsettledPerQueueMax = 4_096;
export const retriesUnsettledPerQueueBytesMax = 32 * MIB;
/** Retries that are read together, and their bytes. */
export const retryBatchMax = 64;
export const retryBatchBytesMax = MIB;
/** Deliveries of one lane taken by all notifiers together, those put back until they are due included. */
export const retriesPendingPerQueueMax = 20_000;
/** Retries in the queue, and messages in all backlogs; past it what should go there keeps its place in the journal. */
export const deliveriesQueuedMax = 5_000_000;
/** Deliveries that a notifier remembers to be settled, of journal messages that are put off for another delivery's sake. */
export const settledDeliveriesMax = 50_000;
/** Retries of one subscription in one lane, and messages in its backlog; past it a delivery is told as failed. */
export const retriesPerSubscriptionMax = 250_000;
export const backlogMessagesMax = 250_000;
/** Deliveries of one journal message to one subscription that share a message of the backlog, and their bodies. */
export const backlogPieceDeliveriesMax = 64;
export const backlogPieceBodyBytesMax = 128 * KIB;
/** Backlogs that one notifier drains at once, and messages of one that it has taken and not settled, with those it has just read. */
export const backlogsDrainedMax = 1_024;
export const backlogUnsettledMax = 2_048;
export const backlogBatchBytesMax = 2 * MIB;
/** Of all backlogs that one notifier drains together, shared alike; each may have one message more. How long one is drained while others wait. */
export const backlogsBytesMax = 256 * MIB;
export const backlogSliceMs = 10 * SECOND_MS;
/** Of one backlog, by all notifiers. */
export const backlogPendingMax = 8_192;
/** Pause between two looks for backlogs that others have left or begun; a backlog's consumer that nobody asks for so long is gone. */
export const backlogLookMs = 2 * SECOND_MS;
export const backlogIdleMs = 10 * MINUTE_MS;
export const deliveryKeepMs = 7 * 24 * 60 * MINUTE_MS;
/** How long a message id is remembered: a journal message read again within it is queued once. */
export const deliveryDuplicateWindowMs = 10 * MINUTE_MS;
/** After so long what a notifier that died had in hand is another's; one that lives says so three times as often. */
export const deliveryAckWaitMs = 12 * SECOND_MS;
/** A delivery due within this time is kept in hand, a later one goes back until then. */
export const retryWaitMsMax = 10 * SECOND_MS;
/** Attempts of the schedule, the first included. */
export const deliveryAttemptsMax = 8;
export const postTimeoutMs = 15 * SECOND_MS;
export const testSendMs = 5 * SECOND_MS;
export const webhookUrlLengthMax = 2_048;
/** How long a front door waits for a notifier that posts by hand: longer than a retry, or a test, may take. */
export const manualRetryDeadlineMs = postTimeoutMs + 5 * SECOND_MS;
export const testDeadlineMs = testSendMs + SECOND_MS;
/** Posts by hand under way in one notifier, to one host for one organisation, and of the latter within a minute; past it `overloaded`. */
export const manualPostsAtOnce = 32;
export const manualPostsPerHostAtOnce = 2;
export const manualPostsPerHostMax = 30;
export const manualPostsWindowMs = MINUTE_MS;
/** A subscription whose every attempt has failed for so long is paused. */
export const failingPauseMs = 5 * 24 * 60 * MINUTE_MS;
/** After a rotation the secret before it signs too for so long. */
export const replacedSecretMs = 24 * 60 * MINUTE_MS;
/** A longer body is not kept beside its delivery, but made again from the journal. */
export const deliveryBodyBytesMax = 64 * KIB;
/** How long a report of an attempt waits for others, and what one call to the catalog carries of them (bodies estimated). */
export const historyFlushMs = 250;
export const reportsPerCallMax = 256;
export const reportBytesPerCallMax = MIB;
/** Calls of one notifier under way with reports, and reports that wait for one; past it what is told is not kept. */
export const reportCallsAtOnce = 2;
export const reportsWaitingMax = 20_000;
export const reportBytesWaitingMax = 128 * MIB;
/** What is read of a receiver's answer. */
export const responseBodyBytesMax = 2 * KIB;
/** A longer answer costs its connection, a shorter one is heard out so that the next post may have it. */
export const responseDrainBytesMax = 64 * KIB;
/** How long the body of an answer may take after its status, which is what counts. */
export const responseBodyMs = SECOND_MS;
/** Answers of the kind 1xx before the answer. */
export const interimAnswersMax = 8;
/** How long a connection to a receiver is kept for the next post to it, and how many are kept in one notifier. */
export const idleConnectionMs = 4 * SECOND_MS;
export const idleConnectionsMax = 512;
/** TLS sessions remembered, so that the next connection to a receiver costs less. */
export const tlsSessionsMax = 1_000;
/** Time for a receiver's name to resolve; where IPv4 or IPv6 has answered, the other gets `resolveSecondMs` more. */
export const resolveMs = 5 * SECOND_MS;
export const resolveSecondMs = 100;
/** Addresses of one name that are dialled one after the other. */
export const receiverAddressesMax = 8;
/** The longest pause a receiver's Retry-After may ask for. */
export const retryAfterMsMax = 10 * 60 * MINUTE_MS;
export const subscriptionCacheEntries = 10_000;
export const subscriptionCacheMs = 30 * SECOND_MS;
/** Journal messages of one partition given to notifiers and not settled. */
export const journalPendingMax = 2_048;
/** Journal messages that one notifier has taken of all partitions and not settled, and the bodies made of them. */
export const journalUnsettledMax = 1_024;
export const journalUnsettledBytesMax = 64 * MIB;
/** Journal messages of one partition that a notifier reads and settles together. */
export const journalBatchMax = 256;
/** And their bytes; a larger message is taken by itself. */
export const journalBatchBytesMax = 16 * MIB;
/** Pause between two batches that were not full: what a webhook of a busy partition may wait. */
export const journalPaceMs = 250;
