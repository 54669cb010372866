/** Losses of a deployment's storage, each with the evidence that is left (I9): no seat is sold a second time. */
import { renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startParterre } from '../../support/servers/server.ts';
import { backupEnv } from './backup-runs.ts';
import { book, lost, type SoldFolders, sellSeats, sold } from './lost-records-runs.ts';

let folders: SoldFolders;

beforeAll(async () => {
  folders = await sellSeats();
}, 120_000);
afterAll(() => folders?.remove());

describe('before the start', { timeout: 120_000 }, () => {
  test('journals that are gone are not made anew: their partitions halt, until they are back', async () => {
    const { busy, quiet } = folders;
    await folders.copy('whole', 'gone');
    await folders.deleteJournals('gone');
    const { restored, ask } = await folders.start('gone');
    for (const event of [busy, quiet]) expect(await book(ask, event, 'A-3', 'another')).toEqual(lost);
    await restored.stop();
  });

  test('an older journal whose snapshots are gone halts, since the catalog has counted more', async () => {
    const { busy } = folders;
    await folders.copy('whole', 'counted');
    await folders.putOlderBack('counted');
    const { streams } = await folders.streamsOf('counted');
    await rm(`${streams}/OBJ_SNAPSHOTS`, { recursive: true });
    const { restored, ask } = await folders.start('counted');
    try {
      await expect.poll(() => book(ask, busy, 'B-1', 'another')).toEqual(lost);
    } finally {
      await restored.stop();
    }
  });

  test('NATS without any data is refused, because the catalog belongs to another deployment', async () => {
    await folders.copy('whole', 'empty');
    await rm(folders.path('empty/nats'), { recursive: true });
    const start = startParterre({ dataDir: folders.path('empty'), env: backupEnv });
    await expect(start).rejects.toThrow(/belongs to the deployment/);
  });
});

test('a tail that NATS loses while the shards live on halts its event, also when the shard dies', async () => {
  const { busy, quiet } = folders;
  await folders.copy('whole', 'tail');
  const { restored, ask } = await folders.start('tail');
  try {
    expect(await book(ask, busy, 'A-4', 'before')).toEqual(sold);
    const nats = restored.pidOf('nats');
    process.kill(nats, 'SIGSTOP');
    await folders.copy('tail/nats', 'tail/nats-older');
    process.kill(nats, 'SIGCONT');
    for (let n = 9; n <= 14; n++) expect(await book(ask, busy, `B-${n}`, `lost-${n}`)).toEqual(sold);
    const seen = await ask('GET', `/v1/events/${busy}/bookings/lost-14`);
    expect(seen.status).toBe(200);
    process.kill(nats, 'SIGKILL');
    renameSync(folders.path('tail/nats'), folders.path('tail/nats-lost'));
    renameSync(folders.path('tail/nats-older'), folders.path('tail/nats'));
    await expect.poll(() => book(ask, busy, 'B-14', 'another')).toEqual(lost);
    await expect.poll(() => book(ask, quiet, 'A-4', 'new'), { timeout: 40_000 }).toEqual(sold);
    process.kill(restored.pidOf('inventory-shard'), 'SIGKILL');
    await expect.poll(() => book(ask, busy, 'B-14', 'another'), { timeout: 40_000 }).toEqual(lost);
  } finally {
    await restored.stop();
  }
}, 180_000);
