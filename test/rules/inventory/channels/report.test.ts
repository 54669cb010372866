/**
 * The rules of one event, case by case: the seats sold and held in the name of each channel, regardless of later
 * assignments.
 */
import type { Line } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { archive, assign, create, houseWith } from '../../../support/inventory/channels.ts';
import { block, callId, house, MINUTE, smallPlan } from '../../../support/inventory/house.ts';

const by = { source: 'server', actor: null } as const;
const lines = (channelId: string | null, price: number, ...labels: string[]): Line[] =>
  labels.map((label) => ({ unit: smallPlan.labels.unitOf(label)!, price, ...(channelId !== null && { channelId }) }));

test('sales count for the channel at the time of the sale, allocation for the present assignment', () => {
  const event = houseWith('a', 'b');
  event.ok(assign('a', 0, 'A-1', 'A-2', 'A-3', 'T1', 'B-1'));
  event.ok(block('B-1'));
  const table = { ...lines('a', 30, 'T1')[0]!, quantity: 3 };
  const sold = [...lines('a', 25, 'A-1', 'A-2'), table, ...lines(null, 40, 'B-8')];
  const grant = { callId: callId(), accessSource: 'public', by } as const;
  apply(event.state, { type: 'booked', bookingRef: 'order-1', holdId: null, lines: sold, ...grant }, event.now());
  const held = { holdId: 'h1', expiresAt: event.now() + MINUTE, lines: lines('a', 25, 'A-3') };
  apply(event.state, { type: 'held', ...held, accessSource: 'public', by }, event.now());
  const counts = { allocated: 5, free: 0, held: 1, booked: 3, blocked: 1, units: 5 };
  const none = { allocated: 0, free: 0, held: 0, booked: 0, blocked: 0, units: 0 };
  expect(event.ok({ type: 'channel-report' })).toEqual({
    assignmentVersion: 1,
    rows: [
      {
        channelId: null,
        allocation: expect.objectContaining({ booked: 1, units: smallPlan.unitCount - 5 }),
        attribution: { sold: 1, units: 1, value: 40 },
      },
      { channelId: 'a', allocation: counts, attribution: { sold: 3, units: 5, value: 2 * 25 + 3 * 30 } },
      { channelId: 'b', allocation: none, attribution: { sold: 0, units: 0, value: 0 } },
    ],
  });
  expect(event.ok({ type: 'report' }).byChannel).toEqual([
    { channelId: null, name: 'Public sale', held: 0, booked: 1, bookedValue: 40 },
    { channelId: 'a', name: 'Channel a', held: 1, booked: 3, bookedValue: 140 },
    { channelId: 'b', name: 'Channel b', held: 0, booked: 0, bookedValue: 0 },
  ]);
  event.pass(MINUTE);
  const { moved } = event.ok(archive('a', 'b'));
  expect(moved).toEqual({ free: 1, blocked: 1, booked: 3, units: 5 });
  const [, ofA, ofB] = event.ok({ type: 'channel-report' }).rows;
  expect(ofA).toMatchObject({ allocation: none, attribution: { sold: 3, units: 5, value: 140 } });
  expect(ofB).toMatchObject({ allocation: { ...counts, free: 1, held: 0 }, attribution: { sold: 0 } });
  event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1', labels: ['A-1', 'T1'] });
  expect(event.ok({ type: 'channel-report' }).rows[1]!.attribution).toEqual({ sold: 1, units: 1, value: 25 });
});

test('an event without channels reports none', () => {
  const event = house();
  expect(event.ok({ type: 'report' })).not.toHaveProperty('byChannel');
  event.ok(create('a'));
  expect(event.ok({ type: 'report' }).byChannel).toHaveLength(2);
});
