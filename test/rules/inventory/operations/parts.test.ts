/** The part that one event has of an operation over several events. */
import type { Command } from '@parterre/shared/protocol/commands';
import {
  internalIdOf,
  type OperationOwner,
  type PartState,
  partHoldId,
} from '@parterre/shared/protocol/operations/operation';
import { expect, test } from 'vitest';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { nextDeadline } from '../../../../services/inventory-shard/src/rules/turn/turn.ts';
import { eventConfig, hold, house, MINUTE, START, smallPlan } from '../../../support/inventory/house.ts';

const owner: OperationOwner = { kind: 'group', key: 'pg_1' };
const id = internalIdOf(owner, 'pghop_1');
const holdId = partHoldId(id, 'test-night');
const lockId = 'activation';
const late = START + 15_000;
const home = ['test-night', 'encore'];
const member = ['encore', 'test-night'];
const headOf = (eventKeys: string[]) => ({ id, owner, operationId: 'pghop_1', eventKeys });

const holdPart = (eventKeys: string[], ...labels: string[]): Command & { type: 'hold-part' } => ({
  type: 'hold-part',
  head: headOf(eventKeys),
  selections: labels.map((label) => ({ label })),
  expiresAt: START + MINUTE,
  actsUntil: late,
  fingerprint: labels.join(),
});
const pin = (actionId = 'a1', kind: 'book' | 'extend' = 'book') => {
  const action = { id: actionId, kind, bookingRef: kind === 'book' ? 'order' : null };
  return { type: 'pin-part', id, action, actsUntil: late } as const;
};
const unpin = (actionId = 'a1') => ({ type: 'unpin-part', id, actionId }) as const;
const bookPart = (actionId = 'a1', bookingRef = 'order') => ({ type: 'book-part', id, actionId, bookingRef }) as const;
const extendPart = (actionId = 'a1', inMs = 5 * MINUTE) =>
  ({ type: 'extend-part', id, actionId, expiresAt: START + inMs }) as const;
const release = { type: 'release-part', id } as const;
const refuseAction = (actionId = 'a1') => ({ type: 'refuse-action', id, actionId }) as const;
const abort = (createdAt = START) => ({ type: 'abort-operation', head: headOf(home), createdAt }) as const;
const lock = { type: 'lock', owner, lockId, actsUntil: late } as const;

function lockedHouse() {
  const event = house();
  event.ok(lock);
  return event;
}

function withPart(eventKeys: string[]) {
  const event = lockedHouse();
  event.ok(holdPart(eventKeys, 'A-1', 'A-2'));
  return event;
}

const stateIn = (event: ReturnType<typeof house>) => event.ok({ type: 'inspect-operation', id }).part?.state;

test('a part holds every selection or none, and a repetition gets the same part', () => {
  const event = lockedHouse();
  event.ok(hold('other', 'A-3'));
  expect(event.refused(holdPart(home, 'A-2', 'A-3'))).toMatchObject({
    code: 'conflict',
    details: { conflicts: [{ label: 'A-3', status: 'held' }] },
  });
  const part = event.ok(holdPart(home, 'A-1', 'A-2'));
  expect(part).toMatchObject({ state: 'held', holdId, expiresAt: START + MINUTE });
  expect(part.items.map(({ label }) => label)).toEqual(['A-1', 'A-2']);
  event.pass(20_000);
  expect(event.ok(holdPart(home, 'A-1', 'A-2'))).toEqual(part);
  expect(event.ok({ type: 'inspect-operation', id }).part).toMatchObject({ head: { id, owner }, ...part });
  expect(event.refused(holdPart(home, 'A-4')).reason).toBe('operation_id_reused');
});

test.each<[string, (event: ReturnType<typeof house>) => void, string | undefined]>([
  ['without a lock of its owner', (event) => event.ok({ type: 'unlock', owner, lockId }), 'owner_not_active'],
  ['under a draining lock', (event) => event.ok({ type: 'drain-lock', owner, lockId }), 'owner_not_active'],
  ['after its last time', (event) => event.pass(15_001), 'too_late'],
  ['behind an abort', (event) => event.ok(abort()), 'operation_aborted'],
])('a part does not begin %s', (_, prepare, reason) => {
  const event = lockedHouse();
  prepare(event);
  expect(event.refused(holdPart(home, 'A-1')).reason).toBe(reason);
  expect(event.counts().held).toBe(0);
});

