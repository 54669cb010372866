/**
 * Cross-origin headers of /pub (wire contract 7): the exact origin, never a wildcard, no cookies. A preflight carries
 * no credential, so that it is answered for any origin; it grants nothing, since the request itself needs a key that is
 * registered for its origin. A request from an origin that is not gets no permission to read the answer.
 */
import type { Answer, Header } from '../answer.ts';

export const preflight: Answer = {
  status: 204,
  headers: [
    ['Access-Control-Allow-Methods', 'GET, POST, OPTIONS'],
    ['Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-ID'],
    ['Access-Control-Max-Age', '600'],
  ],
  body: '',
};

const exposed: Header = ['Access-Control-Expose-Headers', 'Retry-After, X-Request-ID, ETag'];
const varies: Header = ['Vary', 'Origin'];

export function corsHeaders(origin: string, answer: Answer): readonly Header[] {
  if (answer.status === 403) return [varies];
  return [['Access-Control-Allow-Origin', origin], exposed, varies];
}
