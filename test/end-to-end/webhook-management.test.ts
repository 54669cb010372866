/** Webhook subscriptions as keys and people manage them: whose they are, what may be changed, and what is shown of them. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openReceiver } from '../support/receiver.ts';
import { type Json, openShop, type Shop } from './shop.ts';

const url = 'https://hooks.example/parterre';
const events = ['seat.booked'];

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

type Sender = { token?: string; headers?: Record<string, string> };

/** An organisation with keys of several scopes, an admin and a member. */
async function scene() {
  const own = await shop.organisation('Hooked');
  const key = async (more: object): Promise<Sender> => {
    const body = { kind: 'secret', origins: [], ...more };
    const made = await shop.call('POST', `/v1/admin/organisations/${own.id}/keys`, { token: shop.rootToken, body });
    return { token: made.body.secret };
  };
  const person = async (role: string) => shop.logIn(await shop.user({ organisationId: own.id, role }));
  const [admin, member] = [await person('admin'), await person('member')];
  return {
    test: { token: own.test.secret } as Sender,
    live: { token: own.live.secret } as Sender,
    staging: await key({ mode: 'test', environment: 'staging' }),
    admin: { headers: admin.write } as Sender,
    member: { headers: member.write } as Sender,
    publishable: { token: own.publishable.secret } as Sender,
  };
}

const create = (as: Sender, more: object = {}) =>
  shop.call('POST', '/v1/webhooks', { ...as, body: { url, events, ...more } });
const change = (as: Sender, id: string, body: object) => shop.call('PATCH', `/v1/webhooks/${id}`, { ...as, body });
const rotate = (as: Sender, id: string) => shop.call('POST', `/v1/webhooks/${id}/rotate-secret`, as);
const remove = (as: Sender, id: string) => shop.call('DELETE', `/v1/webhooks/${id}`, as);
const listed = async (as: Sender): Promise<Json[]> => (await shop.call('GET', '/v1/webhooks', as)).body.subs;
const idsOf = async (as: Sender) => (await listed(as)).map(({ id }) => id);

