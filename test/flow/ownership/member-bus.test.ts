/** Pings and preparations between shards, on a NATS connection that the test plays. */
import { NoRespondersError } from '@nats-io/transport-node';
import { createLog } from '@parterre/shared/runtime/log';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import { expect, test } from 'vitest';
import {
  handOverPrepareMs,
  memberPingAgainMs,
  ownBeatSilenceMs,
} from '../../../services/inventory-shard/src/cluster/bounds.ts';
import { createMemberBus } from '../../../services/inventory-shard/src/cluster/member-bus.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('a ping that was on its way when the member died is sent anew, and its answer counts', async () => {
  const clock = new ManualClock();
  let asked = 0;
  const request = (subject: string): Promise<never> => {
    asked++;
    return asked === 1 ? new Promise(() => {}) : Promise.reject(new NoRespondersError(subject));
  };
  const bus = createMemberBus({ request } as unknown as NatsConnection, clock, 'self', createLog('test', 'silent'));
  const answer = bus.ping('dead');
  clock.advance(memberPingAgainMs - 1);
  expect(asked).toBe(1);
  clock.advance(1);
  expect(await answer).toBe('nobody');
  clock.advance(10 * memberPingAgainMs);
  expect(asked).toBe(2);
});

test.each([
  [500, [handOverPrepareMs, handOverPrepareMs - 500]],
  [handOverPrepareMs, [handOverPrepareMs]],
])('both questions of a preparation share its time: the first takes %i ms', async (tookMs, timeouts) => {
  const clock = new ManualClock();
  const asked: number[] = [];
  const request = async (_subject: string, _payload: Uint8Array, { timeout }: { timeout: number }) => {
    asked.push(timeout);
    clock.advance(tookMs);
  };
  const bus = createMemberBus({ request } as unknown as NatsConnection, clock, 'self', createLog('test', 'silent'));
  await bus.prepare('heir', 0, ['gala']);
  expect(asked).toEqual(timeouts);
});

test('a member whose own beats do not come back does not hear itself, until the next one comes', () => {
  const clock = new ManualClock();
  const callbacks = new Map<string, (error: null, message: { subject: string; data: Uint8Array }) => void>();
  let echo = true;
  const nats = {
    isClosed: () => false,
    subscribe: (subject: string, { callback }: { callback: never }) => void callbacks.set(subject, callback),
    publish(subject: string, data: Uint8Array) {
      if (echo) callbacks.get('members.*')!(null, { subject, data });
    },
  };
  const bus = createMemberBus(nats as unknown as NatsConnection, clock, 'self', createLog('test', 'silent'));
  bus.listen({ onBeat: () => {}, onOrphaned: () => {}, onPrepare: async () => {} });
  const beat = () => bus.announce({ id: 'self', owns: [], regions: [], leaving: false });
  expect(bus.hearsItself()).toBe(true);
  beat();
  clock.advance(ownBeatSilenceMs - 1);
  expect(bus.hearsItself()).toBe(true);
  echo = false;
  beat();
  clock.advance(1);
  expect(bus.hearsItself()).toBe(false);
  echo = true;
  beat();
  expect(bus.hearsItself()).toBe(true);
});
