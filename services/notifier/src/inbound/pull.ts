/** A durable pull consumer as a loop that survives what ends an iteration early: a lost connection, a restarted server. */
import type { ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { type Clock, pause } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';

const RESTART_PAUSE_MS = 1_000;

export type Pull = {
  /** Asks for no more messages; resolves when the last `handle` has returned. */
  stop(): Promise<void>;
};

export type PullSettings = {
  jetstream: JetStreamClient;
  stream: string;
  consumer: string;
  /** Messages the client asks for ahead of `handle`. */
  ahead: number;
  clock: Clock;
  log: Logger;
};

/** Hands every message to `handle`, the next one when it has resolved. `handle` settles the message and never throws. */
export function startPull(settings: PullSettings, handle: (message: JsMsg) => Promise<void>): Pull {
  const { jetstream, stream, consumer, clock, log } = settings;
  let stopping = false;
  let messages: ConsumerMessages | null = null;

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        const source = await jetstream.consumers.get(stream, consumer);
        messages = await source.consume({ max_messages: settings.ahead });
        if (stopping) return;
        for await (const message of messages) {
          // What the client has asked for ahead goes to another notifier without waiting for its deadline.
          if (stopping) message.nak();
          else await handle(message);
        }
      } catch (error) {
        if (!stopping) log.warn({ err: error, stream, consumer }, 'pull interrupted, will be taken up again');
      }
      if (!stopping) await pause(clock, RESTART_PAUSE_MS);
    }
  }

  const ended = run();
  return {
    async stop() {
      stopping = true;
      await messages?.close();
      await ended;
    },
  };
}
