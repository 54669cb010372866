/** The question before the journal gets a higher form, on a NATS connection that the test plays. */
import { askedLayout, firstLayout } from '@parterre/shared/runtime/cluster-layout';
import { createLog } from '@parterre/shared/runtime/log';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import { expect, test } from 'vitest';
import { memberSilenceMs } from '../../../services/inventory-shard/src/cluster/bounds.ts';
import { raiseFormIfAsked } from '../../../services/inventory-shard/src/cluster/raise-form.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('a member whose beat cannot be read keeps the form from rising, and the subscription goes on', async () => {
  let hear: (error: Error | null, message: { subject: string; data: Uint8Array }) => void = () => {};
  const subscribe = (_subject: string, { callback }: { callback: typeof hear }) => {
    hear = callback;
    return { unsubscribe: () => {} };
  };
  const clock = new ManualClock();
  const nats = { subscribe } as unknown as NatsConnection;
  const ports = { nats, clock, log: createLog('test', 'silent') };
  const raised = raiseFormIfAsked(ports, firstLayout(askedLayout({}), 'dep_1'), { ...askedLayout({}), form: 2 });
  const refused = expect(raised).rejects.toThrow('the members members.shd_7 run a version that cannot read this form');
  expect(() => hear(null, { subject: 'members.shd_7', data: Uint8Array.of(0xc0) })).not.toThrow();
  clock.advance(memberSilenceMs);
  await refused;
});
