/**
 * Cross-origin headers of /pub: the exact origin, no cookies. An answer that needs no credential may be for every origin
 * (`forEveryOrigin`). A preflight carries no credential, so it is answered for the origin of any page in the form that
 * browsers send. It grants nothing: the request itself needs a key that is registered for its origin, or a session that
 * is bound to it. Every refusal may be read by the page that asked, so that a page of a wrong origin learns why. The
 * Date of an answer, which the server library writes, lets a page count down by the server's clock. `Vary` keeps caches
 * from giving an answer to another origin.
 */
import type { Answer, Header } from '../answers/answers.ts';

export const preflight: Answer = {
  status: 204,
  headers: [
    ['Access-Control-Allow-Methods', 'GET, POST, OPTIONS'],
    ['Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-ID'],
    ['Access-Control-Max-Age', '600'],
  ],
  body: '',
};

const exposed: Header = ['Access-Control-Expose-Headers', 'Retry-After, X-Request-ID, ETag, Date'];
const varies: Header = ['Vary', 'Origin'];

const ORIGIN_FORM = /^https?:\/\/[A-Za-z0-9.:[\]-]{1,255}$/;

/**
 * Whether the text is the origin of a page. Browsers send `null` for a page without an origin; `null` does not count.
 * The origins of a credential are checked when the credential is made.
 */
export function isPageOrigin(origin: string): boolean {
  return ORIGIN_FORM.test(origin);
}

/** `origin` is empty if the request had none. */
export function corsHeaders(origin: string): readonly Header[] {
  if (!isPageOrigin(origin)) return [varies];
  return [['Access-Control-Allow-Origin', origin], exposed, varies];
}
