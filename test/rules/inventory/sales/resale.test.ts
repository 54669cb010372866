/** Resale of booked units, case by case: listing, checkout, sale, and the rule that a listing is sold as a whole. */
import type { Command } from '@parterre/shared/protocol/commands';
import { holdTtlMsDefault } from '@parterre/shared/protocol/page-limits';
import { describe, expect, test } from 'vitest';
import { book, buyer, callId, hold, house, list, sectionedPlan } from '../../../support/inventory/house.ts';

const remove = (listingId: string): Command & { type: 'remove-resale' } => ({
  type: 'remove-resale',
  callId: callId(),
  listingId,
});
const direct = (bookingRef: string, ...labels: string[]): Command & { type: 'book-direct' } => ({
  type: 'book-direct',
  callId: callId(),
  bookingRef,
  selections: labels.map((label) => ({ label })),
});
const unbook = (bookingRef: string, ...labels: string[]): Command & { type: 'unbook' } => ({
  type: 'unbook',
  callId: callId(),
  bookingRef,
  ...(labels.length > 0 && { labels }),
});
const releaseOf = (holdId: string, ...labels: string[]): Command & { type: 'release' } => ({
  type: 'release',
  callId: callId(),
  holdId,
  ...(labels.length > 0 && { labels }),
});

/** Booking r1 has. are listed as l1. */
function listed() {
  const event = house();
  event.ok(direct('r1', 'A-1', 'A-2', 'A-3'));
  event.ok(list('l1', 'r1', 'A-1', 'A-2'));
  return event;
}

const bookedUnder = (event: ReturnType<typeof house>, ref: string): string[] =>
  event.state.bookings.get(ref)!.lines.map(({ unit }) => event.state.plan.labels.at(unit));

describe('listing', () => {
  test('leaves listed units booked, and a copy of the call lists nothing more', () => {
    const event = house();
    event.ok(direct('r1', 'A-1', 'A-2'));
    const call = list('l1', 'r1', 'A-1', 'A-2');
    const first = event.ok(call);
    expect(first).toEqual({ listingId: 'l1', labels: ['A-1', 'A-2'] });
    expect(event.ok(call)).toEqual(first);
    expect(event.counts()).toMatchObject({ booked: 2, held: 0 });
    expect(event.journal.map(({ type }) => type)).toEqual(['booked', 'resale-listed']);
  });

  test.each<[string, Command, object]>([
    ['an unknown reference', list('l', 'r9', 'A-1'), { code: 'booking_not_found' }],
    ['labels the chart lacks', list('l', 'r1', 'A-3', 'X'), { code: 'unknown_labels', details: { labels: ['X'] } }],
    [
      'seats outside the booking',
      list('l', 'r1', 'A-3', 'A-4', 'B-1'),
      {
        code: 'conflict',
        reason: 'not_owned_by_booking_ref',
        details: {
          conflicts: [
            { label: 'A-4', status: 'free' },
            { label: 'B-1', status: 'booked' },
          ],
        },
      },
    ],
    [
      'seats that are already listed',
      list('l', 'r1', 'A-3', 'A-2'),
      {
        code: 'conflict',
        reason: 'already_listed',
        details: { conflicts: [{ label: 'A-2', status: 'booked', listingId: 'l1' }] },
      },
    ],
  ])('refuses %s', (_name, command, refusal) => {
    const event = listed();
    event.ok(direct('r2', 'B-1'));
    expect(event.refused(command)).toMatchObject(refusal);
    expect([...event.state.listings.keys()]).toEqual(['l1']);
  });

  test('of exactly the units of an existing listing answers with this listing, and lists nothing more', () => {
    const event = listed();
    const records = event.journal.length;
    expect(event.ok(list('l2', 'r1', 'A-2', 'A-1'))).toEqual({ listingId: 'l1', labels: ['A-1', 'A-2'] });
    expect(event.refused(list('l2', 'r1', 'A-1')).reason).toBe('already_listed');
    expect(event.journal).toHaveLength(records);
    event.ok(hold('h', 'A-1', 'A-2'));
    expect(event.refused(list('l2', 'r1', 'A-1', 'A-2'))).toMatchObject({
      reason: 'already_listed',
      details: { conflicts: [{ listingId: 'l1' }, { listingId: 'l1' }] },
    });
  });

  test('works while sales are closed, but not on an archived event', () => {
    const event = house();
    event.ok(direct('r1', 'A-1', 'A-2'));
    event.ok({ type: 'move', callId: callId(), move: 'close' });
    event.ok(list('l1', 'r1', 'A-1'));
    expect(event.refused(hold('h', 'A-1')).code).toBe('event_closed');
    event.ok(remove('l1'));
    event.ok({ type: 'move', callId: callId(), move: 'archive' });
    expect(event.refused(list('l2', 'r1', 'A-1')).code).toBe('invalid_event_state');
  });
});

