/**
 * `npx parterre journal verify`, `accept` and `restore` as an operator types them, behind an older copy of NATS's data.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openReceiver } from '../../support/notifier/receiver.ts';
import { openShop, type Shop, Watcher } from '../shop.ts';
import { type Ask, backupEnv, parterreIn, startRestored } from './backup-runs.ts';

let folder: string;
let shop: Shop;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-test-journal-'));
  shop = await openShop({ dataDir: join(folder, 'data'), env: backupEnv });
}, 120_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const parterre = (...args: string[]) => parterreIn(folder, 'data', [...args, '--json']);
const streams = () => join(folder, 'data', 'nats', 'data', 'jetstream', '$G', 'streams');
const book = (ask: Ask, event: string, label: string) =>
  ask('POST', `/v1/events/${event}/book`, { labels: [label], bookingRef: `order-${label}` });

async function copyJournals(from: string, to: string): Promise<void> {
  for (const name of ['JOURNAL-0', 'JOURNAL-1']) {
    await rm(join(to, name), { recursive: true, force: true });
    await cp(join(from, name), join(to, name), { recursive: true });
  }
}

test('an event behind an older copy of the journal halts, is verified, accepted, and sells again', async () => {
  const event = await shop.event();
  await event.post('book', { labels: ['A-1'], bookingRef: 'order-A-1' });
  expect(await parterre('journal', 'verify')).toMatchObject({ code: 0 });
  await shop.stop();
  await copyJournals(streams(), join(folder, 'copy'));
  const second = await startRestored(join(folder, 'data'), shop);
  expect(await book(second.ask, event.key, 'B-1')).toMatchObject({ status: 200 });
  await second.restored.stop();
  await copyJournals(join(folder, 'copy'), streams());

  const { restored, ask } = await startRestored(join(folder, 'data'), shop);
  try {
    await vi.waitFor(async () => {
      expect(await book(ask, event.key, 'B-1')).toMatchObject({ status: 503, body: { code: 'journal_lost_records' } });
    }, 30_000);
    const damaged = await parterre('journal', 'verify');
    expect(damaged.code).toBe(1);
    expect(JSON.parse(damaged.out).damages).toContainEqual(
      expect.objectContaining({ event: event.key, damage: 'a snapshot knows more' }),
    );
    // The catalog has counted more than the stream has, so the whole partition is halted.
    const { partition } = JSON.parse(damaged.out).damages[0];
    const word = ['--partition', String(partition), '--reason', 'the disk burned'];
    const accepted = await parterre('journal', 'accept', ...word);
    expect([accepted.code, accepted.said]).toEqual([0, expect.anything()]);
    expect(await book(ask, event.key, 'B-1')).toMatchObject({ status: 200 });
    const kept = await ask('POST', `/v1/events/${event.key}/book`, { labels: ['A-1'], bookingRef: 'another' });
    expect(kept.status).toBe(409);

    expect(await parterre('projections', 'rebuild')).toMatchObject({ code: 0 });
    await vi.waitFor(
      async () => {
        const { body } = await ask('GET', `/v1/events/${event.key}/log`);
        expect(body.entries).toContainEqual(
          expect.objectContaining({ action: 'accept_loss', reason: 'the disk burned', source: 'operator' }),
        );
      },
      { timeout: 30_000, interval: 200 },
    );
  } finally {
    await restored.stop();
  }
}, 240_000);

test('lost sales are restored as an operator types it; an old viewer and an old receiver go on', async () => {
  const hook = await openReceiver();
  const data = join(folder, 'restored');
  const env = { ...backupEnv, PARTERRE_NATS_SYNC: '2m' };
  const one = await openShop({ dataDir: data, env });
  const own = (...args: string[]) => parterreIn(folder, 'restored', [...args, '--json']);
  const journals = join(data, 'nats', 'data', 'jetstream', '$G', 'streams');
  const event = await one.event();
  const made = await one.call('POST', '/v1/webhooks', {
    token: one.token,
    body: { url: hook.url, events: ['seat.booked'] },
  });
  expect(made.status).toBe(201);
  await event.post('book', { labels: ['A-1'], bookingRef: 'order-A-1' });
  await one.stop();
  await copyJournals(journals, join(folder, 'older'));

  const two = await startRestored(data, one);
  for (const label of ['B-1', 'B-2']) expect(await book(two.ask, event.key, label)).toMatchObject({ status: 200 });
  const sold = () => new Map(hook.deliveries.map(({ body }) => [body.occurrenceId, body.data.bookingRef as string]));
  await vi.waitFor(() => expect([...sold().values()].sort()).toEqual(['order-A-1', 'order-B-1', 'order-B-2']), 20_000);
  const lostIds = [...sold().keys()];
  const { snapshotVersion } = (await two.ask('GET', `/v1/events/${event.key}/objects`)).body;
  // The catalog is the only evidence: it has counted the sales.
  await vi.waitFor(async () => {
    const { body } = await two.ask('GET', `/v1/events/${event.key}/bookings`);
    expect(body.bookings).toHaveLength(3);
  }, 20_000);
  await two.restored.stop();
  await copyJournals(join(folder, 'older'), journals);
  await rm(join(journals, 'OBJ_SNAPSHOTS'), { recursive: true });

  const { restored, ask } = await startRestored(data, one);
  try {
    const another = (label: string) =>
      ask('POST', `/v1/events/${event.key}/book`, { labels: [label], bookingRef: 'other' });
    await vi.waitFor(async () => {
      expect(await another('B-1')).toMatchObject({ status: 503, body: { code: 'journal_lost_records' } });
    }, 30_000);
    const dry = await own('journal', 'restore', '--event', event.key);
    expect([dry.code, JSON.parse(dry.out)]).toMatchObject([
      0,
      { restored: [{ event: event.key, version: 0, parts: 2, seats: 2 }], conflicts: [], refused: [] },
    ]);
    expect(JSON.parse(dry.out).bookings).toEqual(
      ['B-1', 'B-2'].map((labels) => ({ event: event.key, bookingRef: `order-${labels}`, labels })),
    );
    expect(await another('B-1')).toMatchObject({ status: 503 });
    const nameless = await own('journal', 'restore', '--event', event.key, '--write');
    expect([nameless.code, nameless.said]).toEqual([1, expect.stringContaining('Give the reason')]);
    const { partition } = JSON.parse((await own('journal', 'verify')).out).damages[0];
    const word = ['--partition', String(partition), '--write', '--reason', 'an old copy'];
    const written = await own('journal', 'restore', ...word);
    expect([written.code, written.said]).toEqual([0, expect.anything()]);
    for (const label of ['A-1', 'B-1', 'B-2']) expect((await another(label)).status).toBe(409);

    const headers = { Authorization: `Bearer ${one.token}` };
    const feed = `${restored.url}/v1/events/${event.key}/feed`;
    const viewer = new Watcher(feed, ['parterre.v1', `sv.${snapshotVersion}`], headers);
    const frame = await viewer.next();
    expect(frame.snapshotVersion).toBeGreaterThan(snapshotVersion);
    expect(frame).toMatchObject({ type: 'snapshot', seats: { 'A-1': 'booked', 'B-1': 'booked', 'B-2': 'booked' } });
    expect(await book(ask, event.key, 'B-3')).toMatchObject({ status: 200 });
    const change = await viewer.next();
    expect(change).toMatchObject({ type: 'delta', changes: [{ label: 'B-3', status: 'booked' }] });
    expect(change.snapshotVersion).toBeGreaterThan(frame.snapshotVersion);
    viewer.close();

    // Restored sales come under their old ids again, and the new sale under an id of its own.
    await vi.waitFor(() => expect([...sold().values()]).toContain('order-B-3'), 20_000);
    expect([...sold().keys()].filter((id) => !lostIds.includes(id))).toHaveLength(1);
    expect(sold().size).toBe(4);

    expect(await own('projections', 'rebuild')).toMatchObject({ code: 0 });
    await vi.waitFor(
      async () => {
        const { body } = await ask('GET', `/v1/events/${event.key}/bookings`);
        const refs = body.bookings.map(({ bookingRef }: { bookingRef: string }) => bookingRef).sort();
        expect(refs).toEqual(['order-A-1', 'order-B-1', 'order-B-2', 'order-B-3']);
      },
      { timeout: 30_000, interval: 200 },
    );
    expect(await own('journal', 'verify')).toMatchObject({ code: 0 });
  } finally {
    await restored.stop();
    hook.close();
  }
}, 240_000);
