/** The answers that tell revenue, and the callers who get it. */
import { expect, test } from 'vitest';
import { withMoneyFor } from '../../../../services/frontdoor/src/logs/rules/money.ts';

const report = { byCategory: [{ category: 'stalls', booked: 2, bookedValue: 40 }], byStatus: { booked: 2 } };
const bookings = [
  {
    bookingRef: 'r',
    configuredValue: 40,
    activeConfiguredValue: 20,
    objects: [{ unitPrice: 20, configuredValue: 20, tierId: null }],
  },
];

test('keys, dashboards and consoles with event:reports get all of it', () => {
  for (const asker of [
    { kind: 'secret' },
    { kind: 'dashboard' },
    { kind: 'manage', capabilities: ['event:reports'] as const },
  ]) {
    expect(withMoneyFor(asker, report)).toEqual(report);
    expect(withMoneyFor(asker, bookings)).toEqual(bookings);
  }
});

test('a console without event:reports gets null in place of money, and everything else', () => {
  const asker = { kind: 'manage', capabilities: ['event:view', 'event:boxoffice'] as const };
  expect(withMoneyFor(asker, report)).toEqual({
    byCategory: [{ category: 'stalls', booked: 2, bookedValue: null }],
    byStatus: { booked: 2 },
  });
  expect(withMoneyFor(asker, bookings)).toEqual([
    {
      bookingRef: 'r',
      configuredValue: null,
      activeConfiguredValue: null,
      objects: [{ unitPrice: null, configuredValue: null, tierId: null }],
    },
  ]);
});
