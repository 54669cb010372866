/**
 * How many guesses a login gets. An attempt is under way before its password is looked at, and failed or forgotten after
 * that: so guesses made at once are never looked at beyond the number that may fail. Where those under way take the room
 * that is left, others wait for what becomes of them: a right login never counts against another one. An attempt of which
 * nothing more is heard has failed.
 */
import { loginFailuresMax, loginUnderWayMs, loginWindowMs } from '../../store/rules/bounds.ts';
import type { LoginAttempts } from '../../store/rules/records.ts';

/** How long no password is looked at: the window's length from the last of too many failures on. 0 when it is open. */
export function lockedForMs(attempts: LoginAttempts, now: number): number {
  const { failedAt } = settledBy(attempts, now);
  if (failedAt.length < loginFailuresMax) return 0;
  return Math.max(0, Math.max(...failedAt) + loginWindowMs - now);
}

/** With one more under way, at a time when the login is not locked; null where there is no room before others have ended. */
export function withAttempt(attempts: LoginAttempts, now: number): LoginAttempts | null {
  const { failedAt, underWay } = settledBy(attempts, now);
  // After a lock all of its failures are as old as the window.
  const recent = failedAt.filter((at) => at > now - loginWindowMs);
  if (recent.length + underWay.length >= loginFailuresMax) return null;
  return { failedAt: recent, underWay: [...underWay, now], expiresAt: now + loginWindowMs };
}

/** What the attempt that began at this time has come to: a right one has all failures forgotten. */
export function withEnded(attempts: LoginAttempts, at: number, right: boolean): LoginAttempts {
  const { failedAt, underWay = [] } = attempts;
  const index = underWay.indexOf(at);
  const others = underWay.filter((_, each) => each !== index);
  return { ...attempts, underWay: others, failedAt: right ? [] : [...failedAt, ...(index < 0 ? [] : [at])] };
}

function settledBy({ failedAt, underWay = [] }: LoginAttempts, now: number) {
  const isLost = (at: number) => at <= now - loginUnderWayMs;
  return {
    failedAt: [...failedAt, ...underWay.filter(isLost)],
    underWay: underWay.filter((at) => !isLost(at)),
  };
}
