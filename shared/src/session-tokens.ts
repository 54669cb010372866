/**
 * Tokens of embedded sessions: a prefix, 32 random characters (190 bits) and 6 that follow from them. Whoever reads one can tell that
 * it has our form after all trace of it was deleted, so that a buyer's page is told to come back with a fresh one. The form proves
 * nothing: whether a token stands is asked of the catalog.
 */
import { randomText, sha256 } from './ids.ts';

const prefixes = ['bse', 'mse', 'dse'] as const;
export type SessionPrefix = (typeof prefixes)[number];

const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;
const FORM = /^(bse|mse|dse)_[0-9A-Za-z]{38}$/;

export function newSessionToken(prefix: SessionPrefix): string {
  const body = `${prefix}_${randomText(RANDOM_LENGTH)}`;
  return body + checkOf(body);
}

/** Whether this is a token of the kind that `newSessionToken` makes. */
export function isSessionToken(token: string, prefix: SessionPrefix): boolean {
  if (!FORM.test(token) || !token.startsWith(prefix)) return false;
  const body = token.slice(0, -CHECK_LENGTH);
  return token.slice(-CHECK_LENGTH) === checkOf(body);
}

export function isAnySessionToken(token: string): boolean {
  return prefixes.some((prefix) => isSessionToken(token, prefix));
}

/** Letters and digits of the digest; the two that are neither are read as letters. */
function checkOf(body: string): string {
  return sha256(`session token ${body}`).replaceAll('-', 'x').replaceAll('_', 'y').slice(0, CHECK_LENGTH);
}
