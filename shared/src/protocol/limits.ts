/**
 * The bounds of the system (I8), except those of feeds (feed-limits.ts), of holds and prices (page-limits.ts) and of
 * webhooks (webhook-limits.ts). Past a bound the caller gets a clear 413, 429 or 503, never a stall. Names end in their
 * unit.
 */
import { KIB, MIB, MINUTE_MS, SECOND_MS } from '../runtime/units.ts';

// Requests
export const bodyBytesMax = MIB;
/** For requests that may name 50,000 labels. */
export const bulkBodyBytesMax = 8 * MIB;
export const chartBodyBytesMax = 16 * MIB;
export const posterBytesMax = 5 * MIB;
/** For requests whose body is read before their caller is known. */
export const anonymousBodyBytesMax = 4 * KIB;
/** The bytes of all bodies that a front door is receiving. Past it 503. */
export const bodiesBytesMax = 512 * MIB;
/** The part of them that callers have sent who are not admitted yet. Past it 503. */
export const earlyBodiesBytesMax = 64 * MIB;
/** Past this many bytes a body waits in its connection until its caller is admitted. */
export const earlyBodyBytesMax = 64 * KIB;
/**
 * The time in which a body of an admitted caller arrives: 280 KB a second for `chartBodyBytesMax`, and for longer
 * bodies. Past it 413.
 */
export const bodyMsMax = MINUTE_MS;
/** Chunks of one body, as they arrive: 2 KB on average in the longest body. A body in more chunks is answered 413. */
export const bodyPiecesMax = 32_768;
/**
 * Bytes of a refused body that are passed over before its connection closes, so that its sender reads the answer before
 * the close, and the longest time for this. Most clients read no answer while they send.
 */
export const discardedBytesMax = 32 * MIB;
export const discardMsMax = 5 * SECOND_MS;
/** Past this length a body is large: it has a turn and a budget of its own (admission/large-bodies.ts). */
export const largeBodyBytesMin = 32 * KIB;
/** The nesting of lists and objects in a body: more than `documentNestingMax`, whose refusal names the document. */
export const bodyNestingMax = 128;
/** Turns of large bodies that wait for the thread that reads them. Past it 503. */
export const bodiesToReadMax = 64;
/** The thread ends after this time on one body. */
export const bodyReadMsMax = 20 * SECOND_MS;
/**
 * The heap of the thread: some 30 bytes for each byte of a body with many small values. Past it the thread dies, and
 * the body is answered 503.
 */
export const bodyThreadHeapMiBMax = 640;
/** Elements of a list that go from the thread to the loop in one message, some milliseconds of the loop. */
export const elementsPerMessageMax = 5_000;
/**
 * The longest wait for the answer whether a save is stale, while the thread keeps the body. Past it the save goes on.
 */
export const staleSaveMsMax = 1_000;
/** Large bodies that a front door receives at once, and those of one tenant. The others wait for their turn. */
export const largeBodiesAtOnceMax = 32;
export const largeBodiesOfTenantMax = 4;
/** Tenants whose large work is done at once. The work takes turns on one thread or one loop. */
export const largeWorkAtOnceMax = 16;
/** Turns of large work that wait, those of one tenant, and those of one session. Past it 503. */
export const largeTurnsWaitingMax = 1_024;
export const largeTurnsOfTenantMax = 32;
export const largeTurnsOfSessionMax = 4;
/** The longest wait for a turn. Past it 503. */
export const largeTurnMsMax = 8 * SECOND_MS;
/** Sections, logical sections and zones of one chart whose state a patch may set. */
export const sectionIdsPerPatchMax = 5_000;
/** Limits of one kind in the selection rules of an event. */
export const selectionLimitsMax = 200;
export const labelsPerSaleMax = 1_000;
/** An import of bookings: its bytes, its lines, and the lines and characters that go on in one piece. */
export const bookingImportBytesMax = 32 * MIB;
export const bookingImportLinesMax = 100_000;
export const bookingImportLinesPerPiece = 500;
export const bookingImportPieceLengthMax = 128 * KIB;
export const labelsPerBulkMax = 50_000;
/** Changes of one batch over events. */
export const eventsPerBatchMax = 50;
/** Units of one hold or booking, places of areas included: its record is one NATS message. */
export const unitsPerSaleMax = 20_000;
/**
 * The time from the head of a request to its answer, without the time in which its body arrives. All steps of the
 * request share this time. Routes whose work takes longer name their own (`deadlineMs` of a row).
 */
