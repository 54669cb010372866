/** The seats of the benchmark's crowd, and the judgement of the server's report about them. */
import { describe, expect, test } from 'vitest';
import { visitPlanOf } from '../../../bench/crowd/crowd.ts';
import { faultsOfReport, SeatMarket } from '../../../bench/crowd/seat-market.ts';

const first = () => 0;

describe('the seats of a crowd', () => {
  test('a free seat is offered to one buyer', () => {
    const market = new SeatMarket(['A', 'B', 'C']);
    expect([...market.takeFree(2, first), ...market.takeFree(2, first)].sort()).toEqual(['A', 'B', 'C']);
    expect(market.takeFree(1, first)).toEqual([]);
    expect(market.hasFree).toBe(false);
  });

  test('a seat that a refused buyer gives back is offered again, once', () => {
    const market = new SeatMarket(['A']);
    const taken = market.takeFree(1, first);
    market.giveBack(taken);
    market.giveBack(taken);
    expect(market.takeFree(2, first)).toEqual(['A']);
  });

  test('only a seat of a hold or a booking is a taken one', () => {
    const market = new SeatMarket(['A', 'B']);
    expect(market.takenSeat(first)).toBeNull();
    market.takeFree(2, first);
    expect(market.held(['A'], 'hold-1')).toEqual(['A']);
    expect(market.takenSeat(() => 0.99)).toBe('A');
    market.ended(['A'], 'hold-1');
    expect(market.takenSeat(first)).toBeNull();
    market.held(['A'], 'hold-2');
    market.booked(['A'], 'order-1');
    expect(market.takenSeat(first)).toBe('A');
  });

  test('a later hold of a seat is no first hold, and survives the end of an earlier one', () => {
    const market = new SeatMarket(['A']);
    market.takeFree(1, first);
    market.held(['A'], 'hold-1');
    expect(market.held(['A'], 'hold-2')).toEqual([]);
    market.ended(['A'], 'hold-1');
    expect(market.takeFree(1, first)).toEqual([]);
  });

  test('a seat that its chooser got while it was offered as free is offered to nobody', () => {
    const market = new SeatMarket(['A']);
    market.takeFree(1, first);
    market.held(['A'], 'hold-1');
    market.ended(['A'], 'hold-1');
    market.held(['A'], 'hold-2');
    expect(market.takeFree(1, first)).toEqual([]);
    market.ended(['A'], 'hold-2');
    expect(market.takeFree(2, first)).toEqual(['A']);
  });

  test('a seat of two bookings is sold twice', () => {
    const market = new SeatMarket(['A', 'B']);
    market.booked(['A', 'B'], 'order-1');
    market.booked(['B'], 'order-2');
    expect(market.soldTwice).toEqual(['B']);
  });
});

test('of ten buyers five pay, four give their seats back and one vanishes; half of them want two seats', () => {
  const plans = Array.from({ length: 100 }, (_, number) => visitPlanOf(number));
  const count = (end: string) => plans.filter((plan) => plan.end === end).length;
  expect([count('paid'), count('released'), count('vanished')]).toEqual([50, 40, 10]);
  expect(plans.filter(({ end, seats }) => end === 'paid' && seats === 2)).toHaveLength(25);
  expect(plans.filter(({ isPatient }) => !isPatient)).toHaveLength(10);
});

describe('the report of a sale', () => {
  const booked = (label: string, bookingRef: string) => ({ label, status: 'booked', bookingRef });
  const promised = new Map([
    ['A', 'order-1'],
    ['B', 'order-2'],
  ]);

  test('of seats that are all sold to their buyers has no fault', () => {
    expect(faultsOfReport([booked('A', 'order-1'), booked('B', 'order-2')], promised)).toEqual([]);
  });

  test('tells seats that are not sold', () => {
    const free = { label: 'C', status: 'free', bookingRef: '' };
    expect(faultsOfReport([booked('A', 'order-1'), booked('B', 'order-2'), free], promised)).toEqual([
      '1 of 3 seats are not sold',
    ]);
  });

  test('tells a seat of another buyer, a seat without a promise, and a seat that stands twice', () => {
    expect(faultsOfReport([booked('A', 'order-2'), booked('B', 'order-2')], promised)).toEqual([
      '1 seats are not of the buyer who was promised them (A)',
    ]);
    expect(faultsOfReport([booked('A', 'order-1'), booked('B', 'order-2'), booked('C', 'order-3')], promised)).toEqual([
      '1 seats are booked without a promise (C)',
    ]);
    expect(faultsOfReport([booked('A', 'order-1'), booked('B', 'order-2'), booked('B', 'order-2')], promised)).toEqual([
      '1 seats stand in the report twice',
    ]);
  });
});
