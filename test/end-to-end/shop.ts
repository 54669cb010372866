/**
 * A platform that sells seats, as a test sees it: an organisation with keys, a small hall, and short functions that
 * call the API.
 */
import { decodeKept } from '@parterre/shared/protocol/wire';
import { WebSocket } from 'ws';
import { standInPassword } from '../../services/frontdoor/src/openapi/stand-ins.ts';
import { ask } from '../support/ask.ts';
import { type StartOptions, sharedParterre, startParterre } from '../support/servers/server.ts';

export const origin = 'https://shop.example';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers without types, as clients do.
export type Json = any;

export type Answer = { status: number; headers: Headers; body: Json };

export type Shop = Awaited<ReturnType<typeof openShop>>;

const hall = {
  version: 1,
  name: 'Small hall',
  venueType: 'MIXED',
  focalPoint: { x: 0, y: 0 },
  categories: [
    { key: 'stalls', label: 'Stalls', color: '#336699', price: 20 },
    {
      key: 'balcony',
      label: 'Balcony',
      color: '#993366',
      tiers: [
        { id: 'adult', name: 'Adult', price: 30 },
        { id: 'child', name: 'Child', price: 15 },
      ],
    },
  ],
  objects: [
    straightRow('r1', 'A', 0, 'stalls'),
    straightRow('r2', 'B', 20, 'balcony'),
    {
      type: 'gaArea',
      id: 'floor',
      label: 'Floor',
      points: [
        { x: 0, y: 100 },
        { x: 100, y: 100 },
        { x: 100, y: 200 },
      ],
      capacity: 30,
      categoryKey: 'stalls',
    },
  ],
};

function straightRow(id: string, label: string, y: number, categoryKey: string) {
  const shape = { rotation: 0, curve: 0, seatCount: 20, seatSpacing: 20 };
  return { type: 'row', id, label, origin: { x: 0, y }, ...shape, categoryKey };
}

let users = 0;

/**
 * Creates a shop in the product that the files of this worker share. `env` names another environment than the usual
 * one. A shop with any other option gets a product of its own, which `stop` ends.
 */
export async function openShop(options: StartOptions = {}) {
  const { dataDir, checkout, node, prepares } = options;
  const isAlone = [dataDir, checkout, node, prepares].some((option) => option !== undefined);
  const server = isAlone ? await startParterre(options) : await sharedParterre(options.env);
  const { url } = server;

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { token, body, headers = {} } = options;
    const {
      status,
      headers: received,
      text,
    } = await ask(url + path, {
      method,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status, headers: received, body: text === '' ? null : JSON.parse(text) };
  }

  const admin = (path: string, body: unknown) => call('POST', `/v1/admin${path}`, { token: server.rootToken, body });
  async function organisation(name: string) {
    const { organisation: made } = (await admin('/organisations', { name, currency: 'EUR', credits: 10 })).body;
    const key = async (kind: string, mode: string) =>
      (await admin(`/organisations/${made.id}/keys`, { kind, mode, origins: kind === 'secret' ? [] : [origin] })).body;
    const [test, live, publishable] = [
      await key('secret', 'test'),
      await key('secret', 'live'),
      await key('publishable', 'test'),
    ];
    return { id: made.id, test, live, publishable } as Record<'test' | 'live' | 'publishable', Json> & { id: string };
  }

  /** Creates a dashboard user, in the shop's own organisation unless another is named. */
  async function user(more: { organisationId?: string; email?: string; password?: string; role?: string } = {}) {
    const { organisationId = own.id, email = `user-${++users}@shop.example`, role = 'admin' } = more;
    const password = more.password ?? standInPassword;
    const made = await admin(`/organisations/${organisationId}/users`, { email, password, role });
    return { ...made.body.user, password } as { id: string; email: string; password: string };
  }

  /** A session with the headers that a browser sends. */
  async function logIn({ email, password }: { email: string; password: string }) {
    const answer = await call('POST', '/v1/dashboard/login', { body: { email, password } });
    if (answer.status !== 200) throw new Error(`login: ${JSON.stringify(answer.body)}`);
    const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!;
    const csrfToken: string = answer.body.csrfToken;
    return { cookie, csrfToken, read: { Cookie: cookie }, write: { Cookie: cookie, 'X-CSRF-Token': csrfToken } };
  }

  const own = await organisation('Shop');
  const token: string = own.test.secret;
  const chart = (await call('POST', '/v1/charts', { token, body: { name: 'Small hall', doc: hall } })).body.meta;
  await call('POST', `/v1/charts/${chart.id}/publish`, { token });

  return {
    url,
    own,
    token,
    chart,
    hall,
    server,
    rootToken: server.rootToken,
    dataDir: server.dataDir,
    pidOf: server.pidOf,
    call,
    organisation,
    user,
    logIn,
    stop: () => server.stop(),
    /** A new event, with functions that call it with the shop's test key. */
    async event() {
      const { meta } = (await call('POST', '/v1/events', { token, body: { chartId: chart.id } })).body;
      const path = `/v1/events/${meta.key}`;
      return {
        key: meta.key as string,
        path,
        post: (action: string, body?: unknown, headers: Record<string, string> = {}) =>
          call('POST', `${path}/${action}`, { token, headers, ...(body === undefined ? {} : { body }) }),
        get: (what = '') => call('GET', path + what, { token }),
      };
    },
    buyer: (method: string, path: string, options: CallOptions = {}) =>
      call(method, `/pub/events/${path}`, {
        token: own.publishable.secret,
        ...options,
        headers: { Origin: origin, ...options.headers },
      }),
  };
}

type CallOptions = { token?: string; body?: unknown; headers?: Record<string, string> };

/** A socket whose frames are read one after the other. Presence frames come at any time and are collected apart. */
export class Watcher {
  private readonly frames: Json[] = [];
  readonly presence: Json[] = [];
  private readonly readers: { read: (frame: Json) => void; fail: (error: Error) => void }[] = [];
  private ended: Error | null = null;
  readonly closed: Promise<number>;
  readonly protocol: Promise<string>;

  constructor(url: string, protocols: string[], headers: Record<string, string> = {}) {
    const socket = new WebSocket(url.replace('http', 'ws'), protocols, { headers });
    this.send = (message) => socket.send(JSON.stringify(message));
    this.close = () => socket.close();
    socket.on('message', (data, isBinary) => {
      const frame = isBinary ? decodeKept<Json>(data as Buffer) : JSON.parse(data.toString());
      if (frame.type === 'presence' || frame.t === 'p') return void this.presence.push(frame);
      const reader = this.readers.shift();
      if (reader) reader.read(frame);
      else this.frames.push(frame);
    });
    let trouble = '';
    socket.on('error', ({ message }) => {
      trouble = `: ${message}`;
    });
    this.closed = new Promise((resolve) => socket.on('close', resolve));
    // A pending read must fail with the close code, not with a time-out.
    socket.on('close', (code) => {
      this.ended = new Error(`the socket was closed with ${code}${trouble}`);
      for (const { fail } of this.readers.splice(0)) fail(this.ended);
    });
    this.protocol = new Promise((resolve, reject) => {
      socket.on('open', () => resolve(socket.protocol));
      socket.on('error', reject);
    });
  }

  send: (message: unknown) => void;
  close: () => void;

  /** The next frame; waits for it. */
  next(): Promise<Json> {
    if (this.frames.length > 0) return Promise.resolve(this.frames.shift());
    if (this.ended) return Promise.reject(this.ended);
    return new Promise((read, fail) => this.readers.push({ read, fail }));
  }
}
