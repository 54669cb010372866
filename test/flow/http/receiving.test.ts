/** A body is received only for an admitted caller, and within bounds. */
import { connect } from 'node:net';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { anonymousBodyBytesMax, bodyMsMax, bodyPiecesMax } from '@parterre/shared/protocol/limits';
import { afterEach, describe, expect, it } from 'vitest';
import type { AdmissionPorts } from '../../../services/frontdoor/src/admission/admission.ts';
import { routes } from '../../../services/frontdoor/src/api/api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { answersIn, anyJson, converse, startHttp } from '../../support/servers/raw-http.ts';

const MIB = 1024 * 1024;
let server: Awaited<ReturnType<typeof startHttp>> | undefined;
afterEach(() => server?.stop());

/** `key` answers the question for the caller's key. */
async function start(key: () => unknown, more: Partial<AdmissionPorts> = {}) {
  const principals = { server: key } as unknown as AdmissionPorts['principals'];
  const handle = (body: unknown) => (body as string).length;
  const post = { schema: anyJson, credential: 'server' as const, bodyBytesMax: 16 * MIB, handle };
  server = await startHttp(
    { 'POST /long': post, 'POST /busy': post, 'POST /short': { ...post, bodyBytesMax: 100 } },
    { principals, ...more },
  );
  return server;
}

const shop = done({ kind: 'secret', keyId: 'k', organisationId: 'o' });
const stranger = refuse('unauthorized', 'No key.');
const declared = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
const chunked = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`;
const chunk = (data: string) => `${data.length.toString(16)}\r\n${data}\r\n`;

it.each([
  ['of declared length', (text: string) => declared('/long', text.length) + text],
  [
    'in chunks',
    (text: string) =>
      chunked('/long') +
      text
        .match(/.{1,70000}/gs)!
        .map(chunk)
        .join('') +
      chunk(''),
  ],
])('A long body %s waits until its caller is admitted, and arrives whole', async (_name, request) => {
  let admit: ((key: unknown) => void) | null = null;
  const { port } = await start(() => new Promise((resolve) => (admit = resolve)));
  const text = JSON.stringify('x'.repeat(15 * MIB));
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  let isTaken = false;
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
  });
  socket.write(request(text), () => {
    isTaken = true;
  });
  await expect.poll(() => admit, { timeout: 20_000 }).not.toBeNull();
  // Longer than the whole takes on this machine.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([isTaken, received]).toEqual([false, '']);
  admit!(shop);
  await expect.poll(() => received, { timeout: 30_000 }).toMatch(new RegExp(`200 OK[^]*\r\n\r\n${15 * MIB}$`));
  socket.destroy();
});

it('A stranger is refused, and the rest of a declared body is passed over', async () => {
  const { port, asked } = await start(() => new Promise((resolve) => setTimeout(() => resolve(stranger), 50)));
  const body = 'x'.repeat(2 * MIB);
  const { received, closed } = await converse(port, [
    declared('/long', body.length) + body,
    300,
    `${declared('/long', 1)}1`,
  ]);
  expect([answersIn(received), closed, asked]).toEqual([[401, 401], false, []]);
});

it.each([
  ['declared', (text: string) => declared('/short', text.length) + text],
  ['chunked', (text: string) => chunked('/short') + chunk(text) + chunk('')],
])('A %s body past the bound of its route is refused once its caller is admitted', async (_name, request) => {
  for (const key of [() => shop, async () => shop]) {
    const { port, stop } = await start(key);
    const { received } = await converse(port, [request(JSON.stringify('x'.repeat(99)))]);
    expect(answersIn(received)).toEqual([413]);
    expect(answersIn((await converse(port, [request(JSON.stringify('x'.repeat(98)))])).received)).toEqual([200]);
    stop();
  }
  server = undefined;
});

it('Clients that send a far too large body in chunks read the answer', async () => {
  const { port } = await start(() => shop);
  const pieces = Array.from({ length: 20 }, () => new Uint8Array(MIB));
  const body = new ReadableStream({
    pull(sender) {
      const piece = pieces.pop();
      if (piece) sender.enqueue(piece);
      else sender.close();
    },
  });
  const sent = { method: 'POST', body, duplex: 'half' as const };
  const { status, headers } = await fetch(`http://127.0.0.1:${port}/long`, sent);
  expect([status, headers.get('connection')]).toEqual([413, 'close']);
});

/** Reads nothing before everything is sent, as most clients do. Resolves with the status, or the socket's error. */
function blocking(port: number, head: string, length: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    let left = length;
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (received.includes('\r\n\r\n')) resolve(received.slice(9, 12));
    });
    socket.on('error', ({ message }) => resolve(message));
    socket.on('close', () => resolve('closed'));
    const sendOn = () => {
      const part = Math.min(left, 16 * 1024);
      left -= part;
      if (part === 0) socket.resume();
      else socket.write('x'.repeat(part), () => setImmediate(sendOn));
    };
    socket.pause();
    socket.write(head, () => setTimeout(sendOn, 20));
  });
}

