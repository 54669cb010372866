/**
 * Cross-origin headers of /v1, for pages that embed a console (mse_) or a designer (dse_). The one origin that the
 * session is bound to may read the answer, even if the session has ended or lacks a right. Without such a session, or
 * from another origin, no page may read anything. Cookies are never allowed.
 *
 * A preflight carries no credential. So it is answered for every origin that a session could be bound to, at the
 * addresses that a session can call, and at unknown addresses, so that a page can read the 404. It grants nothing: a
 * page reads the answer that follows only with a session's token for its own origin.
 */

import type { AdmissionPorts, Row } from '../admission/admission.ts';
import type { Answer, Header } from '../answers/answers.ts';
import { isPageOrigin } from './cors.ts';
import type { Found } from './router.ts';

const TOKEN_FORM = /^bearer +[md]se_/i;

const varies: Header = ['Vary', 'Origin'];
const exposed: Header = [
  'Access-Control-Expose-Headers',
  'Retry-After, X-Request-ID, ETag, Idempotent-Replayed, Content-Disposition',
];

/** Whether the request comes from a page with the token of an embedded session. */
export function isFromConsole(path: string, origin: string, authorization: string): boolean {
  return origin !== '' && path.startsWith('/v1/') && TOKEN_FORM.test(authorization);
}

/** `bound` is the origin that the token's session is bound to; null for an unknown token. */
export function consoleCorsHeaders(origin: string, bound: string | null): readonly Header[] {
  return bound === origin ? [['Access-Control-Allow-Origin', origin], exposed, varies] : [varies];
}

/** Null where no embedded session can call this. `asked` is the route that the preflight asks for. */
export function consolePreflight(path: string, asked: Found<AdmissionPorts>, origin: string): Answer | null {
  const isOpen = asked.kind === 'route' ? isOfSessions(asked.route) : asked.kind === 'unknown';
  if (!isOpen || !path.startsWith('/v1/') || !isPageOrigin(origin)) return null;
  return {
    status: 204,
    headers: [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE'],
      ['Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key, X-Request-ID, If-None-Match'],
      ['Access-Control-Max-Age', '600'],
      varies,
    ],
    body: '',
  };
}

function isOfSessions({ credential }: Row): boolean {
  return credential === 'console' || credential === 'editor' || credential === 'designer';
}
