/** When an event is sold out, and that the record appears once. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { describe, expect, it } from 'vitest';
import { nextDeadline } from '../../../../services/inventory-shard/src/rules/turn/due.ts';
import {
  block,
  book,
  callId,
  direct,
  hold,
  house,
  moveTo,
  START,
  sectionedPlan,
  smallChart,
  smallPlan,
} from '../../../support/inventory/house.ts';

describe('an event', () => {
  const everything = smallPlan.labels.all().filter((label) => label !== 'H-1');
  const soldOuts = (event: ReturnType<typeof house>) => event.journal.filter(({ type }) => type === 'sold-out');

  it('is sold out in the commit of the last booking, when nothing for sale is left', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.ok(direct('order-1', ...everything.slice(1)));
    expect(soldOuts(event)).toEqual([]);
    event.ok(book('h1', 'order-2'));
    expect(event.journal.slice(-2).map(({ type }) => type)).toEqual(['booked', 'sold-out']);
    expect(soldOuts(event)).toMatchObject([{ seatTotal: smallPlan.unitCount }]);
  });

  it('records it once until a unit is free again', () => {
    const event = house();
    event.ok(direct('order-1', ...everything));
    event.ok(block('H-1'));
    event.ok({ type: 'unblock', callId: callId(), labels: ['H-1'] });
    expect(soldOuts(event)).toHaveLength(1);
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1', labels: ['A-1'] });
    event.ok(direct('order-2', 'A-1'));
    expect(soldOuts(event)).toHaveLength(2);
  });

  it('stays sold out while listed units change hands', () => {
    const event = house();
    event.ok(direct('order-1', ...everything));
    const labels = ['A-1', 'A-2'];
    event.ok({ type: 'list-resale', callId: callId(), listingId: 'l1', bookingRef: 'order-1', labels });
    event.ok(hold('h1', ...labels));
    event.ok(book('h1', 'order-2'));
    expect(event.state.bookings.get('order-2')?.lines).toHaveLength(2);
    expect(soldOuts(event)).toHaveLength(1);
  });

  it('is also sold out when the units left are blocked, but not while nothing is booked', () => {
    const event = house();
    event.ok(block(...everything));
    expect(soldOuts(event)).toEqual([]);
    event.ok({ type: 'unblock', callId: callId(), labels: ['A-1', 'A-2'] });
    event.ok(direct('order-1', 'A-1'));
    expect(soldOuts(event)).toEqual([]);
    event.ok(block('A-2'));
    expect(soldOuts(event)).toHaveLength(1);
  });

  it('is not sold out while hidden units are left', () => {
    const event = house('platform', sectionedPlan);
    event.ok({ type: 'set-availability', callId: callId(), rules: { back: { mode: 'hidden' } } });
    event.ok(direct('order-1', ...everything.filter((label) => label !== 'C-8')));
    expect(soldOuts(event)).toEqual([]);
  });

  it('may become sold out by a new chart, which the next commit records', () => {
    const event = house();
    event.ok(direct('order-1', 'A-1'));
    moveTo(event, { ...smallChart, objects: [{ ...smallChart.objects[0], seatCount: 1 }] } as ChartDocument);
    expect(soldOuts(event)).toEqual([]);
    expect(nextDeadline(event.state)).toBe(START);
    event.ok({ type: 'count' });
    expect(soldOuts(event)).toMatchObject([{ seatTotal: 1 }]);
    expect(nextDeadline(event.state)).toBeNull();
  });
});
