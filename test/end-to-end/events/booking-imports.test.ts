/** Bookings of an older system over HTTP: a dry run, the import, its repetition, and what it costs and tells. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const file = ['label,bookingRef,price,channelId,buyerRef', 'A-1,old-1,40,,anna', 'A-2,old-1,40,,anna', 'B-1,old-2,0,,'];

async function send(path: string, lines: string[], headers: Record<string, string> = {}, token = shop.own.live.secret) {
  const response = await fetch(`${shop.url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv', ...headers },
    body: lines.join('\n'),
  });
  return { status: response.status, location: response.headers.get('location'), body: (await response.json()) as Json };
}

async function ended(location: string) {
  let told: Json = null;
  const isOver = async () => {
    told = (await shop.call('GET', location, { token: shop.own.live.secret })).body.import;
    return told.state !== 'running';
  };
  await expect.poll(isOver, { timeout: 20_000 }).toBe(true);
  return told;
}

test('a file is tried, imported, and sent again, and no webhook tells of it', async () => {
  const token = shop.own.live.secret;
  const { meta } = (await shop.call('POST', '/v1/charts', { token, body: { name: 'Hall', doc: shop.hall } })).body;
  await shop.call('POST', `/v1/charts/${meta.id}/publish`, { token });
  const event = (await shop.call('POST', '/v1/events', { token, body: { chartId: meta.id } })).body.meta;
  const at = `/v1/events/${event.key}`;
  const path = `${at}/imports/bookings`;
  const broken = [...file, 'Z-1,old-3,40,,', 'A-3,old-3,free,,', 'A-1,old-4,40,,'];

  const dry = await send(`${path}?dryRun=1`, broken);
  expect(dry).toMatchObject({ status: 202, body: { import: { dryRun: true } } });
  expect(await ended(dry.location!)).toMatchObject({
    state: 'rejected',
    accepted: 3,
    rejected: 3,
    issues: [
      { line: 5, code: 'label_not_found' },
      { line: 6, code: 'invalid_line' },
      { line: 7, code: 'label_repeated', message: 'Line 2 has this label too.' },
    ],
  });
  expect((await shop.call('GET', `${at}/status?labels=A-1`, { token })).body).not.toMatchObject({ booked: 1 });

  const key = { 'Idempotency-Key': 'move-1' };
  const first = await send(path, broken, key);
  const told = await ended(first.location!);
  expect(told).toMatchObject({ state: 'committed', accepted: 3, rejected: 3 });
  const again = await send(path, broken, key);
  expect(again).toMatchObject({ status: 202, location: first.location, body: { import: told } });
  const renamed = await send(path, file, { 'Idempotency-Key': 'move-2' });
  expect(await ended(renamed.location!)).toMatchObject({ state: 'committed', accepted: 3, rejected: 0, issues: [] });

  const { booking } = (await shop.call('GET', `${at}/bookings/old-1`, { token })).body;
  expect(booking).toMatchObject({ bookingRef: 'old-1', activeLabels: ['A-1', 'A-2'] });
  expect((await shop.call('GET', `${at}/bookings/old-4`, { token })).status).toBe(404);
  await shop.call('POST', `${at}/book`, { token, body: { labels: ['B-2'], bookingRef: 'new-1' } });
  await expect
    .poll(
      async () => {
        const { occurrences } = (await shop.call('GET', `/v1/occurrences?eventKey=${event.key}`, { token })).body;
        return occurrences
          .filter((each: Json) => each.event === 'seat.booked')
          .map((each: Json) => each.data.bookingRef);
      },
      { timeout: 20_000 },
    )
    .toEqual(['new-1']);
  const { organisation } = (await shop.call('GET', `/v1/admin/organisations/${shop.own.id}`, { token: shop.rootToken }))
    .body;
  // Three imported places, and one sold.
  expect(organisation.credits).toBe(10 - 4);
});

test('a file that cannot be read is refused before any effect, by its place', async () => {
  const event = await shop.event();
  const path = `${event.path}/imports/bookings`;
  const { token } = shop;
  const noPrice = await send(path, ['label,bookingRef', 'A-1,old-1'], {}, token);
  expect(noPrice).toMatchObject({ status: 422, body: { error: 'invalid_request' } });
  expect(noPrice.body.issues).toEqual([{ path: 'price', message: expect.any(String) }]);
  expect((await send(path, file, { 'Content-Type': 'application/json' }, token)).status).toBe(415);
  expect((await send(path, [''], {}, token)).status).toBe(422);
  const unknown = await shop.call('GET', `${path}/bim_0`, { token });
  expect(unknown.status).toBe(404);
  const bad = await send(path, ['label,bookingRef,price', 'Z-1,old-1,1'], {}, token);
  expect(bad.body.import).toMatchObject({
    state: 'rejected',
    accepted: 0,
    issues: [{ line: 2, code: 'label_not_found' }],
  });
});
