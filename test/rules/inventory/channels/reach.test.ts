/**
 * The units that each caller may take after some are assigned to channels, the refusals for the others, and the channel
 * of each sale.
 */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { describe, expect, test } from 'vitest';
import { archive, create, turn } from '../../../support/inventory/channels.ts';
import { block, book, buyer, callId, direct, hold, house, server } from '../../../support/inventory/house.ts';
import {
  buyerOf,
  overriding,
  partnerOnly,
  placesFrom,
  reassign,
  serverOf,
  sharedHouse,
  within,
} from '../../../support/inventory/reach.ts';

const operator: Caller = { ...server, source: 'operator' };

const best = (qty: number): Command & { type: 'hold-best' } => ({
  type: 'hold-best',
  holdId: callId(),
  query: { qty },
});
const standing = (quantity: number, holdId = callId()): Command & { type: 'hold' } => ({
  type: 'hold',
  holdId,
  selections: [{ label: 'Standing', quantity }],
});

describe('a server', () => {
  test.each<[string, Caller, string[], object | null]>([
    ['names a private seat without its channel', server, ['A-1', 'A-7', 'A-2'], { labels: ['A-1', 'A-2'] }],
    ['names a private seat with another channel', serverOf('club'), ['A-1'], { labels: ['A-1'] }],
    ['names a place of an area', server, placesFrom(4, 5), { labels: placesFrom(4, 4) }],
    ['names the channel', serverOf('partner'), ['A-1', 'A-7'], null],
    ['overrides', overriding, ['A-1', 'A-5', 'A-7'], null],
    ['names a seat of public sale', server, ['A-7'], null],
  ])('that %s', (_, caller, labels, details) => {
    for (const command of [hold('h', ...labels), direct('ref', ...labels)]) {
      const event = sharedHouse();
      if (details) expect(event.refused(command, caller)).toMatchObject({ code: 'channel_access_denied', details });
      else event.ok(command, caller);
    }
  });

  test('learns of a pause if it names the channel, and otherwise nothing', () => {
    const event = sharedHouse();
    expect(event.refused(hold('h', 'A-5', 'A-7'), serverOf('club'))).toMatchObject({
      code: 'channel_paused',
      details: { labels: ['A-5'] },
    });
    expect(event.refused(hold('h', 'A-5'), server).code).toBe('channel_access_denied');
    expect(event.refused(best(1), serverOf('club')).code).toBe('channel_paused');
    event.ok(turn('club', 'active'));
    event.ok(hold('h', 'A-5'), serverOf('club'));
  });

  test.each<[string, Caller, string, object[]]>([
    ['private', server, 'channel_access_denied', placesFrom(5, 10).map((label) => ({ label }))],
    ['of a channel that is paused', serverOf('club'), 'channel_paused', []],
  ])('learns why an area whose free places are %s has none', (_, caller, code, taken) => {
    const event = sharedHouse();
    const all = placesFrom(1, 10);
    if (taken.length > 0) event.ok({ type: 'hold', holdId: 'public', selections: taken as { label: string }[] });
    else reassign(event, 'club', ...all);
    expect(event.refused(standing(1), caller)).toMatchObject({ code, details: { labels: ['Standing'] } });
    event.ok({ ...hold('rest', ...(taken.length > 0 ? placesFrom(1, 4) : all)) }, overriding);
    expect(event.refused(standing(1), caller)).toMatchObject({
      code: 'conflict',
      details: { conflicts: [{ label: 'Standing', status: 'sold_out', available: 0 }] },
    });
  });

  test('gets unknown labels first, then refused access, then conflicts', () => {
    const event = sharedHouse();
    event.ok(direct('ref', 'A-1'), serverOf('partner'));
    expect(event.refused(hold('h', 'A-1', 'A-7'), server).code).toBe('channel_access_denied');
    expect(event.refused(hold('h', 'A-1', 'Z-1'), server).code).toBe('unknown_labels');
    expect(event.refused(hold('h', 'A-1'), serverOf('partner'))).toMatchObject({
      code: 'conflict',
      details: { conflicts: [{ label: 'A-1', status: 'booked' }] },
    });
  });

  test.each<[string, Command]>([
    ['hold', hold('h', 'A-7')],
    ['hold the best', best(1)],
    ['book', direct('ref', 'A-7')],
    ['book the best', { type: 'book-best', callId: callId(), bookingRef: 'ref', query: { qty: 1 } }],
    ['block the best', { type: 'block-best', callId: callId(), query: { qty: 1 }, releaseAt: null, reason: null }],
  ])('that names unknown and archived channels cannot %s', (_, command) => {
    const event = sharedHouse();
    event.ok(archive('club', null));
    const caller = serverOf('partner', 'club', 'chn_unknown');
    const details = { channelIds: ['club', 'chn_unknown'] };
    expect(event.refused(command, caller)).toMatchObject({ code: 'invalid_channel_scope', details });
  });

  test('has its channels checked even before any seat was assigned', () => {
    expect(house().refused(hold('h', 'A-1'), serverOf('chn_unknown')).code).toBe('invalid_channel_scope');
  });

  test('that repeats a booking by its reference needs no channel for the booked seats', () => {
    const event = sharedHouse();
    event.ok(direct('ref', 'A-1'), serverOf('partner'));
    expect(event.ok(direct('ref', 'A-1'), server)).toMatchObject({ booked: [] });
  });

  test('books a hold of private seats without naming a channel', () => {
    const event = sharedHouse();
    event.ok(hold('h', 'A-1'), partnerOnly);
    expect(event.ok(book('h', 'ref'), server)).toMatchObject({ booked: ['A-1'] });
  });

  test('records each private seat that it took by an override, with the reason', () => {
    const event = sharedHouse();
    event.ok(hold('h', 'A-1', 'A-5', 'A-7'), overriding);
    event.ok(direct('ref', 'A-2', 'A-8'), overriding);
    event.ok(hold('public', 'B-1'), overriding);
    const told = event.journal.map((record) => ('overridden' in record ? record.overridden : undefined)).slice(-3);
    const reason = 'a guest of the house';
    const unit = (label: string): number => event.state.plan.labels.unitOf(label)!;
    expect(told).toEqual([{ units: [unit('A-1'), unit('A-5')], reason }, { units: [unit('A-2')], reason }, undefined]);
  });

  test('keeps the private seats of its hold when it replaces the hold without naming the channel', () => {
    const event = sharedHouse();
    event.ok(hold('first', 'A-1', 'A-2'), serverOf('partner'));
    const { items } = event.ok({ ...hold('second', 'A-1', 'A-7'), replaceHoldId: 'first' }, server);
    expect(items).toMatchObject([
      { label: 'A-1', channelId: 'partner', accessSource: 'promoter' },
      { label: 'A-7', channelId: null, accessSource: 'public' },
    ]);
    expect(event.refused({ ...hold('third', 'A-2'), replaceHoldId: 'second' }, server).code).toBe(
      'channel_access_denied',
    );
  });
});

