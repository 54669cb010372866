/** The survey of a partition, on a fake stream and a fake object store. */
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import type { JournaledEvent } from '../../../services/inventory-shard/src/journal/recovery.ts';
import type { Roster } from '../../../services/inventory-shard/src/journal/rosters.ts';
import type { SnapshotHead } from '../../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import { rosterTailMax, rosterTries, surveyPauseMs } from '../../../services/inventory-shard/src/watch/bounds.ts';
import { atOnce, Watch } from '../../../services/inventory-shard/src/watch/watch.ts';
import { MINUTE, START } from '../../support/inventory/house.ts';
import { noLink } from '../../support/journal/links.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const LAST = 100;

type Journal = {
  roster?: Roster | null;
  /** By event: the sequence of its last group, in the journal of `LAST` messages. */
  journal?: Record<string, number>;
  heads?: Record<string, SnapshotHead>;
};

/** `asked` names the requests. `faults` decides how they end; by default they succeed at once. */
function setUp({ roster = null, journal = {}, heads = {} }: Journal) {
  const clock = new ManualClock(START);
  const asked: string[] = [];
  const actors = new Set<string>();
  const count = { asleep: 0 };
  const faults = { roster: async (): Promise<void> => {}, list: async (): Promise<void> => {} };
  const entries = Object.entries(journal);
  const watch: Watch = new Watch({
    clock,
    log: createLog('test', 'silent'),
    loader: {
      async events() {
        asked.push('all');
        await faults.list();
        return entries.map(([eventKey]): JournaledEvent => ({ eventKey, groups: 1 }));
      },
      async changed(after, last) {
        asked.push(`${after} to ${last}`);
        await faults.list();
        return entries.flatMap(([eventKey, sequence]) => (sequence > after ? [{ eventKey, sequence }] : []));
      },
    },
    snapshots: {
      async head(eventKey) {
        asked.push(eventKey);
        return heads[eventKey] ?? null;
      },
    },
    rosters: {
      async load() {
        await faults.roster();
        return roster;
      },
      store: async () => {},
    },
    reading: (read) => read(),
    count,
    isActor: (eventKey) => actors.has(eventKey),
    onWaiting: () => {},
  });
  const deadlines = () => watch.deadlines()?.map(([eventKey, wakeAt]) => [eventKey, wakeAt]);
  return { clock, watch, asked, actors, count, faults, deadlines };
}

const asleep = (sequence: number): SnapshotHead => ({
  sequence,
  link: noLink,
  groups: 1,
  wakeAt: START + MINUTE,
  at: START,
});

test('A survey asks nothing before its rest is over, and nothing at all if the watch is closed meanwhile', async () => {
  const { clock, watch, asked } = setUp({ journal: { gala: 60 } });
  watch.open(LAST, 350);
  clock.advance(349);
  await settled();
  expect(asked).toEqual([]);
  clock.advance(1);
  await settled();
  expect(asked).toEqual(['all', 'gala']);
  const closed = setUp({ journal: { gala: 60 } });
  closed.watch.open(LAST, 350);
  closed.watch.close();
  closed.clock.advance(350);
  await settled();
  expect(closed.asked).toEqual([]);
});

test('Behind a roster only the events of the tail are visited', async () => {
  const { watch, asked, deadlines } = setUp({
    roster: {
      upTo: 50,
      events: [
        ['sleeps', START + 2 * MINUTE, START],
        ['slept', START + MINUTE, START],
      ],
    },
    journal: { rests: 20, sleeps: 30, slept: 60, stored: 70, changed: 80 },
    heads: { slept: { ...asleep(60), wakeAt: null }, stored: asleep(70), changed: asleep(10) },
  });
  watch.open(LAST);
  await settled();
  expect(asked).toEqual(['50 to 100', 'slept', 'stored', 'changed']);
  expect(deadlines()).toEqual([
    ['changed', atOnce],
    ['sleeps', START + 2 * MINUTE],
    ['stored', START + MINUTE],
  ]);
});

