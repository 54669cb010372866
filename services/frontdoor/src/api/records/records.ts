/** Schemas and parts of bodies and answers that several rooms share. */

export { keyInfo, organisation, user, webhookSub, workspace } from './account-records.ts';
export {
  currencyCode,
  emptyBody,
  environment,
  externalRef,
  id,
  moment,
  name,
  publicSaleBody,
  reason,
  recordById,
  unitLabel,
} from './body-parts.ts';
export { buyerEventOf } from './buyer-event.ts';
export { aboutAccess, assignmentVersion, channel, droppedPrices, ofAccess } from './channel-records.ts';
export { chartMeta, panorama, saves } from './chart-records.ts';
export {
  buyerEvent,
  buyerObjects,
  buyerStatus,
  counts,
  eventListItem,
  eventMeta,
  freePlaces,
  operatorObjects,
  publicSale,
  selectionRules,
  ticket,
} from './event-records.ts';
export { namedSchemas } from './named-schemas.ts';
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
  text,
  textOrNull,
} from './parts.ts';
export { droppedAssignments, issue } from './refusal-records.ts';
export { hold, lineItem, report, reportCategory, soldFor, taken } from './sale-records.ts';
