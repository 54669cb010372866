/**
 * The webhooks of every kind of sale: attribution and items, and nothing that grants access. The test searches every
 * posted body for each token, capability, key and secret that it used.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Delivery, openReceiver } from '../../support/notifier/receiver.ts';
import { createJudge } from '../../support/openapi.ts';
import { type Answer, type Json, openShop, origin, type Shop } from '../shop.ts';

/** The address of the buyers, as the proxy tells it. */
const address = '203.0.113.77';
const events = [
  'seat.booked',
  'seat.released',
  'seat.blocked',
  'hold.created',
  'hold.expired',
  'hold.extended',
  'hold.released',
  'event.created',
  'event.soldout',
  'object.resale.sold',
];
const dining = {
  type: 'table',
  shape: 'round',
  seatCount: 8,
  categoryKey: 'stalls',
  center: { x: 0, y: -100 },
};

let shop: Shop;
let hook: Awaited<ReturnType<typeof openReceiver>>;
/** Values that no webhook may contain, by description. */
const secrets: Record<string, string> = { 'address of a buyer': address };

beforeAll(async () => {
  shop = await openShop();
  hook = await openReceiver();
  const { test, live, publishable } = shop.own;
  Object.assign(secrets, {
    'root token': shop.rootToken,
    'test key': test.secret,
    'live key': live.secret,
    'publishable key': publishable.secret,
  });
  for (const key of [test, live]) {
    const made = await shop.call('POST', '/v1/webhooks', { token: key.secret, body: { url: hook.url, events } });
    expect(made.status).toBe(201);
    secrets[`secret of the ${key.key.mode} webhook`] = made.body.secret;
  }
}, 120_000);
afterAll(async () => {
  hook?.close();
  await shop?.stop();
});

/** The webhooks of an event, once `count` have come. */
async function heardOf(eventKey: string, count: number): Promise<Json[]> {
  const heard = () => hook.deliveries.map(({ body }) => body).filter((body) => body.eventKey === eventKey);
  await expect.poll(() => heard().length, { timeout: 20_000 }).toBe(count);
  return heard();
}

const dataOf = (heard: Json[], name: string) => heard.filter(({ event }) => event === name).map(({ data }) => data);

function fine(answer: Answer): Json {
  expect([answer.status, answer.body.code]).toEqual([expect.toSatisfy((status) => status < 300), undefined]);
  return answer.body;
}

/**
 * An event on a chart with a whole table T1 and a variable table T2, and with two channels. "Members" has
 * and B-1, "Sponsors" has A-7.
 */
async function house() {
  const tables = [
    { ...dining, id: 't1', label: 'T1', bookAsWhole: true },
    { ...dining, id: 't2', label: 'T2', center: { x: 200, y: -100 }, variableOccupancy: true, minOccupancy: 2 },
  ];
  const doc = { ...shop.hall, objects: [...shop.hall.objects, ...tables] };
  const post = async (path: string, body: object) => fine(await shop.call('POST', path, { token: shop.token, body }));
  const { meta: chart } = await post('/v1/charts', { name: 'Dining', doc });
  await post(`/v1/charts/${chart.id}/publish`, {});
  const { meta } = await post('/v1/events', { chartId: chart.id, externalRef: 'show-7' });
  const path = `/v1/events/${meta.key}`;
  const channel = async (body: object, labels: string[]) => {
    const made = (await post(`${path}/channels`, body)).channel;
    const { assignmentVersion } = (await shop.call('GET', `${path}/channels`, { token: shop.token })).body;
    await post(`${path}/channels/assignments`, { targetChannelId: made.id, labels, assignmentVersion });
    return made.id as string;
  };
  const prices = { priceOverrides: { stalls: 12, balcony: { adult: 22, child: 11 } } };
  const labels = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'B-1'];
  const members = await channel({ name: 'Members', externalRef: 'members-26', ...prices }, labels);
  const sponsors = await channel({ name: 'Sponsors' }, ['A-7']);
  const page = (token: string, what: string) => {
    secrets[what] = token;
    return async (action: string, body: object, headers: Record<string, string> = {}) => {
      const all = { 'X-Forwarded-For': address, ...headers };
      return fine(await shop.buyer('POST', `${meta.key}/${action}`, { token, body, headers: all }));
    };
  };
  return {
    meta,
    chart,
    members,
    sponsors,
    page,
    post: (action: string, body: object) => post(`${path}/${action}`, body),
  };
}

