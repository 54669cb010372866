/**
 * Opens the room of reads: the counts, the whole map, the report, every unit with its holder, and captures of a state
 * for reads in another thread. Reads write nothing.
 */
export {
  buffersOf,
  type Captured,
  capture,
  packInSteps,
  planOf,
  type ReadPlan,
  readPlanOf,
  stateOf,
} from './captured.ts';
export {
  answerRead,
  type EventRead,
  eventReads,
  isLargeRead,
  isVersionedRead,
  keyOfRead,
  type LargeRead,
} from './event-reads.ts';
export { unitColumnsInPieces } from './unit-columns.ts';
