/** The bounds of imports and exports of charts (I8). */
import { MIB, MINUTE_MS, SECOND_MS } from './units.ts';

/** A file to import: 50 MB, and room for files that are told in MiB. */
export const importBytesMax = 64 * MIB;
/** The time from the begin of an import to its end. Past it the import has failed. */
export const importMsMax = 20 * MINUTE_MS;
/** The time that a thread reads one file, or writes one export. 100,000 seats take a second or two. */
export const chartFileMsMax = 2 * MINUTE_MS;
/** The memory of a thread that reads or writes a file, beside the file itself. Past it the import has failed. */
export const chartFileMemoryMiBMax = 1_024;
/** Files that a front door reads at once, and those that wait for their turn. Past it 503. */
export const chartImportsAtOnce = 1;
export const chartImportsWaitingMax = 4;
/** Exports that a front door writes at once; the others wait their turn. */
export const chartExportsAtOnce = 2;
/** The deadline of an export, with the wait for its turn. */
export const chartExportDeadlineMs = 30 * SECOND_MS;
/** The time for which an import can be read. */
export const importKeepMs = 30 * 24 * 60 * MINUTE_MS;