describe('an override', () => {
  const named: Caller = { ...overriding, reach: within(['partner']) };
  const told = (event: ReturnType<typeof sharedHouse>) => (event.journal.at(-1) as { overridden?: object }).overridden;

  test('takes an area’s places of public sale before private ones, and records only the private ones', () => {
    const event = sharedHouse();
    expect(event.ok(standing(5), overriding).items[0]!.labels).toEqual(placesFrom(5, 9));
    expect(told(event)).toBeUndefined();
    const labels = event.ok(standing(3), overriding).items.flatMap((item) => item.labels ?? [item.label]);
    expect(labels.toSorted()).toEqual([...placesFrom(1, 2), ...placesFrom(10, 10)].toSorted());
    expect(told(event)).toMatchObject({
      units: placesFrom(1, 2).map((label) => event.state.plan.labels.unitOf(label)),
    });
  });

  test('takes places of the channel that it names first, then places of public sale', () => {
    const event = sharedHouse();
    reassign(event, 'club', ...placesFrom(1, 2));
    const placesOf = (quantity: number) =>
      event.ok(standing(quantity), named).items.flatMap((item) => item.labels ?? [item.label]);
    expect(placesOf(2)).toEqual(placesFrom(3, 4));
    expect(told(event)).toBeUndefined();
    expect(placesOf(6)).toEqual(placesFrom(5, 10));
    expect(told(event)).toBeUndefined();
    expect(placesOf(2)).toEqual(placesFrom(1, 2));
    expect(told(event)).toMatchObject({ units: [expect.any(Number), expect.any(Number)] });
  });

  test('gets the best seats of all, whatever channels it names', () => {
    const event = sharedHouse();
    expect(event.ok(best(2), named).labels).toEqual(['A-4', 'A-5']);
    expect(told(event)).toMatchObject({ units: [event.state.plan.labels.unitOf('A-5')] });
    const paused: Caller = { ...overriding, reach: within(['club']) };
    event.ok(best(1), paused);
  });

  test('records, of the seats that it names, only those out of reach without it', () => {
    const event = sharedHouse();
    event.ok(hold('h', 'A-1', 'A-5', 'A-7'), named);
    expect(told(event)).toMatchObject({ units: [event.state.plan.labels.unitOf('A-5')] });
  });
});

