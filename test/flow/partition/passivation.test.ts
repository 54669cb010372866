/** The events of a partition in memory, asleep and at rest, on a fake snapshot store and loader. */
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import { Remembered } from '../../../services/inventory-shard/src/journal/lost-records.ts';
import type { JournaledEvent, LoadedEvent } from '../../../services/inventory-shard/src/journal/recovery.ts';
import { SharedParts } from '../../../services/inventory-shard/src/journal/shared-parts.ts';
import type {
  FrozenSnapshot,
  SnapshotHead,
} from '../../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import { type Actor, isIdle } from '../../../services/inventory-shard/src/partition/actor.ts';
import { ActorPool } from '../../../services/inventory-shard/src/partition/actor-pool.ts';
import {
  backgroundActivationsAtOnce,
  memoryPauseMs,
  reloadPauseMs,
  usedEveryMs,
} from '../../../services/inventory-shard/src/partition/bounds.ts';
import { EventMemory } from '../../../services/inventory-shard/src/partition/event-memory.ts';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { apply, closeGroup } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import { isDue } from '../../../services/inventory-shard/src/rules/turn/due.ts';
import { eventConfig, MINUTE, START, server, smallPlan } from '../../support/inventory/house.ts';
import { noLink, noSalvage } from '../../support/journal/links.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const roomy = 2 ** 30;
const by = { source: 'server', actor: null } as const;

/**
 * In every event a hold has A-1 for a minute. `faults` decides how writes and loads end; by default they succeed at
 * once.
 */
function setUp({ bytesMax = 0, journaled = [] as JournaledEvent[], heads = {} as Record<string, SnapshotHead> } = {}) {
  const clock = new ManualClock(START);
  const log = createLog('test', 'silent');
  const memory = new EventMemory({ clock, log, bytesMax });
  const loads: string[] = [];
  const worked: string[] = [];
  const stored: FrozenSnapshot[] = [];
  const faults = {
    write: async (): Promise<boolean> => true,
    load: async (_eventKey: string): Promise<void> => {},
    list: async (): Promise<void> => {},
    head: async (): Promise<void> => {},
  };
  async function load(eventKey: string): Promise<LoadedEvent> {
    loads.push(eventKey);
    await faults.load(eventKey);
    const config = eventConfig({ eventKey });
    const state = newState(config, smallPlan);
    const lines = [{ unit: 0, price: 40 }];
    const held = { type: 'held', holdId: 'h1', expiresAt: START + MINUTE, accessSource: 'public', lines, by } as const;
    apply(state, { ...held, lines }, START);
    closeGroup(state, 7);
    return { state, link: noLink, storedVersion: 0, replayed: { groups: 0, bytes: 0 } };
  }
  const shared = new SharedParts();
  shared.open(0, 0);
  shared.fill([]);
  const pool = new ActorPool(
    {
      clock,
      log,
      memory,
      turn: new LoopTurn(clock),
      remembered: new Remembered(),
      plans: async () => smallPlan,
      snapshots: {
        async store(snapshot) {
          const isStored = await faults.write();
          if (isStored) stored.push(snapshot);
          return isStored;
        },
        load: async () => null,
        async head(eventKey) {
          await faults.head();
          return heads[eventKey] ?? null;
        },
      },
      loader: {
        prepared: () => [],
        anchorOf: async () => null,
        ...noSalvage,
        load,
        async events() {
          await faults.list();
          return journaled;
        },
        changed: async () => [],
        sharedCommits: async () => [],
      },
      shared,
      rosters: { load: async () => null, store: async () => {} },
      reply: () => {},
    },
    (actor) => {
      worked.push(actor.eventKey);
      // As the partition does, until the due records are cut.
      actor.queued ||= isDue(actor.state!, clock.now());
    },
  );
  return { clock, memory, pool, loads, worked, stored, faults };
}

/** A promise that the test resolves with `keep`. */
function kept<T>() {
  let keep!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}

function giveCommand(actor: Actor): void {
  const envelope = { id: 1, eventKey: actor.eventKey, caller: server, command: { type: 'count' } as const };
  actor.mailbox.push({ envelope, replyTo: 'inbox.1', receivedAt: START });
}

