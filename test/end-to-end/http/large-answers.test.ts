/** The longest possible bodies and answers, over a NATS that accepts only the smallest required payload. */
import { labelsPerBulkMax, natsPayloadBytesMin, unitsPerSaleMax } from '@parterre/shared/protocol/limits';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNats, type TestNats } from '../../support/servers/nats.ts';
import { type Json, openShop, type Shop } from '../shop.ts';

const PLACES = 50_000;
const LAWN = 'The lawn';
/** The id is a part of every place's label. */
const LAWN_ID = 'lawn-'.padEnd(120, 'with-a-long-name-');

let nats: TestNats;
let shop: Shop;
let chartId: string;

beforeAll(async () => {
  nats = await startNats({ sync: '2m', config: `max_payload: ${natsPayloadBytesMin}` });
  shop = await openShop({ env: { NATS_URL: nats.url } });
  const area = {
    ...shop.hall.objects.find(({ type }: Json) => type === 'gaArea'),
    id: LAWN_ID,
    label: LAWN,
    capacity: PLACES,
  };
  const { token } = shop;
  const made = await shop.call('POST', '/v1/charts', {
    token,
    body: { name: 'Lawn', doc: { ...shop.hall, objects: [area] } },
  });
  chartId = made.body.meta.id;
  const published = await shop.call('POST', `/v1/charts/${chartId}/publish`, { token });
  expect(published.body.meta.seatTotal).toBe(PLACES);
}, 120_000);
afterAll(async () => {
  await shop?.stop();
  await nats?.stop();
});

async function openEvent() {
  const { token } = shop;
  const { meta } = (await shop.call('POST', '/v1/events', { token, body: { chartId } })).body;
  const path = `/v1/events/${meta.key}`;
  return {
    post: (action: string, body: unknown) => shop.call('POST', `${path}/${action}`, { token, body }),
    get: (what: string) => shop.call('GET', `${path}/${what}`, { token }),
  };
}

it('A hold, its inspection, booking and cancellation are answered although their labels exceed a NATS message', async () => {
  const event = await openEvent();
  const held = await event.post('hold', { selections: [{ label: LAWN, quantity: unitsPerSaleMax }] });
  expect(held.status).toBe(200);
  expect(held.body.labels).toHaveLength(unitsPerSaleMax);
  expect(JSON.stringify(held.body).length).toBeGreaterThan(4 * 1_024 * 1_024);
  const seen = await event.get(`holds/${held.body.holdId}`);
  expect([seen.status, seen.body.items[0].labels.length]).toEqual([200, unitsPerSaleMax]);
  const booked = await event.post('book', { holdId: held.body.holdId, bookingRef: 'order-1' });
  expect([booked.status, booked.body.booked.length]).toEqual([200, unitsPerSaleMax]);
  expect((await event.get('log')).body.entries[0].labels).toHaveLength(unitsPerSaleMax);
  const cancelled = await event.post('unbook', { bookingRef: 'order-1' });
  expect([cancelled.status, cancelled.body.unbooked.length]).toEqual([200, unitsPerSaleMax]);
}, 60_000);

it('A block of the most labels, and an unblock of all, are answered', async () => {
  const event = await openEvent();
  const labels = Array.from({ length: PLACES }, (_, nth) => `__sl_ga__${LAWN_ID}__${nth + 1}`);
  const blocked = await event.post('block', { labels });
  expect([blocked.status, blocked.body.blocked?.length]).toEqual([200, PLACES]);
  const freed = await event.post('unblock-all', {});
  expect([freed.status, freed.body.freed?.length]).toEqual([200, PLACES]);
}, 60_000);

it('Rules with the most labels are accepted, and the log of many such rules comes quickly', async () => {
  const event = await openEvent();
  const labels = Array.from({ length: labelsPerBulkMax }, (_, nth) => `${nth}`.padStart(150, 'Upper circle, row '));
  const rules = { __ungrouped__: { mode: 'closed', labels } };
  const body = JSON.stringify({ rules });
  expect(body.length).toBeGreaterThan(0.9 * natsPayloadBytesMin);
  for (let version = 1; version <= 5; version++) {
    const set = await event.post('availability', body);
    expect([set.status, set.body.version, set.body.rules?.__ungrouped__.labels.length]).toEqual([
      200,
      version,
      labels.length,
    ]);
  }
  expect((await event.get('availability')).body).toMatchObject({ rules, version: 5 });
  const log = await event.get('log');
  expect(log.status).toBe(200);
  const told: Json[] = [...log.body.entries];
  for (let before = log.body.nextBefore; before !== null; ) {
    const page = await event.get(`log?before=${before}`);
    told.push(...page.body.entries);
    before = page.body.nextBefore;
  }
  expect(told.map(({ details }) => details?.version)).toEqual([5, 4, 3, 2, 1, undefined]);
}, 60_000);

it('Rules that exceed a message, and a body over the limit, are refused with 413', async () => {
  const event = await openEvent();
  const bodyOf = (length: number) => {
    const labels = Array.from({ length: labelsPerBulkMax }, (_, nth) => `${nth}`.padStart(length, 'x'));
    return JSON.stringify({ rules: { __ungrouped__: { mode: 'closed', labels } } });
  };
  const tooDense = bodyOf(163);
  const tooLarge = bodyOf(167);
  expect([tooDense.length < natsPayloadBytesMin, tooLarge.length > natsPayloadBytesMin]).toEqual([true, true]);
  expect(await event.post('availability', tooDense)).toMatchObject({
    status: 413,
    body: { code: 'payload_too_large' },
  });
  expect((await event.post('availability', tooLarge)).status).toBe(413);
  expect((await event.get('availability')).body.version).toBe(0);
}, 60_000);
