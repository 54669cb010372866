/**
 * Tokens of embedded sessions: a prefix, 32 random characters (190 bits) and 6 check characters. A reader recognises
 * the form of a token even after every record of the session was deleted, so a buyer's page can be told to fetch a
 * fresh token. The form proves nothing: the catalog knows which tokens are valid.
 */
import { randomText, sha256 } from './ids.ts';

const prefixes = ['bse', 'bgs', 'bss', 'mse', 'dse'] as const;
export type SessionPrefix = (typeof prefixes)[number];

const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;
const FORM = /^(bse|bgs|bss|mse|dse)_[0-9A-Za-z]{38}$/;

export function newSessionToken(prefix: SessionPrefix): string {
  const body = `${prefix}_${randomText(RANDOM_LENGTH)}`;
  return body + checkOf(body);
}

/** True for a token of the form that `newSessionToken` makes. */
export function isSessionToken(token: string, prefix: SessionPrefix): boolean {
  if (!FORM.test(token) || !token.startsWith(prefix)) return false;
  const body = token.slice(0, -CHECK_LENGTH);
  return token.slice(-CHECK_LENGTH) === checkOf(body);
}

export function isAnySessionToken(token: string): boolean {
  return prefixes.some((prefix) => isSessionToken(token, prefix));
}

/** Letters and digits of the digest. Its two other characters are replaced by letters. */
function checkOf(body: string): string {
  return sha256(`session token ${body}`).replaceAll('-', 'x').replaceAll('_', 'y').slice(0, CHECK_LENGTH);
}
