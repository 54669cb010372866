/**
 * Compressed forms of bodies: the choice by Accept-Encoding, and gzip streams with a part that was compressed before.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressed, compressedBody, extended } from '../../../../services/frontdoor/src/answers/compressed-body.ts';
import { encodingFor, etagOfForm } from '../../../../services/frontdoor/src/answers/encoding.ts';

test.each<[string, string | null, string | null]>([
  ['', null, null],
  ['identity', null, null],
  ['gzip, deflate, br, zstd', 'br', 'gzip'],
  ['gzip', 'gzip', 'gzip'],
  ['GZIP;q=0.5, br;q=0', 'gzip', 'gzip'],
  ['gzip;q=0, *', 'br', null],
  ['*', 'br', 'gzip'],
  ['*;q=0', null, null],
  ['br; q=0.001', 'br', null],
  ['gzip;q=x', null, null],
])('of "%s" the form is %s, and %s without brotli', (acceptEncoding, best, other) => {
  expect(encodingFor(acceptEncoding, () => true)).toBe(best);
  expect(encodingFor(acceptEncoding, (each) => each === 'gzip')).toBe(other);
  expect(encodingFor(acceptEncoding, () => false)).toBeNull();
});

test('each form has an ETag of its own', () => {
  expect([etagOfForm('"a"', null), etagOfForm('"a"', 'br'), etagOfForm('"a"', 'gzip')]).toEqual([
    '"a"',
    '"a-br"',
    '"a-gzip"',
  ]);
});

test.each(
  (['gzip', 'br'] as const).flatMap((each) => [0, 1, 65_535, 65_536, 65_537, 200_000].map((n) => [each, n] as const)),
)('a %s body goes on with %i bytes as they are', async (encoding, length) => {
  const first = Buffer.from('{"doc":{"rows":['.repeat(5_000));
  const rest = Buffer.from(Array.from({ length }, (_, i) => (i * 7) % 251));
  const once = await compressed(first, encoding);
  expect(once.bytes.length).toBeLessThan(first.length / 10);
  const read = encoding === 'gzip' ? gunzipSync : brotliDecompressSync;
  // The compressed part serves many answers.
  for (let n = 0; n < 2; n++) {
    expect(read(Buffer.concat(compressedBody(once, rest))).equals(Buffer.concat([first, rest]))).toBe(true);
  }
});

test('a gzip body goes on with bytes that are compressed later, and with bytes as they are', async () => {
  const first = Buffer.from('{"doc":{"rows":['.repeat(5_000));
  const more = Buffer.from('"A-1":"booked",'.repeat(5_000));
  const both = await extended(more, await compressed(first, 'gzip'));
  expect(both.bytes.length).toBeLessThan((first.length + more.length) / 10);
  for (const rest of [Buffer.alloc(0), Buffer.from(',"token":"bas_1"}')]) {
    expect(gunzipSync(Buffer.concat(compressedBody(both, rest))).equals(Buffer.concat([first, more, rest]))).toBe(true);
  }
  expect(gunzipSync(Buffer.concat(compressedBody(await extended(more), Buffer.alloc(0)))).equals(more)).toBe(true);
});
