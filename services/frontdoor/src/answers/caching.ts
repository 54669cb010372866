/**
 * Decides which caches may keep an answer. Every answer of the front door gets its header lines here, so no route can
 * forget them. An answer that names no Cache-Control is private. With an ETag its reader may keep it, and asks for each
 * use whether it is current. Without an ETag nobody keeps it. Public answers (pages, pictures, the API's description)
 * name their own Cache-Control.
 *
 * A private answer that is kept depends on the credential: the same address shows a map to one session and not to
 * another, and two maps may have one ETag. `Vary` keeps them apart in a browser with several credentials.
 *
 * No browser guesses another media type than the named one (`nosniff`).
 */
import { type Header, jsonHeaders } from './answer.ts';

const ofEveryAnswer = '\r\nX-Content-Type-Options: nosniff';
const keptByNobody = `\r\nCache-Control: private, no-store${ofEveryAnswer}`;
const keptByItsReader = `\r\nCache-Control: private, no-cache\r\nVary: Authorization, Cookie${ofEveryAnswer}`;

/** Most answers have these headers alone, so a sale builds no text. */
const linesOfJson = linesOf(jsonHeaders) + keptByNobody;

/** The lines of an answer's headers, each behind the end of a line. */
export function answerLines(headers: readonly Header[]): string {
  if (headers === jsonHeaders) return linesOfJson;
  return linesOf(headers) + cachingLines(headers);
}

function cachingLines(headers: readonly Header[]): string {
  let isPrivateVersion = false;
  for (const [name] of headers) {
    if (name === 'Cache-Control') return ofEveryAnswer;
    if (name === 'ETag') isPrivateVersion = true;
  }
  return isPrivateVersion ? keptByItsReader : keptByNobody;
}

export function linesOf(headers: readonly Header[]): string {
  let lines = '';
  for (const [name, value] of headers) lines += `\r\n${name}: ${value}`;
  return lines;
}