test('a look at a part answers as its hold would, and writes nothing', () => {
  const event = lockedHouse();
  const look = (...labels: string[]) => ({ ...holdPart(home, ...labels), type: 'look-part' as const });
  const before = event.journal.length;
  const looked = event.ok(look('A-1', 'A-2'));
  expect(event.refused({ ...look('A-1'), expectedTotal: 39 }).code).toBe('price_changed');
  expect([event.journal.length, event.counts().held]).toEqual([before, 0]);
  const part = event.ok(holdPart(home, 'A-1', 'A-2'));
  expect(looked).toEqual({ ...part, wouldHold: true });
  // The look of a repetition finds the part.
  expect(event.ok(look('A-1', 'A-2'))).toEqual(part);
  expect(event.refused(look('A-3')).reason).toBe('operation_id_reused');
});

test('a part at another price than expected is refused, and one at this price stands', () => {
  const event = lockedHouse();
  const refused = event.refused({ ...holdPart(home, 'A-1', 'A-2'), expectedTotal: 79 });
  expect(refused).toMatchObject({ code: 'price_changed', details: { total: 80, expectedTotal: 79, currency: 'EUR' } });
  expect(event.counts().held).toBe(0);
  expect(event.ok({ ...holdPart(home, 'A-1', 'A-2'), expectedTotal: 80 }).state).toBe('held');
});

test('a part is no hold of the event’s own callers', () => {
  const event = withPart(home);
  for (const command of [
    { type: 'release', holdId, callId: 'c1' },
    { type: 'book', holdId, callId: 'c2', bookingRef: 'alone' },
    { type: 'inspect-hold', holdId },
  ] as const)
    expect(event.refused(command).code).toBe('hold_not_found');
  expect(event.refused({ type: 'extend', holdId, callId: 'c3' }).reason).toBe('not_found');
  expect(event.counts().held).toBe(2);
});

test('the parts end at their time, and a pinned part outlives it', () => {
  const free = withPart(member);
  const pinned = withPart(member);
  pinned.ok(pin());
  for (const event of [free, pinned]) event.pass(MINUTE);
  expect([stateIn(free), stateIn(pinned)]).toEqual(['expired', 'pinned']);
  expect(free.journal.at(-1)).toMatchObject({ type: 'expired', operation: { id } });
  expect(nextDeadline(pinned.state)).toBeNull();
  pinned.ok(unpin());
  expect(nextDeadline(pinned.state)).toBe(START + MINUTE);
  pinned.ok({ type: 'set-hold-ttl', callId: 'tick', holdTtlMs: null });
  expect([stateIn(pinned), pinned.counts().held]).toEqual(['expired', 0]);
});

