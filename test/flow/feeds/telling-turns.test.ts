/** The turns that tellers of many events share: the room of a turn, rests, and the order of events. */
import { expect, it } from 'vitest';
import { viewersPerTurn } from '../../../services/frontdoor/src/feed-limits.ts';
import { TELLING_SHARE } from '../../../services/frontdoor/src/feeds/rules/crowd-pace.ts';
import { type Telling, TellingTurns } from '../../../services/frontdoor/src/feeds/telling-turns.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const msPerViewer = 0.02;

function setUp() {
  const clock = new ManualClock();
  const turns = new TellingTurns(clock);
  const log: { name: string; room: number; at: number }[] = [];
  const startedAt = clock.elapsed();
  /** An event whose changes come all the time, or that has a single change to tell. */
  const event = (name: string, viewers: number, isHot: boolean): Telling => ({
    turn(room) {
      log.push({ name, room, at: clock.elapsed() - startedAt });
      clock.pass(viewers * msPerViewer);
      if (isHot) clock.after(0, () => turns.ask(this));
      return { viewers, waitedMs: 20 };
    },
  });
  return { clock, turns, log, event };
}

it('leaves a part of the loop to other work, however many events are hot', () => {
  const { clock, turns, log, event } = setUp();
  for (let n = 0; n < 8; n++) turns.ask(event(`event ${n}`, viewersPerTurn / 2, true));
  clock.advance(4_000);
  const late = log.filter(({ at }) => at > 2_000);
  const tellingMs = late.length * (viewersPerTurn / 2) * msPerViewer;
  expect(tellingMs / 2_000).toBeGreaterThan(TELLING_SHARE - 0.05);
  expect(tellingMs / 2_000).toBeLessThan(TELLING_SHARE + 0.05);
  const counts = new Map<string, number>();
  for (const { name } of late) counts.set(name, (counts.get(name) ?? 0) + 1);
  expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1);
});

it('tells several small events in a turn, up to its room', () => {
  const { clock, turns, log, event } = setUp();
  for (const name of ['a', 'b', 'c']) turns.ask(event(name, 400, false));
  turns.ask(event('d', 1, false));
  expect(log.map(({ name, room }) => [name, room])).toEqual([
    ['a', viewersPerTurn],
    ['b', viewersPerTurn - 400],
    ['c', viewersPerTurn - 800],
  ]);
  clock.advance(100);
  expect(log.at(-1)).toMatchObject({ name: 'd', room: viewersPerTurn });
});

it('lets an event with few viewers wait for one turn and rest of a crowd at most', () => {
  const { clock, turns, event, log } = setUp();
  turns.ask(event('crowd', viewersPerTurn, true));
  clock.advance(1_000);
  log.length = 0;
  turns.ask(event('small', 1, false));
  clock.advance(100);
  expect(log.slice(0, 2).map(({ name }) => name)).toContain('small');
});

it('forgets an event that is gone, and goes on after a fault', () => {
  const { clock, turns, log, event } = setUp();
  const faulty: Telling = {
    turn() {
      throw new Error('a bug');
    },
  };
  expect(() => turns.ask(faulty)).toThrow('a bug');
  const full = event('full', viewersPerTurn, false);
  turns.ask(full);
  const gone = event('gone', 1, false);
  turns.ask(gone);
  turns.ask(event('stays', 1, false));
  turns.forget(gone);
  clock.advance(100);
  expect(log.map(({ name }) => name)).toEqual(['full', 'stays']);
});
