/**
 * Every call that changes an event, in every state of the event. A closed or paused event does not sell, and all else
 * goes on. An archived event is read only. A deleted event is not found.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const ways = {
  active: [],
  closed: ['close'],
  paused: ['archive', 'unarchive'],
  archived: ['archive'],
  deleted: ['delete'],
} as const;
type State = keyof typeof ways;
const states = Object.keys(ways) as State[];

/** Ids of the holds, bookings, ticket releases and listings from before the event entered its state. */
type Before = {
  key: string;
  token: string;
  extended: string;
  released: string;
  booked: string;
  releaseId: string;
  listingId: string;
};
type Row = [call: string, body: (before: Before) => Json, sells?: 'sells'];

const price = (before: Before) => ({ releases: [{ id: before.releaseId, name: 'Early', price: 5, action: 'buy' }] });

const calls: Row[] = [
  ['POST hold', () => ({ labels: ['A-17'] }), 'sells'],
  ['POST book', () => ({ labels: ['A-18'], bookingRef: 'order-2' }), 'sells'],
  ['POST best-available', () => ({ qty: 1 }), 'sells'],
  ['POST best-available-book', () => ({ qty: 1, bookingRef: 'order-3' }), 'sells'],
  ['POST best-available-block', () => ({ qty: 1 })],
  ['POST box-book', () => ({ labels: ['A-19'], bookingRef: 'order-4' })],
  ['POST extend', ({ extended }) => ({ holdId: extended })],
  ['POST release', ({ released }) => ({ holdId: released })],
  ['POST book', ({ booked }) => ({ holdId: booked, bookingRef: 'order-5' })],
  ['POST unbook', () => ({ bookingRef: 'order-1' })],
  ['POST block', () => ({ labels: ['A-20'] })],
  ['POST unblock', () => ({ labels: ['A-5'] })],
  ['POST unblock-all', () => undefined],
  ['POST hold-ttl', () => ({ holdTtlMs: 120_000 })],
  ['PUT releases', price],
  ['POST releases/{id}/close', () => undefined],
  ['POST availability', () => ({ rules: { __ungrouped__: { mode: 'threshold', thresholdPct: 1 } } })],
  ['POST resale/list', () => ({ labels: ['A-7'], bookingRef: 'order-6' })],
  ['POST resale/remove', ({ listingId }) => ({ listingId })],
  ['PATCH ', () => ({ name: 'Another name' })],
];

