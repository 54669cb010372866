/**
 * A change of chart in steps: other work runs between two steps, the state stays as it was until the last step, and the
 * result does not depend on the way to it.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import { type JournalRecord, unitStatus } from '@parterre/shared/protocol/records';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChartCommand } from '../../../../services/inventory-shard/src/rules/chart/chart.ts';
import type { Steps } from '../../../../services/inventory-shard/src/rules/packed/packed.ts';
import type { EventState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply, applyInSteps } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { decide, decideInSteps } from '../../../../services/inventory-shard/src/rules/turn/decide.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { history, planHash, type Step } from '../../../support/inventory/histories.ts';
import { block, callId, direct, hold, house, planNamed, server, smallPlan } from '../../../support/inventory/house.ts';
import { contentOf } from '../../../support/model/real.ts';

const update = (to: string): ChartCommand => ({
  type: 'update-chart',
  acknowledgeMoved: true,
  callId: 'the last',
  planHash: to,
  chartVersion: 99,
  acknowledgeDroppedAssignments: true,
  reason: 'new',
});

function played(steps: readonly Step[]): ReturnType<typeof house> {
  const event = house();
  for (const { passMs, command } of steps) {
    event.pass(passMs);
    event.tries(command);
  }
  return event;
}

/** A state with the same content that shares nothing. */
function copyOf(state: EventState): EventState {
  return fromSnapshot(structuredClone(toSnapshot(capture(state))), state.plan);
}

function withSteps<T>(steps: Steps<T>, between: () => void): T {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    between();
  }
}

const kept = (state: EventState): object => structuredClone(contentOf(state));

test('the state stays as it was until the last step, which makes the state of the fold at once', () => {
  let changes = 0;
  fc.assert(
    fc.property(history, planHash, (steps, to) => {
      const { state, now } = played(steps);
      const plan = planNamed(to);
      const before = kept(state);
      const other = house();
      const between = (): void => {
        expect(kept(state)).toEqual(before);
        // Other events use the same packers and unpackers.
        const bookingRef = callId();
        other.tries(direct(bookingRef, `A-${1 + (other.journal.length % 8)}`));
        other.state.bookings.get(bookingRef);
      };
      const decision = withSteps(decideInSteps(state, update(to), server, now(), plan), between);
      const atOnce = copyOf(state);
      expect(decide(atOnce, update(to), server, now(), plan)).toEqual(decision);
      if (!decision.ok) return;
      for (const record of decision.records) {
        changes++;
        // Steps that are given up leave no trace.
        const givenUp = applyInSteps(state, record, now(), plan);
        for (let taken = 0; taken < 2; taken++) expect(givenUp.next().done).toBe(false);
        withSteps(applyInSteps(state, record, now(), plan), between);
        apply(atOnce, record, now(), plan);
      }
      expect(contentOf(state)).toEqual(contentOf(atOnce));
    }),
    { numRuns: 100 },
  );
  expect(changes).toBeGreaterThan(20);
});

test('an event whose units keep their numbers has the same content as after the look-up of every label', () => {
  let changes = 0;
  fc.assert(
    fc.property(history, (steps) => {
      const { state, now } = played(steps);
      const { plan } = state;
      const again = { ...plan, hash: 'small-plan-again' };
      const labels = {
        at: (unit: number) => plan.labels.at(unit),
        unitOf: (label: string) => plan.labels.unitOf(label),
        beginsWith: () => false,
      };
      const lookedUp = { ...again, labels: labels as never };
      const decision = decide(state, update(again.hash), server, now(), again);
      if (!decision.ok || decision.records.length === 0) return;
      changes++;
      const other = copyOf(state);
      for (const record of decision.records) {
        apply(state, record, now(), again);
        apply(other, record, now(), lookedUp);
      }
      expect(contentOf(state)).toEqual(contentOf(other));
    }),
    { numRuns: 100 },
  );
  expect(changes).toBeGreaterThan(20);
});

test('a table that is sold in another way is another unit, although all labels are the same', () => {
  const event = house();
  event.ok(block('T1'));
  const table = smallPlan.labels.unitOf('T1')!;
  const objects = smallPlan.objects.map((object) => ({
    ...object,
    ...(object.firstUnit === table && { bookingMode: 'individual' as const }),
  }));
  event.okOn({ ...smallPlan, hash: 'split-plan', objects }, update('split-plan') as Command & { type: 'update-chart' });
  expect(event.counts()).toMatchObject({ blocked: 0, free: smallPlan.unitCount });
});

test('the steps of a sold event are many, those of an event without sales are few', () => {
  const empty = house();
  const sold = house();
  for (let n = 0; n < 400; n++) {
    const lines = [{ unit: n % 8, price: 1 }];
    const booking = { kind: 'booking', ref: `r${n}`, slot: 0, bookedAt: 1, updatedAt: 1 } as const;
    sold.state.bookings.set({ ...booking, accessSource: 'public', lastCall: null, chosen: null, lines });
  }
  const stepsOf = ({ state, now }: ReturnType<typeof house>): number => {
    let taken = 0;
    const plan = planNamed('moved-plan');
    const decision = decide(state, update('moved-plan'), server, now(), plan);
    if (!decision.ok) throw new Error('refused');
    const [record] = decision.records as JournalRecord[];
    withSteps(applyInSteps(state, record!, now(), plan), () => taken++);
    return taken;
  };
  expect(stepsOf(empty)).toBeLessThan(8);
  expect(stepsOf(sold)).toBeGreaterThan(1 + stepsOf(house()));
});

test('holds, blocks and their deadlines move with their units', () => {
  const event = house();
  event.ok(hold('h1', 'A-1'));
  event.ok({ ...block('A-3'), releaseAt: event.now() + 5_000 });
  const first = event.state.deadlines.peek()!;
  event.ok(update('moved-plan') as Command & { type: 'update-chart' });
  const { state } = event;
  const blocked = [...state.blockedUntil.keys()];
  expect(blocked.map((unit) => state.plan.labels.at(unit))).toEqual(['A-3']);
  expect(state.statuses[blocked[0]!]).toBe(unitStatus.blocked);
  expect(state.deadlines.peek()).toEqual({ ...first, what: { unit: blocked[0] } });
});
