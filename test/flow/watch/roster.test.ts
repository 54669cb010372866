/** A partition's roster names the deadline of each event. */
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import { Remembered } from '../../../services/inventory-shard/src/journal/lost-records.ts';
import type { LoadedEvent } from '../../../services/inventory-shard/src/journal/recovery.ts';
import type { Roster } from '../../../services/inventory-shard/src/journal/rosters.ts';
import { SharedParts } from '../../../services/inventory-shard/src/journal/shared-parts.ts';
import type { Actor } from '../../../services/inventory-shard/src/partition/actor.ts';
import { ActorPool } from '../../../services/inventory-shard/src/partition/actor-pool.ts';
import { EventMemory } from '../../../services/inventory-shard/src/partition/event-memory.ts';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { apply, closeGroup } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import { atOnce } from '../../../services/inventory-shard/src/watch/watch.ts';
import { eventConfig, MINUTE, START, smallPlan } from '../../support/inventory/house.ts';
import { noLink, noSalvage } from '../../support/journal/links.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const by = { source: 'server', actor: null } as const;
const FENCE = 9;

/**
 * An event whose key begins with "holds" has a hold for a minute. Loads of "broken" fail, and "slow" loads for ever.
 */
async function load(eventKey: string): Promise<LoadedEvent | null> {
  if (eventKey === 'broken') throw new Error('no plan');
  if (eventKey === 'slow') await new Promise(() => {});
  if (eventKey === 'unknown') return null;
  const state = newState(eventConfig({ eventKey }), smallPlan);
  const lines = [{ unit: 0, price: 40 }];
  const expiresAt = START + MINUTE;
  if (eventKey.startsWith('holds')) {
    apply(state, { type: 'held', holdId: 'h', expiresAt, accessSource: 'public', lines, by }, START);
  }
  closeGroup(state, 7);
  return { state, link: noLink, storedVersion: 7, replayed: { groups: 0, bytes: 0 } };
}

async function setUp() {
  const clock = new ManualClock(START);
  const log = createLog('test', 'silent');
  const stored: Roster[] = [];
  const shared = new SharedParts();
  shared.open(0, 0);
  shared.fill([]);
  const pool = new ActorPool(
    {
      clock,
      log,
      memory: new EventMemory({ clock, log, bytesMax: 2 ** 30 }),
      turn: new LoopTurn(clock),
      remembered: new Remembered(),
      plans: async () => smallPlan,
      snapshots: { store: async () => true, load: async () => null, head: async () => null },
      rosters: {
        load: async () => null,
        async store(roster) {
          stored.push(roster);
        },
      },
      loader: {
        prepared: () => [],
        anchorOf: async () => null,
        ...noSalvage,
        load,
        events: async () => [],
        changed: async () => [],
        sharedCommits: async () => [],
      },
      shared,
      reply: () => {},
    },
    () => {},
  );
  pool.open(FENCE);
  await settled();
  /** By event, the deadline in the roster that the pool stores now. */
  async function roster(): Promise<{ upTo: number; deadlines: Record<string, number> }> {
    await pool.storeAll();
    const { upTo, events } = stored.at(-1)!;
    return { upTo, deadlines: Object.fromEntries(events.map(([eventKey, wakeAt]) => [eventKey, wakeAt])) };
  }
  return { pool, roster, stored };
}

test('A roster names the deadlines of loaded events, and of no event without one', async () => {
  const { pool, roster } = await setUp();
  for (const eventKey of ['holds', 'rests', 'unknown']) pool.get(eventKey);
  await settled();
  expect(await roster()).toEqual({ upTo: FENCE, deadlines: { holds: START + MINUTE } });
});

test.each<[string, (actor: Actor) => void]>([
  [
    'has a group in flight',
    (actor) => {
      actor.groupsInFlight = 1;
    },
  ],
  [
    'is faulty',
    (actor) => {
      actor.phase = 'faulty';
    },
  ],
])('The deadline of an event that %s is not known', async (_, spoil) => {
  const { pool, roster } = await setUp();
  const actors = ['holds', 'rests'].map((eventKey) => pool.get(eventKey));
  await settled();
  for (const actor of actors) spoil(actor);
  expect((await roster()).deadlines).toEqual({ holds: atOnce, rests: atOnce });
});

test('The deadline of an event that is being loaded, or cannot be loaded, is not known', async () => {
  const { pool, roster } = await setUp();
  for (const eventKey of ['slow', 'broken']) pool.get(eventKey);
  await settled();
  expect((await roster()).deadlines).toEqual({ slow: atOnce, broken: atOnce });
});

test('A roster stands behind the last group that was committed', async () => {
  const { pool, roster } = await setUp();
  pool.noteCommitted(12);
  expect((await roster()).upTo).toBe(12);
});

test('A closed pool stores no roster', async () => {
  const { pool, stored } = await setUp();
  pool.get('holds');
  await settled();
  pool.close();
  await pool.storeAll();
  expect(stored).toEqual([]);
});
