/** The catalog's own bounds (I8); those that other services share stand in shared/limits. */

/** Operations under way at once; past it `overloaded`. */
export const operationsAtOnceMax = 256;
/** Tries of a version-checked change before the caller is told to repeat it. */
export const changeAttemptsMax = 20;
export const pageLimitDefault = 100;
export const pageLimitMax = 200;
/** No id that a cursor names is longer: the longest are event keys. */
export const cursorIdLengthMax = 128;
/** Workspaces of one organisation. */
export const workspacesMax = 1_000;
/** Suffixes tried in order for a taken slug before random ones are. */
export const slugSuffixesInOrderMax = 20;
export const slugSuffixesAtRandomMax = 10;
export const slugLengthMax = 64;
/** Events a publish names as needing an update; an organisation with more finds them by listing. */
export const eventsNamedByPublishMax = 10_000;
/** Pause between two looks for documents that have expired, and how many are deleted in one write. */
export const sweepEveryMs = 60_000;
export const sweptAtOnceMax = 500;
/** How long a delete that has begun withholds the chart from new events. */
export const chartDeleteMs = 60_000;
export const webhooksActiveMax = 10;
export const webhooksMax = 25;
/** Secrets that a subscription signs with at once, those that were replaced lately among them. */
export const webhookSecretsMax = 5;
/** Drafts whose `categorySeats` a catalog remembers, for how long, and with how many categories at most. */
export const draftSeatsKept = 2_000;
export const draftSeatsKeepMs = 60 * 60_000;
export const draftSeatsCategoriesMax = 500;
/** Named saves that a chart remembers, so that a late repetition of one changes nothing. */
export const namedSavesKept = 16;
/** A draft blob that vanished between two reads was replaced: the chart is read again this often. */
export const draftReadAttemptsMax = 5;
/** Journal messages folded in one go; also what waits in memory per partition. */
export const projectionBatchMax = 256;
/** And their bytes; a larger message is taken by itself. */
export const projectionBatchBytesMax = 16 * 1024 * 1024;
/** A reader that asks for nothing so long is forgotten by the server. */
export const readerIdleMs = 5 * 60_000;
/** Pause between two batches that were not full: how far `sold` in lists may lag behind. */
export const projectionPaceMs = 250;
/** How long the first batch waits for those of other partitions, to be written with them. */
export const projectionGatherMs = 10;
export const streamRetryPauseMs = 1_000;
/** Events whose organisation the projector remembers, to charge it for what is sold. */
export const payersKept = 50_000;
/** How often a catalog looks which generation of the projections counts, and while one is being built. */
export const generationPollMs = 1_000;
export const turnOverPollMs = 50;
/** A generation that was replaced stays this long, for catalogs that have not heard of it yet. */
export const generationKeepMs = 30_000;
/** Groups that a booking names; what later ones of one reference hold is counted and shown no more. */
export const bookingGroupsMax = 10_000;
/** How long a read of what has happened waits until it is counted, and how often it looks. */
export const countedWaitMs = 1_500;
export const countedPollMs = 20;
/** Reads that wait at once in one catalog; others are answered what there is. */
export const countedWaitsMax = 64;
/** Sequences of a journal whose groups are kept together, and the largest group that is kept with others. */
export const groupsPerBucket = 128;
export const groupBytesInBucketMax = 1_024;
/** Buckets of groups read from the store in one go. */
export const bucketsReadAtOnce = 8;
/** Bookings looked at for one page; what a search has not found by then is found from its cursor on. */
export const bookingsScannedMax = 5_000;
/** Units in a page of bookings or of a log, but for its first one: keeps it well under NATS' max_payload. */
export const unitsPerHistoryPageMax = 50_000;
/** The same of a page of a log, in bytes of its records as they are told: settings have no units. */
export const logPageBytesMax = 2 * 1024 * 1024;
/** Bytes of groups, as they stand in the journal, that are read for a page, whether or not anything in them is told. */
export const logBytesReadMax = 8 * 1024 * 1024;
/** Passwords worked through at once, and logins that wait for that; each takes 32 MiB and most of a second of a core. */
export const passwordsAtOnceMax = 2;
export const passwordsWaitingMax = 100;
/** Failures within `loginWindowMs` that lock a login for as long. */
export const loginFailuresMax = 5;
export const loginWindowMs = 15 * 60_000;
/** An attempt of which nothing is heard for so long has failed. */
export const loginUnderWayMs = 30_000;
/** How often a login looks whether others with its email have ended, and the pause between two looks. */
export const loginLooksMax = 200;
export const loginLookMs = 25;
/** Buyers' sessions of an event that a list tells, the newest. */
export const buyerSessionsPerPageMax = 1_000;
/** Sessions that are ended in one write. */
export const sessionsEndedAtOnce = 500;
/** How exactly the time of the last grant to a channel is kept: busy channels would else be written for each. */
export const mintTimeMs = 1_000;
/** Sessions of one user; a login past it ends the oldest. */
export const sessionsPerUserMax = 100;
/** Deliveries of a subscription that are kept, how long, and how many more there may be before the oldest are looked for. */
export const deliveriesKept = 10_000;
export const deliveryHistoryMs = 30 * 24 * 60 * 60_000;
export const deliveriesUntrimmedMax = 1_000;
/** Deliveries that are read and deleted in one piece; each may have a body of 64 KiB, and others have their turn between two. */
export const deliveriesDeletedAtOnce = 50;
export const deliveriesPageDefault = 20;
export const deliveriesPageMax = 50;
/** Reports of attempts that are folded and written together. */
export const reportsAtOnceMax = 512;
/** The latest attempts by hand that a delivery remembers, so that one that is told again counts once. */
export const manualAttemptsKept = 16;
/** What is kept of why an attempt failed, in bytes. */
export const deliveryErrorBytesMax = 512;
/** Hours of attempts that a subscription's uptime is of. */
export const uptimeHours = 7 * 24;
