/**
 * Reads a journal in batches, for consumers that may lag a little. Single messages cost a packet, a wake-up and often a
 * write each, on both sides; a batch costs little more than one message.
 *
 * The reader waits for the first message, which says how many messages stand behind it. It asks for these together, and
 * they come at once, as far as they fit `bytes`. A message larger than `bytes` is a batch of its own.
 */
import { type PulledMessage, type PullSource, pull } from './pull.ts';

/** How long one request waits for a first message. */
const waitMs = 3_000;

export type BatchBounds = { messages: number; bytes: number };

/** `isCut`: a bound ended the batch before the last message that stood in the journal, so a reader does not rest. */
export type ReadBatch = { messages: PulledMessage[]; isCut: boolean };

/**
 * Throws when the journal cannot be read now. When `stopping` is aborted it asks for no more messages, and returns the
 * messages that came.
 */
export async function readBatch(source: PullSource, bounds: BatchBounds, stopping: AbortSignal): Promise<ReadBatch> {
  const [first] = await pull(source, { messages: 1, bytes: null, waitMs }, stopping);
  if (!first) return { messages: [], isCut: false };
  const messages = [first, ...(await readBehind(first, source, bounds, stopping))];
  // A message that came during the reading is left for the next batch: a busy reader must not read it by itself.
  const isCut = messages.length <= first.pending && messages.at(-1)!.pending > 0;
  return { messages, isCut };
}

async function readBehind(
  first: PulledMessage,
  source: PullSource,
  bounds: BatchBounds,
  stopping: AbortSignal,
): Promise<PulledMessage[]> {
  const messages = Math.min(first.pending, bounds.messages - 1);
  const bytes = bounds.bytes - first.data.length;
  if (messages === 0 || bytes <= 0) return [];
  try {
    return await pull(source, { messages, bytes, waitMs: 0 }, stopping);
  } catch {
    // The first message is already here. The next request meets the same fault.
    return [];
  }
}
