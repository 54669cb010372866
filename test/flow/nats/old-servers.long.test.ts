/** The oldest supported release of nats-server: its version, its clock, and the copies that it cannot keep. */
import { jetstreamManager } from '@nats-io/jetstream';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNatsTime } from '../../../services/inventory-shard/src/steady-clock/nats-time.ts';
import { debianNatsVersion, startNats, type TestNats } from '../../support/servers/nats.ts';
import { startService } from '../../support/servers/service.ts';

let server: TestNats;
let nats: NatsConnection;

beforeAll(async () => {
  server = await startNats({ version: debianNatsVersion });
  nats = await connectNats({ url: server.url, name: 'test' }, createLog('test', 'silent'));
}, 300_000);
afterAll(async () => {
  await nats?.close();
  await server?.stop();
});

test('the version that a test asks for is the one that runs', () => {
  expect(nats.info?.version).toBe(debianNatsVersion);
});

test('a server of 2.9 does not tell its time', async () => {
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: 'JOURNAL-0', subjects: ['journal.0.>'] });
  expect(await createNatsTime(manager, 1, systemClock)()).toBe('untold');
  await manager.streams.delete('JOURNAL-0');
});

test('a shard keeps no copies of its journal on a server that is too old for them', async () => {
  const shard = startService('inventory-shard', { NATS_URL: server.url, JOURNAL_REPLICAS: '3' });
  expect(await shard.exited).toBe(1);
  expect(shard.lastWords()).toEqual([expect.stringContaining('keep 3 copies of the journal on NATS 2.9.10')]);
});
