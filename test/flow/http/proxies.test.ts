/**
 * Attacks through nginx and HAProxy, whose connections to the front door serve all clients. Two buyers send ordinary
 * requests meanwhile. Each request has an id and a body of its own, and gets exactly its own answer.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pickPorts } from '../../../scripts/launch/port.ts';
import { runCommand } from '../../../scripts/launch/run-command.ts';
import { inPath } from '../../support/runner/debian.ts';
import { testSeed as seed } from '../../support/runner/seed.ts';
import { selfSigned } from '../../support/servers/certificate.ts';
import { missingProxies, proxyNames, type RunningProxy, startProxy } from '../../support/servers/proxies.ts';
import { anyJson, converse, startHttp } from '../../support/servers/raw-http.ts';

const REQUESTS_OF_A_BUYER = 1_500;
const missing = missingProxies();
/** Ends the calls of POST /slow. */
const slow: (() => void)[] = [];

let server: Awaited<ReturnType<typeof startHttp>>;
beforeAll(async () => {
  const later = (body: unknown) => new Promise((resolve) => setTimeout(() => resolve(body), 3));
  server = await startHttp({
    'GET /secret': { handle: () => 'the secret' },
    'POST /echo': { schema: anyJson, handle: (body) => body },
    'POST /slow': { schema: anyJson, handle: (body) => new Promise((resolve) => slow.push(() => resolve(body))) },
    'POST /later': { schema: anyJson, handle: later },
  });
});
afterAll(() => server.stop());

