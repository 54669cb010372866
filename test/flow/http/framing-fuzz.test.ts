/**
 * Seeded raw bytes against the framing. Every connection ends answered or closed, no request gets two answers, and no
 * request that hides in a body, in a trailer or behind a faulty framing gets any. `TEST_SEED` plays other cases.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testSeed as seed } from '../../support/runner/seed.ts';
import { anyJson, startHttp } from '../../support/servers/raw-http.ts';

const CASES = 2_000;
const AT_ONCE = 40;

let server: Awaited<ReturnType<typeof startHttp>>;
beforeAll(async () => {
  const later = () => new Promise((resolve) => setTimeout(() => resolve(1), 2));
  server = await startHttp({
    'GET /now': {},
    'GET /later': { handle: later },
    'POST /now': { schema: anyJson },
    'POST /later': { schema: anyJson, handle: later },
  });
});
afterAll(() => server.stop());

function generator(from: number): (below: number) => number {
  let state = from + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** Far apart: two damages of at most two letters each never make one of another. */
const plainIds = ['plain-aaaaaa', 'plain-bbbbbb'];

type Random = ReturnType<typeof generator>;

const oneOf = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!;
const head = (line: string, id: string, ...fields: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: a', `X-Request-ID: ${id}`, ...fields].join('\r\n')}\r\n\r\n`;
const hidden = (random: Random) =>
  head(oneOf(random, ['GET /now', 'GET /later', 'POST /now']), `hidden-${random(1e9)}`);

function plain(random: Random, id: string): string {
  const path = oneOf(random, ['/now', '/later', '/none']);
  if (random(2)) return head(`${oneOf(random, ['GET', 'HEAD', 'OPTIONS'])} ${path}`, id);
  const body = oneOf(random, ['[1]', '', `"${'x'.repeat(random(3_000))}"`, hidden(random)]);
  return head(`${oneOf(random, ['POST', 'PUT', 'GET'])} ${path}`, id, `Content-Length: ${body.length}`) + body;
}

function chunks(random: Random): string {
  const data = oneOf(random, ['[1]', 'x', hidden(random), 'y'.repeat(random(2_000) + 1)]);
  const size = oneOf(random, [
    data.length.toString(16),
    `00${data.length.toString(16)}`,
    data.length.toString(16).toUpperCase(),
  ]);
  const line = oneOf(random, ['\r\n', '\r\n', '\r\n', '\n', ';a=b\r\n', ' \r\n', ';\n']);
  return `${size}${line}${data}${oneOf(random, ['\r\n', '\r\n', '\r\n', 'XX', '\n\n'])}`;
}

function chunked(random: Random, id: string): string {
  const line = `${oneOf(random, ['POST', 'POST', 'GET', 'HEAD', 'OPTIONS'])} ${oneOf(random, ['/now', '/later', '/none', '/pub/x'])}`;
  const field = oneOf(random, [
    'Transfer-Encoding: chunked',
    'transfer-encoding:chunked',
    'Transfer-Encoding: Chunked',
  ]);
  const body = Array.from({ length: random(4) }, () => chunks(random)).join('');
  const last = oneOf(random, ['0\r\n', '0\r\n', '000\r\n', '0;x\r\n', '0\n', '-1\r\n', 'g\r\n', '']);
  const end = oneOf(random, ['\r\n', '\r\nX: y\r\n\r\n', 'X:', 'X: ', '\n', '\r\n\r\n', 'ab', '']);
  return head(line, id, 'Origin: https://a.example', field) + body + last + end + hidden(random);
}

const faults = [
  ['Content-Length: 3', 'Content-Length: 4'],
  ['Content-Length: 0', 'Transfer-Encoding: chunked'],
  ['Content-Length: +3'],
  ['Content-Length: 0x3'],
  ['Content-Length:'],
  ['Content-Length: 3, 3'],
  ['Content-Length : 3'],
  ['Transfer-Encoding : chunked'],
  ['Transfer-Encoding: xchunked'],
  ['Transfer-Encoding: chunked, identity'],
  ['Transfer-Encoding:'],
  ['Transfer-Encoding: \x0bchunked'],
  ['X-A: b', ' Content-Length: 3'],
  ['X-A: b\nContent-Length: 3'],
  ['Host: b'],
];

function faulty(random: Random, id: string): string {
  const body = oneOf(random, ['', '0\r\n\r\n', '[1]', '3\r\n[1]\r\n0\r\n\r\n']);
  return (
    head(`POST ${oneOf(random, ['/now', '/later', '/none'])}`, id, ...oneOf(random, faults)) + body + hidden(random)
  );
}

/** Some plain requests, then a chunked or a faulty one, then plain ones that nobody may see. */
function conversation(random: Random): string {
  const before = Array.from({ length: random(3) }, (_, i) => plain(random, plainIds[i]!));
  const last = random(2) ? chunked(random, 'last') : faulty(random, 'last');
  return [...before, last, plain(random, 'hidden-after')].join('');
}

function mutated(random: Random, text: string): string {
  const at = random(text.length);
  const noise = oneOf(random, ['\r', '\n', '\r\n', ' ', ':', '0', '\0', 'chunked', '\xff', '9'.repeat(20), '']);
  return text.slice(0, at) + noise + text.slice(at + random(3));
}

/** In up to three packets. Sends FIN once the server has been quiet for a moment: it closes on that. */
function send(text: string, random: Random): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true });
    const timer = setTimeout(() => reject(new Error(`neither answered nor closed: ${JSON.stringify(text)}`)), 20_000);
    const cuts = Array.from({ length: random(3) }, () => random(text.length)).sort((a, b) => a - b);
    const parts = [0, ...cuts].map((from, i) => text.slice(from, [...cuts, text.length][i]));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
    socket.on('connect', async () => {
      for (const part of parts) {
        socket.write(part, 'latin1');
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      setTimeout(() => socket.end(), 30);
    });
  });
}

function idsIn(received: string): string[] {
  return [...received.matchAll(/X-Request-ID: (\S+)/g)].map(([, id]) => id!);
}

async function forAll(judge: (random: Random) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < CASES) await judge(generator(seed * CASES + next++));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

it(`Hidden requests are never answered, and no request twice (seed ${seed})`, async () => {
  let lastAnswered = 0;
  await forAll(async (random) => {
    const text = conversation(random);
    const ids = idsIn(await send(text, random));
    expect(
      ids.filter((id) => id.startsWith('hidden')),
      JSON.stringify(text),
    ).toEqual([]);
    expect(new Set(ids).size, JSON.stringify(text)).toBe(ids.length);
    if (ids.includes('last')) lastAnswered++;
  });
  expect(lastAnswered).toBeGreaterThan(CASES / 40);
  await expect.poll(() => server.counters.underWay).toBe(0);
});

it(`Damaged bytes end answered or closed (seed ${seed})`, async () => {
  await forAll(async (random) => {
    const text = mutated(random, mutated(random, conversation(random)));
    const ids = idsIn(await send(text, random));
    expect(new Set(ids).size, JSON.stringify(text)).toBe(ids.length);
  });
  await expect.poll(() => server.counters.underWay).toBe(0);
});
