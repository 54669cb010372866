/**
 * A data folder with an older copy of its journals, or without its layout (I9): no seat is sold a second time.
 * lost-records.long.test.ts has the other losses.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startParterre } from '../../support/servers/server.ts';
import { backupEnv } from './backup-runs.ts';
import { book, lost, type SoldFolders, sellSeats, sold } from './lost-records-runs.ts';

let folders: SoldFolders;

beforeAll(async () => {
  folders = await sellSeats();
}, 120_000);
afterAll(() => folders?.remove());

test('an older journal halts the event with later sales, also after it has grown, and the others sell', async () => {
  const { busy, quiet } = folders;
  await folders.copy('whole', 'grown');
  await folders.putOlderBack('grown');
  // The catalog has not counted the later sales either: the snapshot of the event alone knows of them.
  await rm(folders.path('grown/catalog'), { recursive: true });
  await folders.copy('older/catalog', 'grown/catalog');
  const { restored, ask } = await folders.start('grown');
  try {
    // Until the difference is certain, the event is loaded again and again.
    await expect.poll(() => book(ask, busy, 'A-1', 'another')).toEqual(lost);
    for (const label of ['B-1', 'B-9']) expect(await book(ask, busy, label, 'another')).toEqual(lost);
    const refused = await ask('POST', `/v1/events/${busy}/hold`, { selections: [{ label: 'B-9' }] });
    expect(refused.body).not.toHaveProperty('retryable');
    for (let n = 1; n <= 20; n++) expect(await book(ask, quiet, `B-${n}`, `new-${n}`)).toEqual(sold);
    process.kill(restored.pidOf('inventory-shard'), 'SIGKILL');
    await expect.poll(() => book(ask, quiet, 'B-1', 'another')).toEqual([409, 'conflict']);
    await expect.poll(() => book(ask, busy, 'B-9', 'another')).toEqual(lost);
    expect(await book(ask, quiet, 'A-4', 'new')).toEqual(sold);
  } finally {
    await restored.stop();
  }
}, 120_000);

test('a start without the layout is refused while the journals are there', async () => {
  await folders.copy('whole', 'no-layout');
  const { streams } = await folders.streamsOf('no-layout');
  await rm(join(streams, 'KV_CLUSTER'), { recursive: true });
  const { JOURNAL_PARTITIONS: _, ...env } = backupEnv;
  await expect(startParterre({ dataDir: folders.path('no-layout'), env })).rejects.toThrow(/layout/);
}, 60_000);
