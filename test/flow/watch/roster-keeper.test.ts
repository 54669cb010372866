/** When a partition's roster is stored. */
import { expect, test } from 'vitest';
import type { Roster } from '../../../services/inventory-shard/src/journal/rosters.ts';
import { rosterGroups, rosterWaitMs } from '../../../services/inventory-shard/src/watch/bounds.ts';
import { RosterKeeper } from '../../../services/inventory-shard/src/watch/roster-keeper.ts';
import { START } from '../../support/inventory/house.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function setUp() {
  const clock = new ManualClock(START);
  const stored: Roster[] = [];
  const house: { roster: Roster | null; write: () => Promise<void> } = {
    roster: { upTo: 7, events: [['gala', START, START]] },
    write: async () => {},
  };
  const rosters = {
    load: async () => null,
    async store(roster: Roster) {
      stored.push(roster);
      await house.write();
    },
  };
  return { clock, stored, house, keeper: new RosterKeeper({ clock, rosters }, () => house.roster) };
}

test('A roster is stored some time after a change, and not without a change', async () => {
  const { clock, stored, keeper } = setUp();
  clock.advance(2 * rosterWaitMs);
  expect(stored).toEqual([]);
  keeper.noteChange();
  clock.advance(rosterWaitMs - 1);
  expect(stored).toEqual([]);
  clock.advance(1);
  await settled();
  clock.advance(2 * rosterWaitMs);
  expect(stored).toHaveLength(1);
});

test('Many groups make a roster due at once; a longer roster waits longer', async () => {
  const { stored, keeper } = setUp();
  const change = (groups: number): void => {
    for (let i = 0; i < groups; i++) keeper.noteChange();
  };
  change(rosterGroups);
  await settled();
  expect(stored).toHaveLength(1);
  change(rosterGroups);
  expect(stored).toHaveLength(1);
  change(1);
  expect(stored).toHaveLength(2);
});

test('A change while a roster is being stored makes the next one due', async () => {
  const { clock, stored, house, keeper } = setUp();
  let end = (): void => {};
  house.write = () =>
    new Promise((resolve) => {
      end = resolve;
    });
  void keeper.store();
  keeper.noteChange();
  clock.advance(2 * rosterWaitMs);
  expect(stored).toHaveLength(1);
  end();
  await settled();
  clock.advance(2 * rosterWaitMs);
  expect(stored).toHaveLength(2);
});

test('While deadlines are unknown nothing is stored, and the keeper tries again', async () => {
  const { clock, stored, house, keeper } = setUp();
  const { roster } = house;
  house.roster = null;
  keeper.noteChange();
  clock.advance(rosterWaitMs);
  expect(stored).toEqual([]);
  house.roster = roster;
  clock.advance(rosterWaitMs);
  expect(stored).toEqual([roster]);
});

test('A closed keeper stores nothing', async () => {
  const { clock, stored, keeper } = setUp();
  keeper.noteChange();
  keeper.close();
  void keeper.store();
  clock.advance(2 * rosterWaitMs);
  await settled();
  expect(stored).toEqual([]);
});
