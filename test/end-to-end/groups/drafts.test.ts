/** Drafts of performance groups, over HTTP. The contract of both stores has the rest of the lifecycle. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../shop.ts';
import { groups, makeEvents } from './run.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const create = async (body: object, headers = {}) => shop.call('POST', groups, { token: shop.token, body, headers });

test('a draft is created, read, listed and deleted', async () => {
  const eventKeys = await makeEvents(shop, 2, { venue: 'Park' });
  const created = await create({ name: 'Spring run', eventKeys, externalRef: null });
  expect(created.status).toBe(201);
  const { performanceGroup: group } = created.body;
  expect(group).toMatchObject({ kind: 'performance_run', state: 'draft', revision: 1, venue: 'Park', timezone: null });
  expect(group).toMatchObject({ performanceCount: 2, firstStartsAt: 1_900_000_000_000, externalRef: null });
  expect(group.performances).toMatchObject([
    { position: 1, eventKey: eventKeys[0], salesState: 'open', status: 'active' },
    { position: 2, eventKey: eventKeys[1], salesState: 'open', status: 'active' },
  ]);
  const at = `${groups}/${group.key}`;
  expect((await shop.call('GET', at, { token: shop.token })).body).toEqual(created.body);
  const listed = (await shop.call('GET', `${groups}?state=draft`, { token: shop.token })).body.performanceGroups;
  const { performances: _, ...item } = group;
  expect(listed[0]).toEqual(item);
  const deleted = await shop.call('DELETE', at, { token: shop.token });
  expect([deleted.status, deleted.body]).toEqual([204, null]);
  expect((await shop.call('GET', at, { token: shop.token })).status).toBe(404);
});

test('a draft of events that do not fit is refused with all issues', async () => {
  const [good] = await makeEvents(shop, 1);
  const refused = await create({ name: 'Spring run', eventKeys: [good, 'nowhere', good] });
  expect([refused.status, refused.body.code]).toEqual([422, 'incompatible_events']);
  expect(refused.body.issues).toMatchObject([{ code: 'event_not_found' }, { code: 'duplicate_event' }]);
});

test('a repeated create under an Idempotency-Key makes one group', async () => {
  const body = { name: 'Spring run', eventKeys: await makeEvents(shop, 2) };
  const named = { 'Idempotency-Key': 'run-1' };
  const first = await create(body, named);
  const again = await create(body, named);
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
});

test('a key of the other mode, and of another organisation', async () => {
  const { body } = await create({ name: 'Spring run', eventKeys: await makeEvents(shop, 2) });
  const at = `${groups}/${body.performanceGroup.key}`;
  const live = await shop.call('GET', at, { token: shop.own.live.secret });
  expect([live.status, live.body.code]).toEqual([403, 'mode_mismatch']);
  const stranger = await shop.organisation('Stranger');
  expect((await shop.call('GET', at, { token: stranger.test.secret })).status).toBe(404);
});
