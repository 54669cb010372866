/** The question before the journal gets a higher form, on a NATS connection that the test plays. */
import { askedLayout, firstLayout } from '@parterre/shared/runtime/cluster-layout';
import { createLog } from '@parterre/shared/runtime/log';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import { afterEach, expect, test, vi } from 'vitest';
import { raiseFormIfAsked } from '../../../services/inventory-shard/src/cluster/raise-form.ts';
import { ManualClock } from '../../support/manual-clock.ts';

afterEach(() => vi.unstubAllGlobals());

test('an unreadable beat is thrown outside the NATS client, whose reading goes on', () => {
  let hear: (error: Error | null, message: { data: Uint8Array }) => void = () => {};
  const subscribe = (_subject: string, { callback }: { callback: typeof hear }) => {
    hear = callback;
  };
  const ports = {
    nats: { subscribe } as unknown as NatsConnection,
    clock: new ManualClock(),
    log: createLog('test', 'silent'),
  };
  const thrown: (() => void)[] = [];
  vi.stubGlobal('queueMicrotask', (run: () => void) => thrown.push(run));
  void raiseFormIfAsked(ports, firstLayout(askedLayout({}), 'dep_1'), { ...askedLayout({}), form: 2 });
  const beat = { data: Uint8Array.of(0xc0) };
  expect(() => hear(null, beat)).not.toThrow();
  expect(thrown).toHaveLength(1);
  expect(thrown[0]).toThrow();
});
