/** The rules of one event, case by case: assigning units to channels, and reading the assignment. */
import { bucketLabelsMax } from '@parterre/shared/protocol/limits';
import { describe, expect, test } from 'vitest';
import { archive, assign, houseWith, places, readChannels, turn } from '../../../support/inventory/channels.ts';
import { block, book, callId, hold, smallPlan } from '../../../support/inventory/house.ts';

const noLabels = { count: 0, labels: [], truncated: false };

describe('an assignment', () => {
  test('moves free and blocked units, leaves held and booked ones, and counts each kind', () => {
    const event = houseWith('a', 'b');
    event.ok(hold('h1', 'A-1', 'A-2'));
    event.ok(book('h1', 'order-1', ['A-2']));
    event.ok(block('A-3'));
    expect(event.ok(assign('b', 0, 'A-4', 'A-5'))).toMatchObject({ assignmentVersion: 1, requested: 2, applied: 2 });
    event.ok(assign('a', 1, 'A-6'));
    const labels = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'A-7', 'A-7', 'X-1'];
    expect(event.ok(assign('a', 2, ...labels))).toEqual({
      assignmentVersion: 3,
      requested: 8,
      applied: 4,
      buckets: {
        changedFromPublic: { count: 2 },
        movedFromOtherChannel: { count: 2, channels: [{ channelId: 'b', name: 'Channel b', count: 2 }] },
        alreadyInTarget: { count: 1 },
        skippedHeld: { count: 1, labels: ['A-1'], truncated: false },
        skippedBooked: { count: 1, labels: ['A-2'], truncated: false },
        notFound: { count: 1, labels: ['X-1'], truncated: false },
      },
    });
    const { publicSale, channels } = event.ok(readChannels);
    expect(channels.map(({ counts }) => counts)).toEqual([
      { allocated: 5, free: 4, held: 0, booked: 0, blocked: 1, units: 5 },
      { allocated: 0, free: 0, held: 0, booked: 0, blocked: 0, units: 0 },
    ]);
    expect(publicSale).toMatchObject({ held: 1, booked: 1, blocked: 0, units: smallPlan.unitCount - 5 });
    expect(event.counts()).toMatchObject({ held: 1, booked: 1, blocked: 1 });
  });

  test('of an area takes all its places, and can go back to public sale', () => {
    const event = houseWith('a');
    event.ok(hold('h1', places(3)[0]!));
    expect(event.ok(assign('a', 0, 'Standing', places(1)[0]!))).toMatchObject({
      requested: 10,
      applied: 9,
      buckets: { skippedHeld: { count: 1, labels: places(3) } },
    });
    event.ok({ type: 'release', callId: callId(), holdId: 'h1' });
    expect(event.ok(assign(null, 1, 'Standing'))).toMatchObject({
      assignmentVersion: 2,
      applied: 9,
      buckets: { movedFromOtherChannel: { count: 9 }, alreadyInTarget: { count: 1 } },
    });
    expect(event.ok({ type: 'view' })).not.toHaveProperty('allocation');
  });

  test('is refused with an old version, and to a channel that cannot have seats', () => {
    const event = houseWith('a', 'b');
    event.ok(assign('a', 0, 'A-1'));
    expect(event.refused(assign('a', 0, 'A-2'))).toMatchObject({
      code: 'channel_assignment_conflict',
      details: { assignmentVersion: 1 },
    });
    event.ok(turn('a', 'paused'));
    event.ok(assign('a', 2, 'A-2'));
    event.ok(archive('a', null));
    for (const target of ['a', 'nobody']) {
      expect(event.refused(assign(target, 4, 'A-1')).code).toBe('invalid_channel_scope');
    }
  });

  test('that moves nothing keeps the version, and its late copy moves nothing', () => {
    const event = houseWith('a');
    event.ok(hold('h1', 'A-1'));
    const assigning = assign('a', 0, 'A-1');
    const first = event.ok(assigning);
    expect(first).toMatchObject({ assignmentVersion: 0, applied: 0 });
    event.ok({ type: 'release', callId: callId(), holdId: 'h1' });
    expect(event.ok(assigning)).toEqual(first);
    expect(event.ok(readChannels).channels[0]!.counts.units).toBe(0);
  });

  test('names some labels of each kind and counts all', () => {
    const event = houseWith('a');
    const labels = Array.from({ length: bucketLabelsMax + 1 }, (_, n) => `X-${n}`);
    const { buckets } = event.ok(assign('a', 0, ...labels));
    expect(buckets.notFound).toEqual({
      count: bucketLabelsMax + 1,
      labels: labels.slice(0, bucketLabelsMax),
      truncated: true,
    });
    expect(buckets.skippedHeld).toEqual(noLabels);
  });
});

describe('the read allocation', () => {
  test('comes in the order of the chart, page by page', () => {
    const event = houseWith('a', 'b');
    event.ok(assign('b', 0, 'C-1', 'A-2', 'B-4'));
    event.ok(assign('a', 1, 'A-8'));
    const page = (more: object) => event.ok({ type: 'channel-allocation', limit: 3, ...more });
    const of = (label: string, channelId: string) => ({ label, channelId });
    const first = [of('A-2', 'b'), of('A-8', 'a'), of('B-4', 'b')];
    expect(page({})).toEqual({ assignmentVersion: 2, allocations: first, nextAfterLabel: 'B-4' });
    expect(page({ afterLabel: 'B-4' })).toMatchObject({ allocations: [of('C-1', 'b')], nextAfterLabel: null });
    expect(page({ limit: 4 })).toMatchObject({ nextAfterLabel: null });
    expect(page({ afterLabel: 'X' })).toEqual(page({}));
  });

  test('stands in the view by channel number, with the channels that sell nothing', () => {
    const event = houseWith('a', 'b', 'c');
    event.ok(assign('b', 0, 'A-1', 'A-3'));
    event.ok(turn('b', 'paused'));
    event.ok(archive('a', null));
    event.ok(hold('h1', 'B-1'));
    const { allocation, activeHolds } = event.ok({ type: 'view' });
    expect(activeHolds).toBe(1);
    expect(allocation).toMatchObject({ version: 3, channelIds: ['a', 'b', 'c'], closed: ['a', 'b'] });
    const { byteOffset, byteLength, buffer } = allocation!.of;
    const view = new DataView(buffer, byteOffset, byteLength);
    const numbers = Array.from({ length: smallPlan.unitCount }, (_, unit) => view.getUint16(2 * unit, true));
    expect(numbers.slice(0, 4)).toEqual([2, 0, 2, 0]);
    expect(numbers.slice(4).every((number) => number === 0)).toBe(true);
  });
});

test('a repeated assignment with a very long answer gives the same counts', () => {
  const event = houseWith('a');
  const labels = Array.from({ length: bucketLabelsMax }, (_, n) => `X-${n} ${'x'.repeat(60)}`);
  const assigning = assign('a', 0, 'A-1', ...labels);
  const { buckets, ...first } = event.ok(assigning);
  const again = event.ok(assigning);
  expect(again).toMatchObject(first);
  expect(again.buckets).toEqual({ ...buckets, notFound: { count: bucketLabelsMax, labels: [], truncated: true } });
});