describe('a subscription', () => {
  it('is made, changed, rotated and removed; its secrets are shown when they are made and never again', async () => {
    const { test: key } = await scene();
    const made = await create(key, { events: ['seat.booked', 'seat.booked', 'ping'] });
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(made.body.sub).toMatchObject({
      ...{ url, events: ['seat.booked', 'ping'], disabled: false, pausedReason: null },
      ...{ mode: 'test', environment: null, lastStatus: null, lastAt: null, uptime7d: null },
    });
    expect(made.body.webhook).toEqual(made.body.sub);
    const { id } = made.body.sub;

    const paused = await change(key, id, { url: `${url}/2`, events: ['seat.released'], disabled: true });
    const now = { url: `${url}/2`, events: ['seat.released'], disabled: true, pausedReason: 'operator' };
    expect(paused).toMatchObject({ status: 200, body: { sub: { ...made.body.sub, ...now } } });
    expect(paused.body.webhook).toEqual(paused.body.sub);
    expect((await change(key, id, { disabled: false })).body.sub).toMatchObject({
      disabled: false,
      pausedReason: null,
    });

    const rotated = await rotate(key, id);
    expect(rotated).toMatchObject({ status: 200, body: { sub: { id, url: `${url}/2` }, webhook: { id } } });
    expect(rotated.headers.get('cache-control')).toBe('no-store');
    for (const { secret } of [made.body, rotated.body]) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(JSON.stringify([paused.body, await listed(key)])).not.toContain(secret);
    }
    expect(rotated.body.secret).not.toBe(made.body.secret);

    expect((await remove(key, id)).body).toEqual({ ok: true });
    expect(await listed(key)).toEqual([]);
    for (const again of [change(key, id, { disabled: true }), rotate(key, id), remove(key, id)]) {
      expect(await again).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  test.each([
    ['no address', { url: undefined }, 'url'],
    ['plain http', { url: 'http://hooks.example/' }, 'url'],
    ['credentials', { url: 'https://me:secret@hooks.example/' }, 'url'],
    ['a long address', { url: `https://hooks.example/${'x'.repeat(2_027)}` }, 'url'],
    ['a private address', { url: 'https://10.0.0.7/hooks' }, 'url'],
    ['a private address as a number', { url: 'https://3232235777/' }, 'url'],
    ['a private address inside another', { url: 'https://[::ffff:c0a8:101]/' }, 'url'],
    ['no events', { events: [] }, 'events'],
    ['an unknown event', { events: ['seat.booked', 'seat.painted'] }, 'events.1'],
    ['a mode that is none', { mode: 'dry' }, 'mode'],
    ['an environment that no key can have', { environment: 'our staging' }, 'environment'],
  ])('is not made with %s, nor changed to it', async (_name, more, path) => {
    const key = { token: shop.token };
    const { sub } = (await create(key)).body;
    const wrong = { status: 422, body: { code: 'invalid_request', issues: [{ path }] } };
    expect(await create(key, more)).toMatchObject(wrong);
    if (Object.values(more)[0] !== undefined) expect(await change(key, sub.id, more)).toMatchObject(wrong);
    await remove(key, sub.id);
  });

  it('may have an address of 2,048 characters', async () => {
    const key = { token: shop.token };
    const longest = `https://hooks.example/${'x'.repeat(2_026)}`;
    const made = await create(key, { url: longest });
    expect(made).toMatchObject({ status: 201, body: { sub: { url: longest } } });
    await remove(key, made.body.sub.id);
  });

  it('is not changed by nothing', async () => {
    const { test: key } = await scene();
    const { sub } = (await create(key)).body;
    for (const nothing of [{}, { secret: 'whsec_mine', uptime7d: 1 }]) {
      expect(await change(key, sub.id, nothing)).toMatchObject({ status: 400, body: { code: 'nothing_to_update' } });
    }
    expect(await listed(key)).toEqual([sub]);
  });
});

describe('the scope of a subscription', () => {
  it('is the key’s that makes it, whatever the body says', async () => {
    const { test: broad, live, staging } = await scene();
    const said = { mode: 'live', environment: 'production' };
    expect((await create(broad, said)).body.sub).toMatchObject({ mode: 'test', environment: null });
    expect((await create(staging, said)).body.sub).toMatchObject({ mode: 'test', environment: 'staging' });
    expect((await create(live, { mode: null })).body.sub).toMatchObject({ mode: 'live', environment: null });
  });

  it('is the admin’s to choose, and live events of every environment where nothing is said', async () => {
    const { admin, test: key } = await scene();
    expect((await create(admin)).body.sub).toMatchObject({ mode: 'live', environment: null });
    const chosen = (await create(admin, { mode: 'test', environment: 'staging' })).body.sub;
    expect(chosen).toMatchObject({ mode: 'test', environment: 'staging' });
    const both = (await create(admin, { mode: null })).body.sub;
    expect(both).toMatchObject({ mode: null, environment: null });
    expect(await idsOf(key)).toEqual([chosen.id]);
    expect((await change(key, both.id, { mode: 'test' })).status).toBe(404);
    const rescoped = await change(admin, both.id, { mode: 'test', environment: 'staging' });
    expect(rescoped).toMatchObject({ status: 200, body: { sub: { mode: 'test', environment: 'staging' } } });
    expect(await idsOf(key)).toEqual([chosen.id, both.id]);
    expect((await change(admin, both.id, { mode: null, environment: null })).status).toBe(200);
    expect(await idsOf(key)).toEqual([chosen.id]);
  });

  it('is nothing that a key can change: what it repeats is nothing, what it changes is refused whole', async () => {
    const { test: broad, staging } = await scene();
    const { sub } = (await create(staging)).body;
    for (const as of [broad, staging]) {
      const echoed = await change(as, sub.id, { ...sub, events: ['ping'] });
      expect(echoed).toMatchObject({ status: 200, body: { sub: { ...sub, events: ['ping'] } } });
      for (const rescope of [{ mode: 'live' }, { mode: null }, { environment: null }, { environment: 'production' }]) {
        const refused = await change(as, sub.id, { ...rescope, url: `${url}/else` });
        expect(refused).toMatchObject({ status: 403, body: { code: 'webhook_scope_immutable' } });
      }
    }
    expect(await listed(broad)).toMatchObject([{ url, mode: 'test', environment: 'staging' }]);
  });

  it('hides it from every other key, and from other organisations', async () => {
    const { test: broad, live, staging, admin } = await scene();
    const wide = (await create(broad)).body.sub.id;
    const tagged = (await create(staging)).body.sub.id;
    const sold = (await create(live)).body.sub.id;
    expect(await idsOf(broad)).toEqual([wide, tagged]);
    expect(await idsOf(staging)).toEqual([tagged]);
    expect(await idsOf(live)).toEqual([sold]);
    expect(await idsOf(admin)).toEqual([wide, tagged, sold]);
    const stranger = { token: shop.token };
    const outside: [Sender, string][] = [
      ...[wide, sold].map((id): [Sender, string] => [staging, id]),
      [broad, sold],
      [live, wide],
      [stranger, wide],
    ];
    for (const [as, id] of outside) {
      for (const tried of [change(as, id, { disabled: true }), rotate(as, id), remove(as, id)]) {
        expect(await tried).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    }
    expect((await listed(admin)).map(({ disabled }) => disabled)).toEqual([false, false, false]);
  });
});

it('hears of events that a key of its environment made, and of all where it has none', {
  timeout: 60_000,
}, async () => {
  const { test: broad, staging, admin } = await scene();
  const hooks = { wide: await openReceiver(), tagged: await openReceiver(), live: await openReceiver() };
  try {
    const hear = { events: ['event.created'] };
    await create(broad, { ...hear, url: hooks.wide.url });
    await create(staging, { ...hear, url: hooks.tagged.url });
    await create(admin, { ...hear, url: hooks.live.url });
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

describe('who is no admin and no secret key', () => {
  it('reads as a member, and writes nothing', async () => {
    const { admin, member } = await scene();
    const { sub } = (await create(admin)).body;
    expect(await listed(member)).toEqual([sub]);
    for (const tried of [
      create(member),
      create(member, { url: 'http://plain.example/' }),
      change(member, sub.id, { disabled: true }),
      change(member, sub.id, {}),
      rotate(member, sub.id),
      remove(member, sub.id),
    ]) {
      expect(await tried).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(await listed(admin)).toEqual([sub]);
  });

  it('does not come here at all with a session that is embedded in a page', async () => {
    const event = await shop.event();
    const allowedOrigin = 'https://shop.example';
    const { id: chartId, workspaceId } = shop.chart;
    const capabilities = ['event:view', 'event:block', 'event:channels:manage'];
    const manage = (await event.post('manage-sessions', { allowedOrigin, capabilities })).body;
    const buyer = (await event.post('buyer-access-sessions', { allowedOrigin, includePublic: true })).body;
    const body = { workspaceId, chartId, allowedOrigin };
    const designer = (await shop.call('POST', '/v1/designer/sessions', { token: shop.token, body })).body;
    const { sub } = (await create({ token: shop.token })).body;
    for (const { token } of [manage, buyer, designer]) {
      expect(token).toMatch(/^(mse|bse|dse)_/);
      const as = { token, headers: { Origin: allowedOrigin } };
      for (const tried of [
        shop.call('GET', '/v1/webhooks', as),
        create(as),
        change(as, sub.id, { disabled: true }),
        rotate(as, sub.id),
        remove(as, sub.id),
      ]) {
        expect(await tried).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      }
    }
    const { publishable } = await scene();
    expect((await create(publishable)).status).toBe(401);
    await remove({ token: shop.token }, sub.id);
  });
});

describe('the number of subscriptions', () => {
  it('is 10 active ones and 25 in all, however many come at once', { timeout: 60_000 }, async () => {
    const { test: key, live, admin } = await scene();
    const made: string[] = [];
    for (const kept of [10, 5]) {
      const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => create(at % 2 ? key : live)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
      for (const { status, body } of answers.filter(({ status }) => status !== 201)) {
        expect([status, body.code]).toEqual([409, 'webhook_limit_reached']);
      }
      const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.sub.id);
      made.push(...ids);
      for (const id of ids.slice(0, kept)) await change(admin, id, { disabled: true });
    }
    // 15 paused and 5 active.
    const more = await Promise.all(Array.from({ length: 5 }, () => create(admin)));
    expect(more.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect(await listed(admin)).toHaveLength(25);
    await change(admin, more[0]!.body.sub.id, { disabled: true });
    expect(await create(key)).toMatchObject({ status: 409, body: { code: 'webhook_limit_reached' } });

    const resumed = await Promise.all(made.slice(0, 4).map((id) => change(admin, id, { disabled: false })));
    expect(resumed.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const full = resumed.filter(({ status }) => status === 409).map(({ body }) => body.code);
    expect(full).toEqual(Array(3).fill('webhook_limit_reached'));
    expect((await listed(admin)).filter(({ disabled }) => !disabled)).toHaveLength(10);
  });
});

it('has a history that who may see the subscription reads', async () => {
  const { test: key, staging, live, member } = await scene();
  const { id } = (await create(key)).body.sub;
  const history = (as: Sender, query = '') => shop.call('GET', `/v1/webhooks/${id}/deliveries${query}`, as);
  for (const as of [key, member]) {
    for (const query of ['', '?limit=500&status=failed&before=1', '?limit=none&before=soon&status=']) {
      expect(await history(as, query)).toMatchObject({ status: 200, body: { deliveries: [], nextBefore: null } });
    }
  }
  for (const as of [staging, live, { token: shop.token }]) {
    expect(await history(as)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  const wrong = { status: 422, body: { code: 'invalid_request', issues: [{ path: 'status' }] } };
  expect(await history(key, '?status=late')).toMatchObject(wrong);
});

describe('a test, and a retry by hand', () => {
  const ping = (as: Sender, id: string) => shop.call('POST', `/v1/webhooks/${id}/test`, as);
  const retry = (as: Sender, id: string, deliveryId: string) =>
    shop.call('POST', `/v1/webhooks/${id}/deliveries/${deliveryId}/retry`, as);
  const history = async (as: Sender, id: string): Promise<Json[]> =>
    (await shop.call('GET', `/v1/webhooks/${id}/deliveries`, as)).body.deliveries;

  it('are for sessions of admins alone, and of their own organisation', async () => {
    const { test: key, admin, member } = await scene();
    const { admin: stranger } = await scene();
    const { id } = (await create(key)).body.sub;
    for (const as of [key, member]) {
      for (const tried of [ping(as, id), retry(as, id, 'dlv_none')]) {
        expect(await tried).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      }
    }
    for (const tried of [ping(stranger, id), retry(stranger, id, 'dlv_none'), retry(admin, id, 'dlv_none')]) {
      expect(await tried).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  it('send at once, signed: a test that the history does not tell, and a delivery under its first name', async () => {
    const hook = await openReceiver({ failures: 1 });
    try {
      const admin = { headers: (await shop.logIn(await shop.user())).write };
      const key = { token: shop.token };
      const { sub, secret } = (await create(key, { url: hook.url, events: ['event.created'] })).body;
      const first = await ping(admin, sub.id);
      expect(first).toMatchObject({ status: 200, body: { test: { delivered: false, status: 500 } } });
      expect(hook.deliveries[0]!.body).toMatchObject({ event: 'ping', test: true, livemode: false });
      expect(hook.deliveries[0]!.body.occurrenceId).toBe(first.body.test.occurrenceId);
      new Webhook(secret).verify(hook.deliveries[0]!.text, hook.deliveries[0]!.headers);
      expect(await history(key, sub.id)).toEqual([]);

      await shop.event();
      await expect.poll(() => history(key, sub.id), { timeout: 10_000 }).toMatchObject([{ status: 500, attempt: 1 }]);
      const [failed] = await history(key, sub.id);
      expect(failed).toMatchObject({ event: 'event.created', retryState: 'scheduled', willRetry: true });
      const again = await retry(admin, sub.id, failed.id);
      const { occurrenceId } = failed;
      expect(again).toMatchObject({
        status: 200,
        body: { delivery: { id: failed.id, occurrenceId, status: 204, attempt: 2, retryState: 'delivered' } },
      });
      const bodies = hook.deliveries.filter(({ body }) => body.occurrenceId === occurrenceId);
      expect(bodies).toHaveLength(2);
      expect(bodies[1]!.text).toBe(bodies[0]!.text);
      const [listing] = await listed(key);
      expect(listing).toMatchObject({ lastStatus: 204, uptime7d: 0.5 });
      await remove(key, sub.id);
    } finally {
      hook.close();
    }
  });
});

it('counts rotations among the 600 a minute of a key, and those of a dashboard not', { timeout: 60_000 }, async () => {
  const { test: key, admin } = await scene();
  const { sub } = (await create(key)).body;
  const first = await rotate(key, sub.id);
  expect(first.headers.get('ratelimit-policy')).toBe(null);
  for (let sent = 1; sent < 600; sent += 40) {
    await Promise.all(Array.from({ length: Math.min(40, 600 - sent) }, () => rotate(key, 'whk_none')));
  }
  const over = await rotate(key, sub.id);
  expect(over).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(over.headers.get('ratelimit-policy')).toBe('600;w=60');
  expect((await rotate(admin, sub.id)).status).toBe(200);
});
