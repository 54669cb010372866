/** `npx parterre journal verify` and `accept` as an operator types them, behind an older copy of NATS's data. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openShop, type Shop } from '../shop.ts';
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
    const accepted = await parterre('journal', 'accept', '--event', event.key, '--reason', 'the disk burned');
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
