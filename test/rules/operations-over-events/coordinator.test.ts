/** The coordinator over the shard's rules, without faults. The simulation (test/simulation/saga) has the faults. */
import { refuse } from '@parterre/shared/protocol/errors';
import { createCoordinator } from '@parterre/shared/protocol/operations/coordinator';
import type { OperationOwner } from '@parterre/shared/protocol/operations/operation';
import type { CoordinatorPorts, OperationDraft } from '@parterre/shared/protocol/operations/ports';
import { describe, expect, test, vi } from 'vitest';
import { SagaEvent } from '../../simulation/saga/saga-event.ts';
import { Scheduler } from '../../simulation/world/scheduler.ts';
import { START, server } from '../../support/inventory/house.ts';
import { draft as release, set } from '../../support/inventory/ticket-releases.ts';

const owner: OperationOwner = { kind: 'group', key: 'run' };
const deadlineAt = 10_000;

function runOf(...eventKeys: string[]) {
  const scheduler = new Scheduler(1, 0);
  const events = new Map(eventKeys.map((key) => [key, new SagaEvent(key, scheduler, 0, () => {})]));
  for (const event of events.values()) event.perform({ type: 'lock', owner, lockId: 'l', actsUntil: START + 1 });
  const asked: string[] = [];
  const sent: object[] = [];
  const ask = async (eventKey: string, command: Parameters<CoordinatorPorts['ask']>[1]) => {
    asked.push(`${eventKey} ${command.type === 'look-part' ? 'look' : command.type}`);
    sent.push(command);
    const told = events.get(eventKey)!.perform(command, server);
    if (told?.kind === 'ok') return { ok: true, value: told.value };
    return told?.kind === 'refused'
      ? { ok: false, refusal: told.refusal }
      : refuse('shard_unavailable', 'silent', { retryable: true });
  };
  const coordinator = createCoordinator({ ask: ask as CoordinatorPorts['ask'], now: () => START });
  const held = (key: string) => events.get(key)!.state.counts[1];
  return { events, asked, sent, coordinator, held, ask: ask as CoordinatorPorts['ask'] };
}

const draft = (eventKeys: string[], label = 'A-1', operationId = 'pghop_1'): OperationDraft => {
  return { owner, operationId, parts: eventKeys.map((eventKey) => ({ eventKey, selections: [{ label }] })) };
};

test('a hold looks, asks the members first and the home last, and a booking pins before the home decides', async () => {
  const { coordinator, asked } = runOf('a', 'b', 'c');
  const held = await coordinator.hold(draft(['a', 'b', 'c']), server, deadlineAt);
  expect(held).toMatchObject({ ok: true, value: { state: 'committed', decision: 'commit', booking: null } });
  const ref = { owner, operationId: 'pghop_1', eventKeys: ['a', 'b', 'c'] };
  const booked = await coordinator.book(ref, { actionId: 'x', bookingRef: 'o' }, server, deadlineAt);
  expect(booked).toMatchObject({ ok: true, value: { state: 'booked', booking: { bookedEventKeys: ['a', 'b', 'c'] } } });
  expect(asked).toEqual([
    'a look',
    'c look',
    'b hold-part',
    'c hold-part',
    'a hold-part',
    'b pin-part',
    'c pin-part',
    'a book-part',
    'b book-part',
    'c book-part',
  ]);
});

test('a booking that assumes all events of the owner does nothing where the operation has others', async () => {
  const { coordinator, asked } = runOf('a', 'b', 'c');
  await coordinator.hold(draft(['a', 'c']), server, deadlineAt);
  await coordinator.hold(draft(['b', 'c'], 'A-2', 'pghop_2'), server, deadlineAt);
  await coordinator.hold(draft(['a', 'b'], 'A-3', 'pghop_3'), server, deadlineAt);
  for (const [operationId, eventKeys] of [
    ['pghop_1', ['a', 'c']],
    ['pghop_2', ['b', 'c']],
    ['pghop_3', ['a', 'b']],
  ] as const) {
    asked.length = 0;
    const action = { actionId: operationId, bookingRef: 'o' };
    const assumed = { owner, operationId, eventKeys: ['a', 'b', 'c'], isAssumed: true };
    const refused = await coordinator.book(assumed, action, server, deadlineAt);
    expect(refused).toMatchObject({ refusal: { reason: 'other_events' } });
    expect(asked).toEqual(['b pin-part']);
    const booked = await coordinator.book({ owner, operationId, eventKeys }, action, server, deadlineAt);
    expect(booked).toMatchObject({ ok: true, value: { state: 'booked' } });
  }
});

