/**
 * Every refusal of a request before it reaches the inventory, with its whole body, and framing attacks over raw
 * sockets.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Json, openShop, origin, type Shop } from '../shop.ts';

let shop: Shop;
let event: Awaited<ReturnType<Shop['event']>>;

beforeAll(async () => {
  shop = await openShop();
  event = await shop.event();
}, 120_000);
afterAll(() => shop?.stop());

function expectRefusal(answer: Answer, status: number, code: string, more: object = {}): void {
  expect([answer.status, answer.body]).toEqual([
    status,
    {
      error: code,
      code,
      message: expect.any(String),
      requestId: answer.headers.get('x-request-id'),
      ...(status === 409 || status === 422 ? { reason: code } : {}),
      ...more,
    },
  ]);
}

describe('a value that is longer than its kind allows', () => {
  const long = 'x'.repeat(3_000);

  it.each([
    ['/v1/charts?externalRef=', { charts: [] }],
    ['/v1/charts?workspaceId=', { charts: [] }],
    ['/v1/events?externalRef=', { events: [] }],
    ['/v1/events?workspaceId=', { events: [] }],
    ['/v1/events?workspaceId=ws_0&externalRef=', { events: [] }],
  ])('matches nothing: %s', async (path, body) => {
    const answer = await shop.call('GET', path + long, { token: shop.token });
    expect([answer.status, answer.body]).toEqual([200, body]);
  });

  it('matches no booking, and as a cursor starts from the beginning', async () => {
    const none = await shop.call('GET', `${event.path}/bookings?q=${long}`, { token: shop.token });
    expect([none.status, none.body.bookings]).toEqual([200, []]);
    const cursor = Buffer.from(JSON.stringify([1, long.slice(1_000)])).toString('base64url');
    for (const list of ['charts', 'events']) {
      const [first, again] = ['', `?cursor=${cursor}`].map((more) =>
        shop.call('GET', `/v1/${list}${more}`, { token: shop.token }),
      );
      expect((await again!).status).toBe(200);
      expect((await again!).body).toEqual((await first!).body);
    }
  });

  it('as an id is not found', async () => {
    for (const [path, code] of [
      ['/v1/charts/', 'chart_not_found'],
      ['/v1/workspaces/', 'not_found'],
      [`${event.path}/bookings/`, 'booking_not_found'],
      ['/v1/events/', 'not_found'],
    ] as const) {
      expectRefusal(await shop.call('GET', path + long, { token: shop.token }), 404, code);
    }
  });
});

describe('a caller without the right', () => {
  it('has no key, or an unknown one', async () => {
    expectRefusal(await shop.call('GET', '/v1/events'), 401, 'unauthorized');
    expectRefusal(await shop.call('GET', '/v1/events', { token: 'sk_test_00000000000000000000' }), 401, 'unauthorized');
    expectRefusal(await shop.call('GET', '/v1/events', { token: shop.own.publishable.secret }), 401, 'unauthorized');
  });

  it('has a credential of another kind', async () => {
    expectRefusal(await shop.call('GET', '/v1/events', { token: shop.rootToken }), 403, 'forbidden');
    const body = { name: 'x', currency: 'EUR' };
    expectRefusal(await shop.call('POST', '/v1/admin/organisations', { token: shop.token, body }), 403, 'forbidden');
    expectRefusal(await shop.call('POST', '/v1/admin/organisations', { body }), 401, 'unauthorized');
  });

  it('has a live key for a test event', async () => {
    const answer = await shop.call('GET', event.path, { token: shop.own.live.secret });
    expectRefusal(answer, 403, 'mode_mismatch');
  });

  it('is another organisation, which gets the answer for an unknown event', async () => {
    const other = await shop.organisation('Other');
    expectRefusal(await shop.call('GET', event.path, { token: other.test.secret }), 404, 'not_found');
    expectRefusal(await shop.call('GET', '/v1/events/ev_none', { token: shop.token }), 404, 'not_found');
    expectRefusal(await shop.call('GET', '/v1/events/*', { token: shop.token }), 404, 'not_found');
    expectRefusal(await shop.call('GET', '/v1/events/%3E', { token: shop.token }), 404, 'not_found');
  });

  it('has a key that was just revoked', async () => {
    const other = await shop.organisation('Gone');
    const list = () => shop.call('GET', '/v1/events', { token: other.test.secret });
    expect((await list()).status).toBe(200);
    const path = `/v1/admin/organisations/${other.id}/keys/${other.test.key.id}`;
    expect((await shop.call('DELETE', path, { token: shop.rootToken })).body).toMatchObject({ ok: true });
    await expect.poll(async () => (await list()).status, { timeout: 1_000, interval: 20 }).toBe(401);
  });
});

describe('a bad request', () => {
  const hold = (body: unknown, headers: Record<string, string> = {}) => event.post('hold', body, headers);

  it('has an unknown path, or a wrong method', async () => {
    expectRefusal(await shop.call('GET', '/v1/nothing'), 404, 'not_found');
    const answer = await shop.call('PATCH', `${event.path}/hold`, { token: shop.token, body: {} });
    expectRefusal(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('POST');
  });

  it('has a body that is not JSON', async () => {
    expectRefusal(await hold('{"labels":'), 400, 'invalid_json');
    expectRefusal(await hold('', { 'Content-Type': 'application/json' }), 400, 'invalid_json');
    // Half a surrogate pair has no UTF-8 form. A whole pair has one, and so has text that only looks like half a pair.
    expectRefusal(await hold('{"labels":["\\ud800"]}'), 400, 'invalid_json');
    expectRefusal(await hold('{"\\udc00":1,"labels":["A-1"]}'), 400, 'invalid_json');
    expect((await hold('{"labels":["\\ud83c\\udfad"]}')).body.code).toBe('unknown_labels');
    expect((await hold('{"labels":["\\\\ud800"]}')).body.code).toBe('unknown_labels');
    expectRefusal(await hold('labels=A-1', { 'Content-Type': 'text/plain' }), 415, 'unsupported_media_type');
  });

  it('has a too large body, or too many labels', async () => {
    expectRefusal(await hold({ labels: ['x'.repeat(1_100_000)] }), 413, 'payload_too_large');
    const labels = Array.from({ length: 1_001 }, (_, i) => `A-${i}`);
    expectRefusal(await hold({ labels }), 422, 'invalid_request', {
      issues: [{ path: 'labels', message: expect.any(String) }],
    });
  });

  it.each([
    [{}, 'labels'],
    [{ labels: ['A-1'], selections: [{ label: 'A-1' }] }, 'labels'],
    [{ labels: [] }, 'labels'],
    [{ selections: [{ label: 'A-1', quantity: 0 }] }, 'selections.0.quantity'],
    [{ labels: ['A-1'], ignoreChannelRestrictions: true }, 'reason'],
    [[], ''],
  ])('is a hold of %j', async (body, path) => {
    const answer = await hold(body);
    expectRefusal(answer, 422, 'invalid_request', { issues: [{ path, message: expect.any(String) }] });
  });

  it('is a hold that names an unknown channel', async () => {
    const answer = await hold({ labels: ['A-1'], channelIds: ['chn_1'] });
    expectRefusal(answer, 422, 'invalid_channel_scope', { channelIds: ['chn_1'] });
  });

  it('names a label that the chart lacks, or a tier that the category lacks', async () => {
    expectRefusal(await hold({ labels: ['A-1', 'Z-9'] }), 422, 'unknown_labels', { labels: ['Z-9'] });
    const tier = await hold({ selections: [{ label: 'B-1', tierId: 'senior' }] });
    expect([tier.status, tier.body.code]).toEqual([422, 'unknown_tier']);
  });

  it('names a tier of other seats, or a companion seat without its wheelchair place', async () => {
    const [rowA, rowB] = shop.hall.objects as Json[];
    const tiers = [
      { id: 'front', name: 'Front', price: 30, applicability: { seatLabels: ['B-1'] } },
      { id: 'companion', name: 'Companion', price: 0, restriction: 'companion' },
    ];
    const balcony = { ...shop.hall.categories[1], tiers };
    const places = [
      { index: 4, accessible: true },
      { index: 5, accessibility: ['companion'] },
    ];
    const doc = {
      ...shop.hall,
      categories: [shop.hall.categories[0], balcony],
      objects: [{ ...rowA, overrides: places }, rowB],
    };
    const { meta } = (await shop.call('POST', '/v1/charts', { token: shop.token, body: { name: 'Tiers', doc } })).body;
    await shop.call('POST', `/v1/charts/${meta.id}/publish`, { token: shop.token });
    const made = await shop.call('POST', '/v1/events', { token: shop.token, body: { chartId: meta.id } });
    const take = (action: string, selections: object[]) =>
      shop.call('POST', `/v1/events/${made.body.meta.key}/${action}`, {
        token: shop.token,
        body: { selections, ...(action === 'book' ? { bookingRef: 'order-1' } : {}) },
      });
    for (const action of ['hold', 'book']) {
      const selections = [{ label: 'B-1' }, { label: 'B-2', tierId: 'front' }, { label: 'B-3', tierId: 'front' }];
      const labels = ['B-2', 'B-3'];
      const names = ['Row B, seat 2', 'Row B, seat 3'];
      expectRefusal(await take(action, selections), 422, 'ticket_option_not_applicable', { labels, names });
      const alone = await take(action, [{ label: 'A-4' }, { label: 'A-6' }, { label: 'B-2', tierId: 'companion' }]);
      const apart = { labels: ['A-6', 'B-2'], names: ['Row A, seat 6', 'Row B, seat 2'] };
      expectRefusal(alone, 422, 'companion_pair_required', apart);
    }
    expect((await take('book', [{ label: 'A-6' }, { label: 'A-5' }])).body).toMatchObject({
      ok: true,
      booked: ['A-6', 'A-5'],
    });
  });

  it('has a malformed Idempotency-Key', async () => {
    expectRefusal(await hold({ labels: ['A-1'] }, { 'Idempotency-Key': 'a b' }), 400, 'invalid_idempotency_key');
  });

  it('creates an event on an unpublished chart, or with an end before its start', async () => {
    const { meta } = (await shop.call('POST', '/v1/charts', { token: shop.token, body: { name: 'Draft' } })).body;
    const create = (body: object) => shop.call('POST', '/v1/events', { token: shop.token, body });
    const unpublished = await create({ chartId: meta.id });
    expect([unpublished.status, unpublished.body.code]).toEqual([422, 'chart_not_published']);
    const backwards = await create({ chartId: shop.chart.id, startsAt: 2_000, endsAt: 1_000 });
    expect(backwards.body.issues).toEqual([{ path: 'endsAt', message: expect.any(String) }]);
  });
});

it("Every answer has a request id: the caller's if well formed, else a new one", async () => {
  const withId = (id: string) => shop.call('GET', '/v1/nothing', { headers: { 'X-Request-ID': id } });
  expect((await withId('trace:1.2-3_4')).headers.get('x-request-id')).toBe('trace:1.2-3_4');
  const own = await withId('no spaces');
  expect(own.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
  expect(own.body.requestId).toBe(own.headers.get('x-request-id'));
});

describe('buyers', () => {
  it('without a key get 404, and with a bad key 401', async () => {
    expectRefusal(await shop.call('GET', `/pub/events/${event.key}/chart`), 404, 'not_found');
    const bad = await shop.buyer('GET', `${event.key}/chart`, { token: 'pk_test_00000000000000000000' });
    expectRefusal(bad, 401, 'buyer_access_invalid');
  });

  it('of another origin are refused, and the page can read the refusal', async () => {
    const headers = { Origin: 'https://evil.example' };
    const answer = await shop.buyer('GET', `${event.key}/objects`, { headers });
    expectRefusal(answer, 403, 'buyer_access_origin_mismatch');
    expect(answer.headers.get('access-control-allow-origin')).toBe(headers.Origin);
  });

  it('get the chart with an ETag, and 304 for that ETag', async () => {
    const first = await shop.buyer('GET', `${event.key}/chart`);
    expect(first.body).toMatchObject({ event: { key: event.key, salesClosed: false }, doc: { name: 'Small hall' } });
    expect(first.headers.get('access-control-allow-origin')).toBe(origin);
    expect(first.headers.get('access-control-expose-headers')).toContain('Retry-After');
    const headers = { 'If-None-Match': first.headers.get('etag')! };
    expect((await shop.buyer('GET', `${event.key}/chart`, { headers })).status).toBe(304);
  });

  it('get a preflight answer, with CORS headers for well-formed origins only', async () => {
    const answer = await shop.buyer('OPTIONS', `${event.key}/chart`);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
    for (const Origin of ['null', 'file://', 'https://shop.example/']) {
      for (const method of ['OPTIONS', 'GET']) {
        const foreign = await shop.call(method, `/pub/events/${event.key}/chart`, { headers: { Origin } });
        expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
        expect(foreign.headers.get('vary')).toBe('Origin');
      }
    }
  });
});

describe('ambiguous framing', () => {
  /** Sends the bytes unchanged. Resolves with the answer once the server closes the connection. */
  function raw(lines: string[], body = ''): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(shop.url).port), '127.0.0.1');
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    });
  }

  it.each([
    ['two lengths', ['Host: a', 'Content-Length: 3', 'Content-Length: 4']],
    ['two equal lengths', ['Host: a', 'Content-Length: 3', 'Content-Length: 3']],
    ['a length that is not a number', ['Host: a', 'Content-Length: +3']],
    ['a length beside a transfer coding', ['Host: a', 'Content-Length: 3', 'Transfer-Encoding: chunked']],
    ['an unknown transfer coding', ['Host: a', 'Transfer-Encoding: xchunked']],
    ['a list of transfer codings', ['Host: a', 'Transfer-Encoding: gzip, chunked']],
    ['two transfer codings', ['Host: a', 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity']],
    ['no host', ['Accept: */*']],
    ['two hosts', ['Host: a', 'Host: b']],
  ])('with %s is answered 400 once, and the connection closes', async (_name, headers) => {
    const received = await raw(['POST /v1/events HTTP/1.1', ...headers], '0\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it.each([
    ['two origins', [`Origin: https://evil.example`, `Origin: ${origin}`, 'Authorization: Bearer KEY'], 403],
    ['two credentials', [`Origin: ${origin}`, 'Authorization: Bearer pk_test_0', 'Authorization: Bearer KEY'], 401],
    ['one of each', [`Origin: ${origin}`, 'Authorization: Bearer KEY'], 200],
  ])('with %s is judged by all header values together', async (_name, headers, status) => {
    const said = headers.map((line) => line.replace('KEY', shop.own.publishable.secret));
    const { key } = await shop.event();
    const received = await raw([`GET /pub/events/${key}/objects HTTP/1.1`, 'Host: a', 'Connection: close', ...said]);
    expect(received.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
  });
});
