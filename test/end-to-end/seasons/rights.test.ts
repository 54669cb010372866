/** Holders of a season over HTTP, with real events: imports, offers, renewals, and seats that only the offer sells. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEvents } from '../groups/run.ts';
import { type Json, openShop, type Shop } from '../shop.ts';
import { sellSeason } from './sold-season.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const call = (method: string, path: string, body?: unknown, headers = {}) =>
  shop.call(method, path, { token: shop.token, headers, ...(body === undefined ? {} : { body }) });
const later = () => Date.now() + 3_600_000;
const row = (rowId: string, labels: string[], more: object = {}) => ({
  rowId,
  holderRef: `holder-${rowId}`,
  priorPlanActivationId: 'plan-2026',
  priorContractRef: `sub-${rowId}`,
  labels,
  ...more,
});

type Season = { at: string; key: string; eventKeys: string[]; plan: string };

async function season(): Promise<Season> {
  const { key, path, eventKeys, planActivationId } = await sellSeason(shop, 2, false);
  return { at: path, key, eventKeys, plan: planActivationId };
}

async function imported({ at, plan }: Season, rows: object[], more: object = {}): Promise<Json> {
  const answer = await call('POST', `${at}/imports`, { successorPlanActivationId: plan, rows, ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.import;
}

async function offered(of: Season, ...labels: string[]): Promise<Json[]> {
  await imported(
    of,
    labels.map((label) => row(label, [label])),
  );
  const answer = await call('POST', `${of.at}/renewal-offers`, { deadlineAt: later() });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.offers;
}

async function polled(at: string, state: string): Promise<Json> {
  for (let tries = 0; ; tries++) {
    const { offer } = (await call('GET', at)).body;
    if (offer.state === state) return offer;
    if (tries === 100) throw new Error(`the offer stays ${offer.state}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('an import decides each row, and a dry run decides the same and writes nothing', async () => {
  const of = await season();
  await call('POST', `/v1/events/${of.eventKeys[1]}/book`, { labels: ['A-2'], bookingRef: 'order-1' });
  await call('POST', `/v1/events/${of.eventKeys[0]}/hold`, { labels: ['A-3'] });
  for (const key of of.eventKeys) {
    await call('POST', `/v1/events/${key}/book`, { labels: ['A-4'], bookingRef: 'order-4' });
  }
  const rows = [
    row('1', ['A-1']),
    row('2', ['A-2']),
    row('3', ['A-3']),
    row('4', ['A-4'], { existingBookingRef: 'order-4' }),
    row('5', ['A-1']),
    row('6', ['Z-99']),
    row('7', []),
    row('1', ['A-5']),
  ];
  const judged = [
    ['accepted', null],
    ['conflict', 'seat_booked'],
    ['conflict', 'seat_held'],
    ['accepted', null],
    ['conflict', 'seat_repeated'],
    ['invalid', 'label_not_found'],
    ['invalid', 'labels_missing'],
    ['invalid', 'row_id_repeated'],
  ];
  const dry = await imported(of, rows, { dryRun: true });
  expect(dry).toMatchObject({ state: 'dry_run', dryRun: true, acceptedCount: 2, rejectedCount: 6, committedAt: null });
  expect(dry.rows.map(({ decision, errorCode }: Json) => [decision, errorCode])).toEqual(judged);
  expect(dry.rows.every(({ contractId, rightId }: Json) => contractId === null && rightId === null)).toBe(true);
  const none = await call('POST', `${of.at}/renewal-offers`, { deadlineAt: later() });
  expect([none.status, none.body]).toEqual([201, { offers: [], truncated: false }]);
  const real = await imported(of, rows);
  expect(real).toMatchObject({
    state: 'committed',
    acceptedCount: 2,
    rejectedCount: 6,
    committedAt: expect.any(Number),
  });
  expect(real.rows.map(({ decision, errorCode }: Json) => [decision, errorCode])).toEqual(judged);
  expect(real.rows[0]).toMatchObject({
    ...row('1', ['A-1']),
    existingBookingRef: null,
    contractId: expect.stringMatching(/^sco_/),
    rightId: expect.stringMatching(/^ssr_/),
  });
  expect((await call('GET', `${of.at}/imports/${real.importId}`)).body.import).toEqual(real);
  const again = await imported(of, [row('9', ['A-1'])]);
  expect([again.state, again.rows[0].errorCode]).toEqual(['rejected', 'seat_claimed']);
  // A holder whose seats are booked needs no offer.
  const { offers } = (await call('POST', `${of.at}/renewal-offers`, { deadlineAt: later() })).body;
  expect(offers.map(({ labels }: Json) => labels)).toEqual([['A-1']]);
});

test('the export has the offers and the contracts', async () => {
  const of = await season();
  await imported(of, [row('1', ['A-1']), row('2', ['A-2'])]);
  const { offers } = (await call('POST', `${of.at}/renewal-offers`, { deadlineAt: Date.now() + 3_600_000 })).body;
  const exported = (await call('GET', `${of.at}/export`)).body.export;
  expect(exported.contracts.map(({ labels }: Json) => labels)).toEqual([['A-1'], ['A-2']]);
  const ids = (list: Json[]) => list.map(({ offerId }) => offerId).sort();
  expect([ids(exported.offers), exported.truncated]).toEqual([ids(offers), false]);
});

test('a named import is made once', async () => {
  const of = await season();
  const body = { successorPlanActivationId: of.plan, rows: [row('1', ['A-1'])] };
  const first = await call('POST', `${of.at}/imports`, body, { 'Idempotency-Key': `import-${of.key}` });
  const again = await call('POST', `${of.at}/imports`, body, { 'Idempotency-Key': `import-${of.key}` });
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
});

test('many rows come as lines, and their progress is read', async () => {
  const of = await season();
  const lines = [row('1', ['A-1']), row('2', ['A-2']), 'no row', row('3', ['A-1'])];
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const send = (query: string) =>
    fetch(`${shop.url}${of.at}/imports/ndjson?${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/x-ndjson' },
      body: text,
    });
  expect((await send('')).status).toBe(422);
  const answer = await send(`successorPlanActivationId=${of.plan}`);
  const told = ((await answer.json()) as Json).import;
  expect([201, 202]).toContain(answer.status);
  expect(told).toMatchObject({ receivedCount: 4, acceptedCount: 2, rejectedCount: 2 });
  const at = answer.headers.get('location')!;
  await expect
    .poll(async () => (await call('GET', at)).body.import, { timeout: 10_000 })
    .toMatchObject({ state: 'committed', writtenCount: 2 });
  const { rows } = (await call('GET', at)).body.import;
  expect(rows.map(({ rowId, errorCode }: Json) => [rowId, errorCode])).toEqual([
    ['1', null],
    ['2', null],
    ['line 3', 'invalid_row'],
    ['3', 'seat_repeated'],
  ]);
});

test('the seats of an offer are not for sale to anybody else, and are booked by its commit', async () => {
  const of = await season();
  const [offer] = await offered(of, 'A-1');
  const [first] = of.eventKeys;
  const taken = await call('POST', `/v1/events/${first}/hold`, { labels: ['A-1'] });
  expect([taken.status, taken.body.conflicts]).toMatchObject([409, [{ label: 'A-1', status: 'blocked' }]]);
  expect((await call('GET', `/v1/events/${first}`)).body.counts).toMatchObject({ blocked: 1 });
  await call('POST', `/v1/events/${first}/unblock`, { labels: ['A-1'] });
  expect((await call('GET', `/v1/events/${first}`)).body.counts).toMatchObject({ blocked: 1 });
  const at = `${of.at}/renewal-offers/${offer.offerId}`;
  const body = { commitActionId: 'renew-1', orderRef: 'order-1', bookingRef: 'booking-1', planActivationId: of.plan };
  const told = await call('POST', `${at}/commit`, body);
  expect([told.status, told.headers.get('location'), told.headers.get('retry-after')]).toEqual([202, at, '1']);
  expect(told.body.offer).toMatchObject({ state: 'committing', commitActionId: 'renew-1', orderRef: 'order-1' });
  const renewed = await polled(at, 'renewed');
  expect(renewed.commitOutcomes).toEqual(
    of.eventKeys.map((eventKey) => ({ eventKey, state: 'committed', code: null })),
  );
  expect(renewed.successorContractId).toMatch(/^sco_/);
  const again = await call('POST', `${at}/commit`, body);
  expect([again.status, again.body.offer]).toEqual([200, renewed]);
  for (const key of of.eventKeys) {
    expect((await call('GET', `/v1/events/${key}`)).body.counts).toMatchObject({ booked: 1, blocked: 0 });
    const { booking } = (await call('GET', `/v1/events/${key}/bookings/booking-1`)).body;
    expect(booking).toMatchObject({ source: 'server', bookedBy: expect.stringMatching(/^key_/) });
  }
  const { lookup } = (await call('GET', `${of.at}/support-lookups?holderRef=holder-A-1`)).body;
  const { items, performances, priceUnit, ...listed } = renewed;
  expect(lookup.offers).toEqual([listed]);
  const nights = of.eventKeys.map((_: string, nth: number) => `Evening ${nth + 1}`);
  expect(performances.map(({ name }: Json) => name)).toEqual(nights);
  expect(items).toMatchObject(nights.map(() => ({ label: 'A-1', unitPrice: 20 })));
  expect([listed.total, listed.currency, priceUnit]).toEqual([20 * nights.length, 'EUR', 'major']);
  expect(lookup.contracts).toMatchObject([
    { contractId: offer.contractId, state: 'renewed' },
    { contractId: renewed.successorContractId, state: 'active', bookingRef: 'booking-1' },
  ]);
  expect((await call('GET', `${of.at}/reports`)).body.report.renewals).toEqual({ renewed: 1 });
});

test('an offer lapses at its deadline, and its seats are on sale again', async () => {
  const of = await season();
  await imported(of, [row('1', ['A-1'])]);
  const { offers } = (await call('POST', `${of.at}/renewal-offers`, { deadlineAt: Date.now() + 1_500 })).body;
  const at = `${of.at}/renewal-offers/${offers[0].offerId}`;
  await polled(at, 'lapsed');
  const body = { commitActionId: 'late', orderRef: 'order', bookingRef: 'booking', planActivationId: of.plan };
  const late = await call('POST', `${at}/commit`, body);
  expect([late.status, late.body.reason]).toEqual([409, 'offer_lapsed']);
  await expect
    .poll(async () => (await call('POST', `/v1/events/${of.eventKeys[0]}/hold`, { labels: ['A-1'] })).status)
    .toBe(200);
});

test('an offer is extended, inspected, declined and released', async () => {
  const of = await season();
  const [one, two] = await offered(of, 'A-1', 'A-2');
  const at = `${of.at}/renewal-offers`;
  const deadlineAt = later() + 60_000;
  const extended = await call('POST', `${at}/${one.offerId}/extend`, { deadlineAt });
  expect([extended.status, extended.body.offer]).toMatchObject([200, { state: 'offered', deadlineAt }]);
  expect((await call('GET', `${at}/${one.offerId}/inspect`)).body).toEqual(extended.body);
  const declined = await call('POST', `${at}/${one.offerId}/decline`, {});
  expect([declined.status, declined.body.offer.state]).toEqual([200, 'declined']);
  const released = await call('POST', `${at}/${one.offerId}/release`);
  expect([released.status, released.body.offer.state]).toEqual([200, 'released']);
  await call('POST', `${at}/${two.offerId}/release`, {});
  expect((await call('GET', `/v1/events/${of.eventKeys[0]}`)).body.counts).toMatchObject({ blocked: 0 });
  const { offers, truncated } = (await call('GET', at)).body;
  expect([offers.map(({ state }: Json) => state), truncated]).toEqual([['released', 'released'], false]);
});

test('seats that are taken refuse all offers of a call, with every conflict', async () => {
  const of = await season();
  await imported(of, [row('1', ['A-1']), row('2', ['A-2']), row('3', ['A-3'])]);
  await call('POST', `/v1/events/${of.eventKeys[0]}/book`, { labels: ['A-1'], bookingRef: 'other' });
  await call('POST', `/v1/events/${of.eventKeys[1]}/hold`, { labels: ['A-3'] });
  const refused = await call('POST', `${of.at}/renewal-offers`, { deadlineAt: later() });
  expect([refused.status, refused.body.reason]).toEqual([409, 'seats_taken']);
  expect(refused.body.conflicts).toMatchObject([
    { eventKey: of.eventKeys[0], label: 'A-1', status: 'booked' },
    { eventKey: of.eventKeys[1], label: 'A-3', status: 'held' },
  ]);
  await expect
    .poll(async () => (await call('GET', `/v1/events/${of.eventKeys[0]}`)).body.counts.blocked, { timeout: 5_000 })
    .toBe(0);
  expect((await call('GET', `${of.at}/renewal-offers`)).body.offers).toEqual([]);
});

test('the link of an offer shows it, and takes intent and refusal', async () => {
  const of = await season();
  const [offer] = await offered(of, 'A-1');
  const link = `/pub/season-renewals/${offer.offerId}`;
  const shown = await shop.call('GET', link);
  expect([shown.status, shown.body]).toMatchObject([200, { offer, season: { key: of.key, occurrenceCount: 2 } }]);
  const intent = await shop.call('POST', `${link}/intent`);
  expect([intent.status, intent.body.intent]).toMatchObject([
    200,
    { offerId: offer.offerId, intentId: expect.any(String), state: 'intent_received', receivedAt: expect.any(Number) },
  ]);
  expect((await shop.call('POST', `${link}/intent`, { body: {} })).body).toEqual(intent.body);
  const declined = await shop.call('POST', `${link}/decline`, { body: {} });
  expect([declined.status, declined.body.offer.state]).toEqual([200, 'declined']);
  expect((await shop.call('POST', `${link}/intent`)).status).toBe(409);
  expect((await shop.call('GET', '/pub/season-renewals/sro_nobody')).status).toBe(404);
});

test('offers and imports need a published plan, and are unknown elsewhere', async () => {
  const eventKeys = await makeEvents(shop, 2);
  const { key } = (await call('POST', '/v1/seasons', { name: 'Draft', eventKeys })).body.season;
  const early = await call('POST', `/v1/seasons/${key}/renewal-offers`, { deadlineAt: later() });
  expect([early.status, early.body.reason]).toEqual([409, 'no_published_plan']);
  const of = await season();
  const rows = [row('1', ['A-1'])];
  const unknown = await call('POST', `${of.at}/imports`, { successorPlanActivationId: 'spa_0', rows });
  expect([unknown.status, unknown.body.issues]).toMatchObject([422, [{ path: 'successorPlanActivationId' }]]);
  const [offer] = await offered(of, 'A-1');
  const stranger = (await shop.organisation('Stranger')).test.secret;
  for (const path of [`${of.at}/renewal-offers`, `${of.at}/renewal-offers/${offer.offerId}`]) {
    expect((await shop.call('GET', path, { token: stranger })).status).toBe(404);
  }
  const other = await season();
  expect((await call('GET', `${other.at}/renewal-offers/${offer.offerId}`)).status).toBe(404);
});

test('a further night tells seat by seat which holders it can have', async () => {
  const of = await season();
  await imported(of, [row('1', ['A-1', 'A-2']), row('2', ['A-3'])]);
  const [night] = await makeEvents(shop, 1);
  await call('POST', `/v1/events/${night}/book`, { labels: ['A-2'], bookingRef: 'other' });
  const { body } = await call('POST', `${of.at}/additions/validate`, { eventKey: night });
  expect(body).toMatchObject({ eventKey: night, planActivationId: of.plan, givable: 2, withheld: 1 });
  expect(body.seats.map(({ label, canGive, reason }: Json) => [label, canGive, reason])).toEqual([
    ['A-1', true, null],
    ['A-2', false, 'seat_booked'],
    ['A-3', true, null],
  ]);
});

test('a booking makes a contract, and its cancellation preserves or releases the right', async () => {
  const sold = await sellSeason(shop, 2);
  const page = await sold.page();
  const next = await sold.publish('Next year');
  const contractOf = async (bookingRef: string): Promise<Json> => {
    const { lookup } = (await sold.get(`/support-lookups?bookingRef=${bookingRef}`)).body;
    expect(lookup.bookings).toHaveLength(1);
    expect(lookup.contracts).toHaveLength(1);
    return lookup.contracts[0];
  };
  const offerTo = (contractId: string) =>
    sold.post('/renewal-offers', { deadlineAt: later(), successorPlanActivationId: next, contractIds: [contractId] });
  const cancelled = async (name: string, label: string, rightDisposition: string): Promise<Json> => {
    await page.hold(`sop_${name}`, [label]);
    await sold.book(`sop_${name}`, `book-${name}`, `order-${name}`);
    const contract = await contractOf(`order-${name}`);
    expect(contract).toMatchObject({ state: 'active', source: 'booking', labels: [label], operationId: `sop_${name}` });
    expect(contract.planActivationId).toBe(sold.planActivationId);
    const cancel = { cancelActionId: 'cancel-1', bookingRef: `order-${name}`, rightDisposition };
    const over = await sold.post(`/bookings/book-${name}/cancel`, {
      ...cancel,
      planActivationId: sold.planActivationId,
    });
    expect(over.body.booking.state).toBe('cancelled');
    expect(await contractOf(`order-${name}`)).toEqual({ ...contract, state: 'cancelled' });
    return contract;
  };
  const released = await cancelled('1', 'A-1', 'release');
  const refused = await offerTo(released.contractId);
  expect([refused.status, refused.body.reason]).toEqual([409, 'contract_not_active']);
  const kept = await cancelled('2', 'A-2', 'preserve');
  const offer = await offerTo(kept.contractId);
  expect([offer.status, offer.body.offers]).toMatchObject([201, [{ rightId: kept.rightId, labels: ['A-2'] }]]);
  const { offerId } = offer.body.offers[0];
  expect((await page.get('/availability')).body.seats).toMatchObject({ 'A-1': 'free', 'A-2': 'not_for_sale' });
  const intent = await page.post('/renewal-intents', { offerId });
  expect([intent.status, intent.body.intent]).toMatchObject([200, { offerId, state: 'intent_received' }]);
  expect((await page.post('/renewal-intents', { offerId })).body).toEqual(intent.body);
  const elsewhere = await (await sellSeason(shop, 2)).page();
  expect((await elsewhere.post('/renewal-intents', { offerId })).status).toBe(404);
});

test('a night that is given back by itself leaves the contract and the right', async () => {
  const sold = await sellSeason(shop, 2);
  const page = await sold.page();
  await page.hold('sop_1', ['A-1']);
  await sold.book('sop_1', 'book-1', 'order-1');
  const [night] = sold.eventKeys;
  const back = await sold.call('POST', `/v1/events/${night}/unbook`, { bookingRef: 'order-1', labels: ['A-1'] });
  expect(back.status).toBe(200);
  const { contracts } = (await sold.get('/support-lookups?bookingRef=order-1')).body.lookup;
  expect(contracts).toMatchObject([{ state: 'active', labels: ['A-1'] }]);
});

test('the contract and the right of a holder follow the exchanges of all nights, and the next offer has the new places', async () => {
  const sold = await sellSeason(shop, 2);
  const page = await sold.page();
  const next = await sold.publish('Next year');
  for (const [nth, label] of [
    ['1', 'A-1'],
    ['2', 'A-3'],
  ] as const) {
    await page.hold(`sop_${nth}`, [label]);
    await sold.book(`sop_${nth}`, `book-${nth}`, `order-${nth}`);
  }
  const contractOf = async (bookingRef: string): Promise<Json> =>
    (await sold.get(`/support-lookups?bookingRef=${bookingRef}`)).body.lookup.contracts.at(-1);
  const exchange = async (night: number, name: string, body: object): Promise<Json> => {
    const headers = { 'Idempotency-Key': `${sold.key}-${night}-${name}` };
    const answer = await sold.call('POST', `/v1/events/${sold.eventKeys[night]}/exchange`, body, headers);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const move = { bookingRef: 'order-1', from: ['A-1'], to: { labels: ['A-5'] } };
  const contract = await contractOf('order-1');
  // One night stands beside the contract, also when the call is repeated.
  for (const _ of [1, 2]) await exchange(0, 'move', move);
  const [first] = sold.eventKeys;
  expect(await contractOf('order-1')).toEqual({ ...contract, exchanged: [{ eventKey: first, labels: ['A-5'] }] });
  await exchange(1, 'move', move);
  expect(await contractOf('order-1')).toEqual({ ...contract, labels: ['A-5'] });
  const swap = {
    swap: true,
    a: { bookingRef: 'order-1', labels: ['A-5'] },
    b: { bookingRef: 'order-2', labels: ['A-3'] },
  };
  for (const night of [0, 1]) await exchange(night, 'swap', swap);
  expect([await contractOf('order-1'), await contractOf('order-2')]).toMatchObject([
    { labels: ['A-3'] },
    { labels: ['A-5'] },
  ]);
  // The right that is preserved behind an exchange has the new places. So has the contract of its renewal.
  for (const night of [0, 1]) {
    await exchange(night, 'last', { bookingRef: 'order-1', from: ['A-3'], to: { labels: ['A-8'] } });
  }
  const { planActivationId } = sold;
  const cancel = { cancelActionId: 'cancel-1', bookingRef: 'order-1', rightDisposition: 'preserve', planActivationId };
  expect((await sold.post('/bookings/book-1/cancel', cancel)).body.booking.state).toBe('cancelled');
  const { contractId, rightId } = contract;
  const of = { deadlineAt: later(), successorPlanActivationId: next, contractIds: [contractId] };
  const [offer] = (await sold.post('/renewal-offers', of)).body.offers;
  expect(offer).toMatchObject({ rightId, labels: ['A-8'] });
  const at = `${sold.path}/renewal-offers/${offer.offerId}`;
  const commit = { commitActionId: 'c', orderRef: 'o', bookingRef: 'renewed', planActivationId: next };
  await call('POST', `${at}/commit`, commit);
  await polled(at, 'renewed');
  for (const night of [0, 1]) {
    await exchange(night, 'renewed', { bookingRef: 'renewed', from: ['A-8'], to: { labels: ['A-9'] } });
  }
  expect(await contractOf('renewed')).toMatchObject({ source: 'renewal', rightId, labels: ['A-9'] });
});

test('the holders of the plan that was published last are listed page by page, with their seats and orders', async () => {
  const of = await season();
  await imported(of, [row('1', ['A-1', 'A-2']), row('2', ['A-3'])]);
  const read = async (query = ''): Promise<Json> => (await call('GET', `${of.at}/contracts${query}`)).body;
  const { planActivationId, contracts, nextCursor } = await read();
  expect(planActivationId).toBe(of.plan);
  expect(nextCursor).toBeUndefined();
  expect(contracts).toMatchObject([
    { holderRef: 'holder-1', labels: ['A-1', 'A-2'], source: 'import', bookingRef: null },
    { holderRef: 'holder-2', labels: ['A-3'], source: 'import', bookingRef: null },
  ]);
  const first = await read('?limit=1');
  const second = await read(`?limit=1&cursor=${first.nextCursor}`);
  expect([...first.contracts, ...second.contracts]).toEqual(contracts);
  expect((await read('?planActivationId=spa_0')).contracts).toEqual([]);
});
