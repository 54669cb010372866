/** The bounds of large reads (I8). */
import { MIB } from '@parterre/shared/runtime/units';

/** The read of an event with at most this many units is computed on the loop: it takes less time than its capture. */
export const inlineUnitsMax = 2_000;
/**
 * Captures under way at once in one shard. The next read is refused with `overloaded`. A capture may take megabytes.
 */
export const capturesMax = 16;
/** Plans that the reader thread keeps. */
export const readerPlansMax = 32;
/** Event versions of one shard whose answers are kept for further callers, and the answers of one version. */
export const keptVersionsMax = 16;
export const keptAnswersMax = 8;
/** The bytes of kept pieces of reports in one shard: some ten reports of a hundred thousand sold units. */
export const keptPieceBytesMax = 64 * MIB;
/** The pause before a reader thread that died is started again. */
export const readerPauseMs = 250;
/** Answers to one read that leave in one turn of the event loop: answers of megabytes, and answers of kilobytes. */
export const largeAnswersPerTurn = 1;
export const smallAnswersPerTurn = 32;