test.each([
  ['no roster', null],
  ['a roster ahead of the journal', { upTo: LAST + 1, events: [] }],
  ['a roster far behind the journal', { upTo: LAST - rosterTailMax - 1, events: [] }],
])('With %s all events are visited', async (_, roster) => {
  const { watch, asked, deadlines } = setUp({ roster, journal: { gala: 20 }, heads: { gala: asleep(20) } });
  watch.open(LAST);
  await settled();
  expect(asked).toEqual(['all', 'gala']);
  expect(deadlines()).toEqual([['gala', START + MINUTE]]);
});

test('A roster that cannot be read is asked for again, and then counts as missing', async () => {
  const { clock, watch, asked, faults } = setUp({ journal: { gala: 20 }, heads: { gala: asleep(20) } });
  let tries = 0;
  faults.roster = async () => {
    tries++;
    throw new Error('down');
  };
  watch.open(LAST);
  for (let i = 1; i < rosterTries; i++) {
    await settled();
    expect([tries, asked]).toEqual([i, []]);
    clock.advance(surveyPauseMs);
  }
  await settled();
  expect([tries, asked]).toEqual([rosterTries, ['all', 'gala']]);
});

test('The tail is asked for until it comes', async () => {
  const { clock, watch, asked, faults, deadlines } = setUp({ roster: { upTo: 50, events: [['gala', atOnce, 0]] } });
  faults.list = () => Promise.reject(new Error('down'));
  watch.open(LAST);
  await settled();
  expect(deadlines()).toBeUndefined();
  faults.list = async () => {};
  clock.advance(surveyPauseMs);
  await settled();
  expect(asked).toEqual(['50 to 100', '50 to 100']);
  expect(watch.waiting + (deadlines()?.length ?? 0)).toBeGreaterThan(0);
});

test('An event whose deadline is not known is loaded at once by the next owner', async () => {
  const { clock, watch, deadlines } = setUp({ roster: { upTo: LAST, events: [['gala', atOnce, 0]] } });
  watch.open(LAST);
  await settled();
  clock.advance(0);
  expect([watch.next(), deadlines()]).toEqual(['gala', [['gala', atOnce]]]);
});

test('A roster does not speak of actors, nor of events that have fallen asleep since', async () => {
  const { watch, actors, faults, deadlines, count } = setUp({
    roster: {
      upTo: 50,
      events: [
        ['actor', START + MINUTE, START],
        ['slept', START + 9 * MINUTE, START],
      ],
    },
  });
  let answer = (): void => {};
  faults.roster = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  watch.open(LAST);
  await settled();
  actors.add('actor');
  watch.leave('actor');
  watch.leave('slept');
  watch.sleepUntil('slept', START + MINUTE, START);
  answer();
  await settled();
  expect([deadlines(), count.asleep]).toEqual([[['slept', START + MINUTE]], 1]);
});

test('An event whose time stands in the future is loaded, although its deadline is known', async () => {
  const { watch } = setUp({ roster: { upTo: LAST, events: [['gala', START + 90 * MINUTE, START + 60 * MINUTE]] } });
  watch.open(LAST);
  await settled();
  expect(watch.next()).toBe('gala');
});

test('An event in trouble has no known deadline until it is an actor again', async () => {
  const { watch, deadlines } = setUp({});
  watch.open(LAST);
  await settled();
  watch.noteTrouble('gala');
  expect(deadlines()).toEqual([['gala', atOnce]]);
  watch.leave('gala');
  expect(deadlines()).toEqual([]);
});

test('A watch that was closed knows no deadlines, so no roster is made of it', async () => {
  const { watch, deadlines } = setUp({ roster: { upTo: LAST, events: [['gala', START + MINUTE, START]] } });
  watch.open(LAST);
  await settled();
  expect(deadlines()).toHaveLength(1);
  watch.close();
  expect(deadlines()).toBeUndefined();
});
