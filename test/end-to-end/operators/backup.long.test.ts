/** Backups that are interrupted, of groups under load, with webhooks, and of a cluster; and drills. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReceiver } from '../../support/notifier/receiver.ts';
import { startCluster } from '../../support/servers/cluster.ts';
import { startParterre } from '../../support/servers/server.ts';
import { openRun, type Run } from '../groups/run.ts';
import { type Json, openShop, type Shop } from '../shop.ts';
import { backupEnv, parterreIn, segmentsOf, startRestored } from './backup-runs.ts';

let folder: string;
let shop: Shop;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-test-backup-'));
  shop = await openShop({ dataDir: join(folder, 'first'), env: backupEnv });
}, 120_000);
afterAll(async () => {
  await shop?.stop();
  await rm(folder, { recursive: true, force: true });
});

const parterre = (data: string, args: string[], killAt?: RegExp) => parterreIn(folder, data, args, killAt);

/** Holds passes of a run until `running.now` is false: releases most, and books one in eight. Returns their number. */
async function sellPasses(run: Run, row: string, running: { now: boolean }): Promise<number> {
  const page = await run.page();
  let sold = 0;
  for (let n = 0; running.now; n++) {
    const operationId = `pghop_${row}${n}`;
    const { status } = await page.hold(operationId, [`${row}-${1 + (n % 20)}`]);
    if (status !== 201) continue;
    sold++;
    const book = { bookActionId: `book-${row}${n}`, bookingRef: `pass-${row}${n}` };
    if (n % 8 === 0) await run.post(`/holds/${operationId}/book`, book);
    else await page.post(`/operations/${operationId}/release`);
    // Seats that a pass has sold are refused at once.
    await pause(20);
  }
  return sold;
}

/** Sells single seats until `running.now` is false. */
async function sellSeats(running: { now: boolean }): Promise<number> {
  const event = await shop.event();
  let sold = 0;
  for (let n = 0; running.now; n++) {
    const label = `A-${1 + (n % 20)}`;
    const bookingRef = `order-${n}`;
    if ((await event.post('book', { labels: [label], bookingRef })).status === 200) sold++;
    await event.post('unbook', { labels: [label], bookingRef });
  }
  return sold;
}

/** Activates and closes groups, each of which locks and frees its events, until `running.now` is false. */
async function lockEvents(running: { now: boolean }): Promise<number> {
  let locked = 0;
  for (; running.now; locked++) {
    const run = await openRun(shop, 2);
    const { revision } = await run.group();
    await run.post('/close', { expectedRevision: revision });
    await pause(100);
  }
  return locked;
}

test('a drill under load finds every map as the running deployment has it, and no half pass', {
  timeout: 300_000,
}, async () => {
  const runs = await Promise.all([openRun(shop), openRun(shop)]);
  const running = { now: true };
  const passes = runs.map((run) => sellPasses(run, 'A', running));
  const selling = [...passes, sellSeats(running), sellSeats(running), lockEvents(running)];
  const drilled = await parterre('first', ['drill', 'drilled', '--json']);
  running.now = false;
  for (const sold of await Promise.all(selling)) expect(sold).toBeGreaterThan(5);
  expect([drilled.code, drilled.said]).toEqual([0, expect.stringContaining('Maps compared')]);
  expect(JSON.parse(drilled.out)).toMatchObject({ different: 0 });

  expect(await parterre('passes', ['restore', 'drilled'])).toMatchObject({ code: 0 });
  const { restored, ask } = await startRestored(join(folder, 'passes'), shop);
  try {
    for (const { eventKeys, path } of runs) {
      expect((await ask('GET', path)).body.performanceGroup.state).toBe('active');
      // What a front door had begun at the cut is carried on, or ends.
      const seatsOf = async () => {
        const maps = await Promise.all(eventKeys.map((key) => ask('GET', `/v1/events/${key}/objects`)));
        return maps.map(({ body }) => body.seats);
      };
      await expect
        .poll(async () => new Set((await seatsOf()).map((seats) => JSON.stringify(seats))).size, { timeout: 60_000 })
        .toBe(1);
    }
  } finally {
    await restored.stop();
  }
});