type Step = Command;
/** After these steps at a member or the home, the last command is refused for the reason, or leads to the state. */
const cases: [name: string, eventKeys: string[], steps: Step[], last: Step, end: PartState | string][] = [
  ['a member books behind its pin', member, [pin()], bookPart(), 'booked'],
  ['a member does not book without a pin', member, [], bookPart(), 'refused not_pinned'],
  ['a member does not book for another action', member, [pin()], bookPart('a2'), 'refused not_pinned'],
  ['a second action finds the pin of the first', member, [pin()], pin('a2'), 'refused other_action'],
  ['a pin is repeated', member, [pin()], pin(), 'pinned'],
  ['an action keeps its reference', member, [pin(), bookPart()], bookPart('a1', 'x'), 'refused action_reused'],
  ['a pin behind the booking finds it', member, [pin(), bookPart()], pin(), 'booked'],
  ['another pin behind the booking is refused', member, [pin(), bookPart()], pin('a2'), 'refused operation_booked'],
  ['an unpin of another action does nothing', member, [pin()], unpin('a2'), 'pinned'],
  ['a pinned part is released behind its home', member, [pin()], release, 'released'],
  ['a pin of a released part is refused', member, [release], pin(), 'refused hold_released'],
  ['a member extends behind its pin', member, [pin('a1', 'extend')], extendPart(), 'held'],
  ['a member does not extend without a pin', member, [], extendPart(), 'refused not_pinned'],
  [
    'a late pin of a finished extension does nothing',
    member,
    [pin('a1', 'extend'), extendPart()],
    pin('a1', 'extend'),
    'held',
  ],
  ['the home books', home, [], bookPart(), 'booked'],
  ['the home books once', home, [bookPart()], bookPart('a2'), 'refused operation_booked'],
  ['the home repeats its booking', home, [bookPart()], bookPart(), 'booked'],
  ['a refused action never books', home, [refuseAction()], bookPart(), 'refused action_refused'],
  ['a refused action never extends', home, [refuseAction()], extendPart(), 'refused action_refused'],
  ['another action books behind a refusal', home, [refuseAction()], bookPart('a2'), 'booked'],
  ['a done booking is not refused', home, [bookPart()], refuseAction(), 'refused action_done'],
  ['a done extension is not refused', home, [extendPart()], refuseAction(), 'refused action_done'],
  ['a released hold is not booked', home, [release], bookPart(), 'refused hold_released'],
  ['a booked hold is not released', home, [bookPart()], release, 'refused operation_booked'],
  ['a release is repeated', home, [release], release, 'released'],
  ['a held operation is not aborted', home, [], abort(), 'refused operation_stands'],
  ['a released hold does not begin again', home, [release], holdPart(home, 'A-1', 'A-2'), 'refused hold_released'],
  [
    'the fourth extension is too many',
    home,
    ['e1', 'e2', 'e3'].map((each) => extendPart(each)),
    extendPart('e4'),
    'refused extend_limit',
  ],
];

test.each(cases)('%s', (_, eventKeys, steps, last, end) => {
  const event = withPart(eventKeys);
  for (const step of steps) event.ok(step);
  const before = event.journal.length;
  if (end.startsWith('refused')) {
    expect(`refused ${event.refused(last).reason}`).toBe(end);
    expect(event.journal).toHaveLength(before);
  } else {
    const told = event.ok(last) as { state?: PartState; part?: { state: PartState } };
    expect(told.state ?? told.part?.state).toBe(end);
    expect(stateIn(event)).toBe(end);
    // A repetition writes nothing.
    const after = event.journal.length;
    event.ok(last);
    expect(event.journal).toHaveLength(after);
  }
  expectSameAfterFolds(event);
});

/** The state of a replay, and of a snapshot, answers as the event does. */
function expectSameAfterFolds({ state, journal, times }: ReturnType<typeof house>): void {
  const replayed = newState(eventConfig(), smallPlan);
  journal.forEach((record, index) => {
    apply(replayed, record, times[index]!);
  });
  const { live, ended, locks, ofHold } = state.parts;
  const snapshot = fromSnapshot(structuredClone(toSnapshot(capture(state))), smallPlan);
  for (const again of [replayed, snapshot]) {
    expect([...again.parts.live]).toEqual([...live]);
    expect([...again.parts.ended]).toEqual([...ended]);
    expect([...again.parts.locks]).toEqual([...locks]);
    expect([...again.parts.endedLocks]).toEqual([...state.parts.endedLocks]);
    expect(new Map(again.parts.ofHold)).toEqual(new Map(ofHold));
    expect(nextDeadline(again)).toBe(nextDeadline(state));
    expect(again.counts).toEqual(state.counts);
  }
}