test('An idle event over the bound is stored and leaves memory; its deadline brings it back', async () => {
  const { clock, memory, pool, loads, worked, stored } = setUp();
  const actor = pool.get('gala');
  await settled();
  expect(pool.has(actor)).toBe(false);
  expect(stored).toMatchObject([{ eventKey: 'gala', sequence: 7, groups: 1, wakeAt: START + MINUTE, at: START }]);
  expect([memory.loaded, memory.asleep, memory.bytes, memory.passivations]).toEqual([0, 1, 0, 1]);
  worked.length = 0;
  clock.advance(MINUTE - 1);
  await settled();
  expect(loads).toEqual(['gala']);
  clock.advance(1);
  await settled();
  expect(loads).toEqual(['gala', 'gala']);
  expect(worked).toContain('gala');
});

test('A command that comes while the snapshot is written keeps the event in memory', async () => {
  const { pool, faults, loads } = setUp();
  const write = kept<boolean>();
  faults.write = () => write.promise;
  const actor = pool.get('gala');
  await settled();
  expect(actor.leaving).toBe(true);
  expect(pool.get('gala')).toBe(actor);
  giveCommand(actor);
  write.keep(true);
  await settled();
  expect(pool.has(actor)).toBe(true);
  expect(actor.mailbox).toHaveLength(1);
  expect(loads).toEqual(['gala']);
});

test('A deadline that comes while the snapshot is written is carried out', async () => {
  const { clock, pool, faults, worked } = setUp();
  const write = kept<boolean>();
  faults.write = () => write.promise;
  const actor = pool.get('gala');
  await settled();
  worked.length = 0;
  clock.advance(MINUTE);
  expect(worked).toEqual(['gala']);
  write.keep(true);
  await settled();
  expect(pool.has(actor)).toBe(true);
});

test('An event whose snapshot cannot be stored stays, and leaves once it can be stored', async () => {
  const { clock, memory, pool, faults } = setUp();
  faults.write = async () => false;
  const actor = pool.get('gala');
  await settled();
  expect(pool.has(actor)).toBe(true);
  expect(actor.leaving).toBe(false);
  faults.write = async () => true;
  clock.advance(memoryPauseMs);
  await settled();
  expect(pool.has(actor)).toBe(false);
  expect(memory.asleep).toBe(1);
});

test('A busy or faulty event does not leave, however little memory there is', async () => {
  const { clock, memory, pool, stored } = setUp();
  const spoil: Record<string, (actor: Actor) => void> = {
    waits: giveCommand,
    queued: (actor) => {
      actor.queued = true;
    },
    flies: (actor) => {
      actor.groupsInFlight = 1;
    },
    gathers: (actor) => {
      actor.gathering = true;
    },
    faulty: (actor) => {
      actor.phase = 'faulty';
    },
  };
  memory.used(await other(), async () => 'stays');
  const actors = Object.entries(spoil).map(([eventKey, make]) => {
    const actor = pool.get(eventKey);
    return { actor, make };
  });
  for (const { actor, make } of actors) await loaded(actor, make);
  clock.advance(memoryPauseMs);
  await settled();
  expect(actors.filter(({ actor }) => isIdle(actor) || !pool.has(actor))).toEqual([]);
  expect(stored).toEqual([]);
  expect(memory.loaded).toBe(actors.length + 1);

  /** A busy event, so that the first look for idle events finds none and the test can make the others busy. */
  async function other(): Promise<Actor> {
    const { pool: elsewhere } = setUp({ bytesMax: roomy });
    const actor = elsewhere.get('other');
    await settled();
    giveCommand(actor);
    // The memory of this test does not know it yet.
    return { ...actor, memory: 'none' };
  }
  async function loaded(actor: Actor, make: (actor: Actor) => void): Promise<void> {
    await settled();
    make(actor);
  }
});

test('The least recently used event leaves first, and no more events than needed', async () => {
  const { memory: measure, pool: one } = setUp({ bytesMax: roomy });
  one.get('a');
  await settled();
  const plan = (() => {
    one.get('b');
    return measure.bytes;
  })();
  await settled();
  const perEvent = measure.bytes - plan;
  const { pool, memory } = setUp({ bytesMax: plan + 2 * perEvent });
  const actors = ['a', 'b', 'c'].map((key) => pool.get(key));
  await settled();
  pool.get('a');
  const fourth = pool.get('d');
  await settled();
  expect([...actors, fourth].map((actor) => pool.has(actor))).toEqual([true, false, true, true]);
  expect(memory.bytes).toBeLessThanOrEqual(memory.bytesMax);
});

test('A busy event is estimated once in a while, and its growth counts a moment later', async () => {
  const { pool, memory, clock } = setUp({ bytesMax: roomy });
  const actor = pool.get('a');
  await settled();
  const before = memory.bytes;
  for (let n = 0; n < 50; n++) actor.state!.sessionUse.set(`session_${n}`, { used: 1, at: START });
  for (let use = 0; use < 3; use++) pool.get('a');
  expect(memory.bytes).toBe(before);
  clock.advance(usedEveryMs);
  expect(memory.bytes).toBeGreaterThan(before + 50 * 100);
});

