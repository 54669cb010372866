/** Derived ids name deliveries for ever: receivers recognise a repeated delivery by them. */
import { createHash } from 'node:crypto';
import { derivedId, derivedIdAt, eventKeyFor } from '@parterre/shared/protocol/ids';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The lowest digits of the SHA-256, by big integers. */
function digitsOf(text: string, base: bigint, length: number): string {
  let rest = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  let digits = '';
  for (; digits.length < length; rest /= base) digits += alphabet[Number(rest % base)];
  return digits;
}

test('a derived id is the same for ever', () => {
  expect(derivedId('occ', '3', '17', '0.seat.booked')).toBe('occ_X3jCMov41GPOIR5QIz1Hiy');
  expect(eventKeyFor('call_1')).toBe('ev_wuwa1ohz123b');
});

test('a derived id has the lowest digits of the SHA-256 of its parts', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (parts) => {
      expect(derivedId('dlv', ...parts)).toBe(`dlv_${digitsOf(parts.join('\0'), 62n, 22)}`);
    }),
  );
  expect(eventKeyFor('c')).toBe(`ev_${digitsOf('event key\0c', 36n, 12).toLowerCase()}`);
});

test('derived ids of a time are in its order, and the same for ever', () => {
  expect(derivedIdAt('dlv', 1_700_000_000_000, 'occ_1', 'whk_1')).toBe('dlv_0Tvcokgi8HMx5sHdbUgHFO');
  const time = fc.integer({ min: 0, max: 8e13 });
  fc.assert(
    fc.property(time, time, fc.string(), (early, late, part) => {
      fc.pre(early < late);
      const first = derivedIdAt('dlv', early, part);
      const second = derivedIdAt('dlv', late, part);
      expect(first < second).toBe(true);
      expect(first).toHaveLength(derivedId('dlv', part).length);
      expect(first.slice(-14)).toBe(digitsOf(part, 62n, 14));
    }),
  );
});
