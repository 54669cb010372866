/** Keeps a reading going through events that end it early: a lost connection, a restarted server. */
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';

const RESTART_PAUSE_MS = 1_000;

export type Reading = {
  /** Reads no more. Resolves when every message that was read is settled or given back. */
  stop(): Promise<void>;
};

export type ReadingPorts = { clock: Clock; log: Logger };

/**
 * `read` reads until its signal is aborted. If `read` ends or throws earlier, it is started again after a pause.
 * `facts` go into the log.
 */
export function keepReading(
  { clock, log }: ReadingPorts,
  facts: Record<string, unknown>,
  read: (stopping: AbortSignal) => Promise<void>,
): Reading {
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await read(stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error, ...facts }, 'a reading was interrupted and starts again');
      }
      if (!stopping.signal.aborted) await pause(clock, RESTART_PAUSE_MS);
    }
  }

  const ended = run();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
