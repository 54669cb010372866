/** The news that consoles get of an event, over a log and a clock of the test's own. */
import { expect, test } from 'vitest';
import { EventActivity, shortened } from '../../../services/frontdoor/src/feeds/activity.ts';
import type { LogEntry } from '../../../services/frontdoor/src/logs/rules/event-log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const entry = (id: number, labels = ['A-1']): LogEntry => ({
  id,
  at: id,
  action: 'hold',
  labels,
  ref: null,
  actor: null,
  source: 'server',
});

function activity() {
  const clock = new ManualClock();
  const told: number[][] = [];
  const channellessTold: number[][] = [];
  const labels: number[] = [];
  const house = { version: 7, watched: true, log: [entry(70)] as LogEntry[], asked: 0, fails: false };
  const faults: unknown[] = [];
  const feed = new EventActivity({
    clock,
    version: () => house.version,
    firstIdAfter: (version) => (version + 1) * 10,
    isWatched: () => house.watched,
    async latest(_version, limit) {
      house.asked++;
      if (house.fails) throw new Error('no catalog');
      const whole = house.log.slice(0, limit);
      return { whole, channelless: whole.filter(({ action }) => !action.endsWith('_channel')) };
    },
    tell({ whole, channelless }) {
      told.push(whole.map(({ id }) => id));
      channellessTold.push(channelless.map(({ id }) => id));
      labels.push(...whole.map((each) => each.labels.length));
    },
    onFault: (error) => faults.push(error),
  });
  /** Journals a group of one record, and runs everything that follows from it at once. */
  async function happens(...labels: string[]): Promise<void> {
    house.version++;
    house.log.unshift(entry(house.version * 10, labels));
    feed.noteChange();
    await turn(0);
  }
  async function turn(ms: number): Promise<void> {
    clock.advance(ms);
    for (let n = 0; n < 10; n++) await Promise.resolve();
  }
  return { feed, house, told, channellessTold, labels, faults, happens, turn };
}

test('a console hears of entries after its coming, newest first, at most twice a second', async () => {
  const { feed, house, told, happens, turn } = activity();
  await happens();
  expect(house.asked).toBe(0);
  feed.join();
  await happens();
  expect(told).toEqual([[90]]);
  await happens();
  await happens();
  await turn(499);
  expect(told).toEqual([[90]]);
  await turn(1);
  expect(told).toEqual([[90], [110, 100]]);
  expect(house.asked).toBe(2);
});

test('callers who may not see channels hear the same, except changes of channels', async () => {
  const { feed, house, told, channellessTold, happens, turn } = activity();
  feed.join();
  await happens();
  house.log.unshift({ ...entry(90), action: 'assign_channel' });
  house.version = 9;
  feed.noteChange();
  await turn(500);
  await happens();
  await turn(500);
  expect(told).toEqual([[80], [90], [100]]);
  expect(channellessTold).toEqual([[80], [], [100]]);
});

test('without a watching console nothing is read or told, and a later console does not hear of it', async () => {
  const { feed, house, told, happens, turn } = activity();
  feed.join();
  house.watched = false;
  await happens();
  await happens();
  await turn(1_000);
  expect([house.asked, told]).toEqual([0, []]);
  house.watched = true;
  feed.join();
  await happens();
  expect(told).toEqual([[100]]);
});

test('entries that could not be read are told with the next change', async () => {
  const { feed, house, told, faults, happens, turn } = activity();
  feed.join();
  house.fails = true;
  await happens();
  expect([told, faults.length]).toEqual([[], 1]);
  house.fails = false;
  await happens();
  await turn(500);
  expect(told).toEqual([[90, 80]]);
});

test('a frame has a bounded number of entries and labels, however much happened', async () => {
  const { feed, house, told, labels, happens, turn } = activity();
  feed.join();
  await happens();
  for (let n = 0; n < 80; n++) house.log.unshift(entry((house.version + 1) * 10 + n));
  await happens(...Array.from({ length: 5_000 }, (_, n) => `A-${n}`));
  await turn(500);
  expect(told[1]).toHaveLength(50);
  expect(Math.max(...labels)).toBe(200);
});

test('no list of labels in an entry is longer than its bound', () => {
  const many = Array.from({ length: 5_000 }, (_, n) => `A-${n}`);
  const droppedAssignments = ['one', 'two'].map((channelId) => ({ channelId, labels: many }));
  const details = { chartVersion: 2, kept: many, unblocked: many, droppedAssignments };
  const told = shortened({ ...entry(1, many), passed: many, overridden: many, details });
  const lists = [told.labels, told.passed, told.overridden, told.details?.kept, told.details?.unblocked];
  expect(lists.map((list) => list?.length)).toEqual([200, 200, 200, 200, 200]);
  expect(told.details?.droppedAssignments?.flatMap(({ labels }) => labels)).toHaveLength(200);
  expect(told.details?.chartVersion).toBe(2);
});
