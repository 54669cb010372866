/** The bounds of imports and exports of charts (I8). */
import { MIB, MINUTE_MS, SECOND_MS } from '../runtime/units.ts';

/** A file to import: 50 MB, and room for files that are told in MiB. */
export const importBytesMax = 64 * MIB;
/** The time from the begin of an import to its end. Past it the import has failed. */
export const importMsMax = 20 * MINUTE_MS;
/**
 * The time that a process reads one file, or writes one export. 100,000 seats take 3 to 6 s of a core, and a busy
 * machine takes longer.
 */
export const chartFileMsMax = 5 * MINUTE_MS;
/** The JavaScript heap of a process that reads or writes a file. Past it the import has failed. */
export const chartFileMemoryMiBMax = 1_024;
/** Files that a front door reads at once, and those that wait for their turn. Past it 503. */
export const chartImportsAtOnce = 1;
export const chartImportsWaitingMax = 64;
/** The files of one organisation: half of them. Past it 503. */
export const chartImportsOfEachMax = 32;
/** The bytes of all these files, and of those of one organisation: two of the largest. Past it 503. */
export const chartImportBytesMax = 256 * MIB;
export const chartImportBytesOfEachMax = 128 * MIB;
/** Exports that a front door writes at once, and those of one organisation. The others wait for their turn. */
export const chartExportsAtOnce = 2;
export const chartExportsOfEachAtOnce = 1;
/** Exports under way and waiting, and those of one organisation. Past it 503. */
export const chartExportsMax = 32;
export const chartExportsOfEachMax = 4;
/** The bytes of all these documents, which are compressed. */
export const chartExportBytesMax = 64 * MIB;
/** The deadline of an export, with the wait for its turn. */
export const chartExportDeadlineMs = 30 * SECOND_MS;
/** The time for which an import can be read. */
export const importKeepMs = 30 * 24 * 60 * MINUTE_MS;
