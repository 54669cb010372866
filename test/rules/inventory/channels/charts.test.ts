/** The rules of one event, case by case: channels and their seats after a change of chart. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { Command } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { applyInSteps } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { decide } from '../../../../services/inventory-shard/src/rules/turn/decide.ts';
import { archive, assign, change, create, houseWith, readChannels } from '../../../support/inventory/channels.ts';
import { callId, house, server, shrunkPlan, smallChart } from '../../../support/inventory/house.ts';
import { contentOf } from '../../../support/model/real.ts';

type Update = Command & { type: 'update-chart' };
const update = (planHash: string, more: Partial<Update> = {}): Update => ({
  type: 'update-chart',
  acknowledgeMoved: true,
  reason: 'A new chart',
  callId: callId(),
  planHash,
  chartVersion: 2,
  ...more,
});
const known = { acknowledgeDroppedAssignments: true, reason: 'fewer rows' } as const;

test('seats keep their channel by label, and new seats are public sale', () => {
  const event = houseWith('a', 'b');
  event.ok(assign('a', 0, 'A-1', 'A-2'));
  event.ok(assign('b', 1, 'C-8', 'Standing'));
  const { publicSale, channels } = event.ok(readChannels);
  expect(event.ok(update('moved-plan'))).not.toHaveProperty('droppedAssignments');
  const after = event.ok(readChannels);
  expect(after).toMatchObject({ assignmentVersion: 2, channels });
  expect(after.publicSale.units).toBe(publicSale.units + 10);
  const { allocations } = event.ok({ type: 'channel-allocation', limit: 100 });
  expect(allocations.map(({ label }) => label)).toEqual([
    ...Array.from({ length: 10 }, (_, place) => `__sl_ga__ga__${place + 1}`),
    'A-1',
    'A-2',
    'C-8',
  ]);
});

test('a chart that lacks seats of channels is taken only with an acknowledgement and a reason', () => {
  const event = houseWith('a', 'b');
  event.ok(assign('a', 0, 'A-2', 'A-3', 'A-4'));
  event.ok(assign('b', 1, 'T1', 'B-1'));
  const droppedAssignments = [
    { channelId: 'a', count: 2, labels: ['A-3', 'A-4'] },
    { channelId: 'b', count: 1, labels: ['T1'] },
  ];
  for (const more of [
    { reason: null },
    { reason: 'fewer rows' },
    { acknowledgeDroppedAssignments: true, reason: null },
  ]) {
    expect(event.refused(update('shrunk-plan', more))).toMatchObject({
      code: 'assignments_would_drop',
      details: { droppedAssignments },
    });
  }
  const call = update('shrunk-plan', known);
  const answer = event.ok(call);
  expect(answer).toMatchObject({ updated: true, droppedAssignments });
  expect(event.journal.at(-1)).toMatchObject({
    type: 'chart-updated',
    reason: 'fewer rows',
    droppedAssignments: [
      { channelId: 'a', units: [2, 3] },
      { channelId: 'b', units: [expect.any(Number)] },
    ],
  });
  expect(event.ok(call)).toEqual(answer);
  expect(event.ok(readChannels)).toMatchObject({
    assignmentVersion: 3,
    channels: [{ counts: { units: 1 } }, { counts: { units: 1 } }],
  });
  // Seats that come back with the old chart are public sale.
  event.ok(update('small-plan', { chartVersion: 3 }));
  expect(event.ok(readChannels).channels.map(({ counts }) => counts.units)).toEqual([1, 1]);
});

test('an event with private seats does not follow a publish by itself, and counts these seats', () => {
  const event = houseWith('a');
  event.ok(assign('a', 0, 'A-1'));
  const idle = update('moved-plan', { onlyIfIdle: true });
  expect(event.refused(idle)).toMatchObject({ code: 'conflict', reason: 'private_allocations' });
  expect(event.ok({ type: 'count' }).privateUnits).toBe(1);
  event.ok(archive('a', null));
  expect(event.ok({ type: 'count' })).not.toHaveProperty('privateUnits');
  expect(event.ok(idle).updated).toBe(true);
});

test('prices for categories that a new chart lacks are dropped, and the channel has another pricing version', () => {
  const plan = compilePlan(
    {
      ...smallChart,
      categories: smallChart.categories
        .filter(({ key }) => key !== 'house')
        .map((each) => (each.key === 'circle' ? { ...each, tiers: each.tiers!.slice(0, 1) } : each)),
      objects: smallChart.objects.filter((each) => !('label' in each && each.label === 'H')),
    } as never,
    'cheap-plan',
  );
  const event = house();
  const price = (categoryKey: string, tierId: string | null = null) => ({ categoryKey, tierId, price: 5 });
  const adult = price('circle', 'adult');
  const child = price('circle', 'child');
  event.ok(create('a', { priceOverrides: [adult, child, price('house')] }));
  event.ok(create('b', { priceOverrides: [adult] }));
  event.pass(1);
  event.moveTo(plan);
  expect(event.ok(readChannels).channels).toMatchObject([
    { priceOverrides: [adult], pricingVersion: 2, updatedAt: event.now() },
    { priceOverrides: [adult], pricingVersion: 1, updatedAt: event.now() - 1 },
  ]);
  expect(event.journal.at(-1)).toMatchObject({
    droppedPrices: [{ channelId: 'a', priceOverrides: [child, price('house')] }],
  });
  expect(event.refused(change('a', { priceOverrides: [child] })).code).toBe('invalid_request');
});

test('channels stay as they were until the last step of a change of chart', () => {
  const event = houseWith('a', 'b');
  event.ok(assign('a', 0, 'A-2', 'A-3', 'A-4'));
  const { state } = event;
  const before = structuredClone(contentOf(state));
  const decision = decide(state, update('shrunk-plan', known), server, event.now(), shrunkPlan);
  if (!decision.ok) throw new Error('refused');
  const steps = applyInSteps(state, decision.records[0]!, event.now(), shrunkPlan);
  let taken = 0;
  for (; !steps.next().done; taken++) expect(structuredClone(contentOf(state))).toEqual(before);
  expect(taken).toBeGreaterThan(0);
  expect(event.ok(readChannels)).toMatchObject({ assignmentVersion: 2, channels: [{ counts: { units: 1 } }, {}] });
});
