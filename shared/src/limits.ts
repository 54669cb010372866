/**
 * The bounds of the system (I8); those of webhooks stand in webhook-limits.ts. Past a bound the caller gets a clear 413, 429 or 503,
 * never a stall. Names end in their unit.
 */
import { KIB, MIB, MINUTE_MS, SECOND_MS } from './units.ts';

// Requests
export const bodyBytesMax = MIB;
/** Where 50,000 labels are allowed. */
export const bulkBodyBytesMax = 8 * MIB;
export const chartBodyBytesMax = 16 * MIB;
export const posterBytesMax = 5 * MIB;
/** Sections, logical sections and zones of one chart whose state a patch may set. */
export const sectionIdsPerPatchMax = 5_000;
export const labelsPerSaleMax = 1_000;
export const labelsPerBulkMax = 50_000;
/** Units of one hold or booking, the places of areas with a quantity included: its record is one NATS message. */
export const unitsPerSaleMax = 20_000;
/** How long the front door keeps trying one request before it answers 503 `shard_unavailable`. */
export const requestDeadlineMs = 10 * SECOND_MS;
/** Pause between two tries of a command whose partition has no owner just now. */
export const retryPauseMs = 50;
/**
 * What that pause grows to, doubled each time, between tries to reach a journal and between fences that nothing followed: each costs room
 * on the disk.
 */
export const retryPauseMsMax = SECOND_MS;
/** Commands a front door keeps waiting for answers; past it 503. */
export const commandsInFlightMax = 20_000;
export const commandsPerBatchMax = 512;
/** A command message is cut before it passes this many bytes of selections (estimated), well under NATS' max_payload. */
export const batchBytesMax = 512 * KIB;

/** Pieces of an answer that is larger than that. */
export const replyPartBytes = 2 * MIB;

/** Report files that a front door makes at once; the others wait their turn. */
export const reportFilesAtOnce = 4;
/** Lines of one that it writes between two turns of its loop. */
export const reportLinesPerTurn = 2_000;
/** How often one that was asked for in pieces is begun anew because something was sold between two of them. */
export const reportFileTriesMax = 3;

// Idempotency-Key
/** How long an answer is repeated to the same call. */
export const idempotencyKeepMs = 24 * 60 * MINUTE_MS;
/** How long a call whose end nobody told keeps its name: longer than the catalog is waited for. */
export const idempotencyLeaseMs = 15 * SECOND_MS;

// Request budgets
/** Windows of one length that a partition's owner counts, or a front door for what it counts alone; past it the oldest are forgotten. */
export const budgetWindowsMax = 65_536;
/** Used up budgets that a front door refuses without asking; past it the oldest are asked about again. */
export const exhaustedBudgetsMax = 65_536;
/** The highest limit that a key may have of its own. */
export const budgetLimitMax = 999_999_999;

// Sizes asked of the NATS server
/** `max_payload` of the server must not be smaller. Only gzipped chart documents and the longest availability rules come near it. */
export const natsPayloadBytesMin = 8 * MIB;
/** What the servers that we set up have: room for a chart document of `chartBodyBytesMax` that does not shrink at all. */
export const natsPayloadBytesRoomy = 17 * MIB;
/** What an answer with a document may have beside it. A request that leaves less is refused: it could not be read back. */
export const natsPayloadSlackBytes = 64 * KIB;

// Charts
export const unitsPerChartMax = 250_000;
export const gaCapacityMax = 100_000;
export const priceMax = 10_000_000;
/** Of a unit's label and an area's. One that nobody could name could not be sold, so publishing refuses what calls do not take. */
export const unitLabelLengthMax = 512;
/** Of what calls name by its id: sections, zones, categories, tiers, objects; and of ids that we make. */
export const idLengthMax = 128;
/** Objects and lists in one another in a chart document. */
export const documentNestingMax = 64;
/** Of one manifest. */
export const panoramasMax = 1_000;
/** Seats that one panorama stands for. */
export const panoramaSeatsMax = 1_000;
export const panoramaUrlLengthMax = 2_048;

