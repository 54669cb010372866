/** No byte behind a chunked body, and none behind a faulty framing, is ever taken for a request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answersIn, anyJson, converse, startHttp } from '../../support/servers/raw-http.ts';

let server: Awaited<ReturnType<typeof startHttp>>;
beforeAll(async () => {
  server = await startHttp({
    'GET /secret': { handle: () => 'the secret' },
    'GET /large': { handle: () => 'x'.repeat(3_000_000) },
    'GET /small': { handle: () => 'x'.repeat(30_000) },
    'POST /large': { schema: anyJson, handle: () => 'x'.repeat(3_000_000) },
    'POST /echo': { schema: anyJson, handle: (body) => body },
    'POST /slow': { schema: anyJson, handle: () => new Promise((resolve) => setTimeout(() => resolve('slow'), 30)) },
  });
});
afterAll(() => server.stop());

const smuggled = 'GET /secret HTTP/1.1\r\nHost: a\r\n\r\n';
const chunked = (line: string, end = '0\r\n\r\n') =>
  `${line} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n${end}`;

async function send(...parts: (string | number)[]) {
  server.asked.length = 0;
  const { received, closed } = await converse(server.port, parts);
  return { received, closed, answers: answersIn(received), asked: [...server.asked] };
}

describe('a chunked request', () => {
  it('is answered, and the connection closes', async () => {
    const { received, closed } = await send(chunked('POST /echo'));
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).toMatch(/\r\nConnection: close\r\n/);
    expect(received.match(/Connection: close/g)).toHaveLength(1);
    expect(received).toMatch(/\r\nContent-Length: 3\r\n\r\n\[1\]$/);
    expect(closed).toBe(true);
  });

  it.each([
    ['with a packet for each byte of its body', (bytes: string) => bytes.split(/(?<=\r\n\r\n3.*)/s)],
    ['with its head alone', (bytes: string) => bytes.split(/(?<=\r\n\r\n)/)],
    ['in two halves', (bytes: string) => [bytes.slice(0, 70), bytes.slice(70)]],
  ])('arrives %s', async (_name, cut) => {
    const { received, closed } = await send(...cut(chunked('POST /echo')));
    expect([received.slice(-3), answersIn(received), closed]).toEqual(['[1]', [200], true]);
  });

  it('has a large answer, which arrives whole', async () => {
    const { received, closed } = await send(chunked('POST /large'));
    expect(received.length - received.indexOf('\r\n\r\n') - 4).toBe(3_000_002);
    expect(received.endsWith('x"')).toBe(true);
    expect(closed).toBe(true);
  });

  it.each([
    'POST /nothing',
    'POST /echo',
    'POST /slow',
    'GET /secret',
    'HEAD /secret',
    'DELETE /echo',
    'OPTIONS /pub/x',
  ])('hides no request in its trailer: %s', async (line) => {
    const bytes = chunked(line, `0\r\nX:${smuggled}`).replace('Host: a', 'Host: a\r\nOrigin: https://a.example');
    for (const parts of [[bytes], bytes.split(/(?<=X:)/), bytes.split(/(?<=\r\n\r\n)/)]) {
      const { answers, asked, closed } = await send(...parts);
      expect(answers.length).toBeLessThanOrEqual(1);
      expect(asked.filter((each) => each === 'GET /secret').length).toBeLessThanOrEqual(line === 'GET /secret' ? 1 : 0);
      expect(closed).toBe(true);
    }
  });

  it('hides no request behind its answer to a reader that does not read', async () => {
    const large = 'GET /large HTTP/1.1\r\nHost: a\r\n\r\n';
    const { asked, closed } = await send(large, chunked('POST /large'), smuggled);
    expect(closed).toBe(true);
    expect(asked).not.toContain('GET /secret');
  });
});

describe('a faulty framing', () => {
  const cases: [string, string][] = [
    ['two lengths', 'Host: a\r\nContent-Length: 3\r\nContent-Length: 4'],
    ['a length that is not a number', 'Host: a\r\nContent-Length: +3'],
    ['an empty length', 'Host: a\r\nContent-Length:'],
    ['a length beside a transfer coding', 'Host: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked'],
    ['an unknown transfer coding', 'Host: a\r\nTransfer-Encoding: xchunked'],
    ['an empty transfer coding', 'Host: a\r\nTransfer-Encoding:'],
    ['a list of transfer codings', 'Host: a\r\nTransfer-Encoding: gzip, chunked'],
    ['two transfer codings', 'Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity'],
    ['no host', 'Accept: */*'],
    ['two hosts', 'Host: a\r\nHost: b'],
  ];

  it.each(cases)('with %s is refused, and the connection closes', async (_name, head) => {
    const { received, answers, asked, closed } = await send(`POST /echo HTTP/1.1\r\n${head}\r\n\r\n`);
    expect([asked, closed]).toEqual([[], true]);
    expect(answers.length).toBe(1);
    expect(received).toMatch(/^HTTP\/1\.1 (400|505) /);
  });

  it.each(cases)('with %s hides no request', async (_name, head) => {
    for (const body of ['', '0\r\n\r\n', '3\r\n[1]\r\n0\r\n\r\n', '[1]']) {
      const { answers, asked, closed } = await send(`POST /echo HTTP/1.1\r\n${head}\r\n\r\n${body}${smuggled}`);
      expect([asked, closed]).toEqual([[], true]);
      expect(answers.length).toBeLessThanOrEqual(1);
    }
  });
});