export const requestDeadlineMs = 10 * SECOND_MS;
/** The pause between two tries of a command whose partition has no owner. */
export const retryPauseMs = 50;
/**
 * The longest pause, doubled from `retryPauseMs` on each try, between tries to reach a journal, and between fences
 * behind which no append succeeded: each fence takes room on the disk.
 */
export const retryPauseMsMax = SECOND_MS;
/** Commands of one tenant (organisation) that a front door keeps waiting, while no other tenant waits; past it 503. */
export const commandsInFlightMax = 20_000;
/** Commands of all tenants that a front door keeps waiting. A tenant has at most as many as places are free. */
export const commandPlacesMax = 2 * commandsInFlightMax;
/** Refusals of sold units that a front door keeps. Past this bound it forgets all of them. */
export const standingRefusalsMax = 20_000;
export const commandsPerBatchMax = 512;
/**
 * A command message is cut before its selections take more bytes than this (estimated), well below NATS' max_payload.
 */
export const batchBytesMax = 512 * KIB;

/** The pieces of an answer that is too large for one message. */
export const replyPartBytes = 2 * MIB;

/** Report files that a front door makes at once, one of a tenant; the others wait their turn. */
export const reportFilesAtOnce = 2;
/** Lines of a report file that a front door writes between two turns of its loop. */
export const reportLinesPerTurn = 500;
/** The deadline of a report file, with the wait for its turn. */
export const reportFileDeadlineMs = 30 * SECOND_MS;
/** The number of restarts of a report that is read in pieces, when a sale between two pieces changed the event. */
export const reportFileTriesMax = 8;

/** A call with so many labels or fewer pays nothing of its organisation's budget of labels. */
export const labelsUncountedMax = 100;
/** Calls with more labels that a front door carries out at once, one of an organisation. */
export const bulkCallsAtOnce = 8;

// Idempotency-Key
/** The time for which a repeated call gets the first answer. */
export const idempotencyKeepMs = 24 * 60 * MINUTE_MS;
/**
 * The time for which a call with an unknown end keeps its name. A call under way renews it, so it need not be as long
 * as the longest call. Three renewals fit in it.
 */
export const idempotencyLeaseMs = 15 * SECOND_MS;

// Request budgets
/**
 * Windows of one length, at a partition's owner or for the budgets that a front door counts alone. Past this bound the
 * oldest are forgotten.
 */
export const budgetWindowsMax = 65_536;
/** Exhausted budgets that a front door refuses by itself. Past this bound the owner is asked again about the oldest. */
export const exhaustedBudgetsMax = 65_536;
/** The highest budget of a key. */
export const budgetLimitMax = 999_999_999;

// Sizes asked of the NATS server
/**
 * The server's `max_payload` must not be smaller. Only gzipped chart documents and the longest availability rules come
 * near it.
 */
export const natsPayloadBytesMin = 8 * MIB;
/**
 * The `max_payload` of servers that Parterre sets up: room for a chart document of `chartBodyBytesMax` that does not
 * compress.
 */
export const natsPayloadBytesRoomy = 17 * MIB;
/**
 * Room beside the document in an answer. A request that leaves less is refused, because the document could not be read
 * back.
 */
export const natsPayloadSlackBytes = 64 * KIB;

// Charts
export const unitsPerChartMax = 250_000;
export const gaCapacityMax = 100_000;
/** Every chair of a table is drawn, although a table that is sold as a whole is one unit. */
export const tableChairsMax = 1_000;
/** Fees of one category or tier. */
export const feesMax = 10;
export const feeNameLengthMax = 100;
/**
 * For labels of units and areas. Publishing refuses a label that calls would not take, because its unit could not be
 * sold.
 */
export const unitLabelLengthMax = 512;
/** For ids in calls (sections, zones, categories, tiers, objects) and for ids that Parterre makes. */
export const idLengthMax = 128;
/** The nesting of objects and lists in a chart document. */
export const documentNestingMax = 64;
/** Panoramas of one manifest. */
export const panoramasMax = 1_000;
/** Seats of one panorama. */
export const panoramaSeatsMax = 1_000;
export const panoramaUrlLengthMax = 2_048;

