/** Times and amounts in the console's forms. */
import { expect, test } from 'vitest';
import { amountFrom, amountText } from '../../../web/console/frame/amount.ts';
import { faultsOf } from '../../../web/console/frame/refusals.ts';
import { changedTime, epochOf, localTime } from '../../../web/console/frame/zoned-time.ts';

const vienna = 'Europe/Vienna';

test('a time is read on the clocks of the zone, in summer and in winter', () => {
  expect(epochOf('2030-01-15T10:00', vienna)).toBe(Date.UTC(2030, 0, 15, 9));
  expect(epochOf('2030-07-15T10:00', vienna)).toBe(Date.UTC(2030, 6, 15, 8));
  expect(localTime(Date.UTC(2030, 6, 15, 8), vienna)).toBe('2030-07-15T10:00');
  expect(epochOf('2030-07-15T10:00', 'Asia/Kathmandu')).toBe(Date.UTC(2030, 6, 15, 4, 15));
});

test('a time that the clocks have twice is the first, and a time that they leave out is later', () => {
  expect(epochOf('2030-10-27T02:30', vienna)).toBe(Date.UTC(2030, 9, 27, 0, 30));
  expect(epochOf('2030-03-31T02:30', vienna)).toBe(Date.UTC(2030, 2, 31, 1, 30));
});

test('a text that is no time is none, and a field that nobody changed keeps its seconds', () => {
  expect(epochOf('', vienna)).toBeNull();
  expect(epochOf('2030-13-45T99:00', vienna)).toBeNull();
  const at = Date.UTC(2030, 0, 15, 9, 0, 42);
  expect(changedTime(localTime(at, vienna), vienna, at)).toBe(at);
  expect(changedTime('2030-01-15T10:01', vienna, at)).toBe(Date.UTC(2030, 0, 15, 9, 1));
  expect(changedTime('', vienna, at)).toBeNull();
});

test('an amount has the digits of its currency and unit', () => {
  const euros = { currency: 'EUR', priceUnit: 'minor' as const };
  expect(amountFrom('12.50', euros)).toBe(1250);
  expect(amountFrom('12,5', euros)).toBe(1250);
  expect(amountFrom('12.505', euros)).toBeNull();
  expect(amountText(1250, euros)).toBe('12.50');
  expect(amountFrom('12', { currency: 'EUR' })).toBe(12);
  expect(amountFrom('12.5', { currency: 'EUR' })).toBeNull();
  expect(amountFrom('8000', { currency: 'JPY', priceUnit: 'minor' })).toBe(8000);
  for (const wrong of ['', 'twelve', '-1', '1e99']) expect(amountFrom(wrong, euros)).toBeNull();
});

test('a refusal stands at its field, and what no field asks for stands apart', () => {
  const issues = [
    { path: 'buyerLimit.perBuyer', message: 'Too many.' },
    { path: 'name', message: 'Too long.' },
  ];
  const faults = faultsOf({ kind: 'refused', status: 422, problem: { code: 'invalid_request', issues } as never });
  expect(faults.at('buyerLimit')).toBe('Too many.');
  expect(faults.at('buyer')).toBeNull();
  expect(faults.rest()).toBe('name: Too long.');
});