describe('a head that the server library does not understand', () => {
  const cases: [string, string][] = [
    ['a transfer coding behind a vertical tab', 'Host: a\r\nTransfer-Encoding: \x0bchunked'],
    ['a space before a colon', 'Host: a\r\nContent-Length : 3'],
    ['a tab before a colon', 'Host: a\r\nTransfer-Encoding\t: chunked'],
    ['a folded line', 'Host: a\r\nX-A: b\r\n Content-Length: 3'],
    ['a bare line feed', 'Host: a\nContent-Length: 3'],
    ['a bare carriage return', 'Host: a\r\nX-A: b\rContent-Length: 3'],
  ];

  // The library waits for the rest of such a head, for ten seconds.
  it.concurrent.each(cases)(
    'with %s hides no request, and the connection closes',
    async (_name, head) => {
      const bytes = `POST /echo HTTP/1.1\r\n${head}\r\n\r\n${smuggled}`;
      const parts = [[bytes], bytes.split(/(?<=\r\n\r\n)/)];
      for (const { received, closed } of await Promise.all(parts.map((each) => converse(server.port, each, 18_000)))) {
        expect(closed).toBe(true);
        expect(received).not.toContain('secret');
        expect(answersIn(received).length).toBeLessThanOrEqual(1);
      }
    },
    30_000,
  );
});

it('Requests with a declared length share a connection', async () => {
  const one = 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n[1]';
  const { answers, closed } = await send(one, 100, one, 100, smuggled);
  expect([answers, closed]).toEqual([[200, 200, 200], false]);
});

it.each([
  ['is empty', ['']],
  ['is blank', [' \t ']],
  ['comes twice', ['a', 'b']],
  ['comes twice, first empty', ['', 'b']],
  ['comes twice, last empty', ['a', '']],
])('An Idempotency-Key that %s is refused', async (_name, values) => {
  const request = (keys: string[]) =>
    `POST /echo HTTP/1.1\r\nHost: a\r\n${keys.map((key) => `Idempotency-Key: ${key}\r\n`).join('')}` +
    'Content-Length: 3\r\n\r\n[1]';
  const { answers, received, asked } = await send(request(values));
  expect([answers, asked]).toEqual([[400], []]);
  expect(received).toContain('"code":"invalid_idempotency_key"');
  expect((await send(request([' a ']))).answers).toEqual([200]);
  expect((await send(request([]))).answers).toEqual([200]);
});