test('a backup that was killed goes on behind its last segment', { timeout: 120_000 }, async () => {
  const event = await shop.event();
  for (const n of [1, 2, 3]) await event.post('book', { labels: [`A-${n}`], bookingRef: `order-${n}` });
  const killed = await parterre('first', ['backup', 'killed'], /Snapshots/);
  expect([killed.code, existsSync(join(folder, 'killed', 'backup.json'))]).toEqual([null, false]);
  const segments = await segmentsOf(join(folder, 'killed'));
  expect(segments.size).toBeGreaterThan(0);
  expect(await parterre('none', ['restore', 'killed'])).toMatchObject({
    code: 1,
    said: expect.stringContaining('interrupted'),
  });
  const resumed = await parterre('first', ['backup', 'killed', '--json']);
  expect([resumed.code, resumed.said]).toEqual([0, expect.not.stringContaining('are missing')]);
  const after = await segmentsOf(join(folder, 'killed'));
  for (const [file, changedAt] of segments) expect(after.get(file)).toBe(changedAt);

  // The next run is killed too. The backup of before stays whole.
  await event.post('book', { labels: ['A-4'], bookingRef: 'order-4' });
  const { cutAt } = JSON.parse(resumed.out);
  expect((await parterre('first', ['backup', 'killed'], /The cut/)).code).toBe(null);
  const restored = await parterre('of-before', ['restore', 'killed']);
  expect([restored.code, restored.said]).toEqual([0, expect.stringContaining(cutAt)]);
});

test('a restore that was killed keeps the launcher away, and goes on', { timeout: 180_000 }, async () => {
  expect(await parterre('first', ['backup', 'for-kill'])).toMatchObject({ code: 0 });
  expect((await parterre('half', ['restore', 'for-kill'], /Snapshots/)).code).toBe(null);
  await expect(startParterre({ dataDir: join(folder, 'half'), env: backupEnv })).rejects.toThrow('was interrupted');
  expect(await parterre('first', ['backup', 'other'])).toMatchObject({ code: 0 });
  expect(await parterre('half', ['restore', 'other'])).toMatchObject({
    code: 1,
    said: expect.stringContaining('Another restore has begun'),
  });
  expect(await parterre('half', ['restore', 'for-kill'])).toMatchObject({ code: 0 });
  const { restored, ask } = await startRestored(join(folder, 'half'), shop);
  try {
    expect((await ask('GET', '/v1/charts')).status).toBe(200);
  } finally {
    await restored.stop();
  }
});

test('receivers get the webhooks behind the cut, and none of the settled ones again', {
  timeout: 180_000,
}, async () => {
  const hook = await openReceiver();
  const event = await shop.event();
  await shop.call('POST', '/v1/webhooks', { token: shop.token, body: { url: hook.url, events: ['seat.booked'] } });
  const bookingsAt = () => hook.deliveries.map(({ body }) => body.data.bookingRef);
  try {
    for (const n of [1, 2, 3]) await event.post('book', { labels: [`A-${n}`], bookingRef: `hooked-${n}` });
    await expect.poll(() => bookingsAt().length, { timeout: 20_000 }).toBe(3);
    // The notifier tells the server of its settled messages a moment later.
    await pause(2_000);
    expect(await parterre('first', ['backup', 'hooked'])).toMatchObject({ code: 0 });
    expect(await parterre('hooks', ['restore', 'hooked'])).toMatchObject({ code: 0 });
    const { restored, ask } = await startRestored(join(folder, 'hooks'), shop);
    try {
      await ask('POST', `/v1/events/${event.key}/book`, { labels: ['A-4'], bookingRef: 'hooked-4' });
      await expect.poll(bookingsAt, { timeout: 20_000 }).toEqual(['hooked-1', 'hooked-2', 'hooked-3', 'hooked-4']);
    } finally {
      await restored.stop();
    }
  } finally {
    await hook.close();
  }
});