test('a refusal names the events of its conflicts, and leaves nothing held', async () => {
  const { coordinator, events, held } = runOf('a', 'b', 'c');
  events.get('c')!.perform({ type: 'hold', holdId: 'h', selections: [{ label: 'A-1' }] });
  const refused = await coordinator.hold(draft(['a', 'b', 'c']), server, deadlineAt);
  expect(refused).toMatchObject({
    refusal: { code: 'conflict', details: { conflicts: [{ eventKey: 'c', label: 'A-1', status: 'held' }] } },
  });
  expect(['a', 'b', 'c'].map(held)).toEqual([0, 0, 1]);
});

const written = ({ events }: ReturnType<typeof runOf>) =>
  [...events.values()].flatMap(({ journal }) => journal.flatMap(({ records }) => records.map(({ type }) => type)));

describe('a refused booking', () => {
  const keys = ['a', 'b', 'c'];
  const refOf = (operationId: string, eventKeys = keys) => ({ owner, operationId, eventKeys });
  const taken = { actionId: 'x', bookingRef: 'o' };

  /** The action `taken` has booked an operation over these events, and the hold of another one stands. */
  async function withTakenAction(eventKeys: string[]) {
    const run = runOf(...keys);
    const { coordinator } = run;
    await coordinator.hold(draft(eventKeys), server, deadlineAt);
    await coordinator.book(refOf('pghop_1', eventKeys), taken, server, deadlineAt);
    await coordinator.hold(draft(keys, 'A-2', 'pghop_2'), server, deadlineAt);
    return { ...run, book: (action = taken) => coordinator.book(refOf('pghop_2'), action, server, deadlineAt) };
  }

  test('by the action of another booking writes nothing, and the hold stands for another action', async () => {
    const run = await withTakenAction(keys);
    const before = written(run);
    for (let n = 0; n < 3; n++) {
      expect(await run.book()).toMatchObject({ ok: false, refusal: { code: 'conflict', reason: 'action_taken' } });
    }
    expect(written(run)).toEqual(before);
    expect(await run.book({ actionId: 'y', bookingRef: 'p' })).toMatchObject({ ok: true, value: { state: 'booked' } });
  });

  test('whose pin was taken back writes nothing more when it is repeated', async () => {
    // The first member does not know the other booking.
    const run = await withTakenAction(['a', 'c']);
    const before = written(run);
    expect(await run.book()).toMatchObject({ refusal: { reason: 'action_taken' } });
    const after = written(run);
    expect(after.filter((type) => type.startsWith('part-')).length).toBe(
      before.filter((type) => type.startsWith('part-')).length + 2,
    );
    for (let n = 0; n < 3; n++) expect(await run.book()).toMatchObject({ refusal: { reason: 'action_refused' } });
    expect(written(run)).toEqual(after);
    expect(await run.book({ actionId: 'y', bookingRef: 'p' })).toMatchObject({ ok: true, value: { state: 'booked' } });
  });
});

