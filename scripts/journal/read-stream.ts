/** Reads a whole stream in order through its leader's consumer, and tells what does not follow. */
import { type Consumer, DeliverPolicy } from '@nats-io/jetstream';
import type { JetStreams } from '../backup/messages.ts';
import { Refused } from '../backup/refused.ts';

export type ReadMessage = { sequence: number; subject: string; data: Uint8Array };

const readAhead = 256;
const stallMsMax = 60_000;

/** The stream's messages from `from` to `to`. Sequences may be missing. Throws a `Refused` when the stream stalls. */
export async function* messagesBetween(
  { client }: JetStreams,
  stream: string,
  from: number,
  to: number,
): AsyncGenerator<ReadMessage> {
  if (from > to) return;
  const options = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from };
  yield* messagesOf(await client.consumers.get(stream, options), stream, to);
}

/** The messages of an ordered consumer, up to the sequence `to`. Throws as `messagesBetween`. */
export async function* messagesOf(
  consumer: Consumer,
  stream: string,
  to: number,
  stallMs = stallMsMax,
): AsyncGenerator<ReadMessage> {
  if ((await consumer.info()).num_pending === 0) return;
  const messages = await consumer.consume({ max_messages: readAhead });
  let stalled = false;
  const timer = setInterval(() => {
    if (stalled) messages.stop();
    stalled = true;
  }, stallMs / 2);
  try {
    for await (const { seq, subject, data, info } of messages) {
      stalled = false;
      if (seq <= to) yield { sequence: seq, subject, data };
      if (seq >= to || info.pending === 0) return;
    }
    throw new Refused(`${stream} gave no message for ${stallMs / 1000} s.`);
  } finally {
    clearInterval(timer);
    await messages.close();
  }
}
