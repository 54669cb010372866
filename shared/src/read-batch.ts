/**
 * Reading a journal in batches, for consumers that may lag a little. Messages asked for one after the other cost a
 * packet, a wake-up and often a write each, on both sides; what has gathered meanwhile costs little more than one.
 *
 * The first message is waited for, and says how many stand behind it: those are asked for together and come at once.
 * Where another reader of the same durable consumer took some of them, the rest of the batch comes as it is journaled,
 * for `restMs` at most. A failure while reading is thrown; what was taken until then is the caller's.
 */
import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { type Clock, pause } from './clock.ts';

/** Resolves at the next beat, which comes `intervalMs` after the first of those who wait for it began to. */
export type Pace = () => Promise<void>;

/** Readers of several journals that share a pace ask, and are answered, in the same packets. */
export function createPace(clock: Clock, intervalMs: number): Pace {
  let beat: Promise<void> | null = null;
  return () => {
    beat ??= pause(clock, intervalMs).then(() => {
      beat = null;
    });
    return beat;
  };
}

/** How long one request waits for a first message. */
const waitMs = 10_000;
/** The least that the library takes. */
const restMs = 1_000;

/**
 * Hands over up to `max` messages, each when `take` is done with the one before it, and resolves with how many there
 * were. When `stopping` says so it asks for no more; what has already been sent is still handed over.
 */
export async function readBatch(
  consumer: Consumer,
  max: number,
  stopping: AbortSignal,
  take: (message: JsMsg) => void | Promise<void>,
): Promise<number> {
  let behind = 0;
  const first = await read(1, waitMs, (message) => {
    behind = message.info.pending;
    return take(message);
  });
  const rest = Math.min(behind, max - 1);
  return rest > 0 ? first + (await read(rest, restMs, take)) : first;

  async function read(count: number, expires: number, each: typeof take): Promise<number> {
    const messages = await consumer.fetch({ max_messages: count, expires });
    const stop = () => messages.stop();
    if (stopping.aborted) stop();
    stopping.addEventListener('abort', stop);
    let taken = 0;
    try {
      for await (const message of messages) {
        await each(message);
        taken++;
      }
    } finally {
      stopping.removeEventListener('abort', stop);
      stop();
    }
    return taken;
  }
}