test('A partition that opens loads only events that changed since their snapshot, and arms timers of sleeping ones', async () => {
  const { clock, memory, pool, loads } = setUp({
    bytesMax: roomy,
    journaled: ['rests', 'sleeps', 'changed', 'unknown', 'ahead'].map((eventKey) => ({ eventKey, groups: 3 })),
    heads: {
      rests: { sequence: 9, link: noLink, groups: 3, wakeAt: null, at: 0 },
      sleeps: { sequence: 9, link: noLink, groups: 3, wakeAt: START + MINUTE, at: 0 },
      changed: { sequence: 9, link: noLink, groups: 2, wakeAt: null, at: 0 },
      // Its time stands in the future and is to be set back.
      ahead: { sequence: 9, link: noLink, groups: 3, wakeAt: START + 2 * MINUTE, at: START + MINUTE },
    },
  });
  pool.open(9);
  await settled();
  expect(loads.sort()).toEqual(['ahead', 'changed', 'unknown']);
  expect(memory.asleep).toBe(1);
  clock.advance(MINUTE);
  await settled();
  expect(loads).toEqual(['ahead', 'changed', 'unknown', 'sleeps']);
});

test('An event that a command asks for does not wait for background loads', async () => {
  const journaled = Array.from({ length: 1_000 }, (_, i) => ({ eventKey: `cold-${i}`, groups: 1 }));
  const { pool, faults, loads } = setUp({ bytesMax: roomy, journaled });
  const never = kept<void>();
  faults.load = (eventKey) => (eventKey.startsWith('cold') ? never.promise : Promise.resolve());
  pool.open(9);
  await settled();
  expect(loads).toHaveLength(backgroundActivationsAtOnce);
  const actor = pool.get('asked');
  await settled();
  expect(actor.phase).toBe('ready');
});

test("A snapshot head that was read before a command's load is ignored", async () => {
  const { memory, pool, faults, loads } = setUp({
    bytesMax: roomy,
    journaled: [{ eventKey: 'gala', groups: 3 }],
    heads: { gala: { sequence: 9, link: noLink, groups: 3, wakeAt: START + MINUTE, at: 0 } },
  });
  const head = kept<void>();
  faults.head = () => head.promise;
  pool.open(9);
  await settled();
  pool.get('gala');
  await settled();
  head.keep();
  await settled();
  expect([loads, memory.asleep]).toEqual([['gala'], 0]);
});

test('Events are found and loaded although stream, store and catalog failed at first', async () => {
  const heads = { gala: { sequence: 9, link: noLink, groups: 3, wakeAt: null, at: 0 } };
  const { clock, pool, faults, loads } = setUp({
    bytesMax: roomy,
    journaled: [{ eventKey: 'gala', groups: 3 }],
    heads,
  });
  const down = () => Promise.reject(new Error('down'));
  faults.list = down;
  faults.head = down;
  faults.load = down;
  pool.open(9);
  await settled();
  faults.list = async () => {};
  clock.advance(reloadPauseMs);
  await settled();
  expect(loads).toEqual(['gala']);
  faults.load = async () => {};
  clock.advance(reloadPauseMs);
  await settled();
  expect(pool.get('gala').phase).toBe('ready');
});

test("An event that fell asleep before the listing has one timer, which its actor's load ends", async () => {
  const heads = { gala: { sequence: 7, link: noLink, groups: 1, wakeAt: START + MINUTE, at: 0 } };
  const { clock, memory, pool, faults, loads } = setUp({ journaled: [{ eventKey: 'gala', groups: 1 }], heads });
  const list = kept<void>();
  faults.list = () => list.promise;
  pool.open(9);
  pool.get('gala');
  await settled();
  list.keep();
  await settled();
  expect(memory.asleep).toBe(1);
  faults.write = async () => false;
  const actor = pool.get('gala');
  await settled();
  clock.advance(MINUTE);
  await settled();
  expect(pool.get('gala')).toBe(actor);
  expect(loads).toEqual(['gala', 'gala']);
});

test('A closed pool wakes no event and holds no memory', async () => {
  const { clock, memory, pool, loads } = setUp();
  pool.get('gala');
  await settled();
  pool.close();
  clock.advance(2 * MINUTE);
  await settled();
  expect([loads, memory.loaded, memory.asleep, memory.bytes]).toEqual([['gala'], 0, 0, 0]);
});
