/** The catalog's own bounds (I8). Bounds that other services share are in shared/limits. */

/** Operations under way at once. Past it callers get `overloaded`. */
export const operationsAtOnceMax = 256;
/** Tries of a version-checked change before the caller is told to repeat it. */
export const changeAttemptsMax = 20;
export const pageLimitDefault = 100;
export const pageLimitMax = 200;
/** The longest id in a cursor: event keys are the longest ids. */
export const cursorIdLengthMax = 128;
/** Workspaces of one organisation. */
export const workspacesMax = 1_000;
/** Suffixes tried in order for a taken slug, and then random ones. */
export const slugSuffixesInOrderMax = 20;
export const slugSuffixesAtRandomMax = 10;
export const slugLengthMax = 64;
/** Events that a publish names as needing an update. An organisation with more finds them by listing. */
/** Saves of a draft whose time and person are kept. */
export const toldSavesKept = 10;
/** Charts of events that the preview of a publish compares with the draft. */
export const comparedChartsMax = 4;
export const eventsNamedByPublishMax = 10_000;
/** Pause between two looks for expired documents, and the most that one write deletes. */
export const sweepEveryMs = 60_000;
export const sweptAtOnceMax = 500;
/** How long a delete under way withholds the chart from new events. */
export const chartDeleteMs = 60_000;
export const webhooksActiveMax = 10;
export const webhooksMax = 25;
/** Secrets that a subscription signs with at once, recently replaced secrets included. */
export const webhookSecretsMax = 5;
/** Drafts whose `categorySeats` a catalog remembers, for how long, and with how many categories at most. */
export const draftSeatsKept = 2_000;
export const draftSeatsKeepMs = 60 * 60_000;
export const draftSeatsCategoriesMax = 500;
/** Named saves that a chart remembers, so that a late repetition changes nothing. */
export const namedSavesKept = 16;
/** A draft blob that vanishes between two reads was replaced. The chart is then read again, at most this many times. */
export const draftReadAttemptsMax = 5;
/** Journal messages that are counted together; also the number that waits in memory for each partition. */
export const projectionBatchMax = 1_024;
/** Groups that are counted together. A message with more of them is counted by itself. */
export const projectionGroupsMax = 2_048;
/** Their bytes. A larger message is read by itself. */
export const projectionBatchBytesMax = 16 * 1024 * 1024;
/** The server forgets a reader that asks for nothing for this long. */
export const readerIdleMs = 5 * 60_000;
/** Rest between two batches that are not full. `sold` in lists lags by at most the longest rest. */
export const projectionRestMs = { msMin: 250, msMax: 1_000 };
/** How long the first batch waits for batches of other partitions, to be written together. */
export const projectionGatherMs = 10;
export const streamRetryPauseMs = 1_000;
/** The pause between two looks whether a journal that lacks counted records has them again. */
export const haltedLookMs = 10_000;
/** Events whose organisation the projector remembers, to charge it for sales. */
export const eventOwnersKept = 50_000;
/** How often a catalog looks for the current generation of the projections, and how often during a rebuild. */
export const generationPollMs = 1_000;
export const turnOverPollMs = 50;
/** How long a replaced generation stays, for catalogs that still read it. */
export const generationKeepMs = 30_000;
/** Groups that a booking record names. Units of later groups are counted and no longer listed. */
export const bookingGroupsMax = 10_000;
/** How long a read of the history waits until its event is counted, and how often it looks. */
export const countedWaitMs = 1_500;
export const countedPollMs = 20;
/** Reads that wait at once in one catalog. Others get the answer as it stands. */
export const countedWaitsMax = 64;
/** Sequences of a journal whose groups share a document, and the largest group in a shared document. */
export const groupsPerBucket = 128;
export const groupBytesInBucketMax = 1_024;
/** Buckets of groups that are read from the store together. */
export const bucketsReadAtOnce = 8;
/** Actions that a document of an operation over several events remembers; refused ones are forgotten first. */
export const operationActionsKept = 32;
/** How often a catalog looks for open operations over several events, and how many it reads in a look. */
export const openOperationsPollMs = 500;
export const openOperationsPerLook = 500;
/** Records of an open operation are this old before a catalog goes on with it: its coordinator may be at work. */
export const operationPatienceMs = 3_000;
/**
 * An operation that stays open is this long without a try, whatever records it gets: its callers may add some for ever.
 */