test('a cluster that sells is backed up while its shards restart, and serves every sale when the shards die', {
  timeout: 300_000,
}, async () => {
  const env = { PARTERRE_NATS_SYNC: '2m', JOURNAL_PARTITIONS: '2', PARTERRE_BUDGETS: 'off' };
  const cluster = await startCluster({ dataDir: join(folder, 'cluster'), env });
  const { secretTest } = cluster.demo.keys;
  const askOf = (url: string) => async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${secretTest}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/v1/events${path}`, { method, headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const bookAt = (ask: ReturnType<typeof askOf>, sale: { key: string; label: string; bookingRef: string }) =>
    ask('POST', `/${sale.key}/book`, { labels: [sale.label], bookingRef: sale.bookingRef });
  const sales: { key: string; label: string; bookingRef: string; answeredAt: number }[] = [];
  const rows = [...'ABCDEFGH'];
  const { chartId } = cluster.demo;
  const shards = ['inventory-shard-1', 'inventory-shard-2', 'inventory-shard-3'];
  let cutAt: number;
  try {
    const ask = askOf(cluster.urls[0]!);
    const made = await Promise.all([1, 2, 3].map(() => ask('POST', '', { chartId })));
    const keys: string[] = made.map(({ body }) => body.meta.key);
    const running = { now: true };
    const selling = keys.map(async (key) => {
      for (let n = 0; running.now && n < rows.length * 20; n++) {
        const sale = {
          key,
          label: `${rows[n % rows.length]}-${1 + Math.floor(n / rows.length)}`,
          bookingRef: `${key}-${n}`,
        };
        if ((await bookAt(ask, sale)).status === 200) sales.push({ ...sale, answeredAt: Date.now() });
        await pause(50);
      }
    });
    await expect.poll(() => sales.length).toBeGreaterThan(20);
    // Each restart stores snapshots, which are newer than a journal that was copied before.
    const drilling = parterre('cluster', ['drill', 'of-cluster', '--json']);
    for (const shard of shards) await cluster.restart(shard);
    const ran = await drilling;
    running.now = false;
    await Promise.all(selling);
    expect([ran.code, ran.said]).toEqual([0, expect.stringContaining('Maps compared')]);
    cutAt = Date.parse(JSON.parse(ran.out).cutAt);
  } finally {
    await cluster.stop();
  }
  expect(await parterre('cluster-2', ['restore', 'of-cluster', '--cluster'])).toMatchObject({ code: 0 });
  const manifest = JSON.parse(await readFile(join(folder, 'of-cluster', 'backup.json'), 'utf8'));
  expect(manifest.manifest.journals['JOURNAL-0'].config.num_replicas).toBe(3);
  const restored = await startCluster({ dataDir: join(folder, 'cluster-2'), env });
  try {
    const ask = askOf(restored.urls[0]!);
    const known = sales.filter(({ answeredAt }) => answeredAt < cutAt);
    expect(known.length).toBeGreaterThan(20);
    const keepsAll = async () => {
      for (const sale of known) {
        expect((await bookAt(ask, { ...sale, bookingRef: 'another' })).status).toBe(409);
        expect((await bookAt(ask, sale)).status).toBe(200);
      }
    };
    await keepsAll();
    // Sales of the restored deployment make its journals longer than those of the backup.
    for (const [n, key] of [...new Set(known.map(({ key }) => key))].entries()) {
      for (let m = 1; m <= 20; m++) await bookAt(ask, { key, label: `J-${m}`, bookingRef: `after-${n}-${m}` });
    }
    for (const shard of shards) restored.kill(shard);
    for (const shard of shards) await restored.untilReady(shard);
    await expect.poll(async () => (await bookAt(ask, known[0]!)).status).toBe(200);
    await keepsAll();
  } finally {
    await restored.stop();
  }
});
