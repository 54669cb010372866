/**
 * One part of a deployment is older than the other (I9): NATS, whose catalog has counted more, or the catalog, whose
 * journal knows more. No seat is sold twice, and every new sale is counted and told.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReceiver } from '../../support/notifier/receiver.ts';
import { makeEvents } from '../groups/run.ts';
import { sellSeason } from '../seasons/sold-season.ts';
import { openShop, type Shop } from '../shop.ts';
import { backupEnv, parterreIn, startRestored } from './backup-runs.ts';
import { book, lost, sold } from './lost-records-runs.ts';

const waiting = { timeout: 60_000, interval: 200 };

let folder: string;
let shop: Shop;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-test-older-'));
  shop = await openShop({ dataDir: join(folder, 'data'), env: backupEnv });
}, 120_000);
afterEach(() => rm(folder, { recursive: true, force: true }));

const parterre = (...args: string[]) => parterreIn(folder, 'data', [...args, '--json']);
const start = () => startRestored(join(folder, 'data'), shop);

/** Puts the copy of a folder of the data folder, `nats` or `catalog`, in its place. The deployment is stopped. */
async function putBack(part: string): Promise<void> {
  await rm(join(folder, 'data', part), { recursive: true });
  await cp(join(folder, part), join(folder, 'data', part), { recursive: true });
}
const copyOf = (part: string) => cp(join(folder, 'data', part), join(folder, part), { recursive: true });

test('behind an older NATS the catalog halts, is rebuilt, and counts and tells each new sale', async () => {
  const hook = await openReceiver();
  const event = await shop.event();
  await shop.call('POST', '/v1/webhooks', { token: shop.token, body: { url: hook.url, events: ['seat.booked'] } });
  expect((await event.post('book', { labels: ['A-1'], bookingRef: 'early' })).status).toBe(200);
  await shop.stop();
  await copyOf('nats');
  const first = await start();
  const lostRefs = [1, 2, 3, 4, 5].map((n) => `lost-${n}`);
  const newRefs = [1, 2, 3, 4, 5].map((n) => `new-${n}`);
  for (const [n, ref] of lostRefs.entries()) expect(await book(first.ask, event.key, `B-${n + 1}`, ref)).toEqual(sold);
  const told = () => new Map(hook.deliveries.map(({ body }) => [body.data.bookingRef, body.occurrenceId]));
  await expect.poll(() => [...told().keys()].sort(), waiting).toEqual(['early', ...lostRefs]);
  await expect.poll(() => statusOf('lost-5', first.ask), waiting).toBe(200);
  await first.restored.stop();
  await putBack('nats');

  const { restored, ask } = await start();
  try {
    await expect.poll(() => book(ask, event.key, 'B-1', 'another'), waiting).toEqual(lost);
    await expect.poll(async () => (await parterre('projections', 'show')).out, waiting).toContain('"halted": true');
    expect(restored.output()).toMatch(/lost|lacks/);
    const { code, out } = await parterre('journal', 'verify');
    expect([code, out]).toEqual([1, expect.stringContaining('the catalog has counted more')]);
    const partitions = new Set<number>(
      JSON.parse(out).damages.map(({ partition }: { partition: number }) => partition),
    );
    for (const partition of partitions) {
      const accepted = await parterre('journal', 'accept', '--partition', `${partition}`, '--reason', 'older copy');
      expect([accepted.code, accepted.said]).toEqual([0, expect.anything()]);
    }
    expect(await parterre('projections', 'rebuild')).toMatchObject({ code: 0 });
    for (const [n, ref] of newRefs.entries()) expect(await book(ask, event.key, `B-${n + 2}`, ref)).toEqual(sold);
    for (const ref of ['early', ...newRefs]) await expect.poll(() => statusOf(ref, ask), waiting).toBe(200);
    for (const ref of lostRefs) expect(await statusOf(ref, ask)).toBe(404);
    expect(await parterre('journal', 'verify')).toMatchObject({ code: 0 });
    await expect.poll(() => newRefs.every((ref) => told().has(ref)), waiting).toBe(true);
    // A receiver that takes each occurrence once takes the new sales.
    expect(new Set(told().values()).size).toBe(told().size);
    process.kill(restored.pidOf('inventory-shard'), 'SIGKILL');
    await expect.poll(() => book(ask, event.key, 'B-2', 'another'), waiting).toEqual([409, 'conflict']);
  } finally {
    await restored.stop();
    hook.close();
  }

  async function statusOf(bookingRef: string, ask: Awaited<ReturnType<typeof start>>['ask']): Promise<number> {
    return (await ask('GET', `/v1/events/${event.key}/bookings/${bookingRef}`)).status;
  }
}, 300_000);

test('behind an older catalog the seats and locks without an owner are freed, and the events close', async () => {
  const { token } = shop;
  const grouped = await makeEvents(shop, 2);
  const draftEvents = await makeEvents(shop, 2);
  const body = { name: 'Draft', eventKeys: draftEvents };
  const draft = await shop.call('POST', '/v1/performance-groups', { token, body });
  const season = await sellSeason(shop, 2, false);
  await pause(2_000);
  await shop.stop();
  await copyOf('catalog');
  const first = await start();
  const make = async (path: string, body: object) => {
    const made = await first.ask('POST', path, body);
    expect([made.status, made.body]).toEqual([expect.toSatisfy((status: number) => status < 300), expect.anything()]);
    return made.body;
  };
  const { performanceGroup } = await make('/v1/performance-groups', { name: 'Run', eventKeys: grouped });
  await make(`/v1/performance-groups/${performanceGroup.key}/activate`, { expectedRevision: 1 });
  const { key: draftKey } = draft.body.performanceGroup;
  await make(`/v1/performance-groups/${draftKey}/activate`, { expectedRevision: 1 });
  const row = { rowId: '1', holderRef: 'h', priorPlanActivationId: 'p', priorContractRef: 'c', labels: ['A-1', 'A-2'] };
  await make(`${season.path}/imports`, { successorPlanActivationId: season.planActivationId, rows: [row] });
  await make(`${season.path}/renewal-offers`, { deadlineAt: Date.now() + 3_600_000 });
  const seats = async (ask: typeof first.ask, key: string) =>
    (await ask('GET', `/v1/events/${key}/objects`)).body.seats;
  await expect
    .poll(() => seats(first.ask, season.eventKeys[0]!), waiting)
    .toEqual({ 'A-1': 'blocked', 'A-2': 'blocked' });
  await first.restored.stop();
  await putBack('catalog');

  const { restored, ask } = await start();
  try {
    for (const key of season.eventKeys) await expect.poll(() => seats(ask, key), waiting).toEqual({});
    for (const key of grouped) {
      await expect.poll(async () => (await ask('POST', `/v1/events/${key}/close`)).status, waiting).toBe(200);
      expect((await ask('DELETE', `/v1/events/${key}`)).status).toBe(200);
    }
    expect(restored.output()).toContain('a lock of an activation that no document names was freed');
    expect(restored.output()).toContain('the seats of an offer without a document were freed');
    // The season and its document are as old as each other.
    expect((await ask('POST', `/v1/events/${season.eventKeys[0]}/close`)).body.code).toBe('season_event_locked');
    // The draft is older than its lock. It may be activated again.
    const activated = () => ask('POST', `/v1/performance-groups/${draftKey}/activate`, { expectedRevision: 1 });
    expect((await activated()).body.performanceGroup.state).toBe('active');
  } finally {
    await restored.stop();
  }
}, 300_000);
