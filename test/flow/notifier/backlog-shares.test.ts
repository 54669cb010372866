/**
 * Backlogs that share a notifier, on a clock of the test: more than it drains at once, and the unsettled messages of
 * each.
 */
import { backlogSliceMs, deliveryAckWaitMs } from '@parterre/shared/protocol/webhook-limits';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createBacklogs } from '../../../services/notifier/src/deliveries/backlogs.ts';
import type { QueueMessage } from '../../../services/notifier/src/deliveries/queue-readers.ts';
import { type Delivery, firstDelivery } from '../../../services/notifier/src/deliveries/rules/delivery.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { settled } from '../../support/replica.ts';

const log = pino({ level: 'silent' });
const place = { partition: 0, sequence: 1, index: 0 };
const POST_MS = 3_000;

function setUp(subIds: string[], drainedMax: number, { settle = async () => {}, postMs = POST_MS } = {}) {
  const clock = new ManualClock();
  const left = new Map(subIds.map((subId) => [subId, 200]));
  const posted = new Set<string>();
  const read = { messages: 0 };
  /** Unsettled messages, each with the time of its last sign of life. */
  const out = new Map<QueueMessage<Delivery[]>, number>();
  const take = (subId: string): QueueMessage<Delivery[]> => {
    read.messages += 1;
    const to = { subId, organisationId: 'org', mode: 'live', eventKey: 'gala' } as const;
    const occurrence = { id: 'occ_1', name: 'seat.booked', ref: null, place, at: 1, body: '{}' } as const;
    const end = (): void => void out.delete(message);
    const message: QueueMessage<Delivery[]> = {
      value: [firstDelivery(occurrence, to, 1)],
      bytes: 1,
      pending: 100,
      ack: end,
      again: end,
      working: () => void out.set(message, clock.elapsed()),
    };
    out.set(message, clock.elapsed());
    return message;
  };
  const backlogs = createBacklogs(
    {
      queues: {
        count: async () => left,
        backlogSize: async (name) => left.get(name) ?? 0,
        openBacklog: async (subId) => ({
          next: async (_stopping, most) => Array.from({ length: most?.messages ?? 256 }, () => take(subId)),
        }),
      },
      // One delivery at a time, as at a failing endpoint.
      dispatchWaiting: ({ subId }) =>
        new Promise((resolve) =>
          clock.after(postMs, () => {
            posted.add(subId);
            resolve({ settled: settle() });
          }),
        ),
      clock,
      log,
    },
    drainedMax,
  );
  const pass = async (ms: number, meanwhile = (): void => {}, stepMs = 500): Promise<void> => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      clock.advance(stepMs);
      await settled();
      meanwhile();
    }
  };
  const stop = async (): Promise<void> => {
    const stopped = backlogs.stop();
    await pass(2 * POST_MS);
    await stopped;
  };
  return { backlogs, clock, posted, out, read, pass, stop };
}

it('a notifier drains every backlog in turn, though there are more than it drains at once', async () => {
  const { backlogs, posted, pass, stop } = setUp(['a', 'b', 'c', 'd', 'e'], 2);
  backlogs.start();
  await pass(5_000);
  expect([...posted].sort()).toEqual(['a', 'b']);
  expect(['c', 'd', 'e'].map(backlogs.has)).toEqual([true, true, true]);
  await pass(3 * (backlogSliceMs + POST_MS));
  expect([...posted].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  await stop();
});

it('a notifier reads few messages of a slow endpoint at once, and gives signs of life for each', async () => {
  const { backlogs, clock, out, pass, stop } = setUp(['slow'], 2);
  backlogs.start();
  await pass(60_000, () => {
    expect(out.size).toBeLessThanOrEqual(17);
    for (const saidAt of out.values()) expect(clock.elapsed() - saidAt).toBeLessThan(deliveryAckWaitMs);
  });
  await stop();
});

it('a drain rests while nothing can be settled, and then goes on', async () => {
  let isAway = true;
  const settle = async (): Promise<void> => {
    if (isAway) throw new Error('the catalog is away');
  };
  const { backlogs, read, pass, stop } = setUp(['a'], 2, { settle, postMs: 10 });
  backlogs.start();
  await pass(11_000, undefined, 10);
  expect(read.messages).toBeGreaterThan(32);
  expect(read.messages).toBeLessThan(150);
  isAway = false;
  await pass(6_000 + 3_000, undefined, 10);
  expect(read.messages).toBeGreaterThan(300);
  await stop();
});