const soldAs = ({ items }: Json) =>
  items.map(({ label, unitPrice, channelId, channelExternalRef, accessSource, partnerRef }: Json) => [
    label,
    unitPrice,
    channelId,
    channelExternalRef,
    accessSource,
    partnerRef,
  ]);

/** A page with a session to the members' channel and public sale, made for a partner's buyer. */
async function partnersPage({ members, post, page }: Awaited<ReturnType<typeof house>>) {
  const grant = { channelIds: [members], includePublic: true, partnerRef: 'partner-7', buyerRef: 'the-buyers-own-ref' };
  const minted = await post('buyer-access-sessions', {
    ...grant,
    allowedOrigin: origin,
    clientRequestId: 'cart-of-somebody',
  });
  Object.assign(secrets, {
    'id of a buyer’s session': minted.sessionId,
    'name of a buyer’s session': 'cart-of-somebody',
    'name of a buyer’s call': 'key-of-a-call',
    'name of a buyer': 'the-buyers-own-ref',
  });
  return page(minted.token, 'token of a buyer');
}

describe('a booking webhook', () => {
  it('tells channel and attribution of each item, for every way to hold and book', async () => {
    const own = await house();
    const { meta, members, sponsors, post, page } = own;
    const partner = await partnersPage(own);
    const held = await partner('hold', { labels: ['A-1', 'A-8'] }, { 'Idempotency-Key': 'key-of-a-call' });
    await post('book', { holdId: held.holdId, bookingRef: 'partners' });

    const { capability, link } = await post(`channels/${members}/access-links`, {});
    Object.assign(secrets, { 'capability of a link': capability, 'id of a link': link.id });
    const headers = { Origin: origin, 'Content-Type': 'text/plain', 'X-Forwarded-For': address };
    const redeem = `/pub/events/${meta.key}/access-links/redeem`;
    const redeemed = fine(await shop.call('POST', redeem, { headers, body: JSON.stringify({ capability }) }));
    const best = await page(redeemed.token, 'token of who redeemed a link')('best-available', { qty: 1 });
    await post('book', { holdId: best.holdId, bookingRef: 'links' });

    const publicKey = JSON.stringify({ publicKey: shop.own.publishable.secret });
    const opened = fine(await shop.call('POST', `/pub/events/${meta.key}/bootstrap`, { headers, body: publicKey }));
    const cart = await page(opened.token, 'token of public sale')('hold', { labels: ['A-9'] });
    await post('book', { holdId: cart.holdId, bookingRef: 'public' });

    await post('book', { labels: ['A-5', 'B-1'], bookingRef: 'servers', channelIds: [members] });
    const override = { ignoreChannelRestrictions: true, reason: 'House seats' };
    await post('book', { labels: ['A-6', 'A-7', 'A-10'], bookingRef: 'staff', ...override });

    const heard = dataOf(await heardOf(meta.key, 9), 'seat.booked');
    const sold = Object.fromEntries(heard.map((data) => [data.bookingRef, soldAs(data)]));
    expect(sold).toEqual({
      partners: [
        ['A-1', 12, members, 'members-26', 'partner', 'partner-7'],
        ['A-8', 20, null, null, 'public', 'partner-7'],
      ],
      links: [[expect.any(String), 12, members, 'members-26', 'hosted_link', null]],
      public: [['A-9', 20, null, null, 'public', null]],
      servers: [
        ['A-5', 12, members, 'members-26', 'promoter', null],
        ['B-1', 22, members, 'members-26', 'promoter', null],
      ],
      staff: [
        ['A-6', 12, members, 'members-26', 'staff_override', null],
        ['A-7', 20, sponsors, null, 'staff_override', null],
        ['A-10', 20, null, null, 'public', null],
      ],
    });
    for (const { source } of heard) expect(source).toBe('server');
  }, 60_000);

  it('tells the prices of tables, places and tiers, and their sum', async () => {
    const { meta, post } = await house();
    const selections = [
      { label: 'T1' },
      { label: 'T2', quantity: 5 },
      { label: 'Floor', quantity: 3 },
      { label: 'B-2', tierId: 'adult' },
      { label: 'B-3', tierId: 'child' },
    ];
    await post('book', { selections, bookingRef: 'order-1' });
    const [data] = dataOf(await heardOf(meta.key, 2), 'seat.booked');
    expect(data).toMatchObject({ bookingRef: 'order-1', quantity: 18, currency: 'EUR', configuredValue: 365 });
    const places = [1, 2, 3].map((nth) => `__sl_ga__floor__${nth}`);
    expect(data.labels).toEqual(['T1', 'T2', ...places, 'B-2', 'B-3']);
    expect(data.items).toMatchObject([
      { label: 'T1', objectType: 'table', categoryKey: 'stalls', unitPrice: 20, quantity: 8, bookingMode: 'whole' },
      { label: 'T2', objectType: 'table', unitPrice: 20, quantity: 5, bookingMode: 'variable' },
      { label: 'Floor', objectType: 'ga', unitPrice: 20, quantity: 3, labels: places },
      { label: 'B-2', categoryKey: 'balcony', tierId: 'adult', unitPrice: 30 },
      { label: 'B-3', categoryKey: 'balcony', tierId: 'child', unitPrice: 15 },
    ]);
  }, 60_000);
});

