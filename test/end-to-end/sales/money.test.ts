/** An event whose prices are in minor units and have fees, from its chart to its report. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openShop, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const call = (method: string, path: string, body?: unknown) =>
  shop.call(method, path, { token: shop.token, ...(body === undefined ? {} : { body }) });

const fees = [{ name: 'Service', amount: 150 }];

/** The small hall with stalls at 12.50 and a fee of 1.50 on top, and a balcony that has its fee in the price. */
function priced(more: object = {}) {
  const [stalls, balcony, ...others] = shop.hall.categories as object[];
  const { tiers } = balcony as { tiers: { price: number }[] };
  const inCents = tiers.map((tier) => ({ ...tier, price: tier.price * 100 }));
  const categories = [
    { ...stalls, price: 1_250, previousPrice: 1_500, fees },
    { ...balcony, tiers: inCents, fees: [{ name: 'Levy', amount: 200 }], allIn: true },
    ...others,
  ];
  return { ...shop.hall, categories, ...more };
}

async function published(doc: unknown, more: object = {}): Promise<string> {
  const made = await call('POST', '/v1/charts', { name: 'Hall', doc, ...more });
  expect([made.status, made.body]).toMatchObject([201, { meta: { priceUnit: 'minor' } }]);
  expect((await call('POST', `/v1/charts/${made.body.meta.id}/publish`)).status).toBe(200);
  return made.body.meta.id;
}

async function eventOn(chartId: string, more: object = {}): Promise<string> {
  const made = await call('POST', '/v1/events', { chartId, startsAt: 4_000_000_000_000, ...more });
  expect([made.status, made.body]).toMatchObject([201, {}]);
  return `/v1/events/${made.body.meta.key}`;
}

it('sells 12.50 with a fee on top, and keeps unit and fees in every later answer', async () => {
  const chartId = await published(priced({ priceUnit: 'minor' }));
  const path = await eventOn(chartId);
  const key = path.split('/').at(-1)!;
  const inMinor = { priceUnit: 'minor', currency: 'EUR' };
  expect((await call('GET', path)).body.meta).toMatchObject(inMinor);

  const selections = [{ label: 'A-1' }, { label: 'B-1', tierId: 'adult' }, { label: 'Floor', quantity: 2 }];
  const held = await call('POST', `${path}/hold`, { selections });
  expect(held.body).toMatchObject({
    ...inMinor,
    items: [
      { label: 'A-1', unitPrice: 1_250, fees, allIn: false, total: 1_400, ...inMinor },
      { label: 'B-1', unitPrice: 3_000, fees: [{ name: 'Levy', amount: 200 }], allIn: true, total: 3_000 },
      { label: 'Floor', unitPrice: 1_250, quantity: 2, total: 2_800 },
    ],
  });

  const free = await shop.buyer('POST', `${key}/hold`, { body: { labels: ['A-2'], expectedTotal: 1_250 } });
  expect([free.status, free.body]).toMatchObject([409, { code: 'price_changed', total: 1_400, priceUnit: 'minor' }]);
  expect(free.body.message).toContain('14 EUR now, not 12.5');
  const sale = await shop.buyer('GET', `${key}/availability?live=1`);
  expect(sale.body).toMatchObject({ fromPrice: 1_250, fromTotal: 1_400, previousPrice: 1_500, ...inMinor });

  const { holdId } = held.body;
  const booked = await call('POST', `${path}/book`, { holdId, bookingRef: 'order-1' });
  expect(booked.body.items[0]).toMatchObject({ total: 1_400, ...inMinor });
  // Another price and fee of the chart leaves what is sold as it is.
  const chart = (await call('GET', `/v1/charts/${chartId}`)).body;
  const [stalls, ...rest] = chart.doc.categories;
  const doc = { ...chart.doc, categories: [{ ...stalls, price: 2_000, fees: [] }, ...rest] };
  await call('PUT', `/v1/charts/${chartId}`, { doc, expectedUpdatedAt: chart.meta.updatedAt });
  await call('POST', `/v1/charts/${chartId}/publish`);
  expect((await call('POST', `${path}/update-chart`)).body).toMatchObject({ updated: true, ...inMinor });
  const booking = (await call('GET', `${path}/bookings/order-1`)).body.booking;
  expect(booking).toMatchObject({ configuredValue: 6_750, total: 7_200, activeTotal: 7_200, ...inMinor });
  expect(booking.objects[0]).toMatchObject({ unitPrice: 1_250, fees, total: 1_400 });

  const exchanged = await shop.call('POST', `${path}/exchange`, {
    token: shop.token,
    headers: { 'Idempotency-Key': 'money-1' },
    body: { bookingRef: 'order-1', from: ['A-1'], to: { labels: ['A-3'] } },
  });
  expect(exchanged.body).toMatchObject({ priceDifference: 600, ...inMinor });

  const report = (await call('GET', `${path}/report`)).body;
  expect(report).toMatchObject({ ...inMinor, report: { bookedTotal: 7_800 } });
  expect(report.report.byFee).toEqual([
    { name: 'Levy', allIn: true, booked: 1, amount: 200 },
    { name: 'Service', allIn: false, booked: 2, amount: 300 },
  ]);
  const csv = await fetch(`${shop.url}${path}/report.csv`, { headers: { Authorization: `Bearer ${shop.token}` } });
  const lines = (await csv.text()).split('\r\n');
  expect(lines[0]).toMatch(/,priceUnit,fees,total,reservation$/);
  expect(lines.find((line) => line.startsWith('B-1,'))).toMatch(/,minor,200,3000,$/);
});

