/**
 * All services start while no stream of the NATS cluster can get a leader: two of its three servers hang. No service
 * leaves, and all are ready once the servers go on. A catalog waits for its MongoDB likewise.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pickPorts } from '../../../scripts/launch/port.ts';
import { startNatsCluster } from '../../support/servers/nats.ts';
import { startService } from '../../support/servers/service.ts';

const hungMs = 15_000;

test('no service leaves while streams have no leader', { timeout: 120_000 }, async () => {
  const cluster = await startNatsCluster(3, { sync: '2m' });
  const folder = await mkdtemp(join(tmpdir(), 'parterre-test-first-start-'));
  const env = { NATS_URL: cluster.url, PARTERRE_DATA: folder, JOURNAL_REPLICAS: '3', JOURNAL_PARTITIONS: '32' };
  const hung = cluster.servers.slice(1);
  for (const { pid } of hung) process.kill(pid, 'SIGSTOP');
  const names = ['inventory-shard', 'inventory-shard', 'catalog', 'notifier', 'frontdoor'] as const;
  const services = names.map((name) => startService(name, env));
  const [port] = await pickPorts(1);
  const waiting = startService('catalog', { ...env, MONGODB_URL: `mongodb://127.0.0.1:${port}/shop` });
  try {
    const left: unknown[] = [];
    for (const { exited } of [...services, waiting]) void exited.then((how) => left.push(how));
    await pause(hungMs);
    expect(left).toEqual([]);
    for (const { pid } of hung) process.kill(pid, 'SIGCONT');
    await Promise.all(services.map(({ ready }) => ready));
    expect(left).toEqual([]);
  } finally {
    for (const { pid } of hung) process.kill(pid, 'SIGCONT');
    await Promise.all([...services, waiting].map((service) => service.stop()));
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