describe('a refused hold', () => {
  const keys = ['a', 'b', 'c'];
  const takenIn = ({ events }: ReturnType<typeof runOf>, key: string) =>
    events.get(key)!.perform({ type: 'hold', holdId: 'h', selections: [{ label: 'A-1' }] });

  test.each(keys)(
    'writes nothing when %s refuses it, however often it is repeated, and may stand later',
    async (key) => {
      const run = runOf(...keys);
      takenIn(run, key);
      const before = written(run);
      for (let n = 0; n < 3; n++) {
        const refused = await run.coordinator.hold(draft(keys), server, deadlineAt);
        expect(refused).toMatchObject({ refusal: { code: 'conflict', details: { conflicts: [{ eventKey: key }] } } });
      }
      expect(written(run)).toEqual(before);
      run.events.get(key)!.perform({ type: 'release', holdId: 'h', callId: 'r' });
      const held = await run.coordinator.hold(draft(keys), server, deadlineAt);
      expect(held).toMatchObject({ ok: true, value: { state: 'committed' } });
    },
  );

  test.each<[string, object]>([
    ['at another total than the page showed', { expectedTotal: 119 }],
    ['of seats that no event has', { parts: keys.map((eventKey) => ({ eventKey, selections: [{ label: 'Z-9' }] })) }],
    ['of an owner that sells nothing', { owner: { kind: 'group', key: 'other' } }],
  ])('writes nothing %s', async (_, terms) => {
    const run = runOf(...keys);
    const before = written(run);
    const refused = await run.coordinator.hold({ ...draft(keys), ...terms }, server, deadlineAt);
    expect(refused).toMatchObject({ ok: false });
    expect(written(run)).toEqual(before);
  });

  test('of one event writes nothing', async () => {
    const run = runOf('a');
    takenIn(run, 'a');
    const before = written(run);
    expect(await run.coordinator.hold(draft(['a']), server, deadlineAt)).toMatchObject({ ok: false });
    expect(written(run)).toEqual(before);
  });

  test('has the conflicts of every event, in the order of the events', async () => {
    const run = runOf(...keys);
    for (const key of ['c', 'a']) takenIn(run, key);
    const refused = await run.coordinator.hold(draft(keys), server, deadlineAt);
    expect(refused).toMatchObject({ refusal: { details: { conflicts: [{ eventKey: 'a' }, { eventKey: 'c' }] } } });
  });

  test('is aborted with a record when a seat goes behind its look', async () => {
    const run = runOf(...keys);
    let left = 1;
    // Another buyer comes before the hold of the first member.
    const late: CoordinatorPorts['ask'] = (eventKey, command, ...rest) => {
      if (command.type === 'hold-part' && left-- > 0) takenIn(run, 'c');
      return run.ask(eventKey, command, ...rest);
    };
    const coordinator = createCoordinator({ ask: late, now: () => START });
    const refused = await coordinator.hold(draft(keys), server, deadlineAt);
    expect(refused).toMatchObject({ refusal: { code: 'conflict', details: { conflicts: [{ eventKey: 'c' }] } } });
    expect(written(run).filter((type) => type === 'operation-aborted')).toHaveLength(1);
    expect(keys.map(run.held)).toEqual([0, 0, 1]);
  });

  test('is aborted with a record when an earlier copy of the call has held a part', async () => {
    const run = runOf(...keys);
    let left = 3;
    // The first copy's process stops behind the hold of the first member.
    const dead: CoordinatorPorts['ask'] = (...call) => (left-- > 0 ? run.ask(...call) : new Promise(() => {}));
    void createCoordinator({ ask: dead, now: () => START }).hold(draft(keys), server, deadlineAt);
    await vi.waitFor(() => expect(left).toBeLessThan(0));
    takenIn(run, 'c');
    expect(keys.map(run.held)).toEqual([0, 1, 1]);
    const again = await run.coordinator.hold(draft(keys), server, deadlineAt);
    expect(again).toMatchObject({ refusal: { code: 'conflict' } });
    expect(keys.map(run.held)).toEqual([0, 0, 1]);
  });

  test('is aborted with a record when an event is silent at its look, which ends early', async () => {
    const run = runOf(...keys);
    takenIn(run, 'c');
    const untils: number[] = [];
    const silentAtLook: CoordinatorPorts['ask'] = (eventKey, command, caller, until) => {
      if (command.type !== 'look-part') return run.ask(eventKey, command, caller, until);
      untils.push(until);
      if (eventKey !== 'b') return run.ask(eventKey, command, caller, until);
      return Promise.resolve(refuse('shard_unavailable', 'silent', { retryable: true }));
    };
    const coordinator = createCoordinator({ ask: silentAtLook, now: () => START, looksUntil: 1_000 });
    expect(await coordinator.hold(draft(keys), server, deadlineAt)).toMatchObject({ refusal: { code: 'conflict' } });
    expect(untils).toEqual([1_000, 1_000, 1_000]);
    expect(written(run).filter((type) => type === 'operation-aborted')).toHaveLength(1);
  });

  test('of an operation that has ended is answered with its end, and writes nothing more', async () => {
    const run = runOf(...keys);
    await run.coordinator.hold(draft(keys), server, deadlineAt);
    await run.coordinator.release({ owner, operationId: 'pghop_1', eventKeys: keys }, server, deadlineAt);
    const before = written(run);
    const again = await run.coordinator.hold(draft(keys), server, deadlineAt);
    expect(again).toMatchObject({ ok: true, value: { state: 'expired' } });
    expect(written(run)).toEqual(before);
  });
});

