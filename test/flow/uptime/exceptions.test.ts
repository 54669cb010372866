/**
 * An exception ends one request or one socket, never the process: each test throws at another place, and then another
 * request is answered. An exception that left a callback of the library would fail the whole run.
 */
import { App, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import { once } from 'node:events';
import { done } from '@parterre/shared/protocol/errors';
import { discardMsMax } from '@parterre/shared/protocol/limits';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { AdmissionPorts } from '../../../services/frontdoor/src/admission/admission.ts';
import { EventStream, type Header, Prepared } from '../../../services/frontdoor/src/answers/answers.ts';
import { ViewerPlaces } from '../../../services/frontdoor/src/feeds/viewer-places.ts';
import { IncomingBody } from '../../../services/frontdoor/src/http/body.ts';
import type { SocketPorts } from '../../../services/frontdoor/src/sockets/entrants.ts';
import { serveSockets } from '../../../services/frontdoor/src/sockets/sockets.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { answersIn, anyJson, converse, startHttp } from '../../support/servers/raw-http.ts';

const bug = new Error('a bug');
const throws = (): never => {
  throw bug;
};
const noFlood = { begins() {}, ends() {} };
const unspeakable = { toJSON: throws };
const wrongHeader = [['X-Wrong', { toString: throws } as unknown as string]] as Header[];
const wrongBody = 7 as unknown as string;
/** Parts whose length is known, and which the library refuses, or which cannot be cut: the status line goes out. */
const wrongParts = [{ length: 10 } as Uint8Array];
const wrongPieces = [{ length: 1_000_000, subarray: throws } as unknown as Uint8Array];

describe('an exception while answering', () => {
  let server: Awaited<ReturnType<typeof startHttp>>;
  let closed = 0;
  beforeAll(async () => {
    const found = { boundOrigin: throws, server: throws, console: () => done(null) };
    const principals = found as unknown as AdmissionPorts['principals'];
    server = await startHttp(
      {
        'GET /fine': {},
        'GET /handler': { handle: throws },
        'GET /rejection': { handle: () => Promise.reject(bug) },
        'GET /encoder': { handle: () => unspeakable },
        'GET /header': { handle: () => new Prepared(200, wrongHeader, 'body') },
        'GET /body': { handle: () => new Prepared(200, [], wrongBody) },
        'GET /large-header': { handle: () => new Prepared(200, wrongHeader, 'x'.repeat(1_000_000)) },
        'GET /parts': { handle: () => new Prepared(200, [], wrongParts) },
        'GET /pieces': { handle: () => new Prepared(200, [], wrongPieces) },
        'POST /header': { schema: anyJson, handle: () => new Prepared(200, wrongHeader, 'body') },
        'POST /body': { schema: anyJson, handle: () => new Prepared(200, [], wrongBody) },
        'GET /source': { handle: () => new EventStream(throws) },
        'GET /frame': {
          handle: () =>
            new EventStream((reader) => {
              reader.write('data: 1\n\n');
              reader.write({} as string);
              return () => {};
            }),
        },
        'GET /leaving': {
          handle: () =>
            new EventStream((reader) => {
              reader.write('data: 1\n\n');
              return () => {
                closed++;
                throw bug;
              };
            }),
        },
        'GET /credential': { credential: 'server' },
        'GET /v1/console': { handle: () => ({ fine: true }) },
      },
      { principals },
    );
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    const { received } = await ask('GET /fine');
    expect(answersIn(received)).toEqual([200]);
    expect(server.counters.underWay).toBe(0);
    server.faults.length = 0;
  });

  const ask = (line: string, more = '', body = '') =>
    converse(server.port, [`${line} HTTP/1.1\r\nHost: a\r\nX-Request-ID: r-7\r\n${more}\r\n${body}`], 150);
  const chunked = (line: string) => ask(line, 'Transfer-Encoding: chunked\r\n', '3\r\n[1]\r\n0\r\n\r\n');

  it.each(['handler', 'rejection', 'encoder', 'body', 'header', 'large-header'])(
    'in the %s is answered 500 with the request id',
    async (place) => {
      const { received } = await ask(`GET /${place}`);
      expect(answersIn(received)).toEqual([500]);
      expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n')))).toMatchObject({
        code: 'internal_error',
        requestId: 'r-7',
      });
      expect(server.faults.length).toBeGreaterThan(0);
    },
  );

  it.each(['parts', 'pieces'])('after the status line (%s) closes the connection', async (place) => {
    const { received, closed: isClosed } = await ask(`GET /${place}`);
    expect([received.includes('\r\n\r\n'), isClosed]).toEqual([false, true]);
    expect(server.faults).toHaveLength(1);
  });

  it('in the answer to the last request of a connection ends that connection', async () => {
    expect((await chunked('POST /header')).closed).toBe(true);
    const { received, closed: isClosed } = await chunked('POST /body');
    expect([answersIn(received), isClosed]).toEqual([[500], true]);
  });

  it.each(['source', 'frame'])('in the %s of a stream closes the stream', async (place) => {
    const { received, closed: isClosed } = await ask(`GET /${place}`);
    expect([received.endsWith('0\r\n\r\n'), isClosed]).toEqual([false, true]);
    expect(server.faults.length).toBeGreaterThan(0);
  });

  it('when the reader of a stream leaves is logged', async () => {
    const { received } = await ask('GET /leaving');
    expect(received).toContain('data: 1');
    await expect.poll(() => [closed, server.faults]).toEqual([1, [bug]]);
  });

  it('before the handler is answered 500', async () => {
    expect(answersIn((await ask('GET /credential')).received)).toEqual([500]);
    expect(server.faults).toEqual([bug]);
  });

  it("in the lookup of a console's origin costs the page its CORS headers alone", async () => {
    const { received } = await ask('GET /v1/console', 'Origin: https://a.example\r\nAuthorization: Bearer mse_1\r\n');
    expect(answersIn(received)).toEqual([200]);
    expect(received).not.toContain('Access-Control-Allow-Origin');
    expect(server.faults).toEqual([bug]);
  });

  it('while a body is received is handed on, and not thrown at the library', () => {
    const faults: unknown[] = [];
    let onData = (_chunk: ArrayBuffer, _isLast: boolean): void => {};
    const response = {
      onData(handler: typeof onData) {
        onData = handler;
      },
      pause: throws,
    };
    const body = new IncomingBody(response as never, null, new ManualClock(), noFlood, (error) => faults.push(error));
    body.keep(1_000_000, false);
    onData(new ArrayBuffer(100_000), false);
    expect(faults).toEqual([bug]);
    body.end(false);
  });

  it('no timer outlives a body whose caller is gone, even if its receiver discards it', () => {
    const clock = new ManualClock();
    const response = { onData() {}, pause() {}, resume() {} };
    const body = new IncomingBody(response as never, null, clock, noFlood, throws);
    body.keep(1_000_000, false);
    let over = 0;
    body.whole({ onWhole: () => body.discard(() => over++), onLarge() {} });
    body.end(false);
    clock.advance(discardMsMax);
    expect(over).toBe(0);
  });
});

