/** A durable pull consumer, read on through what ends a reading early: a lost connection, a restarted server. */
import type { Consumer, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { type Clock, pause } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';

const RESTART_PAUSE_MS = 1_000;

export type Pull = {
  /** Asks for no more messages; resolves when what was handed over has been handled. */
  stop(): Promise<void>;
};

export type PullSettings = {
  jetstream: JetStreamClient;
  stream: string;
  consumer: string;
  clock: Clock;
  log: Logger;
};

/** `read` reads until it is told to stop; when it ends or throws before, it begins anew after a pause. */
export function keepReading(
  settings: PullSettings,
  read: (source: Consumer, stopping: AbortSignal) => Promise<void>,
): Pull {
  const { jetstream, stream, consumer, clock, log } = settings;
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const source = await jetstream.consumers.get(stream, consumer);
        if (!stopping.signal.aborted) await read(source, stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) {
          log.warn({ err: error, stream, consumer }, 'pull interrupted, will be taken up again');
        }
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

/**
 * Hands every message to `handle`, the next one when it has resolved. `handle` settles the message and never throws.
 * `ahead` messages are asked for before.
 */
export function startPull(settings: PullSettings, ahead: number, handle: (message: JsMsg) => Promise<void>): Pull {
  return keepReading(settings, async (source, stopping) => {
    const messages = await source.consume({ max_messages: ahead });
    const stop = () => messages.stop();
    if (stopping.aborted) stop();
    stopping.addEventListener('abort', stop);
    try {
      for await (const message of messages) {
        // What the client has asked for ahead goes to another notifier without waiting for its deadline.
        if (stopping.aborted) message.nak();
        else await handle(message);
      }
    } finally {
      stopping.removeEventListener('abort', stop);
    }
  });
}