const hidden = 'GET /secret HTTP/1.1\r\nHost: a\r\nX-Request-ID: hidden\r\n\r\n';
const head = (line: string, ...fields: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: a', 'Origin: https://a.example', 'X-Request-ID: attack', ...fields].join('\r\n')}\r\n\r\n`;

const lines = [
  'POST /echo',
  'POST /later',
  'POST /nothing',
  'OPTIONS /pub/x',
  'GET /secret',
  'HEAD /nothing',
  'PUT /echo',
];
const framings: [string, string[], string][] = [
  ['a request in the trailer', ['Transfer-Encoding: chunked'], `3\r\n[1]\r\n0\r\nX:${hidden}`],
  ['a request behind the last chunk', ['Transfer-Encoding: chunked'], `3\r\n[1]\r\n0\r\n\r\n${hidden}`],
  ['a length beside chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`],
  ['chunks beside a length', ['Transfer-Encoding: chunked', `Content-Length: ${hidden.length}`], `0\r\n\r\n${hidden}`],
  ['two lengths', ['Content-Length: 3', `Content-Length: ${hidden.length + 3}`], `[1]${hidden}`],
  ['a list of lengths', ['Content-Length: 3, 3'], `[1]${hidden}`],
  ['a length with a sign', ['Content-Length: +3'], `[1]${hidden}`],
  ['xchunked', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${hidden}`],
  ['chunked behind a vertical tab', ['Transfer-Encoding: \x0bchunked'], `0\r\n\r\n${hidden}`],
  ['chunked with a capital', ['Transfer-Encoding: Chunked'], `0\r\n\r\n${hidden}`],
  ['two codings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], `0\r\n\r\n${hidden}`],
  ['gzip before chunked', ['Transfer-Encoding: gzip, chunked'], `0\r\n\r\n${hidden}`],
  ['a space before a colon', [`Content-Length : ${hidden.length}`], hidden],
  ['a coding with a space before its colon', ['Transfer-Encoding : chunked'], `0\r\n\r\n${hidden}`],
  ['a bare line feed', [`X-A: b\nContent-Length: ${hidden.length}`], hidden],
  ['a folded line', ['X-A: b', ` Content-Length: ${hidden.length}`], hidden],
  ['a header without a name', [': x', `Content-Length: ${hidden.length}`], hidden],
  [
    'a coding behind a header without a name',
    [': x', 'Transfer-Encoding: chunked'],
    `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
  ],
  ['chunks that end in bare line feeds', ['Transfer-Encoding: chunked'], `3\n[1]\n0\n\n${hidden}`],
  ['a chunk with an extension', ['Transfer-Encoding: chunked'], `3;a=b\r\n[1]\r\n0;x\n\r\n${hidden}`],
  ['a length that never comes', [`Content-Length: ${hidden.length + 50}`], hidden],
  ['an upgrade', ['Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 3'], `[1]${hidden}`],
];

function generator(from: number): (below: number) => number {
  let state = from + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

type Answered = { id: string | undefined; status: number | undefined; body: string };

function ask(
  agent: Agent,
  socketPath: string,
  method: string,
  path: string,
  id: string,
  body: string,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = { Host: 'a', 'X-Request-ID': id, ...(body ? { 'Content-Length': body.length } : {}) };
    const asking = request({ agent, socketPath, method, path, headers }, (answer) => {
      let received = '';
      answer.on('data', (bytes) => {
        received += bytes;
      });
      answer.on('end', () =>
        resolve({ id: answer.headers['x-request-id'] as string, status: answer.statusCode, body: received }),
      );
      answer.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/** Resolves with the number of requests. Some buyers' bodies look like requests themselves. */
async function buy(socketPath: string, name: string, random: (below: number) => number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let i = 0; i < REQUESTS_OF_A_BUYER; i++) {
    const id = `${name}-${i}`;
    const kind = random(4);
    const body = kind < 2 ? JSON.stringify([id, random(8) ? 'x'.repeat(random(3_000)) : hidden]) : '';
    const [method, path] = [
      ['POST', '/echo'],
      ['POST', '/later'],
      ['GET', '/secret'],
      ['GET', `/nothing/${id}`],
    ][kind]!;
    const answer = await ask(agent, socketPath, method!, path!, id, body);
    expect(answer.id).toBe(id);
    if (kind < 2) expect(answer).toEqual({ id, status: 200, body });
    else expect(answer.status).toBe(kind === 2 ? 200 : 404);
  }
  agent.destroy();
  return REQUESTS_OF_A_BUYER;
}

/** Each attack whole, in two packets, and with its head alone. */
async function attack(socketPath: string, isOver: () => boolean): Promise<number> {
  let attacks = 0;
  for (const line of lines) {
    for (const [, fields, body] of framings) {
      const bytes = head(line, ...fields) + body;
      const cuts = [[bytes], [bytes.slice(0, 60), bytes.slice(60)], bytes.split(/(?<=\r\n\r\n)/)];
      const tries = cuts.flatMap((parts) => [parts, parts]);
      await Promise.all(tries.map((parts) => converse(socketPath, parts, 15)));
      attacks += tries.length;
    }
    if (isOver() && attacks > 900) break;
  }
  return attacks;
}

describe.each(proxyNames)('behind %s', (name) => {
  let proxy: RunningProxy;
  beforeAll(async () => {
    if (missing === null) proxy = await startProxy(name, [{ port: server.port }]);
  });
  afterAll(() => proxy?.stop());

  it.skipIf(missing)(
    `No answer belongs to the wrong request (seed ${seed})${missing ? `: ${missing}` : ''}`,
    async () => {
      let over = false;
      const attacking = attack(proxy.socketPath, () => over);
      const buyers = ['one', 'two', 'three'].map((buyer, i) =>
        buy(proxy.socketPath, `${name}-${buyer}`, generator(seed + i)),
      );
      const bought = await Promise.all(buyers);
      over = true;
      expect(bought).toEqual(buyers.map(() => REQUESTS_OF_A_BUYER));
      expect(await attacking).toBeGreaterThan(500);
      expect(server.faults).toEqual([]);
      await expect.poll(() => server.counters.underWay).toBe(0);
    },
    120_000,
  );
});

it.skipIf(missing).each([
  ['haproxy', ['-c', '-f'], {}],
  ['haproxy', ['-c', '-f'], { FRONT_DOORS: 'frontdoor' }],
  ['nginx', ['-t', '-e', 'stderr', '-c'], {}],
] as const)('%s finds nothing wrong in its file of deploy/ (%j, %j)', async (name, args, env) => {
  const folder = mkdtempSync(join(tmpdir(), 'parterre-proxy-file-'));
  const pem = join(folder, 'parterre.pem');
  writeFileSync(pem, selfSigned.cert + selfSigned.key);
  const file = join(folder, 'configuration');
  const text = readFileSync(`deploy/${name}.${name === 'nginx' ? 'conf' : 'cfg'}`, 'utf8');
  writeFileSync(
    file,
    `${name === 'nginx' ? `pid ${folder}/pid;\n` : ''}${text.replace(/\/etc\/(haproxy|nginx)\/parterre\.\w+/g, pem)}`,
  );
  const ran = await runCommand(inPath([name])!, [...args, file], {
    deadlineMs: 20_000,
    env: { ...process.env, ...env },
  });
  rmSync(folder, { recursive: true });
  expect(ran.ok ? ran.stdout : ran.why).not.toMatch(/warn|alert|emerg|error/i);
});

it.skipIf(missing).each(proxyNames)('%s takes a bounded number of connections of an address', async (name) => {
  const port = (await pickPorts(1))[0]!;
  const proxy = await startProxy(name, [{ port: server.port }], { perAddress: 2, port });
  try {
    // nginx counts a socket file as one address. HAProxy counts addresses of the network alone.
    const to = name === 'nginx' ? { socketPath: proxy.socketPath } : { port, host: '127.0.0.1' };
    const post = () =>
      new Promise<number | string>((resolve) => {
        const asking = request({ ...to, agent: false, method: 'POST', path: '/slow' }, (answer) => {
          answer.resume();
          resolve(answer.statusCode!);
        });
        asking.on('error', () => resolve('closed'));
        asking.end('1');
      });
    const first = [post(), post()];
    await expect.poll(() => slow.length).toBe(2);
    expect(await post()).toBe(name === 'nginx' ? 503 : 'closed');
    for (const end of slow.splice(0)) end();
    expect(await Promise.all(first)).toEqual([200, 200]);
  } finally {
    await proxy.stop();
  }
});
