/** How a room of the API declares its routes, reads queries and asks the actor of an event. */

export {
  asBulkCall,
  ask,
  askAs,
  askLater,
  askOnChart,
  askWithAccess,
  callerOf,
  callerWithAccess,
  callName,
  holdName,
  inTime,
  labelsIn,
  newCallId,
  planOf,
  selectionsOf,
} from './ask.ts';
export { askForBuyer, buyerHoldName, callerOfBuyer } from './ask-buyer.ts';
export { createNotifierClient } from './notifier-client.ts';
export type { Ports } from './ports.ts';
export { before, choice, clamped, cursor, isOne, limit, namedIn, pageOf, text, wholeNumber } from './query.ts';
export {
  type Answering,
  type BuyerCall,
  buyerRoute,
  type Call,
  dashboardRoute,
  dashboardUploadRoute,
  designerRoute,
  type EventCall,
  editorRoute,
  eventRoute,
  eventUploadRoute,
  groupBuyerRoute,
  openRoute,
  operatorRoute,
  pageRoute,
  type Request,
  type Route,
  seasonBuyerRoute,
  serverLinesRoute,
  serverRoute,
} from './route.ts';
export { behindChange, settle } from './settle.ts';
export { askShared } from './shared-read.ts';
