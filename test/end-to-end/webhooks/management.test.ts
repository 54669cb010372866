/** Webhook subscriptions as keys and people manage them: scope, allowed changes, and visible fields. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openReceiver } from '../../support/notifier/receiver.ts';
import { type Json, openShop, type Shop } from '../shop.ts';
import { type Sender, url, webhooksOf } from './senders.ts';

let shop: Shop;
let webhooks: ReturnType<typeof webhooksOf>;
beforeAll(async () => {
  shop = await openShop();
  webhooks = webhooksOf(shop);
});
afterAll(() => shop.stop());

describe('a subscription', () => {
  it('is created, changed, rotated and deleted; a secret is shown once, when it is made', async () => {
    const { test: key } = await webhooks.scene();
    const made = await webhooks.create(key, { events: ['seat.booked', 'seat.booked', 'ping'] });
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('private, no-store');
    expect(made.body.sub).toMatchObject({
      url,
      events: ['seat.booked', 'ping'],
      disabled: false,
      pausedReason: null,
      mode: 'test',
      environment: null,
      lastStatus: null,
      lastAt: null,
      uptime7d: null,
    });
    expect(made.body.webhook).toEqual(made.body.sub);
    const { id } = made.body.sub;

    const paused = await webhooks.change(key, id, { url: `${url}/2`, events: ['seat.released'], disabled: true });
    const now = { url: `${url}/2`, events: ['seat.released'], disabled: true, pausedReason: 'operator' };
    expect(paused).toMatchObject({ status: 200, body: { sub: { ...made.body.sub, ...now } } });
    expect(paused.body.webhook).toEqual(paused.body.sub);
    expect((await webhooks.change(key, id, { disabled: false })).body.sub).toMatchObject({
      disabled: false,
      pausedReason: null,
    });

    const rotated = await webhooks.rotate(key, id);
    expect(rotated).toMatchObject({ status: 200, body: { sub: { id, url: `${url}/2` }, webhook: { id } } });
    expect(rotated.headers.get('cache-control')).toBe('private, no-store');
    for (const { secret } of [made.body, rotated.body]) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(JSON.stringify([paused.body, await webhooks.listed(key)])).not.toContain(secret);
    }
    expect(rotated.body.secret).not.toBe(made.body.secret);

    expect((await webhooks.remove(key, id)).body).toEqual({ ok: true });
    expect(await webhooks.listed(key)).toEqual([]);
    for (const again of [
      webhooks.change(key, id, { disabled: true }),
      webhooks.rotate(key, id),
      webhooks.remove(key, id),
    ]) {
      expect(await again).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  test.each([
    ['no URL', { url: undefined }, 'url'],
    ['plain http', { url: 'http://hooks.example/' }, 'url'],
    ['credentials', { url: 'https://me:secret@hooks.example/' }, 'url'],
    ['a too long URL', { url: `https://hooks.example/${'x'.repeat(2_027)}` }, 'url'],
    ['a private address', { url: 'https://10.0.0.7/hooks' }, 'url'],
    ['a private address as a number', { url: 'https://3232235777/' }, 'url'],
    ['a private address inside an IPv6 address', { url: 'https://[::ffff:c0a8:101]/' }, 'url'],
    ['white space', { url: 'https://hooks.example/ ' }, 'url'],
    ['no events', { events: [] }, 'events'],
    ['an unknown event', { events: ['seat.booked', 'seat.painted'] }, 'events.1'],
  ])('is not created with %s, nor changed to it', async (_name, more, path) => {
    const key = { token: shop.token };
    const { sub } = (await webhooks.create(key)).body;
    const wrong = { status: 422, body: { code: 'invalid_request', issues: [{ path }] } };
    expect(await webhooks.create(key, more)).toMatchObject(wrong);
    if (Object.values(more)[0] !== undefined) expect(await webhooks.change(key, sub.id, more)).toMatchObject(wrong);
    await webhooks.remove(key, sub.id);
  });

  it.each([
    ['an unknown mode', { mode: 'dry' }, 'mode'],
    ['an environment that no key can have', { environment: 'our staging' }, 'environment'],
  ])('is not created by an admin with %s, nor changed to it by anybody', async (_name, more, path) => {
    const { admin, test: key } = await webhooks.scene();
    const { sub } = (await webhooks.create(key)).body;
    const wrong = { status: 422, body: { code: 'invalid_request', issues: [{ path }] } };
    expect(await webhooks.create(admin, more)).toMatchObject(wrong);
    for (const sender of [admin, key]) expect(await webhooks.change(sender, sub.id, more)).toMatchObject(wrong);
  });

  it('may have a URL of 2,048 characters', async () => {
    const key = { token: shop.token };
    const longest = `https://hooks.example/${'x'.repeat(2_026)}`;
    const made = await webhooks.create(key, { url: longest });
    expect(made).toMatchObject({ status: 201, body: { sub: { url: longest } } });
    await webhooks.remove(key, made.body.sub.id);
  });

  it('is not changed by a body without changeable fields', async () => {
    const { test: key } = await webhooks.scene();
    const { sub } = (await webhooks.create(key)).body;
    for (const nothing of [{}, { secret: 'whsec_mine', uptime7d: 1 }]) {
      expect(await webhooks.change(key, sub.id, nothing)).toMatchObject({
        status: 400,
        body: { code: 'nothing_to_update' },
      });
    }
    expect(await webhooks.listed(key)).toEqual([sub]);
    expect(await webhooks.change(key, 'whk_unknown', {})).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('the scope of a subscription', () => {
  it('is the scope of the key that creates it, whatever the body says', async () => {
    const { test: broad, live, staging } = await webhooks.scene();
    const said = { mode: 'live', environment: 'production' };
    expect((await webhooks.create(broad, said)).body.sub).toMatchObject({ mode: 'test', environment: null });
    expect((await webhooks.create(staging, said)).body.sub).toMatchObject({ mode: 'test', environment: 'staging' });
    expect((await webhooks.create(live, { mode: null })).body.sub).toMatchObject({ mode: 'live', environment: null });
    const malformed = { mode: 'dry', environment: { of: 'our staging' } };
    expect((await webhooks.create(live, malformed)).body.sub).toMatchObject({ mode: 'live', environment: null });
  });

  it('is chosen by an admin, and defaults to live events of every environment', async () => {
    const { admin, test: key } = await webhooks.scene();
    expect((await webhooks.create(admin)).body.sub).toMatchObject({ mode: 'live', environment: null });
    const chosen = (await webhooks.create(admin, { mode: 'test', environment: 'staging' })).body.sub;
    expect(chosen).toMatchObject({ mode: 'test', environment: 'staging' });
    const both = (await webhooks.create(admin, { mode: null })).body.sub;
    expect(both).toMatchObject({ mode: null, environment: null });
    expect(await webhooks.idsOf(key)).toEqual([chosen.id]);
    expect((await webhooks.change(key, both.id, { mode: 'test' })).status).toBe(404);
    const rescoped = await webhooks.change(admin, both.id, { mode: 'test', environment: 'staging' });
    expect(rescoped).toMatchObject({ status: 200, body: { sub: { mode: 'test', environment: 'staging' } } });
    expect(await webhooks.idsOf(key)).toEqual([chosen.id, both.id]);
    expect((await webhooks.change(admin, both.id, { mode: null, environment: null })).status).toBe(200);
    expect(await webhooks.idsOf(key)).toEqual([chosen.id]);
  });

  it('cannot be changed by a key: repeated values are accepted, changed ones refused', async () => {
    const { test: broad, staging } = await webhooks.scene();
    const { sub } = (await webhooks.create(staging)).body;
    for (const as of [broad, staging]) {
      const echoed = await webhooks.change(as, sub.id, { ...sub, events: ['ping'] });
      expect(echoed).toMatchObject({ status: 200, body: { sub: { ...sub, events: ['ping'] } } });
      for (const rescope of [{ mode: 'live' }, { mode: null }, { environment: null }, { environment: 'production' }]) {
        const refused = await webhooks.change(as, sub.id, { ...rescope, url: `${url}/else` });
        expect(refused).toMatchObject({ status: 403, body: { code: 'webhook_scope_immutable' } });
      }
    }
    expect(await webhooks.listed(broad)).toMatchObject([{ url, mode: 'test', environment: 'staging' }]);
  });

  it('hides the subscription from keys of another scope, and from other organisations', async () => {
    const { test: broad, live, staging, admin } = await webhooks.scene();
    const wide = (await webhooks.create(broad)).body.sub.id;
    const tagged = (await webhooks.create(staging)).body.sub.id;
    const sold = (await webhooks.create(live)).body.sub.id;
    expect(await webhooks.idsOf(broad)).toEqual([wide, tagged]);
    expect(await webhooks.idsOf(staging)).toEqual([tagged]);
    expect(await webhooks.idsOf(live)).toEqual([sold]);
    expect(await webhooks.idsOf(admin)).toEqual([wide, tagged, sold]);
    const stranger = { token: shop.token };
    const outside: [Sender, string][] = [
      ...[wide, sold].map((id): [Sender, string] => [staging, id]),
      [broad, sold],
      [live, wide],
      [stranger, wide],
    ];
    for (const [as, id] of outside) {
      for (const tried of [
        webhooks.change(as, id, { disabled: true }),
        webhooks.rotate(as, id),
        webhooks.remove(as, id),
      ]) {
        expect(await tried).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    }
    expect((await webhooks.listed(admin)).map(({ disabled }) => disabled)).toEqual([false, false, false]);
  });
});

it('A subscription hears events of its environment, or of every environment if it has none', {
  timeout: 60_000,
}, async () => {
  const { test: broad, staging, admin } = await webhooks.scene();
  const hooks = { wide: await openReceiver(), tagged: await openReceiver(), live: await openReceiver() };
  try {
    const hear = { events: ['event.created'] };
    await webhooks.create(broad, { ...hear, url: hooks.wide.url });
    await webhooks.create(staging, { ...hear, url: hooks.tagged.url });
    await webhooks.create(admin, { ...hear, url: hooks.live.url });
    const doc = shop.hall;
    const { meta } = (await shop.call('POST', '/v1/charts', { ...broad, body: { name: 'Hall', doc } })).body;
    await shop.call('POST', `/v1/charts/${meta.id}/publish`, broad);
    const made: string[] = [];
    for (const as of [broad, staging]) {
      const event = await shop.call('POST', '/v1/events', { ...as, body: { chartId: meta.id } });
      made.push(event.body.meta.key);
    }
    const heard = (hook: { deliveries: { body: Json }[] }) => hook.deliveries.map(({ body }) => body.eventKey).sort();
    await expect.poll(() => heard(hooks.wide), { timeout: 20_000 }).toEqual([...made].sort());
    await expect.poll(() => heard(hooks.tagged), { timeout: 20_000 }).toEqual([made[1]]);
    expect(heard(hooks.live)).toEqual([]);
  } finally {
    for (const hook of Object.values(hooks)) hook.close();
  }
});

describe('a caller that is neither admin nor secret key', () => {
  it('reads as a member, and writes nothing', async () => {
    const { admin, member } = await webhooks.scene();
    const { sub } = (await webhooks.create(admin)).body;
    expect(await webhooks.listed(member)).toEqual([sub]);
    for (const tried of [
      webhooks.create(member),
      webhooks.create(member, { url: 'http://plain.example/' }),
      webhooks.change(member, sub.id, { disabled: true }),
      webhooks.change(member, sub.id, {}),
      webhooks.rotate(member, sub.id),
      webhooks.remove(member, sub.id),
    ]) {
      expect(await tried).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(await webhooks.listed(admin)).toEqual([sub]);
  });

  it('is refused with a session that is embedded in a page', async () => {
    const event = await shop.event();
    const allowedOrigin = 'https://shop.example';
    const { id: chartId, workspaceId } = shop.chart;
    const capabilities = ['event:view', 'event:block', 'event:channels:manage'];
    const manage = (await event.post('manage-sessions', { allowedOrigin, capabilities })).body;
    const buyer = (await event.post('buyer-access-sessions', { allowedOrigin, includePublic: true })).body;
    const body = { workspaceId, chartId, allowedOrigin };
    const designer = (await shop.call('POST', '/v1/designer/sessions', { token: shop.token, body })).body;
    const { sub } = (await webhooks.create({ token: shop.token })).body;
    for (const { token } of [manage, buyer, designer]) {
      expect(token).toMatch(/^(mse|bse|dse)_/);
      const as = { token, headers: { Origin: allowedOrigin } };
      for (const tried of [
        shop.call('GET', '/v1/webhooks', as),
        webhooks.create(as),
        webhooks.change(as, sub.id, { disabled: true }),
        webhooks.rotate(as, sub.id),
        webhooks.remove(as, sub.id),
      ]) {
        expect(await tried).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      }
    }
    const { publishable } = await webhooks.scene();
    expect((await webhooks.create(publishable)).status).toBe(401);
    await webhooks.remove({ token: shop.token }, sub.id);
  });
});

describe('the number of subscriptions', () => {
  it('is limited to 10 active and 25 in all, also for concurrent calls', { timeout: 60_000 }, async () => {
    const { test: key, live, admin } = await webhooks.scene();
    const made: string[] = [];
    for (const kept of [10, 5]) {
      const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => webhooks.create(at % 2 ? key : live)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
      for (const { status, body } of answers.filter(({ status }) => status !== 201)) {
        expect([status, body.code]).toEqual([409, 'webhook_limit_reached']);
      }
      const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.sub.id);
      made.push(...ids);
      for (const id of ids.slice(0, kept)) await webhooks.change(admin, id, { disabled: true });
    }
    // Now 15 are paused and 5 are active.
    const more = await Promise.all(Array.from({ length: 5 }, () => webhooks.create(admin)));
    expect(more.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect(await webhooks.listed(admin)).toHaveLength(25);
    await webhooks.change(admin, more[0]!.body.sub.id, { disabled: true });
    expect(await webhooks.create(key)).toMatchObject({ status: 409, body: { code: 'webhook_limit_reached' } });

    const resumed = await Promise.all(made.slice(0, 4).map((id) => webhooks.change(admin, id, { disabled: false })));
    expect(resumed.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const full = resumed.filter(({ status }) => status === 409).map(({ body }) => body.code);
    expect(full).toEqual(Array(3).fill('webhook_limit_reached'));
    expect((await webhooks.listed(admin)).filter(({ disabled }) => !disabled)).toHaveLength(10);
  });
});
