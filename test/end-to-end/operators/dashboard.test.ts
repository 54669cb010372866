/** The dashboard as a browser uses it: login, cookie, CSRF token, rights of a session, lock-out and logout. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, openShop, type Shop, Watcher } from '../shop.ts';

let shop: Shop;
let admin: Awaited<ReturnType<Shop['logIn']>>;

beforeAll(async () => {
  shop = await openShop();
  admin = await shop.logIn(await shop.user());
}, 120_000);
afterAll(() => shop?.stop());

const users = (organisationId: string) => `/v1/admin/organisations/${organisationId}/users`;
const logInWith = (body: object) => shop.call('POST', '/v1/dashboard/login', { body });

describe('a user', () => {
  it('is created by the operator with a normalised email, and shown without the password', async () => {
    const body = { email: '  Grace@Theatre.Example ', password: 'ten letters', role: 'member' };
    const made = await shop.call('POST', users(shop.own.id), { token: shop.rootToken, body });
    expect(made.status).toBe(201);
    const user = {
      id: expect.stringMatching(/^usr_/),
      email: 'grace@theatre.example',
      role: 'member',
      createdAt: expect.any(Number),
    };
    expect(made.body).toEqual({ user });
    const again = await shop.call('POST', users(shop.own.id), {
      token: shop.rootToken,
      body: { ...body, email: 'GRACE@theatre.example' },
    });
    expect([again.status, again.body.code]).toEqual([409, 'user_exists']);
    const listed = await shop.call('GET', `${users(shop.own.id)}?limit=200`, { token: shop.rootToken });
    expect(listed.body.users).toContainEqual(user);
    expect(JSON.stringify(listed.body)).not.toContain('assword');
  });

  it.each([
    [{ email: 'no address' }, 'email'],
    [{ email: `${'x'.repeat(250)}@theatre.example` }, 'email'],
    [{ password: 'nine char' }, 'password'],
    [{ password: 'x'.repeat(201) }, 'password'],
    [{ password: 12_345_678_910 }, 'password'],
    [{ role: 'usher' }, 'role'],
  ])('is not created with %j, and the refusal does not repeat the value', async (more, path) => {
    const body = { email: 'x@theatre.example', password: 'ten letters', role: 'admin', ...more };
    const refused = await shop.call('POST', users(shop.own.id), { token: shop.rootToken, body });
    expect([refused.status, refused.body.issues.map((issue: { path: string }) => issue.path)]).toEqual([422, [path]]);
    for (const value of Object.values(more)) expect(JSON.stringify(refused.body)).not.toContain(String(value));
  });
});

describe('a login', () => {
  it('sets a cookie that scripts cannot read, and returns the CSRF token', async () => {
    const user = await shop.user({ role: 'member' });
    const { status, headers, body } = await logInWith({
      email: ` ${user.email.toUpperCase()}`,
      password: user.password,
    });
    expect(status).toBe(200);
    const [cookie] = headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-parterre_session=dss_[0-9A-Za-z]{43}; Max-Age=43\d\d\d; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(body).toEqual({
      user: { id: user.id, email: user.email, role: 'member', createdAt: expect.any(Number) },
      organisation: {
        id: shop.own.id,
        name: 'Shop',
        currency: 'EUR',
        credits: expect.any(Number),
        createdAt: expect.any(Number),
        publicSale: null,
        suspendedAt: null,
      },
      csrfToken: expect.any(String),
      expiresAt: expect.any(Number),
    });
    expect(JSON.stringify(body)).not.toContain('dss_');
    const read = { Cookie: `theme=dark; ${cookie!.split(';')[0]}; other=1` };
    expect((await shop.call('GET', '/v1/dashboard/me', { headers: read })).body).toEqual(body);
  });

  it('with a wrong email is refused like one with a wrong password', async () => {
    const { email } = await shop.user();
    const known = await logInWith({ email, password: 'not the password' });
    const unknown = await logInWith({ email: 'nobody@shop.example', password: 'not the password' });
    for (const { status } of [known, unknown]) expect(status).toBe(401);
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...known.body, requestId: '' });
  });

  it('is locked after five failures, also for the right password, and tells the waiting time', async () => {
    const user = await shop.user();
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, i) => logInWith({ email: user.email, password: `guess ${i}` })),
    );
    const statuses = guesses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
    const locked = await logInWith(user);
    expect([locked.status, locked.body.code]).toEqual([429, 'login_locked']);
    const { retryAfterSeconds } = locked.body;
    expect(retryAfterSeconds).toBeGreaterThan(800);
    expect(retryAfterSeconds).toBeLessThanOrEqual(900);
    expect(locked.headers.get('retry-after')).toBe(String(retryAfterSeconds));
    // Other users can still log in.
    await shop.logIn(await shop.user());
  });
});

describe('a session', () => {
  it('has the rights of a secret key, in both modes', async () => {
    const key = (await shop.event()).key;
    const live = await shop.call('POST', '/v1/events', {
      token: shop.own.live.secret,
      body: { chartId: shop.chart.id },
    });
    const read = (path: string) => shop.call('GET', path, { headers: admin.read });
    for (const eventKey of [key, live.body.meta.key]) {
      expect((await read(`/v1/events/${eventKey}`)).status).toBe(200);
      const hold = await shop.call('POST', `/v1/events/${eventKey}/hold`, {
        headers: admin.write,
        body: { labels: ['A-1'] },
      });
      expect([hold.status, hold.body.labels]).toEqual([200, ['A-1']]);
    }
    for (const path of ['/v1/charts', '/v1/workspaces', '/v1/events']) expect((await read(path)).status).toBe(200);
    const other = await shop.organisation('Other');
    const stranger = await shop.logIn(await shop.user({ organisationId: other.id }));
    expect((await shop.call('GET', `/v1/events/${key}`, { headers: stranger.read })).status).toBe(404);
  });

  it('writes only with its own CSRF token', async () => {
    const path = `${(await shop.event()).path}/hold`;
    const body = { labels: ['A-1'] };
    const another = await shop.logIn(await shop.user());
    for (const token of [null, '', 'x', another.csrfToken]) {
      const headers = { ...admin.read, ...(token === null ? {} : { 'X-CSRF-Token': token }) };
      const refused = await shop.call('POST', path, { headers, body });
      expect([refused.status, refused.body.code]).toEqual([403, 'csrf_required']);
    }
    expect((await shop.call('POST', path, { headers: admin.write, body })).status).toBe(200);
  });

  it('yields to a key that is sent beside it', async () => {
    const path = (await shop.event()).path;
    const live = { token: shop.own.live.secret, headers: admin.write };
    expect((await shop.call('GET', path, live)).body.code).toBe('mode_mismatch');
    const post = { token: shop.token, headers: admin.read, body: { labels: ['A-1'] } };
    expect((await shop.call('POST', `${path}/hold`, post)).status).toBe(200);
    expect((await shop.call('GET', '/v1/dashboard/me', { token: shop.token, headers: admin.read })).status).toBe(403);
  });

  it('manages webhooks as an admin, and only reads them as a member', async () => {
    const member = await shop.logIn(await shop.user({ role: 'member' }));
    const body = { url: 'https://hooks.example/', events: ['ping'] };
    const refused = await shop.call('POST', '/v1/webhooks', { headers: member.write, body });
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    const made = await shop.call('POST', '/v1/webhooks', { headers: admin.write, body });
    expect([made.status, made.body.sub.mode]).toEqual([201, 'live']);
    const listed = await shop.call('GET', '/v1/webhooks', { headers: member.read });
    expect(listed.body.subs.map(({ id }: { id: string }) => id)).toContain(made.body.sub.id);
    const path = `/v1/webhooks/${made.body.sub.id}`;
    expect((await shop.call('DELETE', path, { headers: member.write })).status).toBe(403);
    expect((await shop.call('DELETE', path, { headers: admin.write })).body).toEqual({ ok: true });
  });

  it('may do what its role allows, and hears which right it lacks', async () => {
    const { path, key } = await shop.event();
    const session = async (role: string) => shop.logIn(await shop.user({ role }));
    const teller = await session('box_office');
    const hold = (headers: Record<string, string>, label: string) =>
      shop.call('POST', `${path}/hold`, { headers, body: { labels: [label] } });
    expect((await hold(teller.write, 'A-1')).status).toBe(200);
    const close = await shop.call('POST', `${path}/close`, { headers: teller.write });
    expect([close.status, close.body.code, close.body.reason]).toEqual([403, 'forbidden', 'manage']);
    for (const role of ['viewer', 'member', 'door', 'marketing']) {
      const { read, write } = await session(role);
      const refused = await hold(write, 'A-2');
      expect([refused.status, refused.body.reason]).toEqual([403, 'sell']);
      expect((await shop.call('GET', `/v1/events/${key}`, { headers: read })).status).toBe(200);
    }
    const [owner, manager] = [await session('owner'), await session('manager')];
    expect((await shop.call('GET', '/v1/dashboard/audit', { headers: manager.read })).status).toBe(403);
    const audit = (await shop.call('GET', '/v1/dashboard/audit?limit=200', { headers: owner.read })).body.entries;
    const logins = audit.filter(({ action, outcome }: Json) => action === 'login' && outcome === 'done');
    expect(logins[0].by).toMatchObject({ kind: 'nobody', address: '127.0.0.1' });
    expect(audit.map(({ organisationId }: Json) => organisationId)).toEqual(audit.map(() => shop.own.id));
    expect((await shop.call('POST', `${path}/close`, { headers: manager.write })).status).toBe(200);
  });

  it('ends at once when its user or an owner ends it, or the password is reset', async () => {
    const user = await shop.user({ role: 'viewer' });
    const sessions = [await shop.logIn(user), await shop.logIn(user), await shop.logIn(user)];
    const own = `/v1/dashboard/users/${user.id}/sessions`;
    const read = async ({ read: headers }: (typeof sessions)[0]) => (await shop.call('GET', own, { headers })).status;
    const listed = (await shop.call('GET', own, { headers: sessions[0]!.read })).body.sessions;
    expect(listed.map(({ current }: Json) => current)).toEqual([true, false, false]);
    const ended = await shop.call('DELETE', `${own}/${listed[1].id}`, { headers: sessions[0]!.write });
    expect(ended.body).toEqual({ ok: true, ended: 1 });
    await expect.poll(() => read(sessions[1]!), { timeout: 1_000, interval: 20 }).toBe(401);
    expect((await shop.call('DELETE', own, { headers: sessions[0]!.write })).body.ended).toBe(1);
    await expect.poll(() => read(sessions[2]!), { timeout: 1_000, interval: 20 }).toBe(401);
    expect(await read(sessions[0]!)).toBe(200);
    const stranger = await shop.logIn(await shop.user({ role: 'manager' }));
    expect((await shop.call('GET', own, { headers: stranger.read })).status).toBe(403);
    const reset = await shop.call('POST', own.replace('sessions', 'password-reset'), { headers: admin.write });
    const body = { token: reset.body.token, password: 'another long password' };
    expect((await shop.call('POST', '/v1/dashboard/password-reset', { body })).body).toEqual({ ok: true, ended: 1 });
    await expect.poll(() => read(sessions[0]!), { timeout: 1_000, interval: 20 }).toBe(401);
    await shop.logIn({ ...user, password: body.password });
  });

  it('does not open the operator API, and a wrong cookie opens nothing', async () => {
    const body = { name: 'x', currency: 'EUR' };
    expect((await shop.call('POST', '/v1/admin/organisations', { headers: admin.write, body })).status).toBe(401);
    for (const value of [
      '',
      'dss_0',
      `dss_${'0'.repeat(43)}`,
      admin.cookie.slice('__Host-parterre_session='.length).slice(1),
    ]) {
      const answer = await shop.call('GET', '/v1/events', { headers: { Cookie: `__Host-parterre_session=${value}` } });
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized']);
    }
    const bearer = await shop.call('GET', '/v1/events', {
      token: admin.cookie.slice('__Host-parterre_session='.length),
    });
    expect(bearer.status).toBe(401);
  });

  it('opens a socket only from a page of its own host', async () => {
    const event = await shop.event();
    const open = (headers: Record<string, string>) =>
      new Watcher(`${shop.url}${event.path}/feed`, [], { ...admin.read, ...headers });
    const { host, port } = new URL(shop.url);
    for (const Origin of [
      `https://evil.example`,
      `http://evil.example:${port}`,
      `https://${host}.evil.example`,
      'null',
    ]) {
      await expect(open({ Origin }).protocol).rejects.toThrow('403');
    }
    await expect(open({}).protocol).rejects.toThrow('403');
    const own = open({ Origin: shop.url });
    expect(await own.next()).toMatchObject({ type: 'snapshot' });
    own.close();
    const server = open({ Authorization: `Bearer ${shop.token}`, Origin: 'https://evil.example' });
    expect(await server.next()).toMatchObject({ type: 'snapshot' });
    server.close();
  });

  it('ends with a logout, which closes its sockets and clears the cookie', async () => {
    const user = await shop.user();
    const session = await shop.logIn(user);
    const another = await shop.logIn(user);
    const event = await shop.event();
    const watcher = new Watcher(`${shop.url}${event.path}/feed`, [], { ...session.read, Origin: shop.url });
    await watcher.next();
    expect((await shop.call('POST', '/v1/dashboard/logout', { headers: session.read })).body.code).toBe(
      'csrf_required',
    );
    const out = await shop.call('POST', '/v1/dashboard/logout', { headers: session.write });
    expect(out.body).toEqual({ ok: true });
    expect(out.headers.getSetCookie()[0]).toMatch(/^__Host-parterre_session=; Max-Age=0; /);
    expect((await shop.call('GET', event.path, { headers: session.read })).status).toBe(401);
    expect(await watcher.closed).toBe(4401);
    expect((await shop.call('GET', event.path, { headers: another.read })).status).toBe(200);
  });

  it('ends when its user is removed', async () => {
    const user = await shop.user();
    const session = await shop.logIn(user);
    const me = () => shop.call('GET', '/v1/dashboard/me', { headers: session.read });
    expect((await me()).status).toBe(200);
    const path = `${users(shop.own.id)}/${user.id}`;
    expect((await shop.call('DELETE', path, { token: shop.rootToken })).body).toMatchObject({ ok: true });
    await expect.poll(async () => (await me()).status, { timeout: 1_000, interval: 20 }).toBe(401);
    expect((await shop.call('DELETE', path, { token: shop.rootToken })).status).toBe(404);
    expect((await logInWith(user)).status).toBe(401);
  });
});
