/** Viewers of the binary protocol: the same map by unit number, the list of units, and presence. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, openShop, type Shop, Watcher } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

async function subscribe(key: string, more: string[] = [], query = ''): Promise<Watcher> {
  const { protocols } = (await shop.buyer('POST', `${key}/subscribe-tickets`)).body;
  const offer = ['parterre.v1.bin', ...protocols, ...more];
  return new Watcher(`${shop.url}/pub/events/${key}/subscribe${query}`, offer);
}

const statusOf = ({ s }: Json, unit: number): number => (s[unit >> 2] >> ((unit & 3) << 1)) & 3;

async function unitsOf(key: string): Promise<{ id: string; units: string[] }> {
  return (await shop.buyer('GET', `${key}/units`)).body;
}

describe('a viewer of the binary protocol', () => {
  it('gets two bits for each unit, and then pairs of unit and status', async () => {
    const event = await shop.event();
    await event.post('book', { labels: ['A-2'], bookingRef: 'order-1' });
    const watcher = await subscribe(event.key);
    expect(await watcher.protocol).toBe('parterre.v1.bin');
    const { id, units } = await unitsOf(event.key);
    const snapshot = await watcher.next();
    expect(snapshot).toMatchObject({ t: 's', u: id, n: units.length, ga: { floor: { free: 30 } } });
    expect(statusOf(snapshot, units.indexOf('A-1'))).toBe(0);
    expect(statusOf(snapshot, units.indexOf('A-2'))).toBe(2);
    await event.post('hold', { labels: ['B-3'] });
    const delta = await watcher.next();
    expect(delta).toEqual({ t: 'd', v: delta.v, c: [units.indexOf('B-3'), 1] });
    expect(delta.v).toBeGreaterThan(snapshot.v);
    watcher.close();

    const back = await subscribe(event.key, [`sv.${snapshot.v}`]);
    expect(await back.next()).toEqual({ ...delta, resumed: true });
    back.close();
  });

  it('finds neither label nor number of a hidden unit, and gets a new list when sections change', async () => {
    const event = await shop.event();
    const watcher = await subscribe(event.key);
    const open = await unitsOf(event.key);
    expect(await watcher.next()).toMatchObject({ u: open.id, n: open.units.length });
    await event.post('availability', { rules: { __ungrouped__: { mode: 'hidden' } } });
    expect(await watcher.next()).toEqual({ t: 'h', hidden: ['__ungrouped__'], closed: [] });
    const hidden = await unitsOf(event.key);
    expect(hidden.units).toEqual([]);
    expect(await watcher.next()).toMatchObject({ t: 's', u: hidden.id, n: 0, ga: {} });
    const servers = (await event.get('/units')).body;
    expect(servers).toEqual(open);
    watcher.close();
  });
});

describe('the list of units', () => {
  it('is cacheable for ever under its id, and until its ETag changes otherwise', async () => {
    const event = await shop.event();
    const first = await shop.buyer('GET', `${event.key}/units`);
    expect(first.body.units).toEqual(expect.arrayContaining(['A-1', 'B-20', '__sl_ga__floor__30']));
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const named = await shop.buyer('GET', `${event.key}/units?id=${first.body.id}`);
    expect(named.headers.get('cache-control')).toContain('immutable');
    const headers = { 'If-None-Match': first.headers.get('etag')! };
    expect((await shop.buyer('GET', `${event.key}/units`, { headers })).status).toBe(304);
  });

  it('needs access to the event', async () => {
    const event = await shop.event();
    expect((await shop.call('GET', `/pub/events/${event.key}/units`)).status).toBe(404);
    expect((await shop.call('GET', `/v1/events/${event.key}/units`)).status).toBe(401);
  });
});

it('Viewers hear the number of shoppers, each viewer once, and the number of active holds', async () => {
  const event = await shop.event();
  const same = '?viewerId=somebody&surface=test&pv=1';
  const watchers = await Promise.all([same, same, '', ''].map((query) => subscribe(event.key, [], query)));
  const last = () => watchers.map(({ presence }) => presence.at(-1));
  const all = (frame: Json) => watchers.map(() => frame);
  await expect.poll(last, { timeout: 10_000 }).toEqual(all({ t: 'p', shoppingSessions: 3, activeHolds: 0 }));
  await event.post('hold', { labels: ['A-1'] });
  await expect.poll(last, { timeout: 10_000 }).toEqual(all({ t: 'p', shoppingSessions: 3, activeHolds: 1 }));
  watchers.pop()!.close();
  await expect.poll(() => last()[0], { timeout: 10_000 }).toMatchObject({ shoppingSessions: 2 });
  for (const watcher of watchers) watcher.close();
});