test.each([
  ['at the home', home, [bookPart()], bookPart()],
  ['at a member', member, [pin()], pin()],
  ['at a member behind the booking', member, [pin(), bookPart()], pin()],
])('an action books one operation, and is refused for another %s', (_, eventKeys, steps, last) => {
  const event = withPart(eventKeys);
  const second = internalIdOf(owner, 'pghop_2');
  const head = { ...headOf(eventKeys), id: second, operationId: 'pghop_2' };
  event.ok({ ...holdPart(eventKeys, 'A-4'), head });
  for (const step of steps) event.ok(step);
  expect(event.refused({ ...last, id: second }).reason).toBe('action_taken');
  const otherOwner = { kind: 'season', key: 'pg_1' } as const;
  event.ok({ ...lock, owner: otherOwner });
  const third = internalIdOf(otherOwner, 'sop_1');
  event.ok({ ...holdPart(eventKeys, 'A-5'), head: { ...head, id: third, owner: otherOwner, operationId: 'sop_1' } });
  event.ok({ ...last, id: third });
  expectSameAfterFolds(event);
  const after = fromSnapshot(structuredClone(toSnapshot(capture(event.state))), smallPlan);
  expect(after.parts.booksAnother(after.parts.get(second)!, 'a1')).toBe(true);
});

test('an action that booked nothing is free for another operation', () => {
  const event = withPart(member);
  const second = internalIdOf(owner, 'pghop_2');
  event.ok({ ...holdPart(member, 'A-4'), head: { ...headOf(member), id: second, operationId: 'pghop_2' } });
  for (const command of [pin(), unpin(), { ...pin(), id: second }]) event.ok(command);
  event.ok({ type: 'release-part', id: second });
  event.ok(pin('a2'));
});

test('a booking that gave its pin back pins no more, an extension may', () => {
  const event = withPart(member);
  for (const command of [pin(), unpin()]) event.ok(command);
  const { length } = event.journal;
  expect(event.refused(pin()).reason).toBe('action_refused');
  expectSameAfterFolds(event);
  for (const command of [pin('a2', 'extend'), { ...unpin(), actionId: 'a2' }, pin('a2', 'extend')]) event.ok(command);
  expect(event.journal.length).toBe(length + 3);
});

test('the home refuses an action that has booked another operation without a record', () => {
  const event = withPart(home);
  const second = internalIdOf(owner, 'pghop_2');
  event.ok({ ...holdPart(home, 'A-4'), head: { ...headOf(home), id: second, operationId: 'pghop_2' } });
  event.ok(bookPart());
  const { length } = event.journal;
  expect(event.ok({ type: 'refuse-action', id: second, actionId: 'a1' })).toMatchObject({ state: 'held', refused: [] });
  expect(event.journal.length).toBe(length);
  expect(event.refused({ ...bookPart(), id: second }).reason).toBe('action_taken');
});

test('a member takes the end that the home chose', () => {
  const first = withPart(home);
  const other = withPart(member);
  other.ok(pin('a1', 'extend'));
  const { expiresAt } = first.ok(extendPart('a1', 2 * MINUTE));
  expect(other.ok(extendPart('a1', 2 * MINUTE))).toMatchObject({ state: 'held', expiresAt, lastExtend: 'a1' });
  expect([nextDeadline(first.state), nextDeadline(other.state)]).toEqual([expiresAt, expiresAt]);
});

test('records of a part name its operation', () => {
  const event = withPart(member);
  for (const command of [pin(), bookPart()]) event.ok(command);
  const tag = { id, owner, operationId: 'pghop_1' };
  const told = event.journal.map((record) => ('operation' in record ? [record.type, record.operation] : record.type));
  expect(told.slice(-4)).toEqual([['held', tag], 'part-held', 'part-pinned', ['booked', { ...tag, actionId: 'a1' }]]);
});

test('a cancel takes the named units back, once', () => {
  const event = withPart(home);
  event.ok(bookPart());
  const operation = { id, owner, operationId: 'pghop_1', actionId: 'c1' };
  const cancel: Command & { type: 'unbook-part' } = {
    type: 'unbook-part',
    operation,
    callId: 'c1',
    bookingRef: 'order',
    labels: ['A-1'],
  };
  expect(event.ok(cancel)).toEqual({ unbooked: ['A-1'] });
  expect(event.ok(cancel)).toEqual({ unbooked: ['A-1'] });
  expect(event.ok({ ...cancel, callId: 'c2' })).toEqual({ unbooked: [] });
  expect(event.counts()).toMatchObject({ booked: 1, held: 0 });
});

