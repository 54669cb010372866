/** What an owner does for the own organisation: keys, users with their roles, credits. The rules of who may not. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
let house: Json;
let owner: Awaited<ReturnType<Shop['logIn']>>;
let ownerId: string;

const call = (method: string, path: string, body?: object, headers = owner.write) =>
  shop.call(method, `/v1/dashboard${path}`, { headers, ...(body && { body }) });

const person = async (role: string) => shop.user({ organisationId: house.id, role } as object);

beforeAll(async () => {
  shop = await openShop();
  house = await shop.organisation('House');
  const user = await person('owner');
  ownerId = user.id;
  owner = await shop.logIn(user);
}, 120_000);
afterAll(() => shop?.stop());

it('an owner makes a key, which is shown once, changes its origins and budgets, and revokes it', async () => {
  const made = await call('POST', '/keys', { kind: 'publishable', mode: 'live', origins: ['https://shop.example'] });
  expect(made.status).toBe(201);
  const { key, secret } = made.body;
  expect(secret).toMatch(/^pk_live_/);
  const listed = await call('GET', '/keys?limit=200');
  expect(JSON.stringify(listed.body)).not.toContain(secret);
  const origins = ['https://tickets.example'];
  const changed = await call('PATCH', `/keys/${key.id}`, { origins });
  expect(changed.body.key).toMatchObject({ origins });
  expect(changed.body.key.budgets).toBeUndefined();
  const bounded = await call('PATCH', `/keys/${key.id}`, { budgets: { buyerHolds: 50 } });
  expect(bounded.body.key).toMatchObject({ origins, budgets: { buyerHolds: 50 } });
  expect((await call('PATCH', `/keys/${key.id}`, { origins: ['ftp://x'] })).status).toBe(422);
  expect((await call('PATCH', `/keys/${key.id}`, {})).body.code).toBe('nothing_to_update');
  expect((await call('DELETE', `/keys/${key.id}`)).body).toMatchObject({ ok: true });
  const after = await call('GET', '/keys?limit=200');
  expect(after.body.keys.find(({ id }: Json) => id === key.id).revokedAt).toEqual(expect.any(Number));
});

it('an owner gives no key more than the deployment gives every key, and keeps and lowers what the operator gave', async () => {
  const refused = async (method: string, path: string, body: object) => {
    const answer = await call(method, path, body);
    expect([answer.status, answer.body.reason], JSON.stringify(body)).toEqual([403, 'above_deployment']);
  };
  const secret = { kind: 'secret', mode: 'live' };
  await refused('POST', '/keys', { ...secret, budgets: { serverHolds: null } });
  await refused('POST', '/keys', { ...secret, budgets: { serverHolds: 1_000_000 } });
  const { key } = (await call('POST', '/keys', { ...secret, budgets: { serverHolds: 5 } })).body;
  const path = `/keys/${key.id}`;
  await refused('PATCH', path, { budgets: { serverHolds: null } });
  await refused('PATCH', path, { budgets: { serverHolds: 5, seasons: 1_000_000 } });
  const byOperator = { token: shop.rootToken, body: { budgets: { serverHolds: 900_000, seasons: null } } };
  await shop.call('PATCH', `/v1/admin/organisations/${house.id}${path}`, byOperator);
  await refused('PATCH', path, { budgets: { serverHolds: 900_001 } });
  expect((await call('PATCH', path, byOperator.body)).status).toBe(200);
  expect((await call('PATCH', path, { budgets: { serverHolds: 800_000 } })).status).toBe(200);
  expect((await call('PATCH', path, { budgets: null })).body.key.budgets).toBeUndefined();
});

it('an owner invites a user, who sets a password with the token and signs in', async () => {
  const email = `counter-${Date.now()}@theatre.example`;
  const invited = await call('POST', '/users', { email, role: 'box_office' });
  expect(invited.body).toMatchObject({ user: { email, role: 'box_office' }, token: expect.stringMatching(/^prt_/) });
  const again = await call('POST', '/users', { email, role: 'owner' });
  expect([again.status, again.body.code]).toEqual([409, 'user_exists']);
  const password = 'eight seats in row D';
  const body = { token: invited.body.token, password };
  expect((await shop.call('POST', '/v1/dashboard/password-reset', { body })).status).toBe(200);
  const login = await shop.call('POST', '/v1/dashboard/login', { body: { email, password } });
  expect(login.body.user.role).toBe('box_office');
});

it('a changed role reaches open sessions, and the audit tells it', async () => {
  const user = await person('viewer');
  const session = await shop.logIn(user);
  const workspace = (headers: Record<string, string>) =>
    shop.call('POST', '/v1/workspaces', { headers, body: { name: `Hall ${Date.now()}` } });
  expect((await workspace(session.write)).status).toBe(403);
  expect((await call('PATCH', `/users/${user.id}`, { role: 'owner' })).body.user.role).toBe('owner');
  await expect.poll(async () => (await workspace(session.write)).status, { timeout: 5_000 }).toBe(201);
  const { entries } = (await call('GET', '/audit?limit=20')).body;
  expect(entries).toContainEqual(
    expect.objectContaining({
      action: 'user.role',
      subject: user.id,
      by: expect.objectContaining({ kind: 'user', id: ownerId }),
      facts: { role: 'owner', email: user.email },
    }),
  );
  expect((await call('DELETE', `/users/${user.id}`)).status).toBe(200);
  await expect
    .poll(async () => (await shop.call('GET', '/v1/dashboard/me', { headers: session.read })).status, {
      timeout: 5_000,
    })
    .toBe(401);
});

it('nobody changes or deletes the own user', async () => {
  for (const [method, body] of [
    ['PATCH', { role: 'viewer' }],
    ['DELETE', undefined],
  ] as const) {
    const refused = await call(method, `/users/${ownerId}`, body);
    expect([refused.status, refused.body.reason]).toEqual([403, 'own_user']);
  }
});

it('two owners who take each other away at once leave an owner', async () => {
  for (let round = 0; round < 5; round++) {
    const { id: organisationId } = await shop.organisation('Duel');
    const users = await Promise.all([0, 1].map(() => shop.user({ organisationId, role: 'owner' } as object)));
    const [one, other] = await Promise.all(users.map((user) => shop.logIn(user)));
    const answers = await Promise.all([
      call('PATCH', `/users/${users[1]!.id}`, { role: 'viewer' }, one!.write),
      call('DELETE', `/users/${users[0]!.id}`, undefined, other!.write),
    ]);
    const path = `/v1/admin/organisations/${organisationId}/users`;
    const left = (await shop.call('GET', path, { token: shop.rootToken })).body.users;
    expect([left.filter(({ role }: Json) => role === 'owner').length > 0, answers.map(({ status }) => status)]).toEqual(
      [true, expect.anything()],
    );
  }
});

it('a key, a manager and an owner of another organisation may not', async () => {
  const manager = await shop.logIn(await person('manager'));
  const stranger = await shop.logIn(await shop.user({ organisationId: (await shop.organisation('Other')).id }));
  const { key } = (await call('POST', '/keys', { kind: 'secret', mode: 'test' })).body;
  const calls = [
    ['GET', '/keys'],
    ['POST', '/keys', { kind: 'secret', mode: 'live' }],
    ['PATCH', `/keys/${key.id}`, { budgets: null }],
    ['DELETE', `/keys/${key.id}`],
    ['GET', '/users'],
    ['POST', '/users', { email: 'x@theatre.example', role: 'owner' }],
    ['PATCH', `/users/${ownerId}`, { role: 'viewer' }],
    ['DELETE', `/users/${ownerId}`],
    ['GET', '/credits'],
    ['GET', '/credits.csv'],
  ] as const;
  for (const [method, path, body] of calls) {
    const refused = await call(method, path, body, manager.write);
    expect([path, refused.status, refused.body.reason]).toEqual([path, 403, 'administer']);
    const token = house.live.secret;
    const byKey = await shop.call(method, `/v1/dashboard${path}`, { token, ...(body && { body }) });
    expect([path, byKey.status]).toEqual([
      path,
      expect.toSatisfy((status: number) => status === 401 || status === 403),
    ]);
    if (path.includes('_')) expect((await call(method, path, body, stranger.write)).status).toBe(404);
  }
});

it('an owner reads the credits with their reasons, as a list and as a file', async () => {
  const { body } = await call('GET', '/credits');
  expect(body.movements.at(-1)).toMatchObject({ reason: 'First balance', by: { kind: 'root' } });
  const file = await fetch(`${shop.url}/v1/dashboard/credits.csv`, { headers: owner.read });
  expect([file.status, (await file.text()).split('\r\n')[0]]).toEqual([
    200,
    'at,delta,balance,reason,byKind,byId,address,id',
  ]);
});

it('the operator suspends an organisation: its keys and users are refused until it goes on', async () => {
  const made = await shop.organisation('Late payer');
  const person = await shop.user({ organisationId: made.id });
  const user = await shop.logIn(person);
  const signIn = async (password: string) => {
    const answer = await shop.call('POST', '/v1/dashboard/login', { body: { email: person.email, password } });
    return [answer.status, answer.body.reason, answer.headers.get('Set-Cookie') !== null];
  };
  const path = `/v1/admin/organisations/${made.id}`;
  const statuses = async () => [
    (await shop.call('GET', '/v1/events', { token: made.test.secret })).status,
    (await shop.call('GET', '/v1/dashboard/me', { headers: user.read })).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  const set = (body: object) => shop.call('PATCH', path, { token: shop.rootToken, body });
  const suspended = await set({ suspended: true });
  expect(suspended.body.organisation).toMatchObject({ suspendedAt: expect.any(Number), publicSale: null });
  await expect.poll(statuses, { timeout: 5_000 }).toEqual([401, 401]);
  expect(await signIn(person.password)).toEqual([403, 'organisation_suspended', false]);
  expect(await signIn('a wrong password')).toEqual([401, undefined, false]);
  await set({ publicSale: { maxPerHold: 4, maxHeldPerSession: 8 } });
  expect(await statuses()).toEqual([401, 401]);
  const back = await set({ suspended: false });
  expect(back.body.organisation).toMatchObject({ suspendedAt: null, publicSale: { maxPerHold: 4 } });
  await expect.poll(statuses, { timeout: 5_000 }).toEqual([200, 200]);
  expect(await signIn(person.password)).toEqual([200, undefined, true]);
});

it('the operator sees members, partitions with their owners, and how far projections are', async () => {
  const status = await shop.call('GET', '/v1/admin/status', { token: shop.rootToken });
  const services = new Set(status.body.members.map(({ service }: Json) => service));
  expect(services).toEqual(new Set(['frontdoor', 'inventory-shard', 'catalog', 'notifier']));
  expect(status.body).toMatchObject({ sellable: true, haltedEvents: 0, checks: { nats: 'ok', store: 'ok' } });
  const shard = status.body.members.find(({ service }: Json) => service === 'inventory-shard');
  for (const partition of status.body.partitions) {
    expect(partition).toMatchObject({ owner: shard.id, state: 'serving', haltedBy: null, events: [] });
  }
  await shop.event();
  const projections = await shop.call('GET', '/v1/admin/projections', { token: shop.rootToken });
  expect(projections.body.partitions[0]).toMatchObject({ behind: expect.any(Number), halted: false });
  expect((await shop.call('GET', '/v1/admin/status', { token: house.live.secret })).status).toBe(403);
});