describe('a hold at an expected total', () => {
  const keys = ['a', 'b', 'c'];
  const dearer = (events: ReturnType<typeof runOf>['events'], key: string) =>
    events.get(key)!.perform(set(release('late', { price: 45 })));

  test('stands at this total, and the home decides about the rest of it', async () => {
    const { coordinator, events, held, sent } = runOf(...keys);
    dearer(events, 'b');
    const stands = await coordinator.hold({ ...draft(keys), expectedTotal: 125 }, server, deadlineAt);
    expect(stands).toMatchObject({ ok: true, value: { state: 'committed' } });
    expect(sent.map((command) => ('expectedTotal' in command ? command.expectedTotal : null))).toEqual([
      ...[null, null, null],
      ...[null, null, 40],
    ]);
    expect(keys.map(held)).toEqual([1, 1, 1]);
    // A repetition finds the hold, whatever the prices are by then.
    dearer(events, 'a');
    const again = await coordinator.hold({ ...draft(keys), expectedTotal: 125 }, server, deadlineAt);
    expect(again).toMatchObject({ ok: true, value: { state: 'committed' } });
  });

  test.each(keys)(
    'is refused with the prices of all events when %s costs more, and leaves nothing held',
    async (key) => {
      const { coordinator, events, held } = runOf(...keys);
      dearer(events, key);
      const refused = await coordinator.hold({ ...draft(keys), expectedTotal: 120 }, server, deadlineAt);
      const items = keys.map((each) => ({ label: 'A-1', unitPrice: each === key ? 45 : 40 }));
      expect(refused).toMatchObject({
        refusal: {
          code: 'price_changed',
          message: expect.stringContaining('cost 125 EUR now, not 120'),
          details: {
            items,
            total: 125,
            expectedTotal: 120,
            currency: 'EUR',
            allocations: keys.map((eventKey, index) => ({ eventKey, items: [items[index]] })),
          },
        },
      });
      expect(keys.map(held)).toEqual([0, 0, 0]);
    },
  );

  test('is another content than the same seats at another total', async () => {
    const { coordinator } = runOf(...keys);
    await coordinator.hold({ ...draft(keys), expectedTotal: 120 }, server, deadlineAt);
    for (const other of [{}, { expectedTotal: 121 }]) {
      const refused = await coordinator.hold({ ...draft(keys), ...other }, server, deadlineAt);
      expect(refused).toMatchObject({ refusal: { code: 'conflict', reason: 'operation_id_reused' } });
    }
  });
});

test.each([
  ['a member', ['c', 'a']],
  ['the home', ['a', 'c']],
])('a name that is used again for other events keeps the first operation, met at %s', async (_, eventKeys) => {
  const { coordinator, held } = runOf('a', 'b', 'c');
  await coordinator.hold(draft(['a', 'b']), server, deadlineAt);
  const refused = await coordinator.hold(draft(eventKeys), server, deadlineAt);
  expect(refused).toMatchObject({ refusal: { code: 'conflict', reason: 'operation_id_reused' } });
  expect(['a', 'b', 'c'].map(held)).toEqual([1, 1, 0]);
});

