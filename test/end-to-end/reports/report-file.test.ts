/** The report file with a row for each unit, over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bowl } from '../../../scripts/generate-charts.mjs';
import { readCsv } from '../../support/csv.ts';
import { openShop, type Shop } from '../shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop.stop());

async function fileOf(path: string): Promise<{ response: Response; text: string }> {
  const response = await fetch(`${shop.url}${path}/report.csv`, { headers: { Authorization: `Bearer ${shop.token}` } });
  return { response, text: await response.text() };
}

it('The report file has a row for each unit, and its sums equal the report', async () => {
  const event = await shop.event();
  const selections = [{ label: 'A-1' }, { label: 'B-1', tierId: 'child' }, { label: 'Floor', quantity: 2 }];
  await event.post('book', { bookingRef: 'order, with "quotes"', selections });
  const { holdId } = (await event.post('hold', { labels: ['A-2'] })).body;
  await event.post('block', { labels: ['A-3'] });
  const { response, text } = await fileOf(event.path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${event.key}-report.csv"`);
  const lines = readCsv(text);
  const { report } = (await event.get('/report')).body;
  const count = (...statuses: string[]) => lines.filter(({ status }) => statuses.includes(status!)).length;
  expect({
    free: count('free'),
    held: count('held'),
    booked: count('booked'),
    not_for_sale: count('blocked', 'not_for_sale'),
  }).toEqual(report.byStatus);
  const value = lines.reduce(
    (sum, { status, configuredValue }) => sum + (status === 'booked' ? +configuredValue! : 0),
    0,
  );
  expect(value).toBe(20 + 15 + 2 * 20);
  expect(lines.find(({ label }) => label === 'B-1')).toMatchObject({
    bookingRef: 'order, with "quotes"',
    tierId: 'child',
    unitPrice: '15',
    currency: 'EUR',
  });
  expect(lines.find(({ label }) => label === 'A-2')).toMatchObject({ status: 'held', holdId, bookingRef: '' });
});

it("The report file needs a credential of the event's own scope", async () => {
  const event = await shop.event();
  const ask = async (token?: string) =>
    (await shop.call('GET', `${event.path}/report.csv`, token === undefined ? {} : { token })).status;
  const other = await shop.organisation('Other');
  expect([await ask(), await ask(other.test.secret), await ask(shop.own.live.secret)]).toEqual([401, 404, 403]);
});

it('A report file of 100,000 units does not hold up other requests', { timeout: 120_000 }, async () => {
  const { token } = shop;
  const { meta } = (await shop.call('POST', '/v1/charts', { token, body: { name: 'Bowl', doc: bowl() } })).body;
  await shop.call('POST', `/v1/charts/${meta.id}/publish`, { token });
  const { key } = (await shop.call('POST', '/v1/events', { token, body: { chartId: meta.id } })).body.meta;
  const path = `/v1/events/${key}`;
  await fileOf(path); // the first reader of a plan pays for its compilation
  let isRead = false;
  const reading = fileOf(path).then(({ text }) => {
    isRead = true;
    return text;
  });
  let answered = 0;
  for (; !isRead; answered++) expect((await shop.call('GET', `${path}/hold-ttl`, { token })).status).toBe(200);
  expect((await reading).split('\r\n')).toHaveLength(100_000 + 2);
  expect(answered).toBeGreaterThan(5);
});
