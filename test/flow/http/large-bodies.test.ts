/**
 * Large bodies at the front door: refused before they are received, one of a session at a time, within a budget of
 * bytes.
 */
import { connect, type Socket } from 'node:net';
import { done } from '@parterre/shared/protocol/errors';
import { largeBodyBytesMin } from '@parterre/shared/protocol/limits';
import { afterEach, describe, expect, it } from 'vitest';
import { type AdmissionPorts, createBudgets } from '../../../services/frontdoor/src/admission/admission.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { answersIn, anyJson, startHttp } from '../../support/servers/raw-http.ts';

const MIB = 1024 * 1024;
const KIB = 1024;
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

type Caller = { kind: string; keyHash?: string; keyId?: string; organisationId?: string; saveBytesMax?: number };

/** The Authorization header of a request names its caller. The handler of `/save` ends when `finish` is called. */
async function start(callers: Record<string, Caller>, limits = new Map<string, number | null>()) {
  const clock = new ManualClock();
  const identify = ({ authorization }: { authorization: string }) =>
    done({ organisationId: 'org', authority: 'edit', chartId: undefined, ...callers[authorization] });
  const principals = { server: identify, editor: identify } as unknown as AdmissionPorts['principals'];
  const budgets = createBudgets(clock, {} as never, limits);
  const finish: (() => void)[] = [];
  const post = { schema: anyJson, bodyBytesMax: 16 * MIB, authority: 'edit' as const };
  const slow = () => new Promise((resolve) => finish.push(() => resolve({ ok: true })));
  const server = await startHttp(
    {
      'POST /save': { ...post, credential: 'editor', handle: slow },
      'POST /read': { ...post, credential: 'server', handle: (body) => JSON.stringify(body).length },
      'POST /raw': { ...post, schema: null, rawBody: true, credential: 'server' },
      'POST /short': { ...post, credential: 'server', bodyBytesMax: MIB },
    },
    { principals, budgets, clock },
  );
  const sockets: Socket[] = [];
  stops.push(() => {
    for (const socket of sockets) socket.destroy();
    server.stop();
  });
  /** Sends the parts one after the other, and reads meanwhile. */
  const open = (...parts: string[]) => {
    const socket = connect(server.port, '127.0.0.1');
    const exchange = { received: '', taken: false, socket };
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      exchange.received += bytes.toString('latin1');
    });
    for (const part of parts.slice(0, -1)) socket.write(part);
    socket.write(parts.at(-1)!, () => {
      exchange.taken = true;
    });
    sockets.push(socket);
    return exchange;
  };
  return { ...server, clock, budgets, finish, open };
}

const key: Caller = { kind: 'secret', keyId: 'k' };
const declared = (path: string, length: number, caller = 'key') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${caller}\r\nContent-Length: ${length}\r\n\r\n`;
const chunkedHead = (path: string, caller = 'key') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${caller}\r\nTransfer-Encoding: chunked\r\n\r\n`;
const chunk = (data: string) => `${data.length.toString(16)}\r\n${data}\r\n`;
const json = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
const pieces = (text: string) =>
  text
    .match(/.{1,60000}/gs)!
    .map(chunk)
    .join('');
const forms: [string, (path: string, bytes: number, caller?: string) => string][] = [
  ['of declared length', (path, bytes, caller) => declared(path, bytes, caller) + json(bytes)],
  ['in chunks', (path, bytes, caller) => chunkedHead(path, caller) + pieces(json(bytes)) + chunk('')],
  ['in one chunk', (path, bytes, caller) => chunkedHead(path, caller) + chunk(json(bytes)) + chunk('')],
];
const status = (exchange: { received: string }) => answersIn(exchange.received)[0];

