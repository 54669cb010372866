/**
 * The calls and answers that pages with embedded sessions may make and read: manage and designer sessions at every
 * route of the table, over HTTP, with a catalog that knows a few sessions.
 */
import { App, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import {
  type Capability,
  capabilities,
  type DesignerSession,
  type ManageSession,
  type Principal,
} from '@parterre/shared/protocol/catalog/scope';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { newSessionToken, type SessionPrefix } from '@parterre/shared/protocol/session-tokens';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { FixedWindows } from '@parterre/shared/runtime/fixed-windows';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { BudgetUses } from '../../../services/frontdoor/src/admission/budget-uses.ts';
import { RefusedRequests } from '../../../services/frontdoor/src/admission/budgets.ts';
import { createPrincipals } from '../../../services/frontdoor/src/admission/principals.ts';
import type { Budget } from '../../../services/frontdoor/src/admission/rules/budget.ts';
import { routes } from '../../../services/frontdoor/src/api/api.ts';
import type { Route } from '../../../services/frontdoor/src/api/calls/route.ts';
import { newHttpCounters } from '../../../services/frontdoor/src/http/exchange.ts';
import { serveHttp } from '../../../services/frontdoor/src/http/requests.ts';
import { createRouter } from '../../../services/frontdoor/src/http/router.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** The calls of a dashboard before its login. */
const isOpenOfDashboard = /^\/v1\/dashboard\/(login|oidc\/(login|callback)|password-reset)$/;

const page = 'https://console.example:8443';
const secretKey = `sk_test_${'k'.repeat(32)}`;
const clock = new ManualClock();
const holders = new Map<string, Principal>();
let windows: FixedWindows;
let url: string;
let stop: () => void;

beforeAll(async () => {
  const catalog = (async (operation: string, input: { hash: string }) => {
    if (operation === 'idempotency.begin') return done({ state: 'new', callId: 'call_1' });
    if (operation === 'events.get') return done({ event: { key: 'gala', organisationId: 'org_1', mode: 'test' } });
    if (operation !== 'credentials.resolve') return refuse('conflict', 'The catalog was reached.');
    const holder = holders.get(input.hash);
    return holder ? done(holder) : refuse('unauthorized', 'Nobody.');
  }) as unknown as CatalogClient;
  const inventory = async () => refuse('conflict', 'The inventory was reached.');
  const ports = {
    clock,
    catalog,
    principals: createPrincipals(catalog, clock, []),
    events: { get: async () => catalog('events.get', { eventKey: 'gala' }), drop: () => {} },
    shards: { submit: inventory },
    clientAddress: (peer: string) => peer,
    documents: { published: inventory, draft: inventory },
    feeds: { replicaOf: inventory, presence: inventory },
    tickets: { issue: inventory },
    assets: { get: inventory },
    reportFiles: { acquire: async () => done({ release: () => {} }) },
    budgets: {
      limits: new Map(),
      refused: new RefusedRequests(),
      uses: new BudgetUses(clock),
      overFailures: () => null,
      charge: () => null,
      spend: async ({ limit, windowMs }: Budget, countedAs: string) => done(windows.spend(countedAs, limit, windowMs)),
    },
    onFault: (error: unknown) => {
      throw error;
    },
  };
  const app = App();
  serveHttp(app, createRouter(routes), ports as never, newHttpCounters(clock));
  await new Promise<void>((resolve, reject) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (!socket) return reject(new Error('listen'));
      url = `http://127.0.0.1:${us_socket_local_port(socket)}`;
      stop = () => {
        us_listen_socket_close(socket);
        app.close();
      };
      resolve();
    });
  });
});
afterAll(() => stop());
beforeEach(() => {
  windows = new FixedWindows(clock, 100);
});

const whole = {
  sessionId: 'mns_1',
  organisationId: 'org_1',
  workspaceId: 'ws_1',
  origin: page,
  expiresAt: clock.now() + 3_600_000,
  revokedAt: null,
};

