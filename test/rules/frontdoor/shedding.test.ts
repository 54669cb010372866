/** The rule that refuses new work past an overload: its verdicts, and a partition that is simulated under it. */
import { describe, expect, it } from 'vitest';
import {
  classOf,
  free,
  isShed,
  judge,
  type Pressure,
  type Seen,
  unlimited,
} from '../../../services/frontdoor/src/shards/rules/shedding.ts';

const lookMs = 50;
const calm: Seen = { waiting: 10, answered: 250, sinceMs: lookMs, oldestMs: 4, lateMs: 0 };

function looks(seen: readonly Seen[], from: Pressure = free): Pressure {
  return seen.reduce(judge, from);
}

function times(count: number, seen: Partial<Seen>): Seen[] {
  return Array.from({ length: count }, () => ({ ...calm, ...seen }));
}

describe.each<[name: string, seen: Seen[], limit: number]>([
  ['few commands, all young', times(40, {}), unlimited],
  [
    'more commands than are answered in half a second, for one look',
    times(1, { waiting: 3_000, oldestMs: 150 }),
    unlimited,
  ],
  ['the same for two looks', times(2, { waiting: 3_000, oldestMs: 150 }), 1_750],
  ['many commands, and none is old: a burst', times(4, { waiting: 3_000, oldestMs: 90 }), unlimited],
  ['few commands, all old: an event that loads', times(40, { answered: 50, waiting: 200, oldestMs: 2_000 }), unlimited],
  ['a slow owner', times(40, { answered: 1, waiting: 40, oldestMs: 1_500 }), 7],
  [
    'an owner that answers nothing, with few commands',
    times(60, { answered: 0, waiting: 200, oldestMs: 3_000 }),
    unlimited,
  ],
  ['an owner that answers nothing, with many', times(60, { answered: 0, waiting: 900, oldestMs: 3_000 }), 256],
  ['a loop that is late', times(2, { waiting: 600, oldestMs: 450, lateMs: 450 }), 1_750],
])('%s', (_name, seen, limit) => {
  it(limit === unlimited ? 'has no limit' : `has the limit ${limit}`, () => {
    expect(looks(seen).limit).toBe(limit);
  });
});

describe('a limited partition', () => {
  const limited = looks(times(2, { waiting: 3_000, oldestMs: 150 }));

  it('keeps its limit while half of it waits', () => {
    expect(looks(times(40, { waiting: 900 }), limited).limit).toBe(1_750);
  });

  it('is free after half a second with less', () => {
    expect(looks(times(9, { waiting: 800 }), limited).limit).toBe(1_750);
    expect(looks(times(10, { waiting: 800 }), limited).limit).toBe(unlimited);
  });

  it('is free as soon as nothing waits', () => {
    expect(judge(limited, { ...calm, waiting: 0 })).toBe(free);
  });

  it('follows the rate of its answers', () => {
    expect(looks(times(100, { waiting: 1_750, answered: 100, oldestMs: 500 }), limited).limit).toBeCloseTo(700, -1);
  });

  it('keeps its limit while its owner is silent', () => {
    expect(looks(times(40, { waiting: 1_750, answered: 0, oldestMs: 900 }), limited).limit).toBeGreaterThanOrEqual(256);
  });
});

it.each([
  ['hold', 99, false],
  ['hold', 100, true],
  ['hold-best', 100, true],
  ['report', 100, true],
  ['extend', 100, false],
  ['extend', 199, false],
  ['release', 200, true],
  ['box-book', 200, true],
  ['book', 10_000, false],
  // A part of a sale over several events, and a change by the house.
  ['hold-part', 10_000, false],
  ['update-chart', 10_000, false],
] as const)('with a limit of 100, %s beside %i waiting commands is shed: %s', (type, waiting, shed) => {
  expect(isShed(classOf(type), waiting, 100)).toBe(shed);
});

/**
 * A partition that answers `perSecond` commands in turn. Holds come at `rate` times the holds that it can sell, and a
 * granted hold is booked. Steps of a millisecond; the first second is not counted.
 */
function overloaded(perSecond: number, rate: number, seconds = 12) {
  const queue: { isHold: boolean; since: number }[] = [];
  const waits: number[] = [];
  const seen = { sales: 0, shed: 0, worstFirstMs: 0 };
  let pressure = free;
  let answered = 0;
  let due = 0;
  let room = 0;
  for (let now = 0; now < seconds * 1_000; now++) {
    for (due += ((rate * perSecond) / 2) * 0.001; due >= 1; due--) {
      if (isShed('new-hold', queue.length, pressure.limit)) seen.shed++;
      else queue.push({ isHold: true, since: now });
    }
    for (room = Math.min(room + perSecond * 0.001, 100); room >= 1 && queue.length > 0; room--) {
      const { isHold, since } = queue.shift()!;
      answered++;
      if (now < 1_000) seen.worstFirstMs = Math.max(seen.worstFirstMs, now - since);
      else waits.push(now - since);
      if (isHold) queue.push({ isHold: false, since: now });
      else if (now >= 1_000) seen.sales++;
    }
    if (now % lookMs === 0) {
      const oldestMs = queue.length === 0 ? 0 : now - queue[0]!.since;
      pressure = judge(pressure, { waiting: queue.length, answered, sinceMs: lookMs, oldestMs, lateMs: 0 });
      answered = 0;
    }
  }
  waits.sort((a, b) => a - b);
  return {
    ...seen,
    goodput: seen.sales / ((seconds - 1) * (perSecond / 2)),
    p99: waits[Math.floor(waits.length * 0.99)]!,
  };
}

describe.each([40, 400, 8_000])('a partition that answers %i commands a second', (perSecond) => {
  it.each([1, 2, 4, 8])('sells on, and answers in time, at %i times its capacity', (rate) => {
    const { goodput, p99, shed } = overloaded(perSecond, rate);
    expect(goodput).toBeGreaterThan(0.85);
    expect(p99).toBeLessThan(1_000);
    if (rate > 1) expect(shed).toBeGreaterThan(0);
  });

  it('sheds nothing at nine tenths of its capacity', () => {
    expect(overloaded(perSecond, 0.9).shed).toBe(0);
  });
});