describe.each(forms)('A large body %s', (_name, request) => {
  it('of a session waits for the session’s large body before it, and a small one does not', async () => {
    const designer = { kind: 'designer', keyHash: 'one' };
    const { open, asked, finish } = await start({ one: designer, two: { ...designer, keyHash: 'two' } });
    const first = open(request('/save', 2 * MIB, 'one'));
    await expect.poll(() => asked).toHaveLength(1);
    const second = open(request('/save', 2 * MIB, 'one'));
    await expect.poll(() => second.socket.bytesWritten).toBeGreaterThan(0);
    const small = open(request('/save', largeBodyBytesMin, 'one'));
    await expect.poll(() => asked).toHaveLength(2);
    const other = open(request('/save', 2 * MIB, 'two'));
    await expect.poll(() => asked).toHaveLength(3);
    for (const end of finish) end();
    await expect.poll(() => [first, small, other].map(status)).toEqual([200, 200, 200]);
    await expect.poll(() => asked).toHaveLength(4);
    finish.at(-1)!();
    await expect.poll(() => status(second)).toBe(200);
  });

  it('of a caller that goes away while it waits leaves the turn to the next', async () => {
    const { open, asked, finish, counters } = await start({ one: { kind: 'designer', keyHash: 'one' } });
    open(request('/save', 2 * MIB, 'one'));
    await expect.poll(() => asked).toHaveLength(1);
    const gone = open(request('/save', 2 * MIB, 'one'));
    await expect.poll(() => counters.underWay).toBe(2);
    gone.socket.resetAndDestroy();
    const third = open(request('/save', 2 * MIB, 'one'));
    await expect.poll(() => counters.underWay).toBe(3);
    finish[0]!();
    // The body of the caller that is gone may have come whole.
    await expect.poll(() => finish.length).toBeGreaterThan(1);
    await expect
      .poll(() => {
        for (const end of finish) end();
        return status(third);
      })
      .toBe(200);
  });

  it('is 429 with Retry-After once the tenant has sent its bytes, and small bodies go on', async () => {
    const { open, clock, asked } = await start({ key }, new Map([['large-bodies', 3 * KIB]]));
    for (let i = 0; i < 2; i++) {
      const body = open(request('/read', 2 * MIB));
      await expect.poll(() => status(body)).toBe(200);
    }
    const refused = open(request('/read', 2 * MIB));
    await expect.poll(() => refused.received).toMatch(/429[\s\S]*Retry-After: 60\r\n[\s\S]*"retryAfterSeconds":60/);
    expect(asked).toHaveLength(2);
    const small = open(request('/read', largeBodyBytesMin));
    await expect.poll(() => status(small)).toBe(200);
    clock.advance(60_000);
    const later = open(request('/read', 2 * MIB));
    await expect.poll(() => status(later)).toBe(200);
  });

  it('longer than its session may save is 413, and counts for the session alone', async () => {
    const visitor = { kind: 'designer', saveBytesMax: MIB };
    const callers = { a: { ...visitor, keyHash: 'a' }, b: { ...visitor, keyHash: 'b' } };
    const limits = new Map([
      ['large-bodies', 4 * KIB],
      ['large-bodies-of-session', 20 * KIB],
    ]);
    const { open, asked, finish } = await start(callers, limits);
    for (const expected of [413, 413, 429]) {
      const body = open(request('/save', 15 * MIB, 'a'));
      await expect.poll(() => status(body), { timeout: 5_000 }).toBe(expected);
    }
    expect(asked).toEqual([]);
    open(request('/save', MIB, 'b'));
    await expect.poll(() => asked).toHaveLength(1);
    finish[0]!();
  });
});

it('A body that is declared too long for its session is refused before a byte of it comes', async () => {
  const { open } = await start({ visitor: { kind: 'designer', keyHash: 'a', saveBytesMax: MIB } });
  const body = open(declared('/save', MIB + 1, 'visitor'));
  await expect.poll(() => status(body)).toBe(413);
});

it('A large body is not received while its turn has not come', async () => {
  const { open, asked, finish } = await start({ key, one: { kind: 'designer', keyHash: 'one' } });
  open(forms[0]![1]('/save', 15 * MIB, 'one'));
  await expect.poll(() => asked).toHaveLength(1);
  const waiting = open(forms[0]![1]('/save', 15 * MIB, 'one'));
  const stranger = open(forms[0]![1]('/read', 15 * MIB));
  await expect.poll(() => status(stranger)).toBe(200);
  expect(waiting.taken).toBe(false);
  finish[0]!();
  await expect.poll(() => asked).toHaveLength(3);
  finish[1]!();
  await expect.poll(() => status(waiting)).toBe(200);
});

describe('A client that sends the whole of a refused body before it reads', () => {
  it.each([
    ['/short', 1.2 * MIB],
    ['/short', 5 * MIB],
    ['/read', 20 * MIB],
    ['/read', 30 * MIB],
    ['/raw', 20 * MIB],
    ['/unknown', 5 * MIB],
  ])('reads the refusal (%s, %i bytes)', async (path, bytes) => {
    const closing: (typeof forms)[0][1] = (to, length) =>
      forms[0]![1](to, length).replace('Host: a\r\n', 'Host: a\r\nConnection: close\r\n');
    for (const request of [...forms.map(([, form]) => form), closing]) {
      const { open } = await start({ key });
      const { socket } = open('');
      socket.pause();
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.write(request(path, Math.round(bytes)), () => resolve());
      });
      let received = '';
      socket.on('data', (part) => {
        received += part.toString('latin1');
      });
      socket.resume();
      await expect.poll(() => answersIn(received)).toEqual([path === '/unknown' ? 404 : 413]);
    }
  });
});