describe('a listing that is removed', () => {
  test('is gone, and a copy of the call gets the same answer', () => {
    const event = listed();
    const call = remove('l1');
    expect(event.ok(call)).toEqual({ labels: ['A-1', 'A-2'] });
    expect(event.ok(call)).toEqual({ labels: ['A-1', 'A-2'] });
    expect(event.journal.at(-1)).toMatchObject({ type: 'resale-removed', listingId: 'l1', bookingRef: 'r1' });
    expect(event.refused(remove('l1')).code).toBe('listing_not_found');
    expect(event.refused(hold('h', 'A-1', 'A-2')).code).toBe('conflict');
    event.ok(list('l2', 'r1', 'A-2', 'A-3'));
  });

  test('ends when any of its units is unbooked, and the rest stays booked', () => {
    const event = listed();
    expect(event.ok(unbook('r1', 'A-2'))).toEqual({ unbooked: ['A-2'] });
    expect(event.journal.slice(-2).map(({ type }) => type)).toEqual(['resale-removed', 'unbooked']);
    expect(bookedUnder(event, 'r1')).toEqual(['A-1', 'A-3']);
    expect(event.state.listings.size + event.state.listingOf.size).toBe(0);
  });

  test('must not be in checkout', () => {
    const event = listed();
    event.ok(hold('h', 'A-1', 'A-2'));
    const refusal = { code: 'conflict', reason: 'resale_in_checkout' };
    expect(event.refused(remove('l1'))).toMatchObject(refusal);
    expect(event.refused(unbook('r1'))).toMatchObject(refusal);
    expect(event.refused(unbook('r1', 'A-1'))).toMatchObject(refusal);
    expect(event.ok(unbook('r1', 'A-3'))).toEqual({ unbooked: ['A-3'] });
    event.ok(releaseOf('h'));
    expect(event.ok(unbook('r1'))).toEqual({ unbooked: ['A-1', 'A-2'] });
  });
});