export const tablesPerCallMax = 1_000;
/** The number of restarts of an operator's chart change, when the event moves to another chart meanwhile. */
export const chartAdjustTriesMax = 5;

// Holds
/**
 * Public sale's bounds, where neither the event nor its organisation sets one. The bound of an address counts only
 * where front doors know the addresses of buyers.
 */
export const publicSaleDefaults = { maxPerHold: 50, maxHeldPerSession: 50, maxHeldPerAddress: 500 } as const;
export const publicSaleBoundMax = 1_000_000;
/** The last millisecond of the year 9999. A later time is mostly one in microseconds. */
export const timeMax = 253_402_300_799_999;
/**
 * A visitor who holds a place again within this time goes on with the time of the earlier hold. The places that an
 * event remembers for this, each once for a session and once for an address. Past this bound the oldest are forgotten
 * early.
 */
export const heldAgainMs = 15 * MINUTE_MS;
export const heldAgainPlacesMax = 50_000;
/** Seats of one best-available call. A larger quantity counts as this quantity. */
export const bestAvailableQtyMax = 50;
/** Choices that one best-available call may ask for, none of them held. */
export const alternativesMax = 5;
/** Categories, sections or rows that one best-available call may name. */
export const bestAvailableCategoriesMax = 200;
export const endedHoldKeepMs = 24 * 60 * MINUTE_MS;
/**
 * The packed bytes of one event's ended holds: some 300,000 of a few seats each. Past this bound the oldest are
 * forgotten early.
 */
export const endedHoldBytesMax = 32 * MIB;
/** The time for which the actor knows a booking without units. The catalog keeps its history. */
export const cancelledBookingKeepMs = 24 * 60 * MINUTE_MS;
export const bookingRefLengthMax = 128;
/** The operator's note on a sale at a counter. */
export const noteLengthMax = 500;
/**
 * A reservation lasts at most 400 days. One that is over is known for 30 days more, as far as its event knows so many.
 */
export const reservationMsMax = 400 * 24 * 60 * MINUTE_MS;
export const reservationKeepMs = 30 * 24 * 60 * MINUTE_MS;
export const reservationsPerEventMax = 5_000;
export const endedReservationsMax = 2_000;
export const reservationNameLengthMax = 200;
export const reservationsPerPageMax = 200;
/** Labels after which a page of reservations ends early. */
export const reservationLabelsPerPageMax = 5_000;
/** The page's note on the buyer's origin. */
export const referralLengthMax = 120;

// Channels
/** Channels of one event, archived ones included. A 16-bit number a unit has room for far more. */
export const channelsPerEventMax = 500;
/** Prices of one channel: more than any chart has categories and tiers. */
export const priceOverridesMax = 5_000;
/** A channel's colour, and its marker. */
export const channelMarkLengthMax = 64;
/** Labels of each kind in the answer to an assignment. */
export const bucketLabelsMax = 100;

// Sessions that are embedded in pages
export const buyerSessionSecondsMin = 60;
export const buyerSessionSecondsMax = 14_400;
export const buyerSessionSecondsDefault = 1_800;
/** Sessions of managers and designers. */
/** The demo's drawings in all, the bytes and the places of one, and its published versions. */
export const demoDraftsMax = 150;
export const demoDraftBytesMax = MIB;
export const demoDraftSeatsMax = 20_000;
export const demoDraftVersionsMax = 5;
export const demoDraftSeconds = 7_200;
export const embedSessionSecondsMin = 300;
export const embedSessionSecondsMax = 14_400;
export const embedSessionSecondsDefault = 3_600;
/** The features of a designer session, as JSON. */
export const featuresLengthMax = 10_000;
/** Sessions in one list of an event's buyers' sessions. */
export const buyerSessionsPerPageMax = 1_000;
/** An access link lasts this long if its draft names no end. */
export const accessLinkMsDefault = 30 * 24 * 3_600_000;
/** Access links of one channel, ended ones included: the oldest ended links make room. */
export const accessLinksPerChannelMax = 200;
export const redemptionsMax = 1_000_000;
export const redemptionsDefault = 500;
export const maxQuantityMax = 1_000_000;
export const accessRefLengthMax = 128;
/** A host has 253 letters at most, beside its scheme and port. */
export const originLengthMax = 300;
/** The time for which an ended session stays distinct from an unknown one, so that its user hears the reason. */
export const endedSessionKeepMs = 24 * 60 * MINUTE_MS;

