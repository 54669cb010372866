/**
 * Reading a journal in batches, for consumers that may lag a little. Messages asked for one after the other cost a
 * packet, a wake-up and often a write each, on both sides; what has gathered meanwhile costs little more than one.
 *
 * The first message is waited for, and says how many stand behind it: those are asked for together and come at once, as
 * far as they fit `bytes`. A message that is larger by itself is a batch of its own.
 */
import { type Clock, pause } from './clock.ts';
import { type PulledMessage, type PullSource, pull } from './pull.ts';

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
const waitMs = 3_000;

export type BatchBounds = { messages: number; bytes: number };

/** Throws when nothing can be read just now. When `stopping` says so it asks for no more; what came is still handed over. */
export async function readBatch(
  source: PullSource,
  bounds: BatchBounds,
  stopping: AbortSignal,
): Promise<PulledMessage[]> {
  const [first] = await pull(source, { messages: 1, bytes: null, waitMs }, stopping);
  if (!first) return [];
  const messages = Math.min(first.pending, bounds.messages - 1);
  const bytes = bounds.bytes - first.data.length;
  if (messages === 0 || bytes <= 0) return [first];
  try {
    return [first, ...(await pull(source, { messages, bytes, waitMs: 0 }, stopping))];
  } catch {
    // The first one is in hand, and whoever asks next hears of it.
    return [first];
  }
}