function holds(prefix: SessionPrefix, more: Partial<ManageSession> = {}): string {
  const token = newSessionToken(prefix);
  const manage = { kind: 'manage', mode: 'test', eventKey: 'gala', capabilities: [...capabilities] } as const;
  holders.set(sha256(token), { ...whole, ...manage, ...more } as Principal);
  return token;
}

const manages = (more: Partial<ManageSession> = {}) => holds('mse', more);

async function call(method: string, path: string, token: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, Origin: page, 'Content-Type': 'application/json', ...headers },
    ...(method === 'GET' ? {} : { body: '{}' }),
  });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
}

/** The routes that the map of capabilities admits, with those capabilities. All other routes refuse. */
const granted: Record<string, Capability[]> = {
  'GET /v1/events/{key}': ['event:view'],
  'GET /v1/events/{key}/report': ['event:view', 'event:reports'],
  'GET /v1/events/{key}/report.csv': ['event:reports'],
  'GET /v1/events/{key}/log': ['event:view'],
  'GET /v1/events/{key}/holds/{holdId}': ['event:view'],
  'GET /v1/events/{key}/bookings': ['event:view'],
  'GET /v1/events/{key}/bookings/{bookingRef}': ['event:view'],
  'GET /v1/events/{key}/feed': ['event:view'],
  'GET /v1/events/{key}/units': ['event:view'],
  'GET /v1/events/{key}/releases': ['event:view'],
  'GET /v1/events/{key}/chart': ['event:view'],
  'GET /v1/events/{key}/objects': ['event:view'],
  'GET /v1/events/{key}/hold-ttl': ['event:view', 'event:block'],
  'GET /v1/events/{key}/availability': ['event:view', 'event:block'],
  'POST /v1/events/{key}/availability': ['event:block'],
  'POST /v1/events/{key}/hold-ttl': ['event:block'],
  'POST /v1/events/{key}/block': ['event:block'],
  'POST /v1/events/{key}/unblock': ['event:block'],
  'POST /v1/events/{key}/unblock-all': ['event:block'],
  'POST /v1/events/{key}/best-available-block': ['event:block'],
  'POST /v1/events/{key}/holds/end': ['event:block'],
  'POST /v1/events/{key}/holders': ['event:view'],
  'POST /v1/events/{key}/reservations': ['event:block'],
  'GET /v1/events/{key}/reservations': ['event:block'],
  'GET /v1/events/{key}/reservations/{id}': ['event:block'],
  'PATCH /v1/events/{key}/reservations/{id}': ['event:block'],
  'DELETE /v1/events/{key}/reservations/{id}': ['event:block'],
  'POST /v1/events/{key}/reservations/{id}/book': ['event:block'],
  'PATCH /v1/events/{key}': ['event:block'],
  'POST /v1/events/{key}/subscribe-tickets': ['event:view'],
  'GET /v1/events/{key}/control-room': ['event:view'],
  'GET /v1/events/{key}/control-room/live': ['event:view'],
  'GET /v1/events/{key}/manage-session': [...capabilities],
  'GET /v1/events/{key}/assets/{assetId}': ['event:view'],
  'POST /v1/events/{key}/category-assignments': ['event:categories:manage'],
  'POST /v1/events/{key}/table-booking': ['event:tables:manage'],
  'POST /v1/events/{key}/unbook': ['event:cancel'],
  'POST /v1/events/{key}/box-office/sale': ['event:boxoffice'],
  'POST /v1/events/{key}/exchange': ['event:boxoffice'],
};

/** The channel routes have a map of their own. */
const mapped = routes.filter(({ path }) => path.startsWith('/v1/') && !path.includes('/channels'));
const signatureOf = ({ method, path }: Route) => `${method} ${path}`;
const filled = (path: string) => path.replace('{key}', 'gala').replaceAll(/\{\w+\}/g, 'one');

