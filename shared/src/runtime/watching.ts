/**
 * Looks at something again and again, with a pause behind each look, until it is stopped. `look` handles its own
 * failures: a rejection would end the watch. `stop` resolves when the look under way is over.
 */
import { type Clock, pauseUnless } from './clock.ts';

export type Watching = {
  /** Looks until `stop`. */
  watch(): void;
  stop(): Promise<void>;
};

export function createWatching(clock: Clock, pollMs: number, look: () => Promise<unknown>): Watching {
  const stopping = new AbortController();
  let watching: Promise<unknown> = Promise.resolve();
  async function lookOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      await pauseUnless(stopping.signal, clock, pollMs);
    }
  }
  return {
    watch() {
      watching = lookOn();
    },
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}