describe.each([
  ['that stays', '', false],
  ['that closes', 'Connection: close\r\n', false],
  ['of a front door that is told to stop', '', true],
])('Every early refusal of a connection %s is read', (_name, header, draining) => {
  it.each([
    ['/nowhere', '404'],
    ['/long', '401'],
    ['/busy', '429'],
    ['/short', '413'],
  ])('%s: %s', async (path, status) => {
    const refusals: Record<string, unknown> = {
      '/long': stranger,
      '/busy': refuse('rate_limited', 'Too many.', { details: { retryAfterSeconds: 1 } }),
    };
    const { port, counters } = await start(() => refusals[path] ?? shop);
    counters.draining = draining;
    for (const length of [40_000, 2 * MIB, 6 * MIB]) {
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n${header}Content-Length: ${length}\r\n\r\n`;
      expect(await blocking(port, head, length)).toBe(status);
    }
  });
});

it('A refused body that trickles gets its answer in time, and its connection closes', { timeout: 30_000 }, async () => {
  const { port } = await start(() => stranger);
  const trickle = Array.from({ length: 30 }, () => [chunk('x'.repeat(20_000)), 400]).flat();
  const { received, closed } = await converse(port, [chunked('/long'), ...trickle], 15_000);
  expect([answersIn(received), closed]).toEqual([[401], true]);
});

it.each([
  ['declared', declared('/long', 100), (text: string) => text],
  ['chunked', chunked('/long'), chunk],
])(
  'A %s body that arrives slowly is refused after its time, and the next caller has a time of its own',
  async (_name, head, piece) => {
    const clock = new ManualClock();
    const { port, asked, faults, counters } = await start(() => shop, { clock });
    const sender = connect(port, '127.0.0.1');
    let received = '';
    sender.on('data', (bytes) => {
      received += bytes.toString('latin1');
    });
    sender.write(head + piece('"x'));
    await expect.poll(() => counters.underWay).toBe(1);
    clock.advance(bodyMsMax - 1);
    const inTime = connect(port, '127.0.0.1');
    inTime.write(`${declared('/long', 4)}"y`);
    await expect.poll(() => counters.underWay).toBe(2);
    expect(received).toBe('');
    sender.write(piece('x'));
    clock.advance(1);
    if (piece === chunk) sender.write(chunk(''));
    await expect.poll(() => answersIn(received)).toEqual([413]);
    expect(received).toContain('faster connection');
    inTime.write('z"');
    await expect.poll(() => counters.underWay).toBe(0);
    clock.advance(bodyMsMax);
    expect([asked, faults]).toEqual([['POST /long'], []]);
    sender.destroy();
    inTime.destroy();
  },
);

it('A body in too many chunks is refused, and the connection closes', async () => {
  const { port } = await start(() => shop);
  const tooMany = chunked('/long') + chunk('1').repeat(bodyPiecesMax + 1);
  const { received, closed } = await converse(port, [tooMany, chunk('1').repeat(100)], 2_000);
  expect([answersIn(received), closed]).toEqual([[413], true]);
});

it('A body in far too many chunks hides no request, and its connection closes', async () => {
  for (const key of [() => shop, async () => stranger]) {
    const { port, asked, counters, stop } = await start(key);
    const smuggled = declared('/short', 1) + 'GET /short HTTP/1.1\r\nHost: a\r\n'.repeat(3);
    const bytes = chunk('1').repeat(2 * bodyPiecesMax + 2_000) + chunk('') + smuggled;
    for (let i = 0; i < 20; i++) {
      const { received, closed } = await converse(port, [chunked('/long'), bytes], 5_000);
      expect([answersIn(received).length <= 1, closed]).toEqual([true, true]);
    }
    expect([asked, counters.underWay]).toEqual([[], 0]);
    stop();
  }
  server = undefined;
});

it('A caller who leaves before the admission is forgotten', async () => {
  let admit: (key: unknown) => void = () => {};
  const { port, asked, faults, counters } = await start(() => new Promise((resolve) => (admit = resolve)));
  const socket = connect(port, '127.0.0.1');
  socket.write(declared('/long', 15 * MIB) + 'x'.repeat(8 * MIB));
  await expect.poll(() => counters.underWay).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.resetAndDestroy();
  // A paused connection shows its end once it goes on, at the latest when the admission is at its deadline.
  admit(shop);
  await expect.poll(() => counters.underWay).toBe(0);
  expect([asked, faults]).toEqual([[], []]);
});

it('A caller who leaves in the middle of a body ends the request', async () => {
  const { port, counters } = await start(() => shop);
  const socket = connect(port, '127.0.0.1');
  socket.write(`${declared('/long', 100)}[1`);
  await expect.poll(() => counters.underWay).toBe(1);
  socket.destroy();
  await expect.poll(() => counters.underWay).toBe(0);
});

it('Routes that read a body before they know the caller take a short one', () => {
  const open = routes.filter(({ credential, schema }) => (credential === 'none' || credential === 'page') && schema);
  expect(open.length).toBeGreaterThan(2);
  for (const { bodyBytesMax } of open) expect(bodyBytesMax).toBe(anonymousBodyBytesMax);
});