it('Webhooks tell every release with its reason, blocks, and actions of consoles', async () => {
  const own = await house();
  const { meta, post } = own;
  const manage = await post('manage-sessions', { allowedOrigin: origin, capabilities: ['event:view', 'event:block'] });
  Object.assign(secrets, { 'token of a console': manage.token, 'id of a console’s session': manage.sessionId });
  const console = async (action: string, body: object) => {
    const sent = { token: manage.token, headers: { Origin: origin }, body };
    return fine(await shop.call('POST', `/v1/events/${meta.key}/${action}`, sent));
  };
  const page = await partnersPage(own);

  const first = await page('hold', { labels: ['A-8', 'A-9', 'A-11'] });
  await page('release', { holdId: first.holdId, labels: ['A-8'] });
  const second = await page('hold', { labels: ['A-9', 'A-10'], replaceHoldId: first.holdId });
  await page('extend', { holdId: second.holdId });
  const third = await page('hold', { labels: ['A-12'], ttlMs: 1 });
  await console('block', { labels: ['A-13', 'A-14'], reason: 'Camera' });
  await console('unblock', { labels: ['A-13'] });
  const releaseAt = Date.now() + 1_000;
  await post('block', { labels: ['A-15'], releaseAt });
  await post('book', { labels: ['A-16', 'A-17'], bookingRef: 'order-1' });
  await post('unbook', { bookingRef: 'order-1', labels: ['A-17'] });

  const heard = await heardOf(meta.key, 17);
  expect(dataOf(heard, 'hold.released')).toEqual([
    { holdId: first.holdId, labels: ['A-8'], replacedBy: null },
    { holdId: first.holdId, labels: ['A-9', 'A-11'], replacedBy: second.holdId },
  ]);
  for (const body of heard) {
    expect(body).toMatchObject({ livemode: false, eventId: meta.id, externalRef: 'show-7' });
    expect(body.workspaceId).toBe(meta.workspaceId);
    expect(body).toMatchObject({ type: body.event, occurrenceId: expect.stringMatching(/^occ_/) });
  }
  const freed = dataOf(heard, 'seat.released').map(({ items, ...data }) => ({
    ...data,
    paid: items?.map(({ unitPrice }: Json) => unitPrice) ?? null,
  }));
  expect(freed).toHaveLength(6);
  expect(freed).toEqual(
    expect.arrayContaining([
      { labels: ['A-8'], reason: 'released', holdId: first.holdId, paid: [20] },
      { labels: ['A-11'], reason: 'released', holdId: first.holdId, paid: [20] },
      { labels: ['A-12'], reason: 'hold_expired', holdId: third.holdId, paid: [20] },
      { labels: ['A-13'], reason: 'unblocked', paid: null },
      { labels: ['A-15'], reason: 'unblocked', paid: null },
      { labels: ['A-17'], reason: 'unbooked', bookingRef: 'order-1', paid: [20] },
    ]),
  );
  expect(dataOf(heard, 'seat.blocked')).toEqual(
    expect.arrayContaining([
      { labels: ['A-13', 'A-14'], releaseAt: null, reason: 'Camera', by: 'operator' },
      { labels: ['A-15'], releaseAt, reason: null, by: 'server' },
    ]),
  );
  const [extended] = dataOf(heard, 'hold.extended');
  expect(extended).toMatchObject({ holdId: second.holdId, labels: ['A-9', 'A-10'], source: 'buyer' });
  expect(dataOf(heard, 'hold.expired')).toMatchObject([{ holdId: third.holdId, labels: ['A-12'], source: 'timer' }]);
}, 60_000);

