/**
 * How many guesses a login gets, for one email from one network. An attempt is counted as under way before its password
 * is checked, and as failed or not at all afterwards. So parallel guesses are never checked beyond the number that may
 * fail. When the attempts under way and the failures together reach the bound, further attempts wait for the results of
 * those under way: a right login never counts against another. An attempt whose process died counts as failed.
 */
import { loginFailuresMax, loginProvenMs, loginUnderWayMs, loginWindowMs } from '../../store/rules/bounds.ts';
import type { LoginAttempts } from '../../store/rules/records.ts';

/** How long no password is checked: one window after the last of too many failures. 0 when the login is open. */
export function lockedForMs(attempts: LoginAttempts, now: number): number {
  const { failedAt } = settledBy(attempts, now);
  if (failedAt.length < loginFailuresMax) return 0;
  return Math.max(0, Math.max(...failedAt) + loginWindowMs - now);
}

/**
 * Adds an attempt under way. Called only while the login is not locked. Null while there is no room for the attempt.
 */
export function withAttempt(attempts: LoginAttempts, now: number): LoginAttempts | null {
  const { failedAt, underWay } = settledBy(attempts, now);
  // After a lock all its failures are as old as the window.
  const recent = failedAt.filter((at) => at > now - loginWindowMs);
  if (recent.length + underWay.length >= loginFailuresMax) return null;
  const { provenUntil = 0 } = attempts;
  const expiresAt = Math.max(now + loginWindowMs, provenUntil);
  return { failedAt: recent, underWay: [...underWay, now], provenUntil, expiresAt };
}

/**
 * The attempts after the end of the attempt that began at this time. A right password forgets all failures, and proves
 * the login for a while.
 */
export function withEnded(attempts: LoginAttempts, at: number, right: boolean, now: number): LoginAttempts {
  const { failedAt, underWay = [] } = attempts;
  const index = underWay.indexOf(at);
  const others = underWay.filter((_, each) => each !== index);
  if (!right) return { ...attempts, underWay: others, failedAt: [...failedAt, ...(index < 0 ? [] : [at])] };
  const provenUntil = now + loginProvenMs;
  return { failedAt: [], underWay: others, provenUntil, expiresAt: provenUntil };
}

/** Whether this email was right from this network lately. Its logins then wait before those of strangers. */
export function isProvenAt({ provenUntil = 0 }: LoginAttempts, now: number): boolean {
  return provenUntil > now;
}

function settledBy({ failedAt, underWay = [] }: LoginAttempts, now: number) {
  const isLost = (at: number) => at <= now - loginUnderWayMs;
  return {
    failedAt: [...failedAt, ...underWay.filter(isLost)],
    underWay: underWay.filter((at) => !isLost(at)),
  };
}
