/** Real sizes: a theatre and arena with 20,000 seats, and a bowl with 100,000 seats. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bowl, theatreAndArena } from '../../../scripts/generate-charts.mjs';
import { openShop, type Shop } from '../shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

async function publish(name: string, doc: unknown): Promise<{ chartId: string; seatTotal: number }> {
  const { token } = shop;
  const made = await shop.call('POST', '/v1/charts', { token, body: { name, doc } });
  expect(made.status).toBe(201);
  const { meta } = made.body;
  const published = await shop.call('POST', `/v1/charts/${meta.id}/publish`, { token });
  expect(published.status).toBe(200);
  return { chartId: meta.id, seatTotal: published.body.meta.seatTotal };
}

it.each([
  ['theatre and arena', theatreAndArena, 20_000],
  ['bowl', bowl, 100_000],
])('A %s is published, created and read', { timeout: 60_000 }, async (name, document, seats) => {
  const { token } = shop;
  const { chartId, seatTotal } = await publish(name, document());
  expect(seatTotal).toBe(seats);

  const created = await shop.call('POST', '/v1/events', { token, body: { chartId } });
  expect(created.status).toBe(201);
  const { key } = created.body.meta;
  const detail = await shop.call('GET', `/v1/events/${key}`, { token });
  expect(detail.body.counts).toEqual({ free: seats, held: 0, booked: 0, blocked: 0 });

  expect((await shop.call('GET', `/v1/events/${key}/objects`, { token })).status).toBe(200);
  const { doc } = (await shop.call('GET', `/v1/events/${key}/chart`, { token })).body;
  expect(doc).toEqual(document());
});