describe.each(mapped.map((route) => [signatureOf(route), route] as const))('%s', (signature, { method, path }) => {
  const needed = granted[signature] ?? [];

  it(`takes ${needed.join(' or ') || 'no manage session'}`, async () => {
    if (path.startsWith('/v1/admin') || isOpenOfDashboard.test(path)) return;
    for (const capability of needed) {
      const answer = await call(method, filled(path), manages({ capabilities: [capability] }));
      expect(['capability_required', 'forbidden', 'unauthorized', 'not_found']).not.toContain(answer.body.code);
    }
    const others = capabilities.filter((one) => !needed.includes(one));
    const without = await call(method, filled(path), manages({ capabilities: others }));
    if (needed.length === 0) {
      expect([401, 403]).toContain(without.status);
      expect(without.body.code).not.toBe('capability_required');
    } else {
      expect(without.status).toBe(403);
      expect(without.body).toMatchObject({ code: 'capability_required', capability: needed[0] });
    }
  });
});

it('maps existing routes only', () => {
  const known = new Set(mapped.map(signatureOf));
  expect(Object.keys(granted).filter((signature) => !known.has(signature))).toEqual([]);
});

test('a manage session changes the section states of its event and nothing else', async () => {
  const answer = await fetch(`${url}/v1/events/gala`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${manages()}`, Origin: page, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ball', sectionStates: {} }),
  });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'forbidden']);
});

test('a manage session reaches only its own event, from its own origin only', async () => {
  expect((await call('GET', '/v1/events/gala', manages({ eventKey: 'other' }))).body.code).toBe('not_found');
  for (const origin of ['https://console.example', `${page}0`, 'http://console.example:8443', 'null']) {
    expect((await call('GET', '/v1/events/gala', manages(), { Origin: origin })).status).toBe(403);
  }
  const token = manages();
  const bare = await fetch(`${url}/v1/events/gala`, { headers: { Authorization: `Bearer ${token}` } });
  expect(bare.status).toBe(403);
});

describe('an answer can be read by', () => {
  const readable = (headers: Headers) => headers.get('access-control-allow-origin');

  it('the page that the session is bound to, whatever the answer', async () => {
    const tokens = [
      manages(),
      manages({ capabilities: [] }),
      manages({ expiresAt: clock.now() - 1 }),
      manages({ revokedAt: clock.now() - 1 }),
      manages({ eventKey: 'other' }),
    ];
    const statuses: number[] = [];
    for (const token of tokens) {
      const { status, headers } = await call('GET', '/v1/events/gala/releases', token);
      statuses.push(status);
      expect(readable(headers)).toBe(page);
      expect(headers.get('vary')).toBe('Origin');
      expect(headers.get('access-control-expose-headers')).toMatch(/Retry-After, X-Request-ID/);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
    expect(statuses).toEqual([409, 403, 401, 401, 404]);
    const nowhere = await call('GET', '/v1/nowhere', manages());
    expect([nowhere.status, readable(nowhere.headers)]).toEqual([404, page]);
    const tooLarge = await fetch(`${url}/v1/events/gala/unbook`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${manages()}`, Origin: page, 'Content-Type': 'application/json' },
      body: Buffer.alloc(2 ** 20 + 1, ' '),
    });
    expect([tooLarge.status, readable(tooLarge.headers)]).toEqual([413, page]);
  });

  it('no other page, and no page with another credential', async () => {
    const other = await call('GET', '/v1/events/gala', manages(), { Origin: 'https://evil.example' });
    expect(readable(other.headers)).toBeNull();
    expect(other.headers.get('vary')).toBe('Origin');
    const unknown = await call('GET', '/v1/events/gala', newSessionToken('mse'));
    expect([unknown.status, readable(unknown.headers)]).toEqual([401, null]);
    const key = await call('GET', '/v1/events/gala', secretKey);
    expect([key.status, readable(key.headers)]).toEqual([401, null]);
  });

  it('a preflight at an address that a session can call, which names methods and headers', async () => {
    const preflight = (path: string, method: string, origin = page) =>
      fetch(url + path, { method: 'OPTIONS', headers: { Origin: origin, 'Access-Control-Request-Method': method } });
    const { status, headers } = await preflight('/v1/events/gala/block', 'POST');
    expect([status, readable(headers)]).toEqual([204, page]);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(headers.get('access-control-allow-methods')).toContain(method);
    }
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-ID', 'If-None-Match']) {
      expect(headers.get('access-control-allow-headers')).toContain(name);
    }
    expect(headers.get('vary')).toBe('Origin');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(readable((await preflight('/v1/events/gala/block', 'POST', 'null')).headers)).toBeNull();
    expect((await preflight('/v1/webhooks', 'POST')).status).toBe(405);
    const unknown = await preflight('/v1/events/gala/nothing', 'POST');
    expect([unknown.status, readable(unknown.headers)]).toEqual([204, page]);
    expect((await preflight('/v2/events', 'POST')).status).toBe(404);
    expect((await preflight('/v1/events/gala/block', 'GET')).status).toBe(405);
  });
});