// Ticket releases
export const releasesPerEventMax = 12;
export const releaseActionUrlLengthMax = 2_048;

// The actor and its journal
/** Groups a partition may have appended and not yet acknowledged. */
export const appendWindow = 32;
export const commandsPerGroupMax = 256;
/** Once the records of a group have this many units, the group takes no further command. */
export const unitsPerGroupMax = 5_000;
/** A command whose records would make a group larger than this (estimated) goes into the next group. */
export const groupBytesMax = 4 * MIB;
/**
 * The records of one command, which may fill a group alone. A larger command is refused, because no message could carry
 * it.
 */
export const commandRecordsBytesMax = natsPayloadBytesMin - 256 * KIB;
/**
 * Holds that expire in one group, with `unitsPerGroupMax`. The other due holds expire in the next group: a group is one
 * turn of the event loop.
 */
export const expiriesPerGroupMax = 500;
/**
 * An append without an answer for this long has an unknown outcome: the partition reconciles with the stream's tail.
 */
export const appendDeadlineMs = 4 * SECOND_MS;
/**
 * Calls to an event as a whole (blocks, moves, settings), and replaced calls on its holds and bookings, whose first
 * answers the event remembers; and units in those answers.
 */
export const eventCallsKept = 1_024;
export const eventCallUnitsKept = 100_000;
/**
 * Calls with an Idempotency-Key that the event also remembers, for `idempotencyKeepMs`. Past this bound the oldest are
 * forgotten.
 */
export const namedCallsKept = 8_192;
/**
 * The longest answer that is remembered whole (estimated, in memory). A longer answer is cut: only the part that stands
 * nowhere else is kept.
 */
export const eventCallAnswerBytesMax = 4 * KIB;
/** Labels in the refusal of a chart change. The refusal counts all labels. */
export const missingLabelsMax = 1_000;
/** Events in the preview of a publish, and the labels that each of them would lose. */
export const previewedEventsMax = 200;
export const previewedLabelsMax = 100;

// Partitions without an owner
/** A front door tells the shards at most this often that a partition has no owner. */
export const orphanReportMs = 100;

// Reads of many events
/** The time that a list waits for live counts. An event whose owner has not answered is listed without counts. */
export const listCountsDeadlineMs = SECOND_MS;
/**
 * The time that a publish waits for all events of the chart, and for each event. The answer lists the remaining events
 * as needing an update.
 */
export const chartRefreshDeadlineMs = 15 * SECOND_MS;
export const chartRefreshOfEventMs = 5 * SECOND_MS;
/** The deadline of a publish: the catalog's part, then the events' part. */
export const publishDeadlineMs = requestDeadlineMs + chartRefreshDeadlineMs;
/** For all publishes at one front door together: each one delays the sales of its event for a moment. */
export const chartRefreshesAtOnce = 8;

// Caches
/**
 * Principals that a front door keeps. The keys of `viewersPerFrontDoorMax` viewers are checked one after the other in
 * rounds, and would push each other out of a smaller cache. The rest is for other callers.
 */
export const principalCacheEntries = 150_000;
/** The time for which a resolved key is used without asking the catalog. Revocations are broadcast as well. */
export const principalCacheMs = 30 * SECOND_MS;
/** The time for which an unknown key is refused without asking the catalog, and how many are remembered. */
export const unknownCredentialKeepMs = 5 * SECOND_MS;
export const unknownCredentialsKept = 32_768;
/** The time for which a credential that was valid skips the budget of unknown credentials. */
export const provenCredentialKeepMs = 10 * MINUTE_MS;
export const eventCacheEntries = 20_000;
export const eventCacheMs = 30 * SECOND_MS;
/** The age of a kept answer of the catalog at which it serves no more, although no catalog answers. */
export const staleAnswerMsMax = 10 * MINUTE_MS;
/** Sale summaries that a front door keeps, one for each event and reach. */
export const saleSummariesKept = 10_000;
/** Pictures that a front door keeps. The least recently used picture leaves first. */
export const assetCacheBytes = 64 * MIB;
export const planCacheUnits = 2_000_000;
/** Rows, tables, booths, areas and seats with names of their own, of which a front door keeps the words: 60 MB. */
export const wordTableEntriesMax = 200_000;

