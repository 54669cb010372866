/** Pings between shards, on a NATS connection that the test plays. */
import { NoRespondersError } from '@nats-io/transport-node';
import { createLog } from '@parterre/shared/log';
import type { NatsConnection } from '@parterre/shared/nats';
import { expect, test } from 'vitest';
import { memberPingAgainMs } from '../../../services/inventory-shard/src/cluster/bounds.ts';
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
