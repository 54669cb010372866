/** Compressed forms of bodies: the choice by Accept-Encoding, and gzip streams with a part that was compressed before. */
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { deflated } from '../../../../services/frontdoor/src/answers/answers.ts';
import { encodingFor, etagOfForm } from '../../../../services/frontdoor/src/answers/encoding.ts';
import { gzipBody } from '../../../../services/frontdoor/src/answers/gzip-body.ts';

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

test.each([0, 1, 65_534, 65_535, 65_536, 200_000])('a gzip body goes on with %i stored bytes', async (length) => {
  const first = Buffer.from('{"doc":{"rows":['.repeat(5_000));
  const rest = Buffer.from(Array.from({ length }, (_, i) => (i * 7) % 251));
  const compressed = await deflated(first);
  expect(compressed.bytes.length).toBeLessThan(first.length / 10);
  // The compressed part serves many answers.
  for (let n = 0; n < 2; n++) {
    const body = Buffer.concat(gzipBody(compressed, rest));
    expect(gunzipSync(body).equals(Buffer.concat([first, rest]))).toBe(true);
  }
});
