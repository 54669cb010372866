/** The heads of answers, byte by byte, and answers that cannot be made. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventStream, Prepared, unchanged } from '../../../services/frontdoor/src/answers/answers.ts';
import { bodyPiecesMax } from '../../../shared/src/protocol/limits.ts';
import { converse, startHttp } from '../../support/servers/raw-http.ts';

const circle: { self?: unknown } = {};
circle.self = circle;

let server: Awaited<ReturnType<typeof startHttp>>;
beforeAll(async () => {
  server = await startHttp({
    'GET /v1/json': { handle: () => ({ ok: true }) },
    'GET /pub/json': { handle: () => ({ ok: true }) },
    'GET /pub/etag': { handle: () => unchanged([['ETag', '"a"']]) },
    'GET /v1/cookies': {
      handle: () =>
        new Prepared(
          200,
          [
            ['Set-Cookie', 'a=1'],
            ['Set-Cookie', 'b=2'],
          ],
          'text',
        ),
    },
    'GET /v1/throws': {
      handle: () => {
        throw new Error('a bug');
      },
    },
    'GET /v1/circle': { handle: () => circle },
    'GET /v1/etag': { handle: () => new Prepared(200, [['ETag', '"a"']], 'text') },
    'GET /v1/file.csv': { handle: () => new Prepared(200, [['Content-Type', 'text/csv']], 'a,b') },
    'GET /public': { handle: () => new Prepared(302, [['Cache-Control', 'no-cache']], '') },
    'GET /v1/stream': {
      handle: () =>
        new EventStream((reader) => {
          reader.write('data: {}\n\n');
          return () => {};
        }),
    },
    'POST /v1/body': { handle: () => ({ ok: true }) },
  });
});
afterAll(() => server.stop());

/** The lines of the head, without those that the library writes by itself, and the body. */
async function answerTo(line: string, ...fields: string[]): Promise<[string[], string]> {
  const request = `${[`${line} HTTP/1.1`, 'Host: a', 'X-Request-ID: r1', ...fields].join('\r\n')}\r\n\r\n`;
  const { received } = await converse(server.port, [request], 200);
  const [head = '', body = ''] = received.split('\r\n\r\n');
  return [head.split('\r\n').filter((each) => !/^(Date|uWebSockets): /.test(each)), body];
}

const json = 'Content-Type: application/json; charset=utf-8';
const page = 'Origin: https://a.example';
const cors = [
  'Access-Control-Allow-Origin: https://a.example',
  'Access-Control-Expose-Headers: Retry-After, X-Request-ID, ETag, Date',
  'Vary: Origin',
];
const noSniff = 'X-Content-Type-Options: nosniff';
const unkept = ['Cache-Control: private, no-store', noSniff];
const revalidated = ['Cache-Control: private, no-cache', 'Vary: Authorization, Cookie', noSniff];

it('an answer has its status, the name of its request, and its headers', async () => {
  expect(await answerTo('GET /v1/json')).toEqual([
    ['HTTP/1.1 200 OK', 'X-Request-ID: r1', json, ...unkept, 'Content-Length: 11'],
    '{"ok":true}',
  ]);
  const [missing] = await answerTo('GET /v1/nothing');
  expect(missing.slice(0, 3)).toEqual(['HTTP/1.1 404 Not Found', 'X-Request-ID: r1', json]);
});

it('a page may read the answer from its origin', async () => {
  const [head] = await answerTo('GET /pub/json', page);
  expect(head).toEqual(['HTTP/1.1 200 OK', 'X-Request-ID: r1', json, ...unkept, ...cors, 'Content-Length: 11']);
});

it('an answer without a body has headers, and no length', async () => {
  const [head] = await answerTo('GET /pub/etag', page);
  expect(head).toEqual(['HTTP/1.1 304 Not Modified', 'X-Request-ID: r1', 'ETag: "a"', ...revalidated, ...cors]);
});

it.each([
  ['GET /v1/json', 200, unkept],
  ['HEAD /v1/json', 405, unkept],
  ['GET /v1/etag', 200, revalidated],
  ['GET /pub/etag', 304, revalidated],
  ['GET /v1/file.csv', 200, unkept],
  ['GET /v1/stream', 200, unkept],
  ['GET /public', 302, ['Cache-Control: no-cache', noSniff]],
  ['OPTIONS /pub/json', 204, unkept],
  ['OPTIONS /v1/json', 405, unkept],
  ['DELETE /v1/json', 405, unkept],
  ['GET /v1/nothing', 404, unkept],
  ['GET /v1/throws', 500, unkept],
] as const)('an answer tells caches and browsers what they may do with it: %s', async (line, status, told) => {
  const [[first = '', ...head]] = await answerTo(line, ...(line.startsWith('OPTIONS') ? [page] : []));
  expect(first).toContain(` ${status} `);
  expect(head.filter((each) => /^(Cache-Control|X-Content-Type-Options|Vary: Auth)/.test(each))).toEqual(told);
});

it('refusals of the framing and of a flood tell it too', async () => {
  const flood = 'POST /v1/body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  for (const request of [
    'GET /v1/json HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    `${flood}${'1\r\na\r\n'.repeat(bodyPiecesMax + 1)}`,
  ]) {
    const { received } = await converse(server.port, [request], 200);
    expect(received.split('\r\n')).toEqual(expect.arrayContaining(unkept));
  }
});

it('a header may come twice', async () => {
  const [head] = await answerTo('GET /v1/cookies');
  const lines = ['X-Request-ID: r1', 'Set-Cookie: a=1', 'Set-Cookie: b=2', ...unkept, 'Content-Length: 4'];
  expect(head).toEqual(['HTTP/1.1 200 OK', ...lines]);
});

it.each(['GET /v1/throws', 'GET /v1/circle'])('a request that meets an exception is answered 500: %s', async (line) => {
  server.faults.length = 0;
  const [head, body] = await answerTo(line);
  expect([head[0], JSON.parse(body).requestId]).toEqual(['HTTP/1.1 500 Internal Server Error', 'r1']);
  expect(server.faults).toHaveLength(1);
  expect(server.counters.underWay).toBe(0);
});
