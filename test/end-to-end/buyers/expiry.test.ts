/** The end of a hold, as every read shows it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openShop, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

it('An expired hold reads as free from its last millisecond on, in every read', async () => {
  const event = await shop.event();
  for (const label of ['A-1', 'A-2', 'A-3', 'A-4', 'A-5']) {
    const { holdId, expiresAt } = (await event.post('hold', { labels: [label], ttlMs: 200 })).body;
    const objects = async () => (await shop.buyer('GET', `${event.key}/objects`)).body.seats[label];
    expect(await objects()).toBe('held');
    await expect.poll(() => Date.now() >= expiresAt, { interval: 1, timeout: 5_000 }).toBe(true);
    expect(await objects()).toBeUndefined();
    expect((await shop.buyer('POST', `${event.key}/hold/resume`, { body: { holdId } })).status).toBe(404);
    expect((await event.get(`/holds/${holdId}`)).body.status).toBe('expired');
    expect((await event.get('/objects')).body.seats[label]).toBeUndefined();
  }
});
