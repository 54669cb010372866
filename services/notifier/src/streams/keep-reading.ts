/** Something that is read on through what ends a reading early: a lost connection, a restarted server. */
import { type Clock, pause } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';

const RESTART_PAUSE_MS = 1_000;

export type Reading = {
  /** Reads no more; resolves when what was read is settled or given back. */
  stop(): Promise<void>;
};

export type ReadingPorts = { clock: Clock; log: Logger };

/** `read` reads until it is told to stop; when it ends or throws before, it begins anew after a pause. */
export function keepReading(
  { clock, log }: ReadingPorts,
  what: Record<string, unknown>,
  read: (stopping: AbortSignal) => Promise<void>,
): Reading {
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await read(stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error, ...what }, 'reading interrupted, will be taken up again');
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
