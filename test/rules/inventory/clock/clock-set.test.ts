/** Event time that an earlier owner's clock put into the future, and the record that sets it back. */
import type { EventGroup, JournalRecord } from '@parterre/shared/protocol/records';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, newActor } from '../../../../services/inventory-shard/src/partition/actor.ts';
import type { EventState } from '../../../../services/inventory-shard/src/rules/state/event-state.ts';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { foldGroup } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { clockSet, isInFuture } from '../../../../services/inventory-shard/src/rules/turn/clock-set.ts';
import { due, nextDeadline } from '../../../../services/inventory-shard/src/rules/turn/due.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { eventConfig, MINUTE, START, smallPlan } from '../../../support/inventory/house.ts';

const HOUR = 60 * MINUTE;
const by = { source: 'server', actor: null } as const;

function held(holdId: string, unit: number, expiresAt: number, more: object = {}): JournalRecord {
  return { type: 'held', holdId, expiresAt, accessSource: 'public', lines: [{ unit, price: 10 }], by, ...more };
}

function eventAt(...groups: [at: number, record: JournalRecord][]): EventState {
  const state = newState(eventConfig(), smallPlan);
  fold(state, START, { type: 'created', config: eventConfig(), by });
  for (const [at, record] of groups) fold(state, at, record);
  return state;
}

function fold(state: EventState, at: number, record: JournalRecord): void {
  const group: EventGroup = { from: 0, at, plan: smallPlan.hash, records: [record] };
  foldGroup(state, group, state.version + 1, smallPlan);
}

test('a hold that was made in the future keeps its remaining time, and ends then', () => {
  const ahead = START + HOUR;
  const state = eventAt([ahead, held('h1', 0, ahead + 15 * MINUTE)]);
  expect(isInFuture(state.at, START)).toBe(true);
  fold(state, START, clockSet(state));
  expect(state.at).toBe(START);
  expect(state.holds.get('h1')).toMatchObject({ createdAt: START, expiresAt: START + 15 * MINUTE });
  expect(nextDeadline(state)).toBe(START + 15 * MINUTE);
  expect(due(state, START + 15 * MINUTE - 1)).toEqual([]);
  expect(due(state, START + 15 * MINUTE)).toMatchObject([{ type: 'expired', holdId: 'h1' }]);
});

test('a hold that was made before keeps its end: it is not ended early', () => {
  const ahead = START + 30 * MINUTE;
  const state = eventAt([START, held('h1', 0, START + HOUR)], [ahead, held('h2', 1, ahead + 15 * MINUTE)]);
  fold(state, START + MINUTE, clockSet(state));
  expect(state.holds.get('h1')!.expiresAt).toBe(START + HOUR);
  expect(state.holds.get('h2')!.expiresAt).toBe(START + 16 * MINUTE);
});

test('blocks end at the time that their caller named', () => {
  const ahead = START + HOUR;
  const state = eventAt([ahead, { type: 'blocked', units: [2], releaseAt: ahead + HOUR, reason: null, by }]);
  fold(state, START, clockSet(state));
  expect(nextDeadline(state)).toBe(ahead + HOUR);
});

test('time that is a few seconds ahead waits, as clocks of machines differ', () => {
  expect(isInFuture(START + 5_000, START)).toBe(false);
  expect(isInFuture(START + 5_001, START)).toBe(true);
});

test('no hold ends early, and none lives for more than an hour from then on', () => {
  const minutes = fc.integer({ min: 1, max: 60 });
  const hold = fc.record({ startsAfter: fc.integer({ min: 0, max: 59 }), lives: minutes });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), fc.array(hold, { maxLength: 4 }), minutes, (ahead, made, later) => {
      // The clock of the owner is ahead from the first hold on.
      const groups = [...made]
        .sort((a, b) => a.startsAfter - b.startsAfter)
        .map(({ startsAfter, lives }, unit): [number, JournalRecord] => {
          const at = START + (ahead + startsAfter) * MINUTE;
          return [at, held(`h${unit}`, unit, at + lives * MINUTE)];
        });
      const state = eventAt(...groups);
      const last = made.reduce((most, { startsAfter }) => Math.max(most, startsAfter), 0);
      const now = START + (last + later - 1) * MINUTE;
      if (!isInFuture(state.at, now)) return;
      const remaining = new Map(
        [...state.holds.active.values()].map(({ id, expiresAt }) => [id, expiresAt - state.at]),
      );
      fold(state, now, clockSet(state));
      for (const { id, createdAt, expiresAt } of state.holds.active.values()) {
        expect(expiresAt - now).toBeGreaterThanOrEqual(remaining.get(id)!);
        expect(expiresAt - now).toBeLessThanOrEqual(HOUR);
        expect(createdAt).toBeLessThanOrEqual(now);
      }
      const again = fromSnapshot(toSnapshot(capture(state)), smallPlan);
      expect([...again.holds.active.values()]).toEqual([...state.holds.active.values()]);
    }),
  );
});

test('an event with many holds is set back in several cuts, and stays as it was until the last', () => {
  const ahead = START + HOUR;
  const holds = Array.from({ length: 1_200 }, (_, n): [number, JournalRecord] => {
    return [ahead, held(`h${n}`, n % 8, ahead + 15 * MINUTE + n)];
  });
  const state = eventAt(...holds);
  const deadlines = state.deadlines.size;
  const actor = Object.assign(newActor('gala'), { phase: 'ready', state });
  const next = () =>
    cut(
      actor,
      START,
      0,
      () => false,
      () => true,
    );
  let cuts = 0;
  for (; next().records.length === 0; cuts++) {
    expect(actor.phase).toBe('changing');
    expect([state.at, state.deadlines.size, state.holds.get('h0')?.createdAt]).toEqual([ahead, deadlines, ahead]);
  }
  expect(cuts).toBeGreaterThan(1);
  expect([actor.phase, state.at, state.deadlines.size]).toEqual(['ready', START, deadlines]);
  for (const hold of state.holds.values()) expect(hold.createdAt).toBe(START);
});
