/** The fold asserts what it relies on, and deciding writes nothing. */
import type { Command } from '@parterre/shared/protocol/commands';
import type { EventGroup, JournalRecord } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply, closeGroup, foldGroup } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { decide } from '../../../../services/inventory-shard/src/rules/turn/decide.ts';
import { due } from '../../../../services/inventory-shard/src/rules/turn/due.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import {
  block,
  book,
  buyer,
  callId,
  direct,
  eventConfig,
  hold,
  house,
  MINUTE,
  movedPlan,
  planOfCommand,
  START,
  server,
  smallPlan,
} from '../../../support/inventory/house.ts';

const by = { source: 'server', actor: null } as const;
const created: JournalRecord = { type: 'created', config: eventConfig(), by };
const noWindow: JournalRecord = { type: 'hold-ttl-set', callId: 'c1', holdTtlMs: null, by };

const group = (records: JournalRecord[], more: Partial<EventGroup> = {}): EventGroup => {
  return { from: 0, at: START, plan: smallPlan.hash, records, ...more };
};

function begun() {
  const state = newState(eventConfig(), smallPlan);
  foldGroup(state, group([created]), 7, smallPlan);
  return state;
}

test('a group at or before the last folded sequence is not folded', () => {
  const state = begun();
  expect(() => foldGroup(state, group([noWindow]), 7, smallPlan)).toThrow('test-night: group 7 cannot follow group 7');
  expect(() => closeGroup(state, 6)).toThrow('test-night: group 6 cannot follow group 7');
  expect(state.calls.size).toBe(0);
  foldGroup(state, group([noWindow]), 8, smallPlan);
  expect(state).toMatchObject({ version: 8, groups: 2 });
});

test('a record before the time of the state is not folded', () => {
  const state = begun();
  const early = group([noWindow], { at: START - 1 });
  expect(() => foldGroup(state, early, 8, smallPlan)).toThrow(
    `test-night: a record hold-ttl-set of time ${START - 1} cannot follow time ${START}`,
  );
});

test('a group is folded with the plan that it names, and leaves the event on that plan', () => {
  const state = begun();
  expect(() => foldGroup(state, group([noWindow]), 8, movedPlan)).toThrow(
    'group 8 names plan small-plan, not moved-plan',
  );
  const other = group([noWindow], { plan: movedPlan.hash });
  expect(() => foldGroup(state, other, 8, movedPlan)).toThrow(
    'group 8 names plan moved-plan, and the event is on small-plan',
  );
});

test('an event is created once', () => {
  expect(() => apply(begun(), created, START)).toThrow('create of test-night: the event has 1 groups already');
});

test('an event is created on the plan of its group, even if its configuration names another plan', () => {
  const state = newState(eventConfig(), movedPlan);
  foldGroup(state, group([created], { plan: movedPlan.hash }), 7, movedPlan);
  expect(state.config).toEqual(eventConfig({ planHash: movedPlan.hash }));
  const again = fromSnapshot(toSnapshot(capture(state)), movedPlan);
  foldGroup(again, group([noWindow], { plan: movedPlan.hash }), 8, movedPlan);
  expect(again).toMatchObject({ version: 8, groups: 2 });
});

test('deciding and asking what is due write nothing, whatever the command', () => {
  const event = house();
  event.ok({ ...hold('held', 'A-1', 'A-2'), ttlMs: MINUTE }, buyer);
  event.ok(hold('sold', 'B-1', 'Standing'), buyer);
  event.ok(book('sold', 'ref'));
  event.ok({ ...block('B-5', 'B-6'), releaseAt: START + MINUTE } as Command);
  const commands: Command[] = [
    hold('more', 'A-3', 'Standing'),
    { ...hold('instead', 'A-1', 'A-4'), replaceHoldId: 'held' },
    { type: 'hold-best', holdId: 'best', query: { qty: 3 }, fingerprint: 'best' } as Command,
    { type: 'hold-best', holdId: 'standing', query: { qty: 3, categoryKey: 'floor' }, fingerprint: 'floor' } as Command,
    { type: 'extend', holdId: 'held', callId: callId() },
    { type: 'release', holdId: 'held', callId: callId() },
    book('held', 'other'),
    direct('direct', 'A-5'),
    { type: 'unbook', bookingRef: 'ref', callId: callId() },
    block('A-6'),
    { type: 'unblock', callId: callId(), labels: null },
    {
      type: 'update-chart',
      acknowledgeMoved: true,
      reason: 'A new chart',
      callId: callId(),
      planHash: 'moved-plan',
      chartVersion: 2,
    },
    { type: 'report' },
    { type: 'view' },
  ];
  const before = structuredClone(toSnapshot(capture(event.state)));
  const { deadlines } = event.state;
  const entries = deadlines.size;
  for (const command of commands) {
    decide(event.state, command, server, event.now(), planOfCommand(command));
    expect(structuredClone(toSnapshot(capture(event.state)))).toEqual(before);
  }
  expect(due(event.state, START + MINUTE)).toMatchObject([{ type: 'expired' }, { type: 'unblocked' }]);
  expect(structuredClone(toSnapshot(capture(event.state)))).toEqual(before);
  expect(event.state.deadlines.size).toBe(entries);
});

test('a hold that has several entries for one moment is due once', () => {
  const event = house();
  event.ok({ ...hold('h', 'A-1'), ttlMs: MINUTE }, buyer);
  event.state.deadlines.push({ at: START + MINUTE, what: { holdId: 'h' } });
  expect(due(event.state, START + MINUTE)).toHaveLength(1);
});
