import type { NatsConnection } from '@nats-io/transport-node';
import { systemClock } from '@parterre/shared/runtime/clock';
import { readBatch } from '@parterre/shared/runtime/read-batch';
import { expect, test } from 'vitest';

type Hear = (error: null, message: object) => void;

/** A consumer of messages of one byte. With each answer to a request, `arriving` further messages come behind. */
function consumerOf(waiting: number, arriving: number) {
  let delivered = 0;
  let stored = waiting;
  const inboxes = new Map<string, Hear>();
  const nats = {
    subscribe(inbox: string, { callback }: { callback: Hear }) {
      inboxes.set(inbox, callback);
      return { unsubscribe: () => inboxes.delete(inbox) };
    },
    publish(_subject: string, payload: string, { reply }: { reply: string }) {
      const { batch, max_bytes: bytes = batch } = JSON.parse(payload) as { batch: number; max_bytes?: number };
      const hear = inboxes.get(reply)!;
      const last = Math.min(stored, delivered + Math.min(batch, bytes));
      for (const until = last; delivered < until; ) {
        delivered++;
        const place = `1.${delivered}.${delivered}.0.${stored - delivered}`;
        hear(null, { subject: 'journal.0.gala', data: new Uint8Array(1), reply: `$JS.ACK.S.c.${place}` });
      }
      stored += arriving;
      if (inboxes.has(reply)) hear(null, { headers: { code: 408, get: () => String(batch), description: '' } });
    },
  };
  return { nats: nats as unknown as NatsConnection, clock: systemClock, stream: 'S', consumer: 'c' };
}

async function read(waiting: number, arriving: number, bounds: { messages: number; bytes: number }) {
  const { messages, isCut } = await readBatch(consumerOf(waiting, arriving), bounds, new AbortController().signal);
  return [messages.length, isCut];
}

test('a batch of all that stood there is not cut, although more messages arrive meanwhile', async () => {
  expect(await read(5, 0, { messages: 256, bytes: 1_000 })).toEqual([5, false]);
  expect(await read(5, 1, { messages: 256, bytes: 1_000 })).toEqual([5, false]);
  expect(await read(1, 1, { messages: 256, bytes: 1_000 })).toEqual([1, false]);
});

test('a batch that a bound ends is cut', async () => {
  expect(await read(5, 0, { messages: 3, bytes: 1_000 })).toEqual([3, true]);
  expect(await read(5, 0, { messages: 256, bytes: 3 })).toEqual([3, true]);
  expect(await read(5, 0, { messages: 256, bytes: 1 })).toEqual([1, true]);
});