test('a day after its end a part is unknown, and an operation of its age is not aborted', () => {
  const event = withPart(home);
  event.ok(release);
  event.pass(24 * 60 * MINUTE);
  expect(stateIn(event)).toBeUndefined();
  const other = internalIdOf(owner, 'pghop_2');
  const head = { ...headOf(home), id: other, operationId: 'pghop_2' };
  event.ok({ type: 'abort-operation', head, createdAt: event.now() });
  expect(event.state.parts.ended.has(id)).toBe(false);
  expect(event.refused(abort()).reason).toBe('operation_forgotten');
});

test('a locked event keeps its life, its chart and its currency', () => {
  const event = lockedHouse();
  for (const command of [
    ...(['close', 'archive', 'delete'] as const).map((move) => ({ type: 'move', callId: move, move }) as const),
    { type: 'configure', callId: 'c', currency: 'USD' } as const,
    {
      type: 'update-chart',
      acknowledgeMoved: true,
      reason: 'A new chart',
      callId: 'u',
      planHash: 'moved-plan',
      chartVersion: 9,
    } as const,
    {
      type: 'update-chart',
      acknowledgeMoved: true,
      reason: 'A new chart',
      callId: 'v',
      planHash: 'small-plan',
      chartVersion: 0,
    } as const,
    { type: 'adjust-chart', callId: 'a', planHash: 'moved-plan', from: 'small-plan' } as const,
  ])
    expect(event.refused(command).code, command.type).toBe('performance_group_locked');
  const published = { callId: 'p', planHash: 'small-plan', chartVersion: 0, onlyIfIdle: true } as const;
  expect(event.ok({ type: 'update-chart', acknowledgeMoved: true, reason: 'A new chart', ...published })).toMatchObject(
    { updated: false },
  );
  const season = { kind: 'season', key: 's' } as const;
  event.ok({ ...lock, owner: season });
  expect(event.ok({ type: 'unlock', owner, lockId: 'earlier' })).toEqual({ unlocked: false });
  expect(event.ok({ type: 'unlock', owner, lockId })).toEqual({ unlocked: true });
  expect(event.refused({ type: 'move', callId: 'm', move: 'close' }).code).toBe('season_event_locked');
  event.ok({ type: 'unlock', owner: season, lockId });
  event.ok({ type: 'move', callId: 'n', move: 'close' });
});

test('a late copy of a lock that has ended is answered, locks nothing, and is no refusal', () => {
  const event = lockedHouse();
  event.ok({ type: 'unlock', owner, lockId });
  // The simulation's seeds 77120101 and 77121202: the copy comes behind the time at which the lock may act.
  for (const actsUntil of [late, START - 1]) expect(event.ok({ ...lock, actsUntil })).toEqual({ lock: null });
  event.ok({ type: 'move', callId: 'm', move: 'close' });
  event.ok({ type: 'move', callId: 'n', move: 'reopen' });
  expect(event.ok({ ...lock, lockId: 'next' }).lock).toMatchObject({ lockId: 'next' });
  expect(event.ok(lock)).toEqual({ lock: null });
  expectSameAfterFolds(event);
});

test('a lock stays while operations of its owner live', () => {
  const event = withPart(home);
  expect(event.refused({ type: 'unlock', owner, lockId })).toMatchObject({
    reason: 'operations_live',
    retryable: true,
  });
  expect(event.ok({ type: 'inspect-locks' }).locks).toMatchObject([{ lockId, live: 1 }]);
  event.ok(release);
  expect(event.ok({ type: 'unlock', owner, lockId })).toEqual({ unlocked: true });
});

test.each([
  ['too late', { ...lock, actsUntil: START - 1 }, 'too_late'],
  ['on another chart', { ...lock, expects: { chartVersion: 2, currency: 'EUR' } }, 'event_changed'],
])('a lock is refused %s', (_, command, reason) => {
  expect(house().refused(command).reason).toBe(reason);
});
