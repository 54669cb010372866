import { expect, test } from 'vitest';
import { isAlike } from './alike.ts';

test.each([
  ['the same text', 'A-1', 'A-1', true],
  ['another number', 1, 2, false],
  ['no value and none', null, undefined, false],
  ['fields in another order', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
  ['a field without a value', { a: 1, b: undefined }, { a: 1 }, true],
  ['a missing field', { a: 1, b: 2 }, { a: 1 }, false],
  ['a further field', { a: 1 }, { a: 1, b: 2 }, false],
  ['a list and a longer list', [1, 2], [1, 2, 3], false],
  ['a list and its fields', ['x'], { 0: 'x' }, false],
  ['bytes and a buffer of the same bytes', Uint8Array.of(1, 2), Buffer.from([1, 2]), true],
  ['other bytes', Uint8Array.of(1, 2), Uint8Array.of(1, 3), false],
  ['another value deep inside', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, false],
  ['another version of the same content', { version: 1, a: 1 }, { version: 2, a: 1 }, true],
])('%s', (_, one, other, same) => {
  expect(isAlike(one, other)).toBe(same);
  expect(isAlike(other, one)).toBe(same);
});