export const operationPatienceMsMax = 9_000;
/** Operations that a catalog goes on with at once, the time for one try, and the pauses between tries of one. */
export const operationsResumedAtOnce = 16;
export const operationResumeMs = 5_000;
export const operationRetryMs = { msMin: 1_000, msMax: 30_000 };
/** Bookings that are searched for one page. The search continues from its cursor. */
export const bookingsScannedMax = 5_000;
/**
 * Units in a page of bookings or of a log; its first entry may exceed it. The page stays well under NATS' max_payload.
 */
export const unitsPerHistoryPageMax = 50_000;
/** The same bound for a page of a log, in bytes of its answer: settings have no units. */
export const logPageBytesMax = 2 * 1024 * 1024;
/** Bytes of groups, as the journal has them, that are read for one page, whether or not the page shows them. */
export const logBytesReadMax = 8 * 1024 * 1024;
/** Bytes of parts in one answer to a shard. A larger part is an answer of its own. */
export const partBytesReadMax = 256 * 1024;
/** Bytes of groups in one page of the list of occurrences, well under NATS' max_payload with its events. */
export const listedBytesReadMax = 256 * 1024;
/** Passwords that are worked on at once, and logins that wait. Each takes 32 MiB and most of a second of a core. */
export const passwordsAtOnceMax = 2;
export const passwordsWaitingMax = 100;
/** Networks whose last login is remembered, so that the network that was served longest ago goes first. */
export const passwordPartiesKept = 1_000;
/** How long a login counts as proven after it was right: the same email from the same network. */
export const loginProvenMs = 30 * 24 * 60 * 60_000;
/** Failures within `loginWindowMs` that lock a login for as long. */
export const loginFailuresMax = 5;
export const loginWindowMs = 15 * 60_000;
/** A login attempt without an end for this long has failed. */
export const loginUnderWayMs = 30_000;
/** How often a login looks whether other attempts with its email have ended, and the pause between two looks. */
export const loginLooksMax = 200;
export const loginLookMs = 25;
/** Sessions that end in one write. */
export const sessionsEndedAtOnce = 500;
/** Sessions, links and webhooks that the answer to a revoked key names, of each. */
export const mintedListedMax = 200;
/** The precision of the time of a channel's last mint. A busy channel would otherwise be written for each mint. */
export const mintTimeMs = 1_000;
/** How long a token that sets a new password is valid. */
export const passwordResetMs = 24 * 60 * 60_000;
/** The precision of the time at which a session was last seen. */
export const seenTimeMs = 5 * 60_000;
/** How long an entry of the audit stays, where PARTERRE_AUDIT_DAYS does not say. */
export const auditDaysUsual = 365;
export const auditDaysMax = 3_650;
/** Failed logins that the audit of one catalog tells in an hour. */
export const failedLoginsToldMax = 1_000;
export const failedLoginsWindowMs = 60 * 60_000;
/** The part of a browser's name that a session keeps. */
export const userAgentLengthMax = 300;
/** Sessions of one user. A login past it ends the oldest session. */
export const sessionsPerUserMax = 100;
/** Deliveries that a subscription keeps, for how long, and how many more there may be before the oldest are deleted. */
export const deliveriesKept = 10_000;
export const deliveryHistoryMs = 30 * 24 * 60 * 60_000;
export const deliveriesUntrimmedMax = 1_000;
/**
 * Deliveries that are read and deleted together: each batch costs a flush. Each delivery may have a body of 64 KiB, and
 * other work runs between two batches.
 */
export const deliveriesDeletedAtOnce = 200;
/**
 * Deliveries of a batch, the bytes of their texts, and the time between the first and the last, in microseconds. And
 * batches that are read and deleted together.
 */
export const batchDeliveriesMax = 64;
export const batchBytesMax = 256 * 1024;
export const batchSpanMicros = 5_000_000;
export const batchesReadMax = 16;
export const deliveriesPageDefault = 20;
export const deliveriesPageMax = 50;
/** Reports of attempts that are counted and written together. */
export const reportsAtOnceMax = 512;
/** The latest manual attempts that a delivery remembers, so that a repeated report counts once. */
export const manualAttemptsKept = 16;
/** Bytes of the stored reason why an attempt failed. */
export const deliveryErrorBytesMax = 512;
/** Hours of attempts in a subscription's uptime. */
export const uptimeHours = 7 * 24;
/**
 * How often a catalog looks for claims on events whose owner has no document, how many claims it reads in a look, and
 * how long an owner must be missing before its claim is freed.
 */
