/** Operations over several events as the catalog projects them from their journals. */
import type { JournalRecord } from '@parterre/shared/protocol/records';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keptOperation } from '../../../services/catalog/src/operations/rules/kept-operation.ts';
import {
  countOperation,
  type OperationChange,
  operationsIn,
} from '../../../services/catalog/src/projections/rules/operation-view.ts';
import type { OperationProjection } from '../../../services/catalog/src/store/rules/records.ts';
import { operationRecords } from '../../support/operations/operation-records.ts';

const of = operationRecords({ kind: 'group', key: 'pg_run' }, 'pghop_1', ['a', 'b', 'c']);
type Step = [eventKey: string, records: JournalRecord[]];

/** The journals' groups, in the order of the steps. Each event counts its own sequence. */
function changesOf(steps: readonly Step[]): OperationChange[] {
  const last = new Map<string, number>();
  return steps.flatMap(([eventKey, records], step) => {
    const seq = (last.get(eventKey) ?? 0) + 1;
    last.set(eventKey, seq);
    const group = { from: seq - 1, at: 1_000 + step, plan: 'p', records };
    return [
      ...operationsIn({
        stream: eventKey,
        seq,
        eventKey,
        group,
        data: new Uint8Array(),
        payer: null,
        owner: null,
      }).values(),
    ];
  });
}

function counted(changes: readonly OperationChange[]): OperationProjection {
  return changes.reduce<OperationProjection | undefined>((before, each) => countOperation(before, [each]), undefined)!;
}

const members: Step[] = [
  ['b', of.held('b', 1, 2)],
  ['c', of.held('c', 1)],
];
const held: Step[] = [...members, ['a', of.held('a', 1)]];
const pinned: Step[] = [...held, ['b', of.pinned('b', 'act')], ['c', of.pinned('c', 'act')]];
const decided: Step[] = [...pinned, ['a', of.booked('a', 'act', 1)]];
const booked: Step[] = [...decided, ['b', of.booked('b', 'act', 1, 2)], ['c', of.booked('c', 'act', 1)]];
const released: Step[] = [...held, ['a', of.released('a', 1)]];

const rows: [name: string, steps: Step[], state: string, isOpen: boolean][] = [
  ['members without their home', members, 'preparing', true],
  [
    'members that ended without their home',
    [...members, ['b', of.expired('b', 1, 2)], ['c', of.expired('c', 1)]],
    'aborted',
    false,
  ],
  ['a decision to abort', [...members, ['a', of.aborted()]], 'abort_pending', true],
  [
    'an abort',
    [...members, ['a', of.aborted()], ['b', of.released('b', 1, 2)], ['c', of.released('c', 1)]],
    'aborted',
    false,
  ],
  ['a hold', held, 'committed', false],
  ['a hold whose members are not counted yet', [['a', of.held('a', 1)]], 'commit_pending', false],
  ['a pin', [...held, ['b', of.pinned('b', 'act')]], 'book_pending', true],
  ['a decision to book', decided, 'book_pending', true],
  ['a booking', booked, 'booked', false],
  ['a refused booking', [...pinned, ['a', of.refused('act')]], 'book_pending', true],
  [
    'a refused booking without pins',
    [...pinned, ['a', of.refused('act')], ['b', of.unpinned('b', 'act')], ['c', of.unpinned('c', 'act')]],
    'committed',
    false,
  ],
  ['an extension under way', [...held, ['b', of.pinnedToExtend('b', 'more')]], 'committed', true],
  ['a decision to release', released, 'expire_pending', true],
  ['a release', [...released, ['b', of.released('b', 1, 2)], ['c', of.released('c', 1)]], 'expired', false],
  [
    'a part that gave back one of two places',
    [...released, ['b', of.released('b', 1)], ['c', of.released('c', 1)]],
    'expire_pending',
    true,
  ],
  [
    'an expiry',
    [...held, ['b', of.expired('b', 1, 2)], ['c', of.expired('c', 1)], ['a', of.expired('a', 1)]],
    'expired',
    false,
  ],
  ['a cancellation under way', [...booked, ['a', of.unbooked('a', 'act', 1)]], 'cancel_pending', false],
  [
    'a cancellation',
    [
      ...booked,
      ['a', of.unbooked('a', 'act', 1)],
      ['b', of.unbooked('b', 'act', 1, 2)],
      ['c', of.unbooked('c', 'act', 1)],
    ],
    'cancelled',
    false,
  ],
];

