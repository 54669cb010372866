/** The calls of an opening of a map, by the way that the benchmark opens it. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type MapPage, type Opening, openMap } from '../../../bench/load/open-map.ts';

const pageOf = (opening: Opening): MapPage => ({
  event: 'gala',
  publishableKey: 'pk_1',
  origin: 'https://shop.example',
  opening,
});

const ok = (body: string, headers = ''): string =>
  `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

/** Notes the requests, and gives each bootstrap this answer. */
function serverOf(bootstrap: string) {
  const asked: string[] = [];
  const ask = async (request: string): Promise<string> => {
    asked.push(request);
    return request.startsWith('POST') ? bootstrap : ok('{}');
  };
  const lines = () => asked.map((request) => request.split(' HTTP/1.1', 1)[0]);
  return { ask, asked, lines };
}

const plain = ok('{"token":"bse_1","doc":{}}');

test.each([
  ['page' as const, ['/bootstrap', '/availability']],
  ['calls' as const, ['/bootstrap', '/chart', '/objects?compact=1', '/availability']],
])('the way "%s" makes the calls %j', async (opening, ends) => {
  const { ask, asked, lines } = serverOf(plain);
  expect(await openMap(ask, pageOf(opening))).toEqual({
    token: 'bse_1',
    calls: ends.length,
    bytes: plain.length + (ends.length - 1) * ok('{}').length,
  });
  expect(lines()).toEqual(ends.map((end, at) => `${at === 0 ? 'POST' : 'GET'} /pub/events/gala${end}`));
  expect(asked[0]).toMatch(/\r\n\r\n\{"publicKey":"pk_1"\}$/);
  expect(asked[1]).toContain('\r\nAuthorization: Bearer bse_1\r\n');
});

test('the way "files" asks the named addresses as they are, without a credential', async () => {
  const body = {
    token: 'bse_1',
    files: [{ hash: 'h', url: '/pub/charts/h?event=gala' }],
    statusesUrl: '/pub/statuses/a?event=gala',
  };
  const packed = gzipSync(JSON.stringify(body)).toString('latin1');
  const { ask, asked, lines } = serverOf(ok(packed, 'Content-Encoding: gzip\r\n'));
  expect(await openMap(ask, pageOf('files'))).toMatchObject({ token: 'bse_1', calls: 4 });
  expect(lines()).toEqual([
    'POST /pub/events/gala/bootstrap?files=1',
    'GET /pub/charts/h?event=gala',
    'GET /pub/statuses/a?event=gala',
    'GET /pub/events/gala/availability',
  ]);
  expect(asked.map((request) => request.includes('Authorization'))).toEqual([false, false, false, true]);
});

test('the way "files" asks for no availability that the bootstrap has', async () => {
  const body = { token: 'bse_1', files: [], statusesUrl: '/pub/statuses/a?event=gala', availability: {} };
  const { ask, lines } = serverOf(ok(JSON.stringify(body)));
  expect(await openMap(ask, pageOf('files'))).toMatchObject({ token: 'bse_1', calls: 2 });
  expect(lines()).toEqual(['POST /pub/events/gala/bootstrap?files=1', 'GET /pub/statuses/a?event=gala']);
});

test('a refused call ends the opening, and is named with its code', async () => {
  const { ask } = serverOf('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 21\r\n\r\n{"code":"overloaded"}');
  await expect(openMap(ask, pageOf('page'))).rejects.toThrow('POST /pub/events/gala/bootstrap: 503 overloaded');
});
