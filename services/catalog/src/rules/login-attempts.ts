/**
 * How many guesses a login gets. An attempt is counted as failed before its password is looked at, and forgotten with all
 * others when that was right: so guesses made at once are never looked at beyond the number that may fail.
 */
import { loginFailuresMax, loginWindowMs } from './bounds.ts';
import type { LoginAttempts } from './records.ts';

/** How long no password is looked at: the window's length from the last of too many failures on. 0 when it is open. */
export function lockedForMs({ failedAt }: LoginAttempts, now: number): number {
  if (failedAt.length < loginFailuresMax) return 0;
  return Math.max(0, failedAt.at(-1)! + loginWindowMs - now);
}

/** With one more attempt, at a time when the login is not locked. */
export function withAttempt({ failedAt }: LoginAttempts, now: number): LoginAttempts {
  // After a lock all of its failures are as old as the window.
  const recent = failedAt.filter((at) => at > now - loginWindowMs);
  return { failedAt: [...recent, now], expiresAt: now + loginWindowMs };
}