export const tablesPerCallMax = 1_000;
/** How often an operator's change of an event's chart begins anew because the event moved to another chart meanwhile. */
export const chartAdjustTriesMax = 5;

// Holds
export const holdTtlMsDefault = 15 * MINUTE_MS;
export const holdTtlMsMin = MINUTE_MS;
export const holdTtlMsMax = 60 * MINUTE_MS;
export const holdExtendsMax = 3;
/** Seats of one best-available call; more is asked for as this many. */
export const bestAvailableQtyMax = 50;
export const endedHoldKeepMs = 24 * 60 * MINUTE_MS;
/** What the ended holds of one event may take, packed: some 300,000 of a few seats each. Past it the oldest are forgotten sooner. */
export const endedHoldBytesMax = 32 * MIB;
export const bookingRefLengthMax = 128;
/** What an operator writes on a sale at a counter. */
export const noteLengthMax = 500;
/** What a page may say of where its buyer came from. */
export const referralLengthMax = 120;

// Channels
/** Of one event, archived ones too: the most that a 16-bit number a unit has room for is far above. */
export const channelsPerEventMax = 500;
/** Prices of one channel: more than categories and tiers of any chart. */
export const priceOverridesMax = 5_000;
/** Of its colour and its marker, each. */
export const channelMarkLengthMax = 64;
/** Labels that an answer to an assignment names of each kind. */
export const bucketLabelsMax = 100;

// Sessions that are embedded in pages
export const buyerSessionSecondsMin = 60;
export const buyerSessionSecondsMax = 14_400;
export const buyerSessionSecondsDefault = 1_800;
/** Of a manager's and of a designer's. */
export const embedSessionSecondsMin = 300;
export const embedSessionSecondsMax = 14_400;
export const embedSessionSecondsDefault = 3_600;
/** Of one channel, those that are over included: the oldest of these make room. */
export const accessLinksPerChannelMax = 200;
export const redemptionsMax = 10_000_000;
export const maxQuantityMax = 1_000_000;
export const accessRefLengthMax = 128;
/** A host has 253 letters at most, beside its scheme and port. */
export const originLengthMax = 300;
/** A session that is over is told from one that never was for so long after its time: its holder hears why. */
export const endedSessionKeepMs = 24 * 60 * MINUTE_MS;

// Ticket releases
export const releasesPerEventMax = 12;
export const releaseActionUrlLengthMax = 2_048;

// The actor and its journal
/** Groups a partition may have appended and not yet acknowledged. */
export const appendWindow = 32;
export const commandsPerGroupMax = 256;
/** Units in its records after which a group takes no further command. */
export const unitsPerGroupMax = 5_000;
/** A command whose records would make a group larger than this (estimated) comes with the next one. */
export const groupBytesMax = 4 * MIB;
/** What the records of one command may take, which a group may consist of alone: more is refused, as no message could carry it. */
export const commandRecordsBytesMax = natsPayloadBytesMin - 256 * KIB;
/** Holds that one group tells as expired; what else is due comes with the next. */
export const expiriesPerGroupMax = 5_000;
/** An append without an answer for this long is unknown: the partition reconciles with the stream's tail. */
export const appendDeadlineMs = 4 * SECOND_MS;
/**
 * How long after an append (or a look at the tail) that was confirmed an owner may answer reads and refusals without
 * looking again: nobody else answers for the partition within it.
 */
