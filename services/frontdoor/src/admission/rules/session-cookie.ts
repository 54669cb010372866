/**
 * The cookie of a dashboard session, and the CSRF token that its writes must echo. The CSRF token is an HMAC keyed with
 * the session's token. A page of another origin can make a browser send the cookie, but can read neither token. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** With this prefix in the name, a browser accepts no such cookie from another host or path of the same site. */
const NAME = '__Host-parterre_session';
const OF_THE_NAME = new RegExp(`(?:^|;)[ \\t]*${NAME}=([^;]*)`, 'g');
/** A sign-in that is at the issuer (oidc/oidc.ts). */
const SIGN_IN_NAME = '__Host-parterre_sign_in';
const OF_SIGN_IN = new RegExp(`(?:^|;)[ \\t]*${SIGN_IN_NAME}=([^;]*)`, 'g');
const TOKEN_FORM = /^dss_[0-9A-Za-z]{43}$/;
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';

export function sessionCookie(token: string, keepMs: number): string {
  return `${NAME}=${token}; Max-Age=${Math.floor(keepMs / 1000)}; ${ATTRIBUTES}`;
}

/** Makes the browser drop the cookie. */
export const endedCookie = `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;

/** The session's token in a Cookie header, or null. Two cookies with the name count as none: a browser has only one. */
export function sessionTokenOf(cookies: string): string | null {
  const [found, another] = cookies.matchAll(OF_THE_NAME);
  const value = found?.[1]?.trim();
  return value !== undefined && another === undefined && TOKEN_FORM.test(value) ? value : null;
}

export function signInCookie(sealed: string, keepMs: number): string {
  return `${SIGN_IN_NAME}=${sealed}; Max-Age=${Math.floor(keepMs / 1000)}; ${ATTRIBUTES}`;
}

export const endedSignIn = `${SIGN_IN_NAME}=; Max-Age=0; ${ATTRIBUTES}`;

/** The sealed sign-in in a Cookie header, or null. */
export function signInOf(cookies: string): string | null {
  const [found, another] = cookies.matchAll(OF_SIGN_IN);
  return another === undefined ? (found?.[1]?.trim() ?? null) : null;
}

/**
 * Whether a page of `origin` is on the host that it calls. Needed for sockets: a browser sends the cookie with a socket
 * from any page of the site, and lets every page read the messages.
 */
export function isOwnOrigin(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

export function isCsrfToken(given: string, sessionToken: string): boolean {
  const are = Buffer.from(given);
  const should = Buffer.from(csrfTokenOf(sessionToken));
  return are.length === should.length && timingSafeEqual(are, should);
}