const designs = (more: Partial<DesignerSession> = {}) => {
  const token = newSessionToken('dse');
  const designer = { kind: 'designer', chartId: 'cht_1', authority: 'publish', safe: null } as const;
  holders.set(sha256(token), { ...whole, ...designer, ...more });
  return token;
};

/** All other routes refuse a designer. */
const designed: Record<string, readonly DesignerSession['authority'][]> = {
  'GET /v1/charts/{id}': ['read-only', 'edit', 'publish'],
  'GET /v1/charts/{id}/export': ['read-only', 'edit', 'publish'],
  'PUT /v1/charts/{id}': ['edit', 'publish'],
  'POST /v1/charts/{id}/publish': ['publish'],
  'GET /v1/charts/{id}/publish-preview': ['publish'],
  'GET /v1/designer/session': ['read-only', 'edit', 'publish'],
};

describe.each(mapped.map((route) => [signatureOf(route), route] as const))('%s', (signature, { method, path }) => {
  const allowed = designed[signature] ?? [];

  it(`takes a designer session ${allowed.length > 0 ? `for ${allowed.join(' or ')}` : 'of no kind'}`, async () => {
    if (path.startsWith('/v1/admin') || isOpenOfDashboard.test(path)) return;
    for (const authority of ['read-only', 'edit', 'publish'] as const) {
      const { status, headers, body } = await call(
        method,
        path
          .replace('{id}', 'cht_1')
          .replace('{key}', 'gala')
          .replaceAll(/\{\w+\}/g, 'one'),
        designs({ authority }),
      );
      if (allowed.includes(authority) && status !== 200) expect(['conflict', 'invalid_request']).toContain(body.code);
      if (!allowed.includes(authority)) expect([401, 403]).toContain(status);
      expect(headers.get('access-control-allow-origin')).toBe(page);
    }
  });
});

test('a designer session reaches only its own chart, from its own origin, until it ends', async () => {
  const get = async (token: string, headers = {}) => {
    const { status, body } = await call('GET', '/v1/charts/cht_1', token, headers);
    return `${status} ${body.code}`;
  };
  expect(await get(designs())).toBe('409 conflict');
  expect(await get(designs({ chartId: 'cht_2' }))).toBe('404 chart_not_found');
  expect(await get(designs({ expiresAt: clock.now() }))).toBe('401 unauthorized');
  expect(await get(designs({ revokedAt: clock.now() }))).toBe('401 unauthorized');
  expect(await get(designs(), { Origin: 'https://elsewhere.example' })).toBe('403 forbidden');
  expect(await get(manages())).toBe('403 forbidden');
});

test('all calls of one manage token share a budget of 300 a minute, whose 429 has only Retry-After', async () => {
  const token = manages();
  const paths = ['/v1/events/gala/releases', '/v1/events/gala', '/v1/events/gala/availability'];
  for (let n = 0; n < 299; n++) await call('GET', paths[n % 3]!, token);
  expect((await call('POST', '/v1/events/gala/hold', token)).status).toBe(403);
  const { status, headers, body } = await call('GET', '/v1/events/gala', token);
  expect([status, body]).toMatchObject([429, { error: 'rate_limited', code: 'rate_limited', retryAfterSeconds: 60 }]);
  expect(headers.get('retry-after')).toBe('60');
  expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
  expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  expect((await call('GET', '/v1/events/gala', manages())).status).not.toBe(429);
});
