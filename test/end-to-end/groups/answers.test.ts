/** Every field of a group's answers, their headers, and the nulls that are allowed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Json, openShop, type Shop } from '../shop.ts';
import { draftRun, groups, openRun, type Page, type Run } from './run.ts';

let shop: Shop;
let run: Run;
let page: Page;
beforeAll(async () => {
  shop = await openShop();
  run = await openRun(shop, 2);
  page = await run.page({ maxQuantity: 8, buyerRef: 'buyer-1', partnerRef: 'partner-1' });
}, 120_000);
afterAll(() => shop?.stop());

const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9A-Za-z]{20,}$`));
const at = expect.any(Number);
const anyText = expect.any(String);

const groupFields = () => ({
  key: run.key,
  kind: 'performance_run',
  name: 'Spring run',
  externalRef: null,
  state: 'active',
  revision: 3,
  workspaceId: id('ws'),
  mode: 'test',
  environment: null,
  chartId: shop.chart.id,
  sourceChartKey: shop.chart.id,
  inventoryModelVersion: 2,
  currency: 'EUR',
  priceUnit: 'major',
  venue: null,
  timezone: null,
  performanceCount: 2,
  firstStartsAt: 1_900_000_000_000,
  lastStartsAt: 1_900_086_400_000,
  createdAt: at,
  updatedAt: at,
  activatedAt: at,
  closedAt: null,
});
const performances = () =>
  run.eventKeys.map((eventKey, index) => ({
    position: index + 1,
    eventKey,
    name: `Evening ${index + 1}`,
    startsAt: 1_900_000_000_000 + index * 86_400_000,
    endsAt: null,
    venue: null,
    timezone: null,
    externalRef: null,
    salesState: 'open',
    status: 'active',
  }));
const lineItem = (label: string) => ({
  label,
  place: {
    ...{ floor: null, section: null, area: null, table: null, entrance: null },
    ...{ row: label[0], seat: label.slice(2), name: `Row ${label[0]}, seat ${label.slice(2)}` },
  },
  objectId: anyText,
  objectType: 'seat',
  categoryKey: 'stalls',
  categoryLabel: 'Stalls',
  tierId: null,
  tierName: null,
  unitPrice: 20,
  fees: [],
  allIn: false,
  total: 20,
  priceUnit: 'major',
  currency: 'EUR',
  bookingMode: 'individual',
  channelId: null,
  accessSource: 'public',
  releaseId: null,
});

test('a group, its list and its lifecycle', async () => {
  const detail = { ...groupFields(), performances: performances() };
  expect((await run.get()).body).toEqual({ performanceGroup: detail });
  const listed = await shop.call('GET', `${groups}?state=active`, { token: shop.token });
  expect(listed.body).toEqual({ performanceGroups: [groupFields()] });
  const draft = await draftRun(shop, 2);
  const step = await draft.post('/activate', { expectedRevision: 1 });
  expect(step.body).toEqual({
    performanceGroup: await draft.group(),
    lifecycleOperation: {
      operationId: id('op'),
      kind: 'ACTIVATION',
      phase: 'active',
      terminal: true,
      totalLocks: 2,
      ackedLocks: 2,
      remainingOperations: null,
      code: null,
    },
  });
  const { operationId } = step.body.lifecycleOperation;
  expect([step.status, step.headers.get('location')]).toEqual([200, `${draft.path}/lifecycle/${operationId}`]);
  const polled = await draft.get(`/lifecycle/${operationId}`);
  expect([polled.status, polled.headers.get('retry-after'), polled.body]).toEqual([200, null, step.body]);
});

test('a hold, as the buyer and as the platform see it', async () => {
  const operationId = 'pghop_fields:1.a-b_c';
  const held = await page.hold(operationId, ['A-1'], { ttlMs: 60_000 });
  const allocations = run.eventKeys.map((eventKey) => ({ eventKey, items: [lineItem('A-1')] }));
  const hold = { id: id('hld'), expiresAt: at, items: [lineItem('A-1'), lineItem('A-1')], allocations };
  expect(held.body).toEqual({ operation: { operationId, state: 'committed', decision: 'commit', hold } });
  expect([held.status, held.headers.get('location'), held.headers.get('retry-after')]).toEqual([201, null, null]);
  expect(held.headers.get('cache-control')).toBe('private, no-store');
  const { body } = await run.get(`/holds/${operationId}`);
  const { expiresAt } = held.body.operation.hold;
  expect(body.hold).toEqual({
    operationId,
    groupId: run.key,
    holdId: held.body.operation.hold.id,
    state: 'committed',
    decision: 'commit',
    active: true,
    expiresAt,
    createdAt: at,
    convergedAt: at,
    expiredAt: null,
    buyerSessionId: id('ses'),
    selectionMode: 'same_seat',
    buyerRef: 'buyer-1',
    partnerRef: 'partner-1',
    currency: 'EUR',
    priceUnit: 'major',
    groupRevision: 3,
    allocations: performances().map(({ eventKey, name, startsAt, endsAt }) => ({
      eventKey,
      name,
      startsAt,
      endsAt,
      configuredValue: 20,
      total: 20,
      items: [lineItem('A-1')],
    })),
  });
});

test.each([
  ['first', 0],
  ['last', -1],
])('a hold that the %s performance refuses leaves nothing to read', async (which, at) => {
  const [operationId, label] = [`pghop_not-${which}`, which === 'first' ? 'A-19' : 'A-2'];
  const path = `/v1/events/${run.eventKeys.at(at)}/block`;
  await shop.call('POST', path, { token: shop.token, body: { labels: [label] } });
  expect((await page.hold(operationId, [label])).status).toBe(409);
  expect((await page.get(`/operations/${operationId}`)).status).toBe(404);
  expect((await run.get(`/holds/${operationId}`)).status).toBe(404);
});

test('a hold that expires ends in every event, and is not booked, extended or held again', async () => {
  const operationId = 'pghop_short';
  const { body } = await page.hold(operationId, ['A-3'], { ttlMs: 1_500 });
  await expect.poll(() => run.statuses('A-3'), { timeout: 10_000, interval: 50 }).toEqual(['free', 'free']);
  const { expiresAt } = body.operation.hold;
  await expect.poll(async () => (await page.get(`/operations/${operationId}`)).body.operation.state).toBe('expired');
  const { hold } = (await run.get(`/holds/${operationId}`)).body;
  expect(hold).toMatchObject({ state: 'expired', active: false, expiresAt });
  expect(hold.expiredAt).toBeGreaterThanOrEqual(expiresAt);
  const booked = await run.post(`/holds/${operationId}/book`, { bookActionId: 'late', bookingRef: 'late' });
  expect([booked.status, booked.body.reason]).toEqual([409, 'hold_expired']);
  const extended = await page.post(`/operations/${operationId}/extend`);
  expect([extended.status, extended.body.code, extended.body.reason]).toEqual([409, 'cannot_extend', 'expired']);
  expect((await page.hold(operationId, ['A-3'])).body.operation.state).toBe('expired');
});

test('a booking, and its refusals', async () => {
  const operationId = 'pghop_booked';
  await page.hold(operationId, ['A-4']);
  const refused = await run.post(`/holds/${operationId}/book`, { bookActionId: 'a b', bookingRef: ' ' });
  expect(refused.status).toBe(422);
  expect(refused.body.issues.map(({ path }: Json) => path)).toEqual(['bookActionId', 'bookingRef']);
  const booked = await run.post(`/holds/${operationId}/book`, { bookActionId: 'act:1', bookingRef: '  order-1 ' });
  expect(booked.body).toEqual({
    booking: {
      bookActionId: 'act:1',
      operationId,
      groupId: run.key,
      bookingRef: 'order-1',
      state: 'booked',
      totalPerformances: 2,
      bookedPerformances: 2,
      active: run.eventKeys,
      cancelled: [],
      cancellation: null,
      nextRetryAt: null,
      attempts: 1,
      lastError: null,
      createdAt: at,
      bookedAt: at,
    },
  });
  expect([booked.headers.get('location'), booked.headers.get('retry-after')]).toEqual([null, null]);
  const released = await page.post(`/operations/${operationId}/release`);
  expect([released.status, released.body.reason]).toEqual([409, 'operation_booked']);
  expect((await page.hold(operationId, ['A-4'])).body.operation.state).toBe('booked');
});

test('each part of a body that does not fit is named', async () => {
  const [first] = run.eventKeys as [string];
  const issues = ({ status, body }: Answer) => [status, ...(body.issues ?? []).map(({ path }: Json) => path)];
  const selections = [{ label: 'A-9' }];
  const refusals: [body: Json, ...paths: string[]][] = [
    [{ labels: ['A-9'] }, 'operationId'],
    [{ operationId: 'sop_1', labels: ['A-9'] }, 'operationId'],
    [{ operationId: `pghop_${'x'.repeat(123)}`, labels: ['A-9'] }, 'operationId'],
    [{ operationId: 'pghop_9', labels: [] }, 'labels'],
    [{ operationId: 'pghop_9' }, 'labels'],
    [{ operationId: 'pghop_9', selectionMode: 'per_performance' }, 'labels', 'selectionMode'],
    [{ operationId: 'pghop_9', allocations: [{ eventKey: first, selections }] }, 'selectionMode'],
    [
      {
        operationId: 'pghop_9',
        selectionMode: 'per_performance',
        allocations: ['elsewhere', first, first].map((eventKey) => ({ eventKey, selections })),
      },
      'allocations.0.eventKey',
      'allocations.2.eventKey',
    ],
  ];
  for (const [body, ...paths] of refusals) expect(issues(await page.post('/hold', body))).toEqual([422, ...paths]);
  expect(issues(await run.post('/activate', { expectedRevision: '1' }))).toEqual([422, 'expectedRevision']);
  expect(await run.statuses('A-9')).toEqual(['free', 'free']);
});

test('a wrong method, and no credential', async () => {
  const put = await shop.call('PUT', run.path, { token: shop.token, body: {} });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, DELETE']);
  for (const what of ['', '/buyer-access-sessions', '/holds/pghop_1', '/bookings/1', '/lifecycle/op_1'])
    expect((await shop.call('GET', run.path + what)).status).toBe(401);
  const read = await shop.call('GET', run.path, { token: shop.own.publishable.secret });
  expect([read.status, read.body.requestId]).toEqual([401, read.headers.get('x-request-id')]);
});
