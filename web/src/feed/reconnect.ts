/** The step after the feed's socket has closed, by its close code (see the OpenAPI description). Pure. */

export type Reaction =
  /** For good: the access was revoked, or the event is gone. */
  { kind: 'stop'; because: 'revoked' | 'deleted' } | { kind: 'again'; delayMs: number; freshSession: boolean };

const REVOKED = 4401;
const EXPIRED = 4419;
const DELETED = 4404;
const FIRST_DELAY_MS = 250;
const DELAY_MS_MAX = 15_000;

/** `attempt` counts the closes since the last frame. `luck` of 0 to 1 spreads viewers that were cut off together. */
export function afterClose(code: number, attempt: number, luck: number): Reaction {
  if (code === REVOKED) return { kind: 'stop', because: 'revoked' };
  if (code === DELETED) return { kind: 'stop', because: 'deleted' };
  const most = Math.min(FIRST_DELAY_MS * 2 ** attempt, DELAY_MS_MAX);
  return { kind: 'again', delayMs: Math.round(most * (0.5 + luck / 2)), freshSession: code === EXPIRED };
}
