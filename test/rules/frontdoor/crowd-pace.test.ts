/** The rests between tellings of crowds, and the viewers that get no frames for a while. */
import { describe, expect, it } from 'vitest';
import {
  ALLOWANCE_MS,
  firstPace,
  GATHER_MS_MAX,
  isSpared,
  type Pace,
  paceAfter,
  REST_MS_MAX,
  TELLING_SHARE,
} from '../../../services/frontdoor/src/feeds/rules/crowd-pace.ts';

const pace = (debtMs: number, msPerViewer = 0.005): Pace => ({ msPerViewer, debtMs, at: 1_000 });

describe('the rest after a turn', () => {
  it.each([
    ['none after a quiet time', { debtMs: 0, viewers: 1_000, tookMs: 5, waitedMs: 20, restMs: 0 }],
    ['none up to the allowance', { debtMs: ALLOWANCE_MS - 2.5, viewers: 1_000, tookMs: 5, waitedMs: 20, restMs: 0 }],
    [
      'what the share asks for above it',
      { debtMs: 50, viewers: 1_000, tookMs: 5, waitedMs: 20, restMs: 2 / TELLING_SHARE },
    ],
    ['bounded', { debtMs: 62, viewers: 9_000, tookMs: 45, waitedMs: 20, restMs: REST_MS_MAX }],
    [
      'none for a frame that has waited too long',
      { debtMs: 62, viewers: 1_000, tookMs: 5, waitedMs: GATHER_MS_MAX, restMs: 0 },
    ],
    ['none for few viewers', { debtMs: 40, viewers: 10, tookMs: 30, waitedMs: 20, restMs: 0 }],
    [
      'not longer because other work fell into the turn',
      { debtMs: 50, viewers: 1_000, tookMs: 8, waitedMs: 20, restMs: 0.45 / TELLING_SHARE },
    ],
  ])('is %s', (_, { debtMs, viewers, tookMs, waitedMs, restMs }) => {
    const after = paceAfter(pace(debtMs), { viewers, waitedMs, startedAt: 1_000, endedAt: 1_000 + tookMs });
    expect(after.restMs).toBeCloseTo(restMs, 6);
  });

  it.each([
    [10_000, 0.005],
    [30_000, 0.005],
    [10_000, 0.015],
  ])('leaves a part of the loop to others while %i viewers at %d ms are told all the time', (viewers, msPerViewer) => {
    const turnMs = 1_000 * msPerViewer;
    let [known, now, told] = [firstPace, 0, 0];
    const rounds: number[] = [];
    for (let turn = 0; turn < 2_000; turn++) {
      const { pace: next, restMs } = paceAfter(known, {
        viewers: 1_000,
        waitedMs: 100,
        startedAt: now,
        endedAt: now + turnMs,
      });
      known = next;
      now += turnMs + restMs;
      told += 1_000;
      if (told % viewers === 0) rounds.push(now);
    }
    const roundMs = rounds.at(-1)! - rounds.at(-2)!;
    expect(roundMs).toBeCloseTo((viewers * msPerViewer) / TELLING_SHARE, 3);
  });

  it('learns a low cost of a viewer at once, and a high cost little by little', () => {
    const turn = (pace: Pace, tookMs: number) =>
      paceAfter(pace, { viewers: 1_000, waitedMs: 0, startedAt: pace.at, endedAt: pace.at + tookMs }).pace;
    expect(turn(pace(0, 0.005), 2).msPerViewer).toBeCloseTo(0.002);
    expect(turn(pace(0, 0.005), 20).msPerViewer).toBeCloseTo(0.00525);
    let slow = pace(0, 0.005);
    for (let n = 0; n < 40; n++) slow = turn(slow, 20);
    expect(slow.msPerViewer).toBeCloseTo(0.02);
  });
});

it.each([
  [0, 1_000, false],
  [64, 64, false],
  [65, 65, true],
  [1, 500, false],
  [1, 501, true],
])('of a viewer with %i untaken bytes, of %i in all, says that it is spared: %s', (bytes, all, expected) => {
  expect(isSpared(bytes, all, { viewerBytes: 64, allBytes: 1_000 })).toBe(expected);
});