export const readLeaseMs = 300;
/** What a new owner waits after its fence where the one before did not let go: the read lease, and what clocks may differ. */
export const fenceQuietMs = readLeaseMs + 50;
/** Calls to an event as a whole (blocks, moves, settings) whose first answer it remembers, and units in those answers. */
export const eventCallsKept = 1_024;
export const eventCallUnitsKept = 100_000;
/** Beside these, for `idempotencyKeepMs`, calls that their caller named by an Idempotency-Key; past it the oldest are forgotten. */
export const namedCallsKept = 8_192;
/** The longest of these answers that is remembered as it was (estimated, in memory); of a longer one only what no longer stands elsewhere. */
export const eventCallAnswerBytesMax = 4 * KIB;
/** Labels that a refused change of chart names; it counts all of them. */
export const missingLabelsMax = 1_000;

// Partitions without an owner
/** A front door tells the shards at most this often that a partition has no owner. */
export const orphanReportMs = 100;

// Reads of many events
/** How long a list waits for live counts: an event whose owner has not answered by then is listed without. */
export const listCountsDeadlineMs = SECOND_MS;
/** How long a publish waits for the events behind it, and for each of them; the others are named as needing an update. */
export const chartRefreshDeadlineMs = 15 * SECOND_MS;
export const chartRefreshOfEventMs = 5 * SECOND_MS;
/** Of all publishes at one front door: each keeps the event's owner from its sales for a moment. */
export const chartRefreshesAtOnce = 8;

// Caches
export const principalCacheEntries = 50_000;
/** How long a resolved key may be used without asking again; revocations are also broadcast. */
export const principalCacheMs = 30 * SECOND_MS;
export const eventCacheEntries = 20_000;
export const eventCacheMs = 30 * SECOND_MS;
/** Sale summaries that a front door keeps, one an event and reach. */
export const saleSummariesKept = 10_000;
/** Pictures that a front door keeps; least recently used ones leave first. */
export const assetCacheBytes = 64 * MIB;
export const planCacheUnits = 2_000_000;

// Reads of what has happened
/** How long an event's actor is given to tell its version to a read that would rather have the latest. */
export const versionWaitMs = 500;

export const controlRoomPagesMax = 20;
/** Entries that consoles are told at once, and labels that each of them names there. */
export const activityEntriesMax = 50;
export const activityLabelsMax = 200;

// Accounts
/** Credits granted or taken in one call. */
export const creditsPerCallMax = 1_000_000_000;
export const passwordLengthMin = 10;
export const passwordLengthMax = 200;
export const emailLengthMax = 254;
export const sessionMs = 12 * 60 * MINUTE_MS;

// Feeds
/** Deltas a front door keeps for resuming viewers, per event. */
export const resumeDeltasKept = 1_024;
export const viewerBackpressureBytesMax = 4 * MIB;
/** Of all viewers of a front door together; past it the slowest go. */
export const viewersBackpressureBytesMax = 512 * MIB;
/** Snapshots and bodies kept for those who come soon after, of all events together. */
export const keptFramesBytesMax = 256 * MIB;
export const viewersPerFrontDoorMax = 100_000;
export const replicasPerFrontDoorMax = 2_000;
/** Of one event's viewers at a front door: so many different reaches, in either protocol. Past it `overloaded`. */
export const audiencesPerEventMax = 1_024;
export const presenceSharesMax = 256;
/** Buyers on one event whom a front door tells the others apart; past it they are counted only. */
export const shoppersPerShareMax = 16_384;
export const viewerIdLengthMax = 128;
export const keyChecksAtOnce = 32;
/** Who are told of a change in one turn of the loop: what a front door's other work may wait behind. Each costs it some 5 to 10 µs. */
export const viewersPerTurn = 1_000;
export const ticketTtlMs = 30 * SECOND_MS;

// The cluster
export const partitionsMax = 1_024;
/** Pause between two looks for the layout of a deployment whose first shard has not started. */
export const layoutPollMs = 100;
/** How long that is waited for before it is said, and said again. */
export const layoutPatienceMs = 10 * SECOND_MS;

// Services
export const catalogDeadlineMs = 10 * SECOND_MS;
export const drainDeadlineMs = 10 * SECOND_MS;