// History
/** The time that a read of the latest state waits until its projection has the version of the event's actor. */
export const versionWaitMs = 500;

export const controlRoomPagesMax = 20;
/** Pages of the log, of 200 entries, that one call for the entries of a label reads. */
export const logPagesOfLabelMax = 10;
/** Events whose control rooms a front door follows. */
export const wallEventsMax = 256;
/** Pages of the log in one reading of a control room's last hour. */
export const wallLogPagesMax = 10;
/** Labels of sold places in one answer to a control room. */
export const soldLabelsMax = 5_000;
/** Events whose refusals a front door counts, and the reasons of one event. */
export const refusalTalliesMax = 2_000;
export const refusalReasonsMax = 64;
/** Entries in one message to consoles, and labels in each entry. */
export const activityEntriesMax = 50;
export const activityLabelsMax = 200;

// Accounts
/** Credits granted or taken in one call. */
export const creditsPerCallMax = 1_000_000_000;
export const passwordLengthMin = 10;
export const passwordLengthMax = 200;
export const emailLengthMax = 254;
export const sessionMs = 12 * 60 * MINUTE_MS;
/** Of a token that sets a new password. */
export const resetTokenLengthMax = 200;
/** Lines of the file of an organisation's movements of credits. */
export const creditMovementsInFileMax = 10_000;

// The cluster
export const partitionsMax = 1_024;
/** Pause between two looks for the layout of a deployment whose first shard has not started. */
export const layoutPollMs = 100;
/** The wait for one answer about the layout. */
export const layoutLookMsMax = SECOND_MS;
/** The wait for a layout before the first log line, and between further lines. */
export const layoutPatienceMs = 10 * SECOND_MS;
/** The shortest and the longest pause between two tries of a step of a start, doubled on each try. */
export const startRetryMs = 100;
export const startRetryMsMax = 2 * SECOND_MS;

/**
 * A difference between the journal and other evidence is read again for this time before it counts as a loss: a leader
 * that was deposed may answer reads for some seconds (I9).
 */
export const lossCertainMs = 10 * SECOND_MS;
/** A new owner of a partition waits this long for the catalog's position in its journal. */
export const countedAnswerMsMax = 2 * SECOND_MS;
/**
 * The messages without a part that an accepted loss may add to a stream that ends before the sequences of the lost
 * history (I9).
 */
export const acceptFillersMax = 1_000_000;
/** The seats of bookings, and the conflicts, that the answer to a restoration names. */
export const restoredSeatsTold = 5_000;

// Services
/** The wait for the catalog where no request waits, and for data that several requests share. */
export const catalogDeadlineMs = 10 * SECOND_MS;
/** How often a catalog sends its beat. */
export const catalogBeatMs = 250;
/**
 * A catalog that is silent for this long is passed over. Its callers send a copy of a repeatable question elsewhere.
 */
export const catalogSilenceMs = 600;
/** How often a caller looks at its unanswered questions. */
export const catalogLookMs = 100;
/**
 * A question that waits for this long, while no catalog is heard, is told in the log as the silence of all catalogs.
 */
export const catalogSilenceTellMs = SECOND_MS;
/** The copies of one question, the first included. */
export const catalogCopiesMax = 3;
/** The wait for a catalog's word that it is there, before a question that cannot be repeated. */
export const catalogHereMs = 300;
export const catalogsHeardMax = 64;
/** A drain, after its grace (`Running.drain`). */
export const drainDeadlineMs = 10 * SECOND_MS;
/** The longest grace of a front door, in which its port stays open after SIGTERM. */
export const drainGraceSecondsMax = 300;

/** The used shares of a disk, or of the storage that NATS may use, at which the log warns and beats tell. */
export const diskFillingShare = 0.8;
export const diskLowShare = 0.9;
/** With less room than this a disk counts as full. A stream writes blocks of up to some MB. */
export const diskBytesMin = 4 * MIB;
/** How often a disk is looked at. */
export const diskLookMs = SECOND_MS;
