/** The rules of one event, case by case: a plan of its own, made from its present chart. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Command } from '@parterre/shared/protocol/commands';
import { describe, expect, test } from 'vitest';
import { assign, create } from '../../../support/inventory/channels.ts';
import { block, book, callId, hold, house, smallChart, smallPlan } from '../../../support/inventory/house.ts';

type Adjust = Command & { type: 'adjust-chart' };
const adjust = (planHash: string, from: string = smallPlan.hash): Adjust => ({
  type: 'adjust-chart',
  callId: callId(),
  planHash,
  from,
});

/** The small chart, with changed objects of some labels. */
function adjusted(hash: string, changes: Record<string, object>) {
  const objects = smallChart.objects.map((each) => ({ ...each, ...changes[(each as { label: string }).label] }));
  return compilePlan({ ...smallChart, objects } as unknown as ChartDocument, hash);
}

const dearer = adjusted('dearer-plan', { A: { categoryKey: 'circle' } });
const byChair = adjusted('chairs-plan', { T1: { bookAsWhole: false } });
const variable = adjusted('variable-plan', { T1: { variableOccupancy: true, minOccupancy: 2, maxOccupancy: 4 } });

test('stays on its chart version and shows as adjusted', () => {
  const event = house();
  event.moveTo(adjusted('second-plan', {}));
  event.ok(hold('h1', 'B-1', 'T1'));
  const call = adjust('dearer-plan', 'second-plan');
  const answer = event.okOn(dearer, call);
  expect(answer).toMatchObject({ updated: true, planHash: 'dearer-plan', chartVersion: 2, counts: { held: 2 } });
  expect(event.journal.at(-1)).toEqual({
    type: 'chart-updated',
    callId: call.callId,
    from: 'second-plan',
    planHash: 'dearer-plan',
    chartVersion: 2,
    seatTotal: dearer.unitCount,
    reason: null,
    adjusted: true,
    by: { source: 'server', actor: 'key_test' },
  });
  expect(event.ok(hold('h2', 'A-1')).items).toMatchObject([{ categoryKey: 'circle', tierId: 'adult', unitPrice: 30 }]);
  expect(event.okOn(dearer, call)).toEqual(answer);
  expect(event.refusedOn(byChair, adjust('chairs-plan', 'second-plan'))).toMatchObject({
    code: 'conflict',
    reason: 'chart_changed',
  });
});

describe('is refused with every label', () => {
  test.each([
    ['whose category would change', dearer, ['A-1', 'A-2'], ['held', 'booked']],
    ['of a table that would be sold by chairs', byChair, ['T1'], ['booked']],
    ['of a table that would take other guests', variable, ['T1'], ['booked']],
  ])('%s', (_name, plan, labels, statuses) => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2', 'B-1', 'T1'));
    event.ok(book('h1', 'order-1', ['A-2', 'T1']));
    event.ok(block('A-3'));
    expect(event.refusedOn(plan, adjust(plan.hash))).toMatchObject({
      code: 'conflict',
      reason: 'seats_in_use',
      details: { conflicts: labels.map((label, i) => ({ label, status: statuses[i] })) },
    });
    expect(event.ok({ type: 'count' }).planHash).toBe(smallPlan.hash);
  });

  test('that is blocked or assigned, and would be sold in another way', () => {
    const event = house();
    event.ok(block('T1'));
    expect(event.refusedOn(byChair, adjust('chairs-plan'))).toMatchObject({
      reason: 'seats_in_use',
      details: { conflicts: [{ label: 'T1', status: 'blocked' }] },
    });
    event.ok({ type: 'unblock', callId: callId(), labels: null });
    event.ok(create('a'));
    event.ok(assign('a', 0, 'T1', 'A-1'));
    expect(event.refusedOn(byChair, adjust('chairs-plan'))).toMatchObject({
      code: 'assignments_would_drop',
      details: { droppedAssignments: [{ channelId: 'a', count: 1, labels: ['T1'] }] },
    });
    expect(event.okOn(dearer, adjust('dearer-plan'))).toMatchObject({ updated: true });
    expect(event.ok({ type: 'count' }).privateUnits).toBe(2);
  });
});

test('to the present plan changes nothing', () => {
  const event = house();
  const records = event.journal.length;
  expect(event.okOn(smallPlan, adjust(smallPlan.hash)).updated).toBe(false);
  expect(event.journal).toHaveLength(records);
});

test('gives way to another version only by a call, never by itself', () => {
  const ofItsOwn = { ...dearer, adjusted: true };
  const next = adjusted('next-plan', {});
  const move = (more: object) =>
    ({
      type: 'update-chart',
      acknowledgeMoved: true,
      reason: 'A new chart',
      callId: callId(),
      planHash: 'next-plan',
      chartVersion: 9,
      ...more,
    }) as Command & {
      type: 'update-chart';
    };
  const event = house();
  event.okOn(ofItsOwn, adjust('dearer-plan'));
  expect(event.ok({ type: 'count' }).adjusted).toBe(true);
  expect(event.refusedOn(next, move({ onlyIfIdle: true })).reason).toBe('event_adjusted');
  expect(event.refusedOn(next, move({ from: smallPlan.hash })).reason).toBe('chart_changed');
  expect(event.okOn(next, move({ from: 'dearer-plan' }))).toMatchObject({ updated: true, planHash: 'next-plan' });
  expect(event.ok({ type: 'count' })).not.toHaveProperty('adjusted');
});
