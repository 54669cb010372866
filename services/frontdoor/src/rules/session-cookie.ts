/**
 * The cookie of a dashboard session, and the token that its writes must echo. That follows from the session's own token by
 * HMAC: a page of another origin can make a browser send the cookie, but cannot read either token. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const NAME = 'parterre_session';
const COOKIE_FORM = new RegExp(`(?:^|; *)${NAME}=(dss_[0-9A-Za-z]{43})(?:$|;)`);
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';

export function sessionCookie(token: string, keepMs: number): string {
  return `${NAME}=${token}; Max-Age=${Math.floor(keepMs / 1000)}; ${ATTRIBUTES}`;
}

/** Has the browser forget it. */
export const endedCookie = `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;

/** The session's token in a Cookie header, or null. Of several the first counts, as browsers send the closest one first. */
export function sessionTokenOf(cookies: string): string | null {
  return COOKIE_FORM.exec(cookies)?.[1] ?? null;
}

export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

export function isCsrfToken(given: string, sessionToken: string): boolean {
  const [are, should] = [Buffer.from(given), Buffer.from(csrfTokenOf(sessionToken))];
  return are.length === should.length && timingSafeEqual(are, should);
}