async function eventThatIs(state: State, token = shop.token, body: object = {}): Promise<Before> {
  const send = async (method: string, path: string, sent?: Json) => {
    const answer = await shop.call(method, path, { token, ...(sent === undefined ? {} : { body: sent }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { key } = (await send('POST', '/v1/events', { chartId: shop.chart.id, ...body })).meta;
  const path = `/v1/events/${key}`;
  const hold = async (label: string) => (await send('POST', `${path}/hold`, { labels: [label] })).holdId;
  const extended = await hold('A-1');
  const released = await hold('A-2');
  const booked = await hold('A-3');
  await send('POST', `${path}/book`, { labels: ['A-4'], bookingRef: 'order-1' });
  await send('POST', `${path}/block`, { labels: ['A-5', 'A-6'] });
  await send('POST', `${path}/book`, { labels: ['A-7', 'A-8'], bookingRef: 'order-6' });
  const { listingId } = await send('POST', `${path}/resale/list`, { labels: ['A-8'], bookingRef: 'order-6' });
  const { releases } = await send('PUT', `${path}/releases`, {
    releases: [{ name: 'Early', price: 5, action: 'buy' }],
  });
  for (const way of ways[state]) {
    await (way === 'delete' ? send('DELETE', path) : send('POST', `${path}/${way}`));
  }
  return { key, token, extended, released, booked, releaseId: releases[0].id, listingId };
}

function expectedOf(state: State, sells: boolean): string {
  if (state === 'deleted') return '404 not_found';
  if (state === 'archived') return '409 invalid_event_state';
  return sells && state !== 'active' ? '409 event_closed' : '200';
}

async function send({ key, token, releaseId }: Before, call: string, body?: Json): Promise<string> {
  const [method, action] = call.split(' ') as [string, string];
  const path = `/v1/events/${key}${action && `/${action.replace('{id}', releaseId)}`}`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(shop.url + path, { method, headers, ...text });
  const answer = await response.text();
  return response.status < 300 ? `${response.status}` : `${response.status} ${JSON.parse(answer).code}`;
}

describe.each(states)('an event that is %s', (state) => {
  let before: Before;
  beforeAll(async () => {
    before = await eventThatIs(state);
  });

  it.each(calls)('answers %s as its state allows', async (call, body, sells) => {
    expect(await send(before, call, body(before))).toBe(expectedOf(state, sells === 'sells'));
  });

  it('can be read unless it is deleted', async () => {
    const reads = [
      '',
      'report',
      'report.csv',
      'bookings',
      'bookings/order-1',
      'log',
      'hold-ttl',
      'releases',
      'availability',
      'objects',
    ];
    for (const what of [...reads, `holds/${before.extended}`]) {
      expect([what, await send(before, `GET ${what}`)]).toEqual([what, state === 'deleted' ? '404 not_found' : '200']);
    }
  });
});

const steps: Record<string, Partial<Record<State, string>>> = {
  'POST close': { active: '200', paused: '200' },
  'POST reopen': { closed: '200', paused: '200' },
  'POST archive': { active: '200', closed: '200', paused: '200' },
  'POST unarchive': { archived: '200' },
  'DELETE ': { active: '200', closed: '200', paused: '200', archived: '200' },
};

describe.each(Object.keys(steps))('%s', (step) => {
  it.each(states)('succeeds for an event that is %s only if the lifecycle allows it', async (state) => {
    const wrong = state === 'deleted' ? '404 not_found' : '409 invalid_event_state';
    expect(await send(await eventThatIs(state), step)).toBe(steps[step]![state] ?? wrong);
  });
});

it.each(states)(
  'an event that is %s moves to the latest chart version unless it is archived or deleted',
  async (state) => {
    const { token, call, hall } = shop;
    const { meta } = (await call('POST', '/v1/charts', { token, body: { name: 'Hall', doc: hall } })).body;
    const chart = `/v1/charts/${meta.id}`;
    await call('POST', `${chart}/publish`, { token });
    const before = await eventThatIs(state, token, { chartId: meta.id });
    const { updatedAt } = (await call('GET', chart, { token })).body.meta;
    await call('PUT', chart, { token, body: { doc: { ...hall, name: 'New hall' }, expectedUpdatedAt: updatedAt } });
    expect((await call('POST', `${chart}/publish`, { token })).status).toBe(200);
    expect(await send(before, 'POST update-chart')).toBe(expectedOf(state, false));
  },
);

it.each(states)(
  'a managed event that is %s sells at its box office unless it is archived or deleted',
  async (state) => {
    const { write } = await shop.logIn(await shop.user());
    const body = { chartId: shop.chart.id, mode: 'test' };
    const { key } = (await shop.call('POST', '/v1/events', { headers: write, body })).body.meta;
    for (const way of ways[state]) {
      const [method, path] = way === 'delete' ? ['DELETE', ''] : ['POST', `/${way}`];
      await shop.call(method!, `/v1/events/${key}${path}`, { token: shop.token });
    }
    const sale = { selections: [{ label: 'A-1' }], bookingRef: 'counter-1' };
    const before = { key, token: shop.token } as Before;
    expect(await send(before, 'POST box-office/sale', sale)).toBe(expectedOf(state, false));
  },
);

describe('a batch over events', () => {
  const batch = async (changes: Json[], key = `batch-${Math.random()}`) =>
    shop.call('POST', '/v1/events/batch', {
      token: shop.token,
      body: { changes },
      headers: { 'Idempotency-Key': key },
    });
  const blockOf = (eventKey: string, ...labels: string[]) => ({ eventKey, action: 'block', labels });
  const seatsOf = async (key: string) =>
    (await shop.call('GET', `/v1/events/${key}/objects`, { token: shop.token })).body.seats;

  it('blocks and unblocks all or none, and tells the other changes one by one', async () => {
    const [one, two] = [(await shop.event()).key, (await shop.event()).key];
    const post = (key: string, action: string, body: Json) =>
      shop.call('POST', `/v1/events/${key}/${action}`, { token: shop.token, body });
    await post(one, 'block', { labels: ['A-1', 'A-2'], reason: 'House' });
    await post(two, 'hold', { labels: ['A-5'] });
    const unblock = { eventKey: one, action: 'unblock', labels: ['A-1'] };
    const refused = await batch([
      blockOf(one, 'A-2', 'A-3'),
      unblock,
      blockOf(two, 'A-5'),
      { eventKey: two, action: 'patch', name: 'Renamed' },
      { eventKey: 'nobody', action: 'close' },
    ]);
    expect(refused.status).toBe(200);
    expect(refused.body.results).toMatchObject([
      { eventKey: one, action: 'block', status: 409, error: { code: 'conflict', reason: 'batch_undone' } },
      { status: 409, error: { reason: 'batch_undone' } },
      { status: 409, error: { code: 'conflict', conflicts: [{ label: 'A-5' }] } },
      { action: 'patch', status: 200, meta: { name: 'Renamed' } },
      { action: 'close', status: 404, error: { code: 'not_found' } },
    ]);
    expect(await seatsOf(one)).toEqual({ 'A-1': 'blocked', 'A-2': 'blocked' });
    expect(await seatsOf(two)).toEqual({ 'A-5': 'held' });

    const changes = [blockOf(two, 'A-6'), unblock, blockOf(one, 'A-2', 'A-3'), { eventKey: two, action: 'close' }];
    const made = await batch(changes, 'the-batch');
    expect(made.body.results).toMatchObject([
      { status: 200, blocked: ['A-6'] },
      { status: 200, unblocked: ['A-1'] },
      { status: 200, blocked: ['A-2', 'A-3'] },
      { status: 200, meta: { status: 'closed' } },
    ]);
    expect((await batch(changes, 'the-batch')).body).toEqual(made.body);
    expect(await seatsOf(one)).toEqual({ 'A-2': 'blocked', 'A-3': 'blocked' });
    const unknown = await batch([blockOf(one, 'A-9'), blockOf('nobody', 'A-9')]);
    expect(unknown.body.results.map(({ status }: Json) => status)).toEqual([409, 404]);
    expect(await seatsOf(one)).toEqual({ 'A-2': 'blocked', 'A-3': 'blocked' });
  });

  it('needs a name and at most 50 changes', async () => {
    const { key } = await shop.event();
    const many = Array.from({ length: 51 }, () => ({ eventKey: key, action: 'close' }));
    expect((await batch(many)).status).toBe(422);
    const call = { token: shop.token, body: { changes: [{ eventKey: key, action: 'close' }] } };
    expect((await shop.call('POST', '/v1/events/batch', call)).status).toBe(400);
  });
});
