/** The units that the event chooses for callers of different reach. */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { describe, expect, test } from 'vitest';
import { buyer, callId, MINUTE, server } from '../../../support/inventory/house.ts';
import {
  overriding,
  partnerOnly,
  placesFrom,
  reassign,
  serverOf,
  sharedHouse,
} from '../../../support/inventory/reach.ts';

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

describe('the seats that the event chooses', () => {
  test('are in reach, and a seat out of reach parts neighbours', () => {
    const event = sharedHouse();
    const labels = (qty: number, caller: Caller) => {
      const { labels: all, holdId } = event.ok(best(qty), caller);
      event.ok({ type: 'release', holdId, callId: callId(), labels: all });
      return all;
    };
    expect(labels(4, partnerOnly)).toEqual(['A-1', 'A-2', 'A-3', 'A-4']);
    expect(labels(2, buyer)).toEqual(['B-4', 'B-5']);
    expect(labels(3, buyer)).toEqual(['B-3', 'B-4', 'B-5']);
  });

  test('are the best of all with an override, even if seats of public sale are left', () => {
    const event = sharedHouse();
    expect(event.ok(best(6), overriding).labels).toEqual(['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6']);
  });

  test('for a server that names channels are seats of these channels alone', () => {
    const event = sharedHouse();
    expect(event.ok(best(2), serverOf('partner')).labels).toEqual(['A-3', 'A-4']);
    event.ok(best(2), serverOf('partner'));
    expect(event.ok(best(4), serverOf('partner')).labels).toEqual(placesFrom(1, 4));
    expect(event.refused(best(1), serverOf('partner'))).toMatchObject({ code: 'conflict', reason: 'sold_out' });
  });

  test('follow a change of the assignment', () => {
    const event = sharedHouse();
    expect(event.ok(best(2), buyer).labels).toEqual(['B-4', 'B-5']);
    expect(event.ok(best(2), partnerOnly).labels).toEqual(['A-3', 'A-4']);
    event.pass(15 * MINUTE);
    expect(event.ok(best(1), buyer).labels).toEqual(['B-4']);
    reassign(event, null, 'A-3', 'A-4');
    expect(event.ok(best(2), buyer).labels).toEqual(['A-3', 'A-4']);
    expect(event.ok(best(2), partnerOnly).labels).toEqual(['A-1', 'A-2']);
  });

  test('are the same for a block, a booking and a hold', () => {
    const event = sharedHouse();
    const query = { qty: 2 };
    const blocked = { type: 'block-best', callId: callId(), query, releaseAt: null, reason: null } as const;
    expect(event.ok(blocked, server).blocked).toEqual(['B-4', 'B-5']);
    const booked = { type: 'book-best', callId: callId(), bookingRef: 'ref', query } as const;
    const answer = event.ok(booked, serverOf('partner'));
    expect(answer).toMatchObject({
      labels: ['A-3', 'A-4'],
      items: [{ channelId: 'partner', accessSource: 'promoter' }, {}],
    });
    expect(event.ok({ ...booked, callId: callId() }, serverOf('partner'))).toEqual(answer);
  });

  test('are an area’s lowest places in reach; for a server, places of its channels come first', () => {
    const event = sharedHouse();
    expect(event.ok(standing(2), buyer).items[0]!.labels).toEqual(placesFrom(5, 6));
    expect(event.ok(standing(1), partnerOnly).items[0]!.labels).toEqual(placesFrom(1, 1));
    const { items } = event.ok(standing(4), serverOf('partner'));
    expect(items).toMatchObject([
      { labels: placesFrom(2, 4), quantity: 3, channelId: 'partner', accessSource: 'promoter' },
      { labels: placesFrom(7, 7), quantity: 1, channelId: null, accessSource: 'public' },
    ]);
    event.pass(15 * MINUTE);
    expect(event.ok(standing(1), partnerOnly).items[0]!.labels).toEqual(placesFrom(1, 1));
    expect(event.ok(standing(1), buyer).items[0]!.labels).toEqual(placesFrom(5, 5));
  });
});