describe('an exception at a socket', () => {
  const faults: unknown[] = [];
  const doing: Record<string, () => unknown> = {};
  const counters = { draining: false, accessLog: null };
  let url = '';
  let stop = (): void => {};
  beforeAll(async () => {
    const app = App();
    const feeds = {
      hasRoom: () => true,
      hasRoomFor: () => true,
      places: new ViewerPlaces(),
      replicaOf: async () => done({ version: 1 }),
      join: () => doing.join?.(),
      leave: () => doing.leave?.(),
      pong: () => doing.pong?.() ?? '{"type":"pong"}',
    };
    const principal = { kind: 'secret', organisationId: 'org_1', workspaceId: null, mode: 'test' };
    const ports = {
      clock: systemClock,
      budgets: null,
      onFault: (error: unknown) => faults.push(error),
      principals: { console: () => doing.console?.() ?? done(principal) },
      events: {
        get: () => doing.event?.() ?? done({ event: { key: 'gala', organisationId: 'org_1', mode: 'test' } }),
      },
      feeds,
    } as unknown as SocketPorts;
    serveSockets(app, ports, counters, 32);
    await new Promise<void>((resolve) => {
      app.listen('127.0.0.1', 0, (socket) => {
        stop = () => {
          us_listen_socket_close(socket as never);
          app.close();
        };
        url = `ws://127.0.0.1:${us_socket_local_port(socket as never)}/v1/events/gala/feed`;
        resolve();
      });
    });
  });
  afterAll(() => stop());
  afterEach(async () => {
    for (const name of Object.keys(doing)) delete doing[name];
    counters.draining = false;
    faults.length = 0;
    const socket = await open();
    socket.send('{"type":"ping"}');
    expect(String((await once(socket, 'message'))[0])).toBe('{"type":"pong"}');
    socket.close();
    await once(socket, 'close');
  });

  async function open(): Promise<WebSocket> {
    const socket = new WebSocket(url, { headers: { Authorization: 'Bearer sk_test_1' } });
    await once(socket, 'open');
    return socket;
  }

  /** The status that a refused socket gets, and its Retry-After. */
  async function refusedWith(): Promise<[number, string | undefined]> {
    const socket = new WebSocket(url, { headers: { Authorization: 'Bearer sk_test_1' } });
    const [, response] = await once(socket, 'unexpected-response');
    response.resume();
    return [response.statusCode, response.headers['retry-after']];
  }

  it.each(['console', 'event'])('before its upgrade (%s) is answered 500', async (place) => {
    doing[place] = throws;
    expect(await refusedWith()).toEqual([500, undefined]);
    expect(faults).toEqual([bug]);
  });

  it('while the viewer joins closes the socket with 1011', async () => {
    doing.join = throws;
    const socket = await open();
    expect((await once(socket, 'close'))[0]).toBe(1011);
    expect(faults).toEqual([bug]);
  });

  it('in a message closes the socket with 1011', async () => {
    doing.pong = throws;
    const socket = await open();
    socket.send('{"type":"ping"}');
    expect((await once(socket, 'close'))[0]).toBe(1011);
    expect(faults).toEqual([bug]);
  });

  it('while the viewer leaves is logged', async () => {
    doing.leave = throws;
    const socket = await open();
    socket.close();
    await expect.poll(() => faults).toEqual([bug]);
  });

  it('does not come of a draining front door, which refuses the socket', async () => {
    counters.draining = true;
    expect(await refusedWith()).toEqual([503, '1']);
    expect(faults).toEqual([]);
  });
});