export const orphansPollMs = 5_000;
export const orphansPerLook = 500;
export const orphanPatienceMs = 10_000;
/** Lifecycle operations that a group or season remembers. */
export const lifecyclesKept = 64;
/** The pause between two looks for open lifecycle operations, and how many of them one look carries on. */
export const openLifecyclesPollMs = 500;
export const lifecyclesAtOnceMax = 64;
/** The pause of an operation that waits for an event. */
export const lifecycleWaitMs = 100;
/** How long a call waits for the end of the operation that it began. */
export const lifecycleCallMs = 2_000;
/** How long the events of a batch have to agree, and how long a batch is kept: longer than its name is. */
export const batchPrepareMs = 10_000;
export const batchKeptMs = 172_800_000;
/**
 * How long a recovery is its notifier's before another may go on, the recoveries of one call, and the deliveries of a
 * page and their bytes.
 */
export const recoveryLeaseMs = 30_000;
export const recoveriesTakenMax = 32;
export const undeliveredReadMax = 200;
export const undeliveredBytesMax = 256 * 1024;
/**
 * A receiver that answers after this many failures, or after failures for so long, gets its scheduled retries at once.
 */
export const outageFailuresMin = 2;
export const outageMsMin = 30_000;
/** Occurrences so long before a pause may not have arrived: the post that was answered by 410 is one. */
export const beforePauseMs = 60_000;
/**
 * How often a catalog looks for untold changes of events, how many events one look tells, and how long each may take.
 */
export const untoldFactsPollMs = 500;
export const untoldFactsAtOnceMax = 32;
export const factsAskMs = 2_000;
/** How long the caller of a change waits until its event has journaled it. */
export const factsSoonMs = 500;
/** Occurrences of a season, and its plans. */
export const seasonEventsMin = 2;
export const seasonEventsMax = 50;
export const seasonPlansMax = 50;
/** Entries that a season shows of its amendments, its audit and its outbox, the newest. */
export const seasonEntriesShownMax = 500;
/**
 * How long an occurrence of the outbox is its notifier's before another may take it: longer than the attempts of its
 * deliveries. And the occurrences of one call, and their bytes, well under NATS' max_payload.
 */
export const outboxLeaseMs = 60_000;
export const outboxTakenMax = 64;
export const outboxTakenBytesMax = 256 * 1024;
/** A season whose notes nobody has told for this long has lost the process that changed it. */
export const untoldMs = 1_000;
/** Delivered occurrences among which a rehearsal is looked for, the newest. */
export const outboxScannedMax = 5_000;
/** Tries for a free number of an audit entry or an outbox occurrence: acts of one millisecond take turns. */
export const noteNumbersTriedMax = 1_000;
/** How long a chart counts as used by an event that began to move to it: longer than any request and projection. */
export const aimKeptMs = 60_000;
/** How long one look waits for an event's answer to a lock, and how long the locks of an activation may act. */
export const eventLockAskMs = 1_000;
export const eventLocksMs = 10_000;
/** Offers that one call makes, and that a season shows in its list, the newest. */
export const offersPerCallMax = 500;
export const offersShownMax = 1_000;
/** The newest cancellations of a group's booking that are read. */
export const cancellationsShownMax = 100;
/** Offers whose seats are reserved at once. */
export const offersReservedAtOnce = 16;
/** How long the reservations of a new offer may act, and how long the events have to answer one try. */
export const offerReservesMs = 20_000;
export const rightsAskMs = 2_000;
/** The pause between two looks for offers past their deadline, and the offers that one look ends. */
export const offerDeadlinesPollMs = 500;
export const offersLapsedPerLook = 200;
/** An import that receives nothing for this long has ended. */
export const importIdleMs = 10 * 60_000;
/** How long the event has to answer one try for a piece of an import of bookings. */
export const bookingImportAskMs = 10_000;
/** Seats of an import that are looked up at once. */
export const importSeatsAtOnce = 64;
/** Contracts and offers that a look-up shows, the newest. */
export const lookupRightsMax = 200;