describe('a counter', () => {
  test.each(['platform', 'managed'] as const)('of a %s event sells private seats to who names them', (ownership) => {
    const event = sharedHouse(ownership);
    const sale = (label: string): Command => ({
      type: ownership === 'platform' ? 'box-book' : 'box-office-sale',
      callId: callId(),
      bookingRef: `ref ${label}`,
      selections: [{ label }],
    });
    const details = { labels: ['A-1'] };
    expect(event.refused(sale('A-1'), operator)).toMatchObject({ code: 'channel_access_denied', details });
    event.ok(sale('A-7'), operator);
    event.ok(sale('A-1'), serverOf('partner'));
    event.ok(sale('A-5'), overriding);
    expect(event.journal.at(-1)).toMatchObject({ overridden: { reason: expect.any(String) } });
  });
});

describe('a buyer', () => {
  test.each<[string, Caller, string]>([
    ['out of reach', buyer, 'A-1'],
    ['of public sale, which the session lacks', partnerOnly, 'A-7'],
    ['of a paused channel of others', buyer, 'A-5'],
  ])('is denied a seat %s, whether it is free or not', (_, caller, label) => {
    const event = sharedHouse();
    const denied = { code: 'channel_access_denied', details: { labels: [label] } };
    expect(event.refused(hold('h', label), caller)).toMatchObject(denied);
    event.ok(direct('ref', 'A-1', 'A-5', 'A-7'), overriding);
    expect(event.refused(hold('h', label), caller)).toMatchObject(denied);
  });

  test('learns of a blocked seat within reach only that it is not for sale', () => {
    const event = sharedHouse();
    event.ok(block('A-7'));
    const { conflicts } = event.refused(hold('h', 'A-7'), buyer).details!;
    expect(conflicts).toEqual([{ label: 'A-7', status: 'not_for_sale' }]);
  });

  test('takes seats in reach, with public sale if the session includes it', () => {
    const event = sharedHouse();
    event.ok(hold('h', 'A-1'), partnerOnly);
    event.ok(hold('h2', 'A-2', 'A-7'), buyerOf(within(['partner'])));
    event.ok(hold('h3', 'A-8'), buyer);
  });

  test('learns that the channel is paused', () => {
    const event = sharedHouse();
    const member = buyerOf(within(['club'], false));
    expect(event.refused(hold('h', 'A-5'), member)).toMatchObject({
      code: 'channel_paused',
      details: { labels: ['A-5'] },
    });
    expect(event.refused(best(1), member).code).toBe('channel_paused');
    expect(event.refused(standing(1), member).code).toBe('channel_paused');
  });

  test('learns that the allocation is exhausted, from best-available and from areas', () => {
    const event = sharedHouse();
    event.ok(hold('seats', 'A-1', 'A-2', 'A-3', 'A-4'), partnerOnly);
    event.ok(standing(3), partnerOnly);
    expect(event.refused(standing(2), partnerOnly)).toMatchObject({
      code: 'conflict',
      details: { conflicts: [{ label: 'Standing', status: 'not_enough', available: 1 }] },
    });
    event.ok(standing(1), partnerOnly);
    expect(event.refused(standing(1), partnerOnly).code).toBe('allocation_exhausted');
    expect(event.refused(best(1), partnerOnly).code).toBe('allocation_exhausted');
    event.ok(standing(6), buyerOf(within(['partner'])));
    expect(event.refused(standing(1), buyerOf(within(['partner']))).code).toBe('conflict');
  });

  test('learns that an area or a category is sold out while another still has seats of the allocation', () => {
    const event = sharedHouse();
    event.ok(standing(4), partnerOnly);
    expect(event.refused(standing(1), partnerOnly)).toMatchObject({
      code: 'conflict',
      details: { conflicts: [{ label: 'Standing', status: 'sold_out' }] },
    });
    const floor: Command = { type: 'hold-best', holdId: callId(), query: { qty: 1, categoryKey: 'floor' } };
    expect(event.refused(floor, partnerOnly)).toMatchObject({ code: 'conflict', reason: 'sold_out' });
    event.ok(hold('seats', 'A-1', 'A-2', 'A-3', 'A-4'), partnerOnly);
    expect(event.refused(floor, partnerOnly).code).toBe('allocation_exhausted');
  });

  test('of a session whose channels are all archived is denied, unless it has public sale', () => {
    const event = sharedHouse();
    event.ok(archive('partner', null));
    expect(event.refused(hold('h', 'A-1'), partnerOnly).code).toBe('channel_access_denied');
    expect(event.refused(best(1), partnerOnly).code).toBe('channel_access_denied');
    event.ok(hold('h', 'A-1'), buyerOf(within(['partner'])));
    event.ok(hold('h2', 'A-2'), buyer);
  });

  test('with channels alone has nothing before any seat was assigned', () => {
    const event = house();
    event.ok(create('empty'));
    expect(event.refused(hold('h', 'A-1'), buyerOf(within(['empty'], false))).code).toBe('channel_access_denied');
    expect(event.refused(best(1), buyerOf(within(['empty'], false))).code).toBe('allocation_exhausted');
    event.ok(hold('h', 'A-1'), buyerOf(within(['empty'])));
  });
});