test.each(rows)('%s', (_name, steps, state, isOpen) => {
  expect(counted(changesOf(steps))).toMatchObject({ state, isOpen });
});

test('the order of the streams among each other, and a second reading, change nothing', () => {
  for (const [, steps] of rows) {
    const expected = keptOperation(counted(changesOf(steps)));
    const streams = ['a', 'b', 'c'].map((key) => changesOf(steps).filter(({ eventKey }) => eventKey === key));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat(1)), { maxLength: 60 }), (turns) => {
        const left = streams.map((stream) => [...stream]);
        let document: OperationProjection | undefined;
        for (const [stream, again] of [...turns, ...[0, 1, 2].flatMap((each) => Array(10).fill([each, 1]))]) {
          const next = left[stream]!.shift();
          if (!next) continue;
          document = countOperation(document, [next]);
          if (again === 1) expect(countOperation(document, [next])).toBe(document);
        }
        const { convergedAt: _one, ...told } = keptOperation(document!);
        const { convergedAt: _other, ...wanted } = expected;
        expect(told).toEqual(wanted);
      }),
      { numRuns: 20 },
    );
  }
});

describe('for callers', () => {
  const told = (steps: readonly Step[]) => keptOperation(counted(changesOf(steps)));

  test('a hold has its times, its parts and its buyer', () => {
    expect(told(held)).toEqual({
      owner: { kind: 'group', key: 'pg_run' },
      operationId: 'pghop_1',
      state: 'committed',
      isOpen: false,
      selectionMode: 'same_seat',
      revision: null,
      planActivationId: null,
      createdAt: 1_000,
      changedAt: 1_002,
      convergedAt: 1_002,
      endedAt: null,
      expiresAt: 900_000,
      parts: ['a', 'b', 'c'].map((eventKey) => ({ eventKey, holdId: expect.stringMatching(/^hld_/), state: 'held' })),
      actions: [],
      sessionId: 'ses_1',
      buyerRef: 'buyer-7',
      partnerRef: null,
      accessSource: 'partner',
    });
  });

  test('a booking is told once every event has booked', () => {
    const half = told(decided);
    const whole = told(booked);
    expect(half.actions).toEqual([
      { actionId: 'act', bookingRef: 'ref-act', state: 'pending', createdAt: 1_003, bookedParts: 1, bookedAt: null },
    ]);
    expect(half.convergedAt).toBeNull();
    expect(whole.actions).toMatchObject([{ state: 'booked', bookedParts: 3, bookedAt: 1_007 }]);
    expect(whole.endedAt).toBeNull();
  });

  test('a refused booking, an extension and a release', () => {
    const refused = told([...pinned, ['a', of.refused('act')], ['a', of.refused('other')]]);
    expect(refused.actions.map(({ actionId, bookingRef, state }) => [actionId, bookingRef, state])).toEqual([
      ['act', 'ref-act', 'refused'],
      ['other', null, 'refused'],
    ]);
    expect(told([...held, ['a', of.extended('a', 950_000)]]).expiresAt).toBe(950_000);
    expect(told(released).endedAt).toBe(1_003);
  });

  test('refused actions are forgotten first', () => {
    const many = Array.from({ length: 40 }, (_, nth): Step => ['a', of.refused(`refused-${nth}`)]);
    const { actions } = told([...pinned, ...many]);
    expect(actions).toHaveLength(32);
    expect(actions[0]).toMatchObject({ actionId: 'act', state: 'pending' });
    expect(actions.at(-1)).toMatchObject({ actionId: 'refused-39' });
  });
});

test('ordinary sales have no operation', () => {
  const by = { source: 'buyer', actor: null } as const;
  const record: JournalRecord = { type: 'released', holdId: 'hld_1', units: [1], by };
  expect(changesOf([['a', [record]]])).toEqual([]);
});

test('a part of another event under the same name changes nothing', () => {
  const other = operationRecords({ kind: 'group', key: 'pg_run' }, 'pghop_1', ['b', 'd']);
  const before = counted(changesOf(held));
  expect(countOperation(before, changesOf([['d', other.held('d', 1)]]))).toEqual(before);
});
