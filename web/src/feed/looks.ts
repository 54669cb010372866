/**
 * Looks at a map for as long as the page wants: of a group, which has no feed, or of an event whose socket cannot open.
 *
 * States: looking → resting → looking …; while the page is out of sight it rests; stopped, and ended by a refusal of
 * access, are final. Failures: no answer, or a server that cannot answer, makes the next rest longer; a server that
 * asks for patience gets it.
 */

import type { Result } from '../sale/calls.ts';
import type { Connection } from './feed.ts';
import { delayOf } from './reconnect.ts';

const REST_MS = 3_000;
/** A map that takes long is read less often. */
const REST_PER_LOOK = 4;

export function keepLooking(look: () => Promise<Result<unknown>>, listener: Connection): { stop(): void } {
  let stopped = false;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isLooking = false;

  async function step(): Promise<void> {
    if (isLooking) return;
    clearTimeout(resting);
    isLooking = true;
    const since = performance.now();
    const answer = document.visibilityState === 'visible' ? await look() : null;
    isLooking = false;
    if (stopped) return;
    if (answer && !answer.ok && [401, 403, 404].includes(answer.status)) {
      stopped = true;
      listener.ended(answer.problem);
      return;
    }
    if (answer) {
      failures = answer.ok ? 0 : failures + 1;
      listener.connection(answer.ok ? 'live' : 'waiting');
    }
    resting = setTimeout(() => void step(), restAfter(answer, performance.now() - since));
  }

  /** The rests vary, so that pages that were opened together spread their requests. */
  function restAfter(answer: Result<unknown> | null, lookMs: number): number {
    const usual = Math.max(REST_MS, lookMs * REST_PER_LOOK) * (0.8 + Math.random() * 0.4);
    if (!answer || answer.ok) return usual;
    return Math.max(delayOf(failures, Math.random()), (answer.problem.retryAfterSeconds ?? 0) * 1_000);
  }

  const wake = () => {
    if (document.visibilityState === 'visible' && !stopped) void step();
  };
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('online', wake);
  void step();
  return {
    stop() {
      stopped = true;
      clearTimeout(resting);
      document.removeEventListener('visibilitychange', wake);
      window.removeEventListener('online', wake);
    },
  };
}
