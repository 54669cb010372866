/** A booking without units is known for a day, and then leaves memory with later records. */
import type { Command } from '@parterre/shared/protocol/commands';
import { cancelledBookingKeepMs } from '@parterre/shared/protocol/limits';
import { describe, expect, test } from 'vitest';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { callId, direct, hold, house, list, smallPlan } from '../../../support/inventory/house.ts';

const unbook = (bookingRef: string): Command & { type: 'unbook' } => ({ type: 'unbook', callId: callId(), bookingRef });
const best = (bookingRef: string, qty = 1): Command & { type: 'book-best' } => {
  return { type: 'book-best', callId: callId(), bookingRef, query: { qty } };
};

type Event = ReturnType<typeof house>;

function cancel(event: Event, ref: string, label: string): void {
  event.ok(direct(ref, label));
  event.ok(unbook(ref));
}

const refs = ({ state }: Event): string[] => Array.from(state.bookings.values(), ({ ref }) => ref);

/** The same event, from its snapshot. */
function restored({ state }: Event) {
  return fromSnapshot(toSnapshot(capture(state)), smallPlan);
}

describe('a cancelled booking', () => {
  test('answers repeated calls for a day', () => {
    const event = house();
    event.ok(direct('order', 'A-1'));
    const cancelling = unbook('order');
    event.ok(cancelling);
    event.pass(cancelledBookingKeepMs - 1);
    expect(event.ok(cancelling).unbooked).toEqual(['A-1']);
    expect(event.ok(unbook('order')).unbooked).toEqual([]);
    event.pass(1);
    expect(event.refused(cancelling).code).toBe('booking_not_found');
    expect(event.refused(list('l', 'order', 'A-1')).code).toBe('booking_not_found');
  });

  test('frees its reference for another choice of seats after a day', () => {
    const event = house();
    event.ok(best('order'));
    event.ok(unbook('order'));
    expect(event.refused(best('order'))).toMatchObject({ reason: 'booking_cancelled' });
    expect(event.refused(best('order', 2))).toMatchObject({ reason: 'booking_ref_in_use' });
    event.pass(cancelledBookingKeepMs);
    expect(event.ok(best('order', 2)).labels).toHaveLength(2);
  });

  test('is booked again as a new booking after a day, in memory or not', () => {
    const event = house();
    cancel(event, 'order', 'A-1');
    const { bookedAt, slot } = event.state.bookings.get('order')!;
    event.pass(cancelledBookingKeepMs);
    event.ok(direct('order', 'A-2'));
    const again = event.state.bookings.get('order')!;
    expect(again.bookedAt).toBe(bookedAt + cancelledBookingKeepMs);
    expect(again.slot).not.toBe(slot);
    event.pass(2 * cancelledBookingKeepMs);
    event.ok(hold('h', 'B-1'));
    expect(event.ok(unbook('order')).unbooked).toEqual(['A-2']);
  });

  test('of a hold is not booked a second time by a late copy of the call', () => {
    const event = house();
    event.ok(hold('h', 'A-1'));
    const call = { type: 'book', holdId: 'h', bookingRef: 'order', callId: callId() } as const;
    event.ok(call);
    event.ok(unbook('order'));
    event.pass(cancelledBookingKeepMs - 1);
    expect(event.ok(call).booked).toEqual(['A-1']);
    event.pass(1);
    expect(event.refused(call).code).toBe('hold_not_found');
    expect(event.counts().booked).toBe(0);
  });
});

describe('memory', () => {
  const cancelMany = (): Event => {
    const event = house();
    event.ok(direct('stays', 'B-1'));
    for (let n = 0; n < 20; n++) cancel(event, `order-${n}`, 'A-1');
    return event;
  };

  test('loses few cancelled bookings with each sale or cancellation, and all but the last in the end', () => {
    const event = cancelMany();
    event.pass(cancelledBookingKeepMs - 1);
    event.ok(hold('h0', 'A-1'));
    expect(refs(event)).toHaveLength(21);
    event.pass(1);
    const left = [];
    for (const command of [hold('h1', 'A-2'), direct('more', 'A-3'), unbook('more'), hold('h2', 'A-3')]) {
      event.ok(command);
      left.push(event.state.bookings.size);
    }
    expect(left).toEqual([17, 14, 10, 6]);
    event.ok(hold('h3', 'A-4'));
    expect(refs(event)).toEqual(['stays', 'more']);
  });

  test('loses the same bookings behind a snapshot', () => {
    const event = cancelMany();
    event.pass(cancelledBookingKeepMs);
    event.ok(hold('h1', 'A-1'));
    const other = restored(event);
    expect([other.cancelled.size, other.cancelled.firstAt]).toEqual([
      event.state.cancelled.size,
      event.state.cancelled.firstAt,
    ]);
    expect(Array.from(other.bookings.values(), ({ ref }) => ref)).toEqual(refs(event));
  });

  test('keeps the currency of an event whose bookings are all forgotten', () => {
    const event = house();
    cancel(event, 'order', 'A-1');
    event.pass(2 * cancelledBookingKeepMs);
    event.ok(hold('h', 'A-1'));
    event.ok({ type: 'release', holdId: 'h', callId: callId() });
    const change = { type: 'configure', callId: callId(), currency: 'CHF' } as const;
    expect(event.refused(change)).toMatchObject({ reason: 'event_has_sales' });
  });

  test('follows a change of chart', () => {
    const event = cancelMany();
    event.ok({
      type: 'update-chart',
      acknowledgeMoved: true,
      reason: 'A new chart',
      callId: callId(),
      planHash: 'moved-plan',
      chartVersion: 2,
    });
    event.pass(cancelledBookingKeepMs);
    for (let n = 0; n < 6; n++) event.ok(hold(`h${n}`, `A-${n + 1}`));
    expect(refs(event)).toEqual(['stays', 'order-19']);
  });
});
