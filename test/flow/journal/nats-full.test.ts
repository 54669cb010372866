/**
 * A full JetStream refuses appends. Acknowledged holds stand, callers wait or are told to retry, the partition does not
 * fill the rest with fences, and it goes on once there is room.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { appendWindow, retryPauseMsMax } from '@parterre/shared/protocol/limits';
import { names } from '@parterre/shared/protocol/subjects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownPartition } from '../../support/partition/owner.ts';
import { startSellers } from '../../support/partition/sellers.ts';
import { natsReleases, startNats, type TestNats } from '../../support/servers/nats.ts';

const WATCHED_MS = 4_000;

describe.each(natsReleases)('a server of version $version', (release) => {
  let storeDir: string;
  let server: TestNats;
  let nats: NatsConnection;

  beforeAll(async () => {
    storeDir = await mkdtemp(join(tmpdir(), 'parterre-test-full-'));
    server = await startNats({ ...release, storeDir, config: limitedTo('2MB', storeDir) });
    nats = await connect({ servers: server.url, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  }, 300_000);
  afterAll(async () => {
    await nats?.close();
    await server?.stop();
    await rm(storeDir, { recursive: true, force: true });
  });

  test('loses nothing when its storage is full, and sells again once there is room', async () => {
    const manager = await jetstreamManager(nats);
    const owner = await ownPartition({ nats, number: 0, name: 'owner' });
    await manager.streams.add({ name: 'BALLAST', subjects: ['ballast'] });
    const sellers = await startSellers(owner, 'night');
    await sellers.sold(100);
    await fill(nats);
    await expect.poll(() => owner.partition.state, { timeout: 10_000 }).toBe('recovering');
    const before = sellers.count();
    const lastOf = async (): Promise<number> => (await manager.streams.info(names.journalStream(0))).state.last_seq;
    const last = await lastOf();
    const since = owner.partition.epoch;
    await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
    // A small fence still fits, once for every retry pause.
    expect((await lastOf()) - last).toBeLessThanOrEqual(appendWindow * (WATCHED_MS / retryPauseMsMax + 1));
    expect(sellers.count() - before).toBeLessThanOrEqual(8);

    await manager.streams.purge('BALLAST');
    const wait = await sellers.sold(1);
    console.log(
      `${release.version ?? 'current'} full: ${(await lastOf()) - last} messages in ${WATCHED_MS} ms, ` +
        `${owner.partition.epoch - since} fences; sells again ${wait.toFixed(0)} ms after room was made`,
    );
    expect(wait).toBeLessThan(2 * retryPauseMsMax);
    await sellers.sold(50);
    await sellers.stop();
    await sellers.expectAllStand(server.url, 0);
    owner.partition.close();
  });
});

/** Publishes ballast in ever smaller pieces until none fits. */
async function fill(nats: NatsConnection): Promise<void> {
  for (let bytes = 100_000; bytes >= 1; bytes = Math.floor(bytes / 4)) {
    for (;;) {
      const answer = await nats.request('ballast', new Uint8Array(bytes), { timeout: 5_000 });
      if (answer.json<{ error?: unknown }>().error) break;
    }
  }
}

/** Replaces the server's default `jetstream` block. */
function limitedTo(size: string, folder: string): string {
  return `jetstream { store_dir: ${JSON.stringify(join(folder, 'data'))}, max_file_store: ${size} }`;
}
