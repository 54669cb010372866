/** Best-available with tickets: each place gets a tier that its category has and that applies to it. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Command, SeatQuery, Tickets } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { callId, direct, house, smallChart } from '../../../support/inventory/house.ts';

const best = (query: SeatQuery): Command & { type: 'hold-best' } => ({ type: 'hold-best', holdId: callId(), query });
const tickets = (...list: [string | null, number][]): Tickets[] => list.map(([tierId, qty]) => ({ tierId, qty }));

const wheelchairTier = { accessibility: ['wheelchair'] };
const hall = compilePlan(
  {
    ...smallChart,
    categories: [
      ...smallChart.categories.slice(0, 2),
      {
        key: 'floor',
        label: 'Floor',
        color: '#00ff00',
        tiers: [
          { id: 'adult', name: 'Adult', price: 10 },
          { id: 'child', name: 'Child', price: 5 },
        ],
      },
      {
        key: 'house',
        label: 'Access',
        color: '#000000',
        tiers: [
          { id: 'full', name: 'Full', price: 20 },
          { id: 'wheel', name: 'Wheelchair', price: 10, applicability: wheelchairTier },
          { id: 'carer', name: 'Carer', price: 0, restriction: 'companion' },
          { id: 'members', name: 'Members', price: 8, applicability: { seatLabels: ['H-6', 'H-7'] } },
        ],
      },
    ],
    objects: smallChart.objects.map((object) =>
      object.id === 'row-H'
        ? {
            ...object,
            seatCount: 8,
            overrides: [
              { index: 0, accessibility: ['wheelchair'] },
              { index: 1, accessibility: ['companion'] },
            ],
          }
        : object,
    ),
  } as unknown as ChartDocument,
  'ticket-hall',
);
const inHall = () => house('platform', hall);
const tiersOf = (answer: { items: { label: string; tierId: string | null; quantity?: number }[] }) =>
  answer.items.map(({ label, tierId, quantity }) => [label, tierId, ...(quantity === undefined ? [] : [quantity])]);

test('tickets go to the places in their order, at the prices of their tiers', () => {
  const event = house();
  const answer = event.ok(best({ qty: 3, tickets: tickets(['child', 2], ['adult', 1]) }));
  expect(tiersOf(answer)).toEqual([
    ['C-3', 'child'],
    ['C-4', 'child'],
    ['C-5', 'adult'],
  ]);
  expect(answer.items.map(({ unitPrice }) => unitPrice)).toEqual([15, 15, 30]);
});

test('categories without the tiers are left out; of the others the better place wins', () => {
  const event = inHall();
  expect(event.ok(best({ qty: 2, tickets: tickets(['adult', 2]) })).labels).toEqual(['C-4', 'C-5']);
  event.ok(direct('row C', ...[1, 2, 3, 6, 7, 8].map((n) => `C-${n}`)));
  const floor = event.ok(best({ qty: 3, tickets: tickets(['adult', 1], ['child', 2]) }));
  expect(tiersOf(floor)).toEqual([
    ['Standing', 'adult', 1],
    ['Standing', 'child', 2],
  ]);
  expect(floor.parts).toEqual([floor.labels]);
});

test('the default tier is a ticket too', () => {
  const answer = house().ok(best({ qty: 2, categoryKeys: ['stalls'], tickets: tickets([null, 2]) }));
  expect(tiersOf(answer)).toEqual([
    ['A-4', null],
    ['A-5', null],
  ]);
});

test('a wheelchair tier goes to the wheelchair place, and a companion tier to the place beside it', () => {
  const query = { qty: 2, accessible: ['wheelchair' as const] };
  const answer = inHall().ok(best({ ...query, tickets: tickets(['carer', 1], ['wheel', 1]) }));
  expect(tiersOf(answer)).toEqual([
    ['H-1', 'wheel'],
    ['H-2', 'carer'],
  ]);
});

test('a tier for some seats of a category finds these seats', () => {
  const answer = inHall().ok(best({ qty: 2, tickets: tickets(['members', 2]) }));
  expect(answer.labels).toEqual(['H-6', 'H-7']);
});

test.each([
  ['an unknown tier', tickets(['senior', 1], ['student', 1]), 'unknown_tier', undefined],
  ['a tier that applies to fewer places', tickets(['members', 3]), 'conflict', 'not_enough_together'],
  ['a carer without a wheelchair place', tickets(['carer', 2]), 'conflict', 'not_enough_together'],
] as const)('refused: %s', (_, asked, code, reason) => {
  const qty = asked.reduce((sum, ticket) => sum + ticket.qty, 0);
  const event = inHall();
  const refusal = event.refused(best({ qty, tickets: [...asked] }));
  expect([refusal.code, refusal.reason]).toEqual([code, reason]);
  if (code === 'unknown_tier') expect(refusal.message).toContain('senior, student');
  expect(event.counts().held).toBe(0);
});

test('a booking with tickets is repeated under its reference', () => {
  const event = house();
  const book = (asked: Tickets[]): Command & { type: 'book-best' } => {
    return { type: 'book-best', callId: callId(), bookingRef: 'order', query: { qty: 2, tickets: asked } };
  };
  const first = event.ok(book(tickets(['adult', 1], ['child', 1])));
  expect(event.ok(book(tickets(['adult', 1], ['child', 1])))).toEqual(first);
  expect(event.refused(book(tickets(['adult', 2]))).reason).toBe('booking_ref_in_use');
  expect(event.counts().booked).toBe(2);
});