describe('a hold of a listing', () => {
  test('has its units at the present price, while they stay booked', () => {
    const event = listed();
    const { items, labels } = event.ok(hold('h', 'A-2', 'A-4', 'A-1'));
    expect([labels, items.map(({ unitPrice }) => unitPrice)]).toEqual([
      ['A-2', 'A-4', 'A-1'],
      [40, 40, 40],
    ]);
    expect(event.counts()).toMatchObject({ held: 1, booked: 3 });
    expect(event.ok({ type: 'inspect-hold', holdId: 'h' }).items).toHaveLength(3);
    expect(event.ok({ type: 'extend', callId: callId(), holdId: 'h' }).items).toHaveLength(3);
  });

  test('keeps other callers away, who see the units as held', () => {
    const event = listed();
    event.ok(hold('h', 'A-1', 'A-2'));
    expect(event.refused(hold('h2', 'A-1', 'A-2', 'A-3')).details?.conflicts).toEqual([
      { label: 'A-1', status: 'held' },
      { label: 'A-2', status: 'held' },
      { label: 'A-3', status: 'booked' },
    ]);
    expect(event.refused(direct('r2', 'A-1', 'A-2')).code).toBe('conflict');
    expect(event.refused(book('h2', 'r2')).code).toBe('hold_not_found');
  });

  test.each<[string, (event: ReturnType<typeof house>) => void]>([
    ['is released', (event) => event.ok(releaseOf('h'))],
    ['expires', (event) => event.pass(holdTtlMsDefault)],
    ['is replaced', (event) => event.ok({ ...hold('h3', 'A-5'), replaceHoldId: 'h' })],
  ])('makes the listing available again when it %s', (_name, end) => {
    const event = listed();
    event.ok(hold('h', 'A-1', 'A-2', 'A-4'));
    end(event);
    event.ok(hold('h2', 'A-1', 'A-2', 'A-4'));
    expect(event.counts()).toMatchObject({ booked: 3 });
  });

  test.each<[string, (event: ReturnType<typeof house>) => void, string[]]>([
    ['is released', (event) => event.ok(releaseOf('h')), ['A-1', 'A-2']],
    ['is released in its free part', (event) => event.ok(releaseOf('h', 'A-4')), []],
    ['is released in its listed part', (event) => event.ok(releaseOf('h', 'A-1', 'A-2')), ['A-1', 'A-2']],
    [
      'expires',
      (event) => {
        event.pass(holdTtlMsDefault);
        event.counts();
      },
      ['A-1', 'A-2'],
    ],
    ['is replaced', (event) => event.ok({ ...hold('h3', 'A-5'), replaceHoldId: 'h' }), ['A-1', 'A-2']],
    [
      'is replaced by one of the same listing',
      (event) => event.ok({ ...hold('h3', 'A-1', 'A-2'), replaceHoldId: 'h' }),
      ['A-1', 'A-2'],
    ],
  ])('records that listed units do not become free when it %s', (_name, end, kept) => {
    const event = listed();
    event.ok(hold('h', 'A-1', 'A-4', 'A-2'));
    end(event);
    const ended = event.journal.findLast(({ type }) => type === 'released' || type === 'expired');
    const { labels } = event.state.plan;
    const keptBy = ended && 'kept' in ended ? ended.kept! : [];
    expect(keptBy.map((unit) => labels.at(unit))).toEqual(kept);
  });

  test('gives way to a replacing hold', () => {
    const event = listed();
    event.ok(hold('h', 'A-1', 'A-2'));
    event.ok({ ...hold('h2', 'A-2', 'A-1', 'A-4'), replaceHoldId: 'h' });
    expect(event.ok(book('h2', 'r2'))).toMatchObject({ booked: ['A-2', 'A-1', 'A-4'] });
    expect(event.state.holds.get('h')!.status).toBe('released');
  });

  test('gives a buyer the units in checkout again after their section was closed', () => {
    const event = house('platform', sectionedPlan);
    event.ok(direct('r1', 'A-1', 'A-2'));
    event.ok(list('l1', 'r1', 'A-1', 'A-2'));
    event.ok(hold('h', 'A-1', 'A-2'), buyer);
    event.ok({ type: 'configure', callId: callId(), sectionStates: { parquet: 'closed' } });
    event.ok({ ...hold('h2', 'A-2', 'A-1', 'C-1'), replaceHoldId: 'h' }, buyer);
    event.ok(releaseOf('h2'));
    expect(event.refused(hold('h3', 'A-1', 'A-2'), buyer).details?.conflicts).toEqual([
      { label: 'A-1', status: 'not_for_sale' },
      { label: 'A-2', status: 'not_for_sale' },
    ]);
  });

  test('takes the listing as a whole, and releases it as a whole', () => {
    const event = listed();
    const refusal = (label: string) => ({
      code: 'conflict',
      reason: 'resale_listing_whole',
      details: { conflicts: [{ label, status: 'booked' }] },
    });
    expect(event.refused(hold('h', 'A-1', 'A-4'))).toMatchObject(refusal('A-2'));
    expect(event.refused(direct('r2', 'A-2'))).toMatchObject(refusal('A-1'));
    event.ok(hold('h', 'A-1', 'A-2', 'A-4'));
    expect(event.refused(releaseOf('h', 'A-1'))).toMatchObject(refusal('A-2'));
    expect(event.refused(book('h', 'r2', ['A-4', 'A-2']))).toMatchObject(refusal('A-1'));
    expect(event.ok(releaseOf('h', 'A-4'))).toEqual({ released: ['A-4'] });
    expect(event.ok(book('h', 'r2', ['A-2', 'A-1'])).booked.toSorted()).toEqual(['A-1', 'A-2']);
  });

  test('never comes from an area’s quantity, although its places may be named', () => {
    const event = house();
    event.ok({ ...direct('r1'), selections: [{ label: 'Standing', quantity: 10 }] });
    event.ok(list('l1', 'r1', '__sl_ga__ga__1', '__sl_ga__ga__2'));
    const refusal = event.refused({ ...hold('h'), selections: [{ label: 'Standing', quantity: 2 }] });
    expect(refusal.details?.conflicts).toEqual([{ label: 'Standing', status: 'sold_out', available: 0 }]);
    expect(event.ok(hold('h', '__sl_ga__ga__2', '__sl_ga__ga__1')).items).toHaveLength(2);
  });
});

