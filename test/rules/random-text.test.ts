import { expect, test } from 'vitest';
import { newEventKey, newId, randomText } from '../../shared/src/protocol/ids.ts';

test('random texts have their length and the letters of their base', () => {
  expect(randomText(0)).toBe('');
  expect(randomText(43)).toMatch(/^[0-9A-Za-z]{43}$/);
  expect(randomText(128, 10)).toMatch(/^[0-9]{128}$/);
  expect(newId('hld')).toMatch(/^hld_[0-9A-Za-z]{22}$/);
  expect(newEventKey()).toMatch(/^ev_[0-9a-z]{12}$/);
});

test('a random text is not the next one, and none is overwritten by a later one', () => {
  const texts = Array.from({ length: 1_000 }, () => randomText(22));
  const before = texts.map((text) => `${text}.`);
  randomText(128);
  expect(texts.map((text) => `${text}.`)).toEqual(before);
  expect(new Set(texts).size).toBe(texts.length);
});

test('each letter comes as often as any other', () => {
  const times = new Map<string, number>();
  for (let n = 0; n < 2_000; n++) for (const letter of randomText(124)) times.set(letter, (times.get(letter) ?? 0) + 1);
  expect(times.size).toBe(62);
  // 4,000 each on average; the deviation is 63.
  for (const [letter, count] of times) expect(Math.abs(count - 4_000), letter).toBeLessThan(500);
});

test('a text past the bound is a fault', () => {
  expect(() => randomText(129)).toThrow(RangeError);
});
