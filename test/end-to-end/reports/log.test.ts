/** The log of an event back to its creation, across snapshots, restarts and kills. */
import { Objm } from '@nats-io/obj';
import { names } from '@parterre/shared/protocol/subjects';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectTo } from '../../support/servers/nats.ts';
import { type Json, openShop, type Shop } from '../shop.ts';

const CALLS = 130;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

type Event = Awaited<ReturnType<Shop['event']>>;
type ExpectedEntry = [action: string, labels: string, ref: string | null];

/** Blocks and unblocks seats `times` times, and returns the expected log entries. */
async function change(event: Event, times: number): Promise<ExpectedEntry[]> {
  const told: ExpectedEntry[] = [];
  for (let nth = 0; nth < times; nth++) {
    const label = `A-${(nth % 20) + 1}`;
    for (const action of ['block', 'unblock']) {
      const { status } = await event.post(action, { labels: [label] });
      expect([action, status]).toEqual([action, 200]);
      told.push([action, label, null]);
    }
  }
  return told;
}

async function logOf(event: Event, limit: number): Promise<{ entries: Json[]; pages: number }> {
  const entries: Json[] = [];
  let pages = 0;
  for (let before = ''; ; pages++) {
    const { status, body } = await event.get(`/log?limit=${limit}${before}`);
    expect(status).toBe(200);
    entries.push(...body.entries);
    if (body.nextBefore === null) return { entries, pages: pages + 1 };
    before = `&before=${body.nextBefore}`;
  }
}

/** Ends the shard, and resolves when its successor answers. */
async function another(signal: NodeJS.Signals, event: Event): Promise<void> {
  const before = shop.pidOf('inventory-shard');
  process.kill(before, signal);
  await expect
    .poll(async () => ![null, before].includes(pidNow()) && (await event.get()).status === 200, { timeout: 30_000 })
    .toBe(true);
}

function pidNow(): number | null {
  try {
    return shop.pidOf('inventory-shard');
  } catch {
    return null;
  }
}

async function hasSnapshot(event: Event): Promise<boolean> {
  const nats = await connectTo(shop.server.natsUrl);
  try {
    const snapshots = await new Objm(nats).open(names.snapshotBucket);
    return (await snapshots.list()).some(({ name }) => name.startsWith(event.key));
  } finally {
    await nats.close();
  }
}

it('The log pages newest first to the first record, across a snapshot and restarts', { timeout: 120_000 }, async () => {
  const event = await shop.event();
  const told: ExpectedEntry[] = [['create', '', null]];
  told.push(...(await change(event, CALLS)));
  // A shard that leaves stores snapshots for seconds only, and a busy machine may store none in them.
  await expect
    .poll(
      async () => {
        await another('SIGTERM', event);
        return hasSnapshot(event);
      },
      { timeout: 90_000 },
    )
    .toBe(true);
  told.push(...(await change(event, 3)));
  await another('SIGKILL', event);
  told.push(...(await change(event, 3)));
  for (const limit of [200, 7]) {
    const { entries, pages } = await logOf(event, limit);
    expect(entries.map(({ action, labels, ref }) => [action, labels.join(), ref])).toEqual(told.toReversed());
    expect(pages).toBe(Math.ceil(told.length / limit));
    const ids = entries.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    expect(new Set(ids).size).toBe(ids.length);
  }
});

it("The log tells settings, sales, passed sections and resale in the API's words", async () => {
  const event = await shop.event();
  await event.post('availability', { rules: { __ungrouped__: { mode: 'closed', labels: ['A-1'] } } });
  await event.post('hold', { labels: ['A-1'] });
  await event.post('box-book', { labels: ['A-2'], bookingRef: 'counter' });
  const { listingId } = (await event.post('resale/list', { labels: ['A-2'], bookingRef: 'counter' })).body;
  await event.post('resale/remove', { listingId });
  await event.post('hold-ttl', { holdTtlMs: 60_000 });
  const { entries } = (await event.get('/log')).body;
  const shown = entries.map(({ action, ref, passed, details }: Json) => [action, ref, passed, details]).toReversed();
  const expiresAt = expect.any(Number);
  expect(shown).toEqual([
    ['create', null, undefined, undefined],
    ['set_availability', null, undefined, { rules: { __ungrouped__: { mode: 'closed' } }, version: 1 }],
    ['hold', expect.stringMatching(/^hold:[\w-]{10}$/), ['__ungrouped__'], { expiresAt }],
    ['book', 'counter', ['__ungrouped__'], { counter: true }],
    ['list_resale', 'counter', undefined, { listingId }],
    ['remove_resale', 'counter', undefined, { listingId }],
    ['set_hold_ttl', null, undefined, { holdTtlMs: 60_000 }],
  ]);
});
