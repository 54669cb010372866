/** Lists of many events: each event once, both modes for a dashboard session, live counts or no counts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../support/openapi.ts';
import { openShop, type Shop } from '../shop.ts';

const EVENTS = 200;

let shop: Shop;
const keys: string[] = [];

beforeAll(async () => {
  shop = await openShop();
  const createOne = async () => {
    const body = { chartId: shop.chart.id, externalRef: keys.length % 2 === 0 ? 'even' : 'odd' };
    keys.push('');
    const at = keys.length - 1;
    keys[at] = (await shop.call('POST', '/v1/events', { token: shop.token, body })).body.meta.key;
  };
  while (keys.length < EVENTS) await Promise.all(Array.from({ length: 20 }, createOne));
}, 120_000);
afterAll(() => shop?.stop());

const list = async (query: string, token = shop.token): Promise<Json> =>
  (await shop.call('GET', `/v1/events?${query}`, { token })).body;

async function everyPage(query: string): Promise<string[]> {
  const found: string[] = [];
  let cursor = '';
  do {
    const page = await list(`${query}${cursor && `&cursor=${cursor}`}`);
    found.push(...page.events.map(({ key }: Json) => key));
    cursor = page.nextCursor ?? '';
  } while (cursor !== '');
  return found;
}

describe('a list of 200 events', () => {
  it('has live counts of all events', async () => {
    const { events } = await list(`limit=${EVENTS}`);
    expect(events.filter(({ counts }: Json) => counts?.free === 70)).toHaveLength(EVENTS);
  });

  it('pages each event once, also when events are created and deleted meanwhile', async () => {
    expect((await everyPage('limit=37&counts=0')).sort()).toEqual(keys.toSorted());
    expect(await everyPage('limit=30&counts=0&externalRef=odd')).toHaveLength(EVENTS / 2);
    expect((await list('counts=0')).events).toHaveLength(100);
    expect((await list('counts=0&limit=100000')).events).toHaveLength(EVENTS);
    expect((await list('counts=0&limit=0')).events).toHaveLength(1);
    const first = await list('limit=150&counts=0');
    const gone = first.events[0].key;
    const rest = keys.filter((key) => !first.events.some((event: Json) => event.key === key));
    await shop.call('DELETE', `/v1/events/${gone}`, { token: shop.token });
    await shop.event();
    const second = await list(`limit=150&counts=0&cursor=${first.nextCursor}`);
    expect(second.events.map(({ key }: Json) => key).sort()).toEqual(rest.sort());
  });

  it('comes without counts when inventory does not answer', async () => {
    const shard = shop.server.pidOf('inventory-shard');
    process.kill(shard, 'SIGSTOP');
    try {
      const startedAt = performance.now();
      const { events } = await list(`limit=${EVENTS}`);
      expect(performance.now() - startedAt).toBeLessThan(3_000);
      expect(events).toHaveLength(EVENTS);
      expect(events.some((event: Json) => 'counts' in event)).toBe(false);
    } finally {
      process.kill(shard, 'SIGCONT');
    }
    await expect.poll(async () => 'counts' in (await list('limit=1')).events[0], { timeout: 10_000 }).toBe(true);
  });
});
