/** Schemas and parts of bodies and answers that several rooms share. */

export { chartMeta, panorama } from './chart-records.ts';
export {
  buyerEvent,
  buyerObjects,
  buyerStatus,
  counts,
  eventListItem,
  eventMeta,
  freePlaces,
  operatorObjects,
  ticket,
} from './event-records.ts';
export {
  accessSource,
  callSource,
  count,
  currency,
  durationMs,
  epochMs,
  holdTtlMs,
  idOf,
  mode,
  nextCursor,
  ok,
  optional,
  price,
  region,
  text,
  textOrNull,
} from './parts.ts';
export { droppedAssignments, errorBody, issue, rateLimited } from './refusal-records.ts';
export { hold, lineItem, report, reportCategory, soldFor, taken } from './sale-records.ts';