it('Webhooks tell a live event from a dashboard, its box office sale, and that it is sold out', async () => {
  const account = await shop.user();
  const { write, csrfToken, cookie } = await shop.logIn(account);
  Object.assign(secrets, {
    'password of a user': account.password,
    'email of a user': account.email,
    'id of a user': account.id,
    'CSRF token': csrfToken,
    'token of a dashboard': cookie.split('=')[1]!,
  });
  const post = async (path: string, body: object) => fine(await shop.call('POST', path, { headers: write, body }));
  const made = await post('/v1/charts', {
    name: 'Two',
    doc: { ...shop.hall, objects: [{ ...shop.hall.objects[0], seatCount: 2 }] },
  });
  const { id: chartId, workspaceId } = made.meta;
  await post(`/v1/charts/${chartId}/publish`, {});
  const designer = await post('/v1/designer/sessions', { workspaceId, chartId, allowedOrigin: origin });
  Object.assign(secrets, { 'token of a designer': designer.token, 'id of a designer’s session': designer.id });
  const { meta } = await post('/v1/events', { chartId, name: 'Gala', mode: 'live' });
  const path = `/v1/events/${meta.key}`;
  const { id: channel } = (await post(`${path}/channels`, { name: 'Door' })).channel;
  await post(`${path}/box-office/sale`, { bookingRef: 'counter', selections: [{ label: 'A-1' }, { label: 'A-2' }] });
  await post(`${path}/channels/${channel}/archive`, { destination: 'public' });

  const heard = await heardOf(meta.key, 3);
  expect(heard.map(({ event, livemode }) => [event, livemode]).sort()).toEqual([
    ['event.created', true],
    ['event.soldout', true],
    ['seat.booked', true],
  ]);
  const [created] = dataOf(heard, 'event.created');
  expect(created.event).toEqual({ ...meta, status: 'active', sold: 0 });
  expect(dataOf(heard, 'event.soldout')).toMatchObject([{ at: expect.any(Number), seatTotal: 2 }]);
  expect(dataOf(heard, 'seat.booked')).toMatchObject([
    { bookingRef: 'counter', source: 'operator', configuredValue: 40 },
  ]);
  for (const body of heard) expect(body).not.toHaveProperty('externalRef');
}, 60_000);

it('Every posted body fits the description, and none contains a credential or identifies a person', async () => {
  const event = await shop.event();
  await event.post('book', { labels: ['A-1'], bookingRef: 'order-1' });
  await event.post('resale/list', { labels: ['A-1'], bookingRef: 'order-1' });
  await event.post('book', { labels: ['A-1'], bookingRef: 'order-2' });
  await heardOf(event.key, 4);
  expect([...new Set(hook.deliveries.map(({ body }) => body.event))].sort()).toEqual([...events].sort());

  expect(Object.entries(secrets).filter(([, secret]) => !(secret?.length >= 11))).toEqual([]);
  expect(found(hook.deliveries)).toEqual([]);
  const judge = createJudge((await shop.call('GET', '/openapi.json')).body);
  expect(hook.deliveries.flatMap(({ body }) => judge.webhook(body))).toEqual([]);
  // No token of any kind, also of kinds that `secrets` does not list.
  const forms = /\b(?:sk|pk)_(?:test|live)_|\b(?:bse|mse|dse|acl|ses|lnk|usr|key|whsec)_/;
  expect(hook.deliveries.filter(({ text }) => forms.test(text)).map(({ body }) => body.event)).toEqual([]);
}, 60_000);

/** Each secret that stands in a posted body or its headers. */
function found(deliveries: Delivery[]): string[] {
  const told = deliveries.map(({ headers: { host: _, ...headers }, text, body }) => {
    return { name: body.event, text: text + JSON.stringify(headers) };
  });
  return Object.entries(secrets).flatMap(([what, secret]) =>
    told.filter(({ text }) => text.includes(secret)).map(({ name }) => `${what} in ${name}`),
  );
}