it('is refused, by place, where a unit or an amount does not fit', async () => {
  const chartId = await published(priced(), { priceUnit: 'minor' });
  const path = await eventOn(chartId);
  const refused: [string, string, unknown, string][] = [
    ['PATCH', path, { priceUnit: 'major' }, 'priceUnit'],
    ['PATCH', path, { priceUnit: 'cents' }, 'priceUnit'],
    ['POST', '/v1/events', { chartId, priceUnit: 'major' }, 'priceUnit'],
    ['POST', '/v1/charts', { name: 'Hall', priceUnit: 'major', doc: priced({ priceUnit: 'minor' }) }, 'priceUnit'],
    ['POST', '/v1/charts', { name: 'Hall', doc: priced({ priceUnit: 'cents' }) }, 'doc.priceUnit'],
    ['PUT', `${path}/releases`, { releases: [{ name: 'Early', price: 12.5 }] }, 'releases.0.price'],
    ['POST', `${path}/channels`, { name: 'Fans', priceOverrides: { stalls: 12.5 } }, 'priceOverrides'],
    ['POST', `${path}/hold`, { selections: [{ label: 'A-1', price: 12.5 }] }, 'selections.0.price'],
  ];
  for (const [method, to, body, place] of refused) {
    const answer = await call(method, to, body);
    expect([to, answer.status, answer.body.issues?.map((issue: { path: string }) => issue.path)]).toEqual([
      to,
      422,
      [expect.stringMatching(new RegExp(`^(doc\\.)?${place.replace('doc.', '')}`))],
    ]);
  }
  const fraction = await call('PUT', `${path}/releases`, { releases: [{ name: 'Early', price: 12.5 }] });
  expect(fraction.body.issues[0].message).toContain('written as 1250');
  expect((await call('PATCH', path, { priceUnit: 'minor', venue: 'Court' })).status).toBe(200);

  // A major event takes 10,000,000 at most, a minor one a hundred times as much.
  const releases = [{ name: 'Box', price: 10_000_001 }];
  expect((await call('PUT', `${path}/releases`, { releases })).status).toBe(200);
  const major = await shop.event();
  expect((await call('PUT', `${major.path}/releases`, { releases })).body).toMatchObject({
    code: 'invalid_request',
    issues: [{ path: 'releases.0.price' }],
  });
});

it('keeps the unit of a published chart, and takes the choice of an event on a chart without one', async () => {
  const chartId = await published(priced(), { priceUnit: 'minor' });
  const chart = (await call('GET', `/v1/charts/${chartId}`)).body;
  const doc = { ...chart.doc, priceUnit: 'major', name: 'Other' };
  await call('PUT', `/v1/charts/${chartId}`, { doc, expectedUpdatedAt: chart.meta.updatedAt });
  const again = await call('POST', `/v1/charts/${chartId}/publish`);
  expect([again.status, again.body.issues]).toMatchObject([422, [{ path: 'priceUnit' }]]);

  const chosen = await eventOn(shop.chart.id, { priceUnit: 'minor' });
  expect((await call('GET', chosen)).body.meta.priceUnit).toBe('minor');
  const plain = await eventOn(shop.chart.id);
  expect((await call('GET', plain)).body.meta.priceUnit).toBe('major');
  const eventKeys = [chosen, plain].map((path) => path.split('/').at(-1));
  for (const [path, more] of [
    ['/v1/performance-groups', { name: 'Run' }],
    ['/v1/seasons', { name: 'Subscription', edition: '2096' }],
  ] as const) {
    const mixed = await call('POST', path, { ...more, eventKeys });
    expect([path, mixed.status, mixed.body.issues]).toMatchObject([
      path,
      422,
      [{ code: 'price_unit_mismatch', path: 'eventKeys.1', expected: 'minor', actual: 'major' }],
    ]);
  }
});
