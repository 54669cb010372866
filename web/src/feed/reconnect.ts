/** The step after the feed's socket has closed, by its close code (see the OpenAPI description). Pure. */

import { grownDelay } from './growing-pause.ts';

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
  return { kind: 'again', delayMs: delayOf(attempt, luck), freshSession: code === EXPIRED };
}

/** The wait before another connection or look, in ms. */
export const delayOf = (attempt: number, luck: number): number =>
  Math.round(grownDelay(FIRST_DELAY_MS, DELAY_MS_MAX, attempt, luck));
