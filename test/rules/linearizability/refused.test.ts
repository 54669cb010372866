/** Histories that the checkers must refuse, each with a message that names its operations. */
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../support/histories/check-history.ts';
import type { EventHistory } from '../../support/histories/journal-entry.ts';
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
  orderWithoutJournal,
  refused,
} from '../../support/histories/written-history.ts';

describe('refused', () => {
  const cases: [
    what: string,
    history: EventHistory,
    says: (string | RegExp)[],
    orders: 'impossible' | 'linearizable',
  ][] = [
    [
      'a double sale',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'])],
          [2, 20, 30, hold('A-1', 'A-2'), isHeld('h2', ['A-1', 'A-2'])],
        ],
        [held('h1', ['A-1']), held('h2', ['A-1', 'A-2'])],
      ),
      [
        /record 2 .*#2 client 2 hold A-1 A-2 .*stands where the answer is refused conflict A-1 held/,
        /any order at all: impossible.*#2/,
      ],
      'impossible',
    ],
    [
      'a lost acknowledgement',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'])],
          [2, 20, 30, { type: 'map' }, map(0)],
        ],
        [],
      ),
      [/#1 client 1 hold A-1 .*was acknowledged, and the journal does not have it/, /impossible: .*#2 client 2 map/],
      'impossible',
    ],
    [
      'a stale read',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'])],
          [1, 20, 30, book('h1', 'r1'), ok({ type: 'book', labels: ['A-1'] })],
          [2, 40, 50, { type: 'map' }, map(10, 'A-1 held')],
        ],
        [held('h1', ['A-1']), booked('h1', 'r1', ['A-1'])],
      ),
      [/#3 client 2 map .*was true at no position from 2 \(#2 client 1 book h1 r1/],
      'impossible',
    ],
    [
      'a map whose content is not that of its version',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'])],
          [2, 0, 10, hold('A-2'), isHeld('h2', ['A-2'])],
          [3, 0, 10, hold('A-3'), isHeld('h3', ['A-3'])],
          [4, 0, 10, { type: 'map' }, map(30, 'A-1 held')],
        ],
        [held('h1', ['A-1']), held('h2', ['A-2']), held('h3', ['A-3'])],
      ),
      [/#4 client 4 map .*was true at no position/],
      'linearizable',
    ],
    [
      'versions that go back',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'])],
          [1, 20, 30, { type: 'release', holdId: 'h1' }, ok({ type: 'release', labels: ['A-1'] })],
          [1, 40, 50, hold('A-1'), isHeld('h2', ['A-1'])],
          [2, 60, 70, { type: 'map' }, map(30, 'A-1 held')],
          [2, 80, 90, { type: 'map' }, map(10, 'A-1 held')],
        ],
        [held('h1', ['A-1']), { type: 'released', holdId: 'h1', labels: ['A-1'] }, held('h2', ['A-1'])],
      ),
      [/#5 client 2 map .*was true at no position from 3 \(#3/, /impossible: #5 client 2 map .*is older than #4/],
      'impossible',
    ],
    [
      'a seat that came back by itself',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'])],
          [2, 20, 30, hold('A-1'), isHeld('h2', ['A-1'])],
        ],
        [held('h1', ['A-1']), { type: 'released', holdId: 'h1', labels: ['A-1'] }, held('h2', ['A-1'])],
      ),
      [/record 2 is one that nobody asked for: .*"released","holdId":"h1"/, /impossible: .*#2 client 2 hold A-1/],
      'impossible',
    ],
    [
      'a hold that ended before its time',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'], 5_000)],
          [2, 2_000, 2_010, hold('A-1'), isHeld('h2', ['A-1'])],
        ],
        [held('h1', ['A-1'], 5_000), expired('h1', ['A-1'], 5_000), held('h2', ['A-1'])],
        [0, 2_000, 2_005],
      ),
      [/record 2 .*h1 expired early, at 2000/],
      'linearizable',
    ],
    [
      'an expiry that overlooks a renewal',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'], 5_000)],
          [
            1,
            20,
            30,
            { type: 'extend', holdId: 'h1' },
            ok({ type: 'extend', labels: ['A-1'], expiresAt: 9_000, extends: 1 }),
          ],
          [2, 6_000, 6_010, hold('A-1'), isHeld('h2', ['A-1'])],
        ],
        [
          held('h1', ['A-1'], 5_000),
          { type: 'extended', holdId: 'h1', expiresAt: 9_000 },
          expired('h1', ['A-1'], 5_000),
          held('h2', ['A-1']),
        ],
        [0, 20, 5_000, 6_005],
      ),
      [/record 3 .*h1 expired, but h1 lasts until 9000/],
      'impossible',
    ],
    [
      'a booking of a hold that had run out',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'], 5_000)],
          [1, 6_000, 6_010, book('h1', 'r1'), ok({ type: 'book', labels: ['A-1'] })],
        ],
        [held('h1', ['A-1'], 5_000), booked('h1', 'r1', ['A-1'])],
        [0, 6_005],
      ),
      [/#2 client 1 book h1 r1 .*stands at 6005, when it had run out/],
      'linearizable',
    ],
    [
      'a refusal of a seat that was free throughout',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'])],
          [2, 20, 30, hold('A-2'), refused('conflict', ['A-2 held'])],
        ],
        [held('h1', ['A-1'])],
      ),
      [/#2 client 2 hold A-2 -> refused conflict A-2 held .*was true at no position/, /impossible: .*#2/],
      'impossible',
    ],
    [
      'a booking refused for a hold that was there throughout',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'])],
          [1, 20, 30, book('h1', 'r1'), refused('hold_not_found')],
        ],
        [held('h1', ['A-1'])],
      ),
      [/#2 client 1 book h1 r1 -> refused hold_not_found .*was true at no position/],
      'impossible',
    ],
    [
      'a hold acknowledged after its seats were acknowledged to another',
      history(
        [
          [1, 0, 100, hold('A-1'), isHeld('h1', ['A-1'])],
          [2, 10, 20, hold('A-1'), isHeld('h2', ['A-1'])],
          [3, 30, 40, { type: 'map' }, map(20, 'A-1 held')],
        ],
        [held('h2', ['A-1']), held('h1', ['A-1'])],
      ),
      [/record 2 .*#1 client 1 hold A-1 .*stands where the answer is refused conflict A-1 held/],
      'impossible',
    ],
    [
      'a journal in another order than the one clients saw',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'])],
          [2, 20, 30, hold('A-2'), isHeld('h2', ['A-2'])],
        ],
        [held('h2', ['A-2']), held('h1', ['A-1'])],
      ),
      [/#2 client 2 hold A-2 .*stands at 1, before 2: #1 client 1 hold A-1/, /another order explains it/],
      'linearizable',
    ],
    [
      'an effect of what was refused',
      history([[1, 0, 10, hold('A-1'), refused('conflict', ['A-1 held'])]], [held('h1', ['A-1'])]),
      [/record 1 is one that no open call can have made; #1 client 1 hold A-1 -> refused/],
      'impossible',
    ],
    [
      'the same booking twice in the journal',
      history(
        [
          [1, 0, 10, hold('A-1'), isHeld('h1', ['A-1'])],
          [1, 20, 30, book('h1', 'r1'), ok({ type: 'book', labels: ['A-1'] })],
        ],
        [held('h1', ['A-1']), booked('h1', 'r1', ['A-1']), booked('h1', 'r1', ['A-1'])],
      ),
      [/record 3 is one that no open call can have made; #2 client 1 book h1 r1/],
      'linearizable',
    ],
  ];
  test.each(cases)('%s', (_what, spoiled, says, orders) => {
    const violations = checkHistory(spoiled).join('\n');
    for (const said of says) expect(violations).toMatch(said);
    expect(orderWithoutJournal(spoiled).kind).toBe(orders);
  });
});
