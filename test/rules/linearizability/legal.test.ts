/** Histories that look odd and are legal: the checkers must accept them. */
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../support/histories/check-history.ts';
import type { EventHistory } from '../../support/histories/journal-entry.ts';
import type { Change } from '../../support/histories/seat-model.ts';
import { checkWitness } from '../../support/histories/witness.ts';
import {
  book,
  booked,
  expired,
  held,
  history,
  hold,
  isHeld,
  map,
  ok,
  open,
  orderWithoutJournal,
  type Row,
  refused,
} from '../../support/histories/written-history.ts';

describe('accepted', () => {
  const overlapping: Row[] = [
    [1, 0, 100, hold('A-1'), isHeld('h1', ['A-1'])],
    [2, 0, 100, { type: 'release', holdId: 'h1' }, ok({ type: 'release', labels: ['A-1'] })],
    [3, 0, 100, hold('A-1'), isHeld('h3', ['A-1'])],
    [4, 0, 100, hold('A-1'), refused('conflict', ['A-1 held'])],
  ];
  const release: Change = { type: 'released', holdId: 'h1', labels: ['A-1'] };
  const cases: [what: string, history: EventHistory][] = [
    ['calls that overlap, in one order', history(overlapping, [held('h1', ['A-1']), release, held('h3', ['A-1'])])],
    [
      'and in the other',
      history(
        [
          overlapping[2]!,
          [5, 0, 100, { type: 'release', holdId: 'h3' }, ok({ type: 'release', labels: ['A-1'] })],
          overlapping[0]!,
        ],
        [held('h3', ['A-1']), { ...release, holdId: 'h3' }, held('h1', ['A-1'])],
      ),
    ],
    [
      'an open hold that took effect late',
      history(
        [
          [1, 0, 0, hold('A-1'), open],
          [2, 10, 20, { type: 'map' }, map(0)],
          [2, 30, 40, hold('A-1'), refused('conflict', ['A-1 held'])],
        ],
        [held('h1', ['A-1'])],
      ),
    ],
    [
      'an open hold that never took effect',
      history(
        [
          [1, 0, 0, hold('A-1'), open],
          [2, 10, 20, hold('A-1'), isHeld('h2', ['A-1'])],
        ],
        [held('h2', ['A-1'])],
      ),
    ],
    [
      'an open booking seen by a reader',
      history(
        [
          [1, 0, 10, hold('A-1', 'A-2'), isHeld('h1', ['A-1', 'A-2'])],
          [1, 20, 0, book('h1', 'r1'), open],
          [2, 30, 40, { type: 'count' }, ok({ type: 'count', free: 38, held: 0, booked: 2, blocked: 0 })],
        ],
        [held('h1', ['A-1', 'A-2']), booked('h1', 'r1', ['A-1', 'A-2'])],
      ),
    ],
    [
      'an expiry, then the next hold; the first can no longer be booked',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'], 5_000)],
          [2, 5_010, 5_020, hold('A-1'), isHeld('h2', ['A-1'])],
          [1, 5_030, 5_040, book('h1', 'r1'), refused('conflict', ['A-1 held'], 'hold_expired')],
        ],
        [held('h1', ['A-1'], 5_000), expired('h1', ['A-1'], 5_000), held('h2', ['A-1'])],
        [0, 5_000, 5_015],
      ),
    ],
    [
      'blocked and unblocked again',
      history(
        [
          [1, 0, 10, { type: 'block', labels: ['A-1'], reason: 'b1' }, ok({ type: 'block', labels: ['A-1'] })],
          [2, 20, 30, hold('A-1'), refused('conflict', ['A-1 blocked'])],
          [1, 40, 50, { type: 'unblock', labels: ['A-1'] }, ok({ type: 'unblock', labels: ['A-1'] })],
          [2, 60, 70, hold('A-1'), isHeld('h1', ['A-1'])],
        ],
        [
          { type: 'blocked', labels: ['A-1'], reason: 'b1' },
          { type: 'unblocked', labels: ['A-1'] },
          held('h1', ['A-1']),
        ],
      ),
    ],
  ];
  test.each(cases)('%s', (_what, legal) => {
    expect(checkHistory(legal)).toEqual([]);
    expect(orderWithoutJournal(legal)).toEqual({ kind: 'linearizable' });
  });

  test('a map decided within a group may show it in part, under the version before', () => {
    const rows: Row[] = [
      [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'])],
      [2, 0, 10, hold('A-2'), isHeld('h2', ['A-2'])],
      [3, 0, 10, { type: 'map' }, map(0, 'A-1 held')],
    ];
    const legal = history(rows, [held('h1', ['A-1']), held('h2', ['A-2'])]);
    for (const entry of legal.journal) entry.sequence = 10;
    expect(checkWitness(legal)).toEqual([]);
  });
});
