/** The copies of a journal on three servers, one of which has a flipped bit that NATS does not repair (I9). */
import { readFileSync } from 'node:fs';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { compareCopies } from '../../../scripts/journal/copies.ts';
import { flipBit, lastBlock } from '../../cluster/storage/faults.ts';
import { eventConfig, hold } from '../../support/inventory/house.ts';
import { ownPartition } from '../../support/partition/owner.ts';
import { startNatsCluster } from '../../support/servers/nats.ts';

test('a damaged copy differs from the others at the damaged message', async () => {
  const cluster = await startNatsCluster(3);
  const nats = await connect({ servers: cluster.url.split(',') });
  onTestFinished(async () => {
    await nats.close();
    await cluster.stop();
  });
  const owner = await ownPartition({ nats, number: 0, name: 'one', replicas: 3 });
  await owner.ask('gala', { type: 'create', config: eventConfig({ eventKey: 'gala' }) });
  for (let n = 1; n <= 6; n++) await owner.ask('gala', hold(`h${n}`, `A-${n}`));
  owner.partition.close();
  const manager = await jetstreamManager(nats);
  const streams = { nats, manager, client: jetstream(nats) };
  const { cluster: placed, state } = await manager.streams.info('JOURNAL-0');
  const replicas = placed!.replicas!.map(({ name }) => name);
  const servers = [placed!.leader!, ...replicas];
  const { copies, unread } = await compareCopies(streams, 'JOURNAL-0', servers);
  expect(copies.map(({ server }) => server).sort()).toEqual([...servers].sort());
  expect([copies.every(({ differsAt }) => differsAt === null), unread]).toEqual([true, []]);

  const struck = cluster.servers[Number(replicas[0]!.split('-')[1]) - 1]!;
  process.kill(struck.pid, 'SIGTERM');
  await vi.waitFor(() => expect(() => process.kill(struck.pid, 0)).toThrow(), 20_000);
  const block = lastBlock(struck.storeDir);
  const subject = 'journal.0.gala';
  const bytes = readFileSync(block);
  const damaged = bytes.lastIndexOf(subject, bytes.lastIndexOf(subject) - 1);
  flipBit(block, damaged + subject.length + 20);
  await struck.restart();
  await vi.waitFor(
    async () => {
      const seen = await compareCopies(streams, 'JOURNAL-0', servers);
      const differing = seen.copies.filter(({ differsAt }) => differsAt !== null);
      expect(differing).toEqual([{ server: replicas[0], differsAt: state.last_seq - 1 }]);
      expect(seen.unread).toEqual([]);
    },
    { timeout: 60_000, interval: 1_000 },
  );
}, 180_000);
