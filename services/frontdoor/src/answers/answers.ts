/** Outcomes as status, headers and body. */
export { takesHtml } from './accept.ts';
export {
  type Answer,
  answerOf,
  answerOfRefusal,
  type Body,
  EventStream,
  type Header,
  internalFault,
  jsonType,
  noStore,
  nothingHere,
  Prepared,
  type StreamReader,
  unchanged,
} from './answer.ts';
export { hasEtag } from './etag.ts';
export { noContent } from './no-content.ts';
export { accessLinkUrl, designerUrl } from './public-address.ts';
export { secretOnce } from './secret-once.ts';
export { asBytes, preparedJson, type Spelled, spell, spliceJson } from './spelling.ts';