describe('a sale', () => {
  test('moves the units to the new booking in one group', () => {
    const event = listed();
    event.ok(hold('h', 'A-1', 'A-2'));
    const call = book('h', 'r2');
    expect(event.ok(call)).toMatchObject({ booked: ['A-1', 'A-2'] });
    expect(event.journal.slice(-2)).toMatchObject([
      { type: 'unbooked', bookingRef: 'r1', units: [0, 1], resale: { listingId: 'l1', toBookingRef: 'r2' } },
      { type: 'booked', bookingRef: 'r2', holdId: 'h' },
    ]);
    expect([bookedUnder(event, 'r1'), bookedUnder(event, 'r2')]).toEqual([['A-3'], ['A-1', 'A-2']]);
    expect(event.counts()).toMatchObject({ booked: 3 });
    expect(event.state.holds.get('h')!.status).toBe('booked');
    expect(event.ok(call)).toMatchObject({ booked: ['A-1', 'A-2'] });
    expect(event.ok(book('h', 'r2'))).toMatchObject({ booked: [] });
    expect(event.refused(unbook('r1', 'A-1'))).toMatchObject({ reason: 'not_owned_by_booking_ref' });
    expect(event.ok(unbook('r1'))).toEqual({ unbooked: ['A-3'] });
  });

  test('may be a direct booking of several listings, tables and places', () => {
    const event = house();
    event.ok({ ...direct('r1'), selections: [{ label: 'T1', quantity: 4 }, { label: '__sl_ga__ga__3' }] });
    event.ok(direct('r2', 'C-1'));
    event.ok(list('l1', 'r1', 'T1', '__sl_ga__ga__3'));
    event.ok(list('l2', 'r2', 'C-1'));
    const selections = [
      { label: 'T1' },
      { label: 'C-1', tierId: 'child' },
      { label: '__sl_ga__ga__3' },
      { label: 'A-1' },
    ];
    expect(event.ok({ ...direct('r3'), selections }).booked).toEqual(['T1', 'C-1', '__sl_ga__ga__3', 'A-1']);
    expect(event.state.bookings.get('r3')!.lines.map(({ price, quantity }) => [price, quantity])).toEqual([
      [40, 4],
      [15, undefined],
      [10, undefined],
      [40, undefined],
    ]);
    expect([bookedUnder(event, 'r1'), bookedUnder(event, 'r2')]).toEqual([[], []]);
    expect(event.counts()).toMatchObject({ booked: 4 });
  });

  test('to the offering booking itself is refused', () => {
    const event = listed();
    event.ok(hold('h', 'A-1', 'A-2'));
    expect(event.refused(book('h', 'r1'))).toMatchObject({ code: 'conflict', reason: 'own_resale_listing' });
    expect(event.ok(direct('r1', 'A-1', 'A-2'))).toMatchObject({ booked: [] });
    expect(event.state.listings.get('l1')).toMatchObject({ heldBy: event.state.holds.get('h')!.slot });
  });

  test('may be followed by another of the same units', () => {
    const event = listed();
    event.ok(direct('r2', 'A-1', 'A-2'));
    expect(event.refused(list('l2', 'r1', 'A-1'))).toMatchObject({ reason: 'not_owned_by_booking_ref' });
    event.ok(list('l2', 'r2', 'A-1'));
    event.ok(direct('r1', 'A-1'));
    expect([bookedUnder(event, 'r1').toSorted(), bookedUnder(event, 'r2')]).toEqual([['A-1', 'A-3'], ['A-2']]);
  });
});

test('a listed unit cannot be blocked, and keeps its listing on a new chart', () => {
  const event = listed();
  const blocking: Command = { type: 'block', callId: callId(), labels: ['A-1'], releaseAt: null, reason: null };
  expect(event.refused(blocking).code).toBe('conflict');
  event.ok(hold('h', 'A-1', 'A-2'));
  event.ok({
    type: 'update-chart',
    acknowledgeMoved: true,
    reason: 'A new chart',
    callId: callId(),
    planHash: 'moved-plan',
    chartVersion: 2,
  });
  const { units, heldBy } = event.state.listings.get('l1')!;
  expect(units.map((unit) => event.state.plan.labels.at(unit))).toEqual(['A-1', 'A-2']);
  expect(units.every((unit) => event.state.listingOf.get(unit)?.heldBy === heldBy)).toBe(true);
  expect(event.ok(book('h', 'r2'))).toMatchObject({ booked: ['A-1', 'A-2'] });
});
