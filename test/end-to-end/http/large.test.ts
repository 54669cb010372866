/** Real sizes: a theatre and arena with 20,000 seats, and a bowl with 100,000 seats. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bowl, theatreAndArena } from '../../../scripts/generate-charts.mjs';
import { openShop, type Shop } from '../shop.ts';

const CREATE_MS_MAX = 3_000;
const MAP_MS_MAX = 300;

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

async function timed<T>(run: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const started = performance.now();
  const value = await run();
  return { ms: performance.now() - started, value };
}

it.each([
  ['theatre and arena', theatreAndArena, 20_000],
  ['bowl', bowl, 100_000],
])('A %s is published, created and read within its time limits', { timeout: 60_000 }, async (name, document, seats) => {
  const { token } = shop;
  const { chartId, seatTotal } = await publish(name, document());
  expect(seatTotal).toBe(seats);

  const created = await timed(() => shop.call('POST', '/v1/events', { token, body: { chartId } }));
  expect(created.value.status).toBe(201);
  expect(created.ms).toBeLessThan(CREATE_MS_MAX);
  const { key } = created.value.body.meta;
  const detail = await shop.call('GET', `/v1/events/${key}`, { token });
  expect(detail.body.counts).toEqual({ free: seats, held: 0, booked: 0, blocked: 0 });

  for (const [what, path] of [
    ['the map', `/v1/events/${key}/chart`],
    ['the statuses', `/v1/events/${key}/objects`],
  ]) {
    await shop.call('GET', path!, { token }); // the first reader of a plan pays for its compilation
    const read = await timed(() => shop.call('GET', path!, { token }));
    expect(read.value.status).toBe(200);
    expect(read.ms, what).toBeLessThan(MAP_MS_MAX);
  }

  const { doc } = (await shop.call('GET', `/v1/events/${key}/chart`, { token })).body;
  expect(doc).toEqual(document());
});
