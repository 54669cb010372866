/**
 * Cross-origin headers of /pub (wire contract 7): the exact origin, never a wildcard, no cookies. A preflight carries no credential, so
 * that it is answered for the origin of any page, as browsers send those; it grants nothing, since the request itself needs a key that
 * is registered for its origin, or a session that is bound to it. A request from another origin gets no permission to read its refusal;
 * every other refusal is for the page that asked. Whatever it is, no cache may give it to another origin.
 */
import type { Answer, Header } from '../answers/answer.ts';

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

const ORIGIN_FORM = /^https?:\/\/[A-Za-z0-9.:[\]-]{1,255}$/;

/** What a credential may be bound to is checked when it is made; the `null` of a page without an origin is nothing of the kind. */
export function isPageOrigin(origin: string): boolean {
  return ORIGIN_FORM.test(origin);
}

/** `origin` is empty where the request had none. */
export function corsHeaders(origin: string, { foreignOrigin }: Answer): readonly Header[] {
  if (foreignOrigin || !isPageOrigin(origin)) return [varies];
  return [['Access-Control-Allow-Origin', origin], exposed, varies];
}
