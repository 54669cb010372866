/** Plans are prepared for best-available when they enter memory, one step in a turn of the loop. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import { type Actor, newActor } from '../../../services/inventory-shard/src/partition/actor.ts';
import { EventMemory } from '../../../services/inventory-shard/src/partition/event-memory.ts';
import { PlanPreparations } from '../../../services/inventory-shard/src/partition/plan-preparations.ts';
import { bestAvailable, prepareSearch } from '../../../services/inventory-shard/src/rules/seat-search/seat-search.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { eventConfig, START } from '../../support/inventory/house.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const log = createLog('test', 'silent');

/** 700 rows of 10 seats, whose ids are not in the order of their places. */
function hall(hash = 'hall'): Plan {
  const row = (n: number) => ({
    type: 'row',
    id: `row-${(n * 7) % 700}`,
    label: `R${n}`,
    origin: { x: 0, y: 20 * n },
    rotation: 0,
    curve: 0,
    seatCount: 10,
    seatSpacing: 20,
    categoryKey: n % 2 === 0 ? 'even' : 'odd',
  });
  const categories = ['even', 'odd'].map((key) => ({ key, label: key, color: '#123456', price: 10 }));
  const head = { version: 1, name: 'Hall', venueType: 'SIMPLE', focalPoint: { x: 90, y: 6_000 }, categories };
  const objects = Array.from({ length: 700 }, (_, n) => row(n));
  return compilePlan({ ...head, objects } as unknown as ChartDocument, hash);
}

const stateOn = (plan: Plan) => newState(eventConfig({ planHash: plan.hash }), plan);

/** A prepared plan has no step left. Asking takes a step. */
const isPrepared = (plan: Plan): boolean => prepareSearch(plan).next().done === true;

/** Turns of a loop that the test ends one by one. */
function loop() {
  const turns: (() => void)[] = [];
  return {
    atNextTurn: (run: () => void): void => {
      turns.push(run);
    },
    turn(): boolean {
      const run = turns.shift();
      run?.();
      return run !== undefined;
    },
  };
}

test('a search before, amid and behind the steps of its plan makes the same choice', () => {
  const choices = new Set<string>();
  let steps = 0;
  for (let taken = 0; taken <= steps + 1; taken++) {
    const plan = hall();
    const preparing = prepareSearch(plan);
    for (let n = 0; n < taken; n++) if (!preparing.next().done) steps = Math.max(steps, n + 1);
    choices.add(JSON.stringify(bestAvailable(stateOn(plan), { qty: 4 })));
    // The steps that are left find the work done.
    while (!preparing.next().done);
    choices.add(JSON.stringify(bestAvailable(stateOn(plan), { qty: 4 })));
  }
  expect(steps).toBeGreaterThan(8);
  expect(choices.size).toBe(1);
});

test('one step is taken in a turn, one plan after the other, and a plan that leaves memory is dropped', () => {
  const { atNextTurn, turn } = loop();
  const preparations = new PlanPreparations(log, atNextTurn);
  const [first, dropped, last] = [hall('first'), hall('dropped'), hall('last')];
  for (const plan of [first, dropped, last]) preparations.prepare(plan);
  preparations.drop(dropped);
  let turns = 0;
  while (turn()) turns++;
  expect(turns).toBeGreaterThan(20);
  expect([first, dropped, last].map(isPrepared)).toEqual([true, false, true]);
  // The loop has ended, and begins again.
  preparations.prepare(dropped);
  while (turn());
  expect(isPrepared(dropped)).toBe(true);
});

test('the plan of an event that enters memory is prepared', async () => {
  const memory = new EventMemory({ clock: new ManualClock(START), log, bytesMax: 2 ** 30 });
  const plan = hall();
  const actor: Actor = { ...newActor('night'), phase: 'ready', state: stateOn(plan) };
  memory.used(actor, async () => 'gone');
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(isPrepared(plan)).toBe(true);
});