test('a silent member leaves an unfinished view, and `resume` gives the operation up', async () => {
  const { coordinator, events, held } = runOf('a', 'b', 'c');
  events.get('c')!.die(5);
  const view = await coordinator.hold(draft(['a', 'b', 'c']), server, deadlineAt);
  expect(view).toMatchObject({ value: { state: 'preparing', decision: null } });
  expect(held('b')).toBe(1);
  const ref = { owner, operationId: 'pghop_1', eventKeys: ['a', 'b', 'c'] };
  const resumed = await coordinator.resume(ref, deadlineAt);
  expect(resumed).toMatchObject({ value: { decision: 'abort' } });
  expect(held('b')).toBe(0);
});

test.each([
  ['before its decision', 3],
  ['after its decision', 4],
  ['with one member behind', 5],
])('a booking goes past an extension under way %s', async (_, answers) => {
  const { coordinator, events, asked, ask } = runOf('a', 'b', 'c');
  await coordinator.hold(draft(['a', 'b', 'c']), server, deadlineAt);
  const ref = { owner, operationId: 'pghop_1', eventKeys: ['a', 'b', 'c'] };
  let left = answers;
  // The extension's process stops behind its last answer.
  const slow: CoordinatorPorts['ask'] = (...call) => (left-- > 0 ? ask(...call) : new Promise(() => {}));
  void createCoordinator({ ask: slow, now: () => START }).extend(ref, 1_200_000, server, deadlineAt);
  await vi.waitFor(() => expect(left).toBeLessThan(0));
  asked.length = 0;
  const booked = await coordinator.book(ref, { actionId: 'x', bookingRef: 'o' }, server, deadlineAt);
  expect(booked).toMatchObject({ ok: true, value: { state: 'booked' } });
  for (const event of events.values()) expect(event.state.counts[2]).toBe(1);
});

test('an extension that would not lengthen the hold writes nothing, and a named one is one act', async () => {
  const { coordinator, events } = runOf('a', 'b');
  await coordinator.hold(draft(['a', 'b']), server, deadlineAt);
  const ref = { owner, operationId: 'pghop_1', eventKeys: ['a', 'b'] };
  const written = () => [...events.values()].map(({ journal }) => journal.length);
  const before = written();
  for (const ttlMs of [60_000, undefined]) {
    expect(await coordinator.extend(ref, ttlMs, server, deadlineAt)).toMatchObject({ value: { state: 'committed' } });
  }
  expect(written()).toEqual(before);
  const first = await coordinator.extend(ref, 1_200_000, server, deadlineAt, 'key');
  const after = written();
  expect(after).not.toEqual(before);
  expect(await coordinator.extend(ref, 1_800_000, server, deadlineAt, 'key')).toEqual(first);
  expect(written()).toEqual(after);
});

test('an extension beyond the limit is refused, and writes nothing', async () => {
  const { coordinator, events } = runOf('a', 'b');
  await coordinator.hold({ ...draft(['a', 'b']), ttlMs: 60_000 }, server, deadlineAt);
  const ref = { owner, operationId: 'pghop_1', eventKeys: ['a', 'b'] };
  for (const ttlMs of [120_000, 180_000, 240_000]) {
    expect(await coordinator.extend(ref, ttlMs, server, deadlineAt, `to ${ttlMs}`)).toMatchObject({ ok: true });
  }
  const written = () => [...events.values()].map(({ journal }) => journal.length);
  const before = written();
  const refused = await coordinator.extend(ref, 300_000, server, deadlineAt, 'once more');
  expect(refused).toMatchObject({ refusal: { code: 'cannot_extend', reason: 'extend_limit' } });
  expect(written()).toEqual(before);
});
