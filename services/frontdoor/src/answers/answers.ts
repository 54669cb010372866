/** Outcomes as status, headers and body. */

export {
  type Answer,
  answerOf,
  answerOfRefusal,
  type Body,
  EventStream,
  forEveryOrigin,
  type Header,
  internalFault,
  jsonType,
  nothingHere,
  Prepared,
  type StreamReader,
  spellOnce,
  unchanged,
} from './answer.ts';
export { answerLines, linesOf } from './caching.ts';
export { compressed, extended, wholeBody } from './compressed-body.ts';
export { type Encoding, encodingFor, formsOf, variesByEncoding } from './encoding.ts';
export { framerOf, framerQuery } from './framer.ts';
export { noContent } from './no-content.ts';
export { takesHtml } from './rules/accept.ts';
export { hasEtag } from './rules/etag.ts';
export { accessLinkUrl, demoPageUrl, designerUrl, originOf } from './rules/public-address.ts';
export { secretOnce } from './secret-once.ts';
export {
  asBytes,
  type CompressedJson,
  isPlain,
  preparedJson,
  preparedSplice,
  preparedWhole,
  quoted,
  type Spelled,
  type SpelledBy,
  spell,
  spellTexts,
  spliceJson,
} from './spelling.ts';
