/**
 * Opens the room of readers: reads as large as an event, away from the loop that carries the lease. readings.ts keeps
 * the callers of one partition. event-readers.ts shares answers in the whole process. reader-thread.ts is the thread
 * that computes answers, reader-worker.ts starts it, and reader-main.ts is its program.
 */
export { Readers } from './event-readers.ts';
export { ReaderThread } from './reader-thread.ts';
export { workerOf } from './reader-worker.ts';
export { Readings } from './readings.ts';
