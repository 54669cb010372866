/** The lifecycle of groups and seasons: one machine, and one table of behaviours for both owners. */
import type { Lifecycle } from '@parterre/shared/protocol/catalog/lifecycles';
import { refuse } from '@parterre/shared/protocol/errors';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { refusedLock, type SeasonShop, seasonShop } from '../seasons/season-shop.ts';

let database: TestDatabase;
let shop: SeasonShop;
beforeEach(async () => {
  database = await embeddedDatabase([]);
  shop = await seasonShop(await database.connect());
});
afterEach(() => database.remove());

type Move = 'activate' | 'close';
type Owned = {
  key: string;
  revision: number;
  eventKeys: string[];
  activatedAt: number | null;
  closedAt: number | null;
};
type LifecycleAnswer = { owned: Owned; state: string; lifecycle: Lifecycle };

const owners = {
  groups: {
    locked: 'performance_group_locked',
    wrongState: 'invalid_group_state',
    async draft(): Promise<Owned> {
      const draft = { name: 'Run', eventKeys: await shop.events(3) };
      return (await shop.catalog.ask('groups.create', { scope: shop.scope, draft })).group;
    },
    asked: ({ key, revision }: Owned) => ({ scope: shop.scope, groupKey: key, expectedRevision: revision }),
    refusal: (move: Move, owned: Owned) => shop.catalog.refusal(`groups.${move}`, owners.groups.asked(owned)),
    async take(move: Move, owned: Owned): Promise<LifecycleAnswer> {
      const { group, lifecycle } = await shop.catalog.ask(`groups.${move}`, owners.groups.asked(owned));
      return { owned: group, state: group.state, lifecycle };
    },
    async read({ key }: Owned, operationId: string): Promise<LifecycleAnswer> {
      const asked = { scope: shop.scope, groupKey: key, operationId };
      const { group, lifecycle } = await shop.catalog.ask('groups.lifecycle', asked);
      return { owned: group, state: group.state, lifecycle };
    },
    delete: ({ key }: Owned) => shop.catalog.ask('groups.delete', { scope: shop.scope, groupKey: key }),
  },
  seasons: {
    locked: 'season_event_locked',
    wrongState: 'invalid_season_state',
    draft: (): Promise<Owned> => shop.draft(),
    asked: ({ key, revision }: Owned) => ({ scope: shop.scope, seasonKey: key, expectedRevision: revision }),
    refusal: (move: Move, owned: Owned) => shop.catalog.refusal(`seasons.${move}`, owners.seasons.asked(owned)),
    async take(move: Move, owned: Owned): Promise<LifecycleAnswer> {
      const { season, lifecycle } = await shop.catalog.ask(`seasons.${move}`, owners.seasons.asked(owned));
      return { owned: season, state: season.structureState, lifecycle };
    },
    async read({ key }: Owned, operationId: string): Promise<LifecycleAnswer> {
      const asked = { scope: shop.scope, seasonKey: key, operationId };
      const { season, lifecycle } = await shop.catalog.ask('seasons.lifecycle', asked);
      return { owned: season, state: season.structureState, lifecycle };
    },
    delete: ({ key }: Owned) => shop.catalog.ask('seasons.delete', { scope: shop.scope, seasonKey: key }),
  },
};

const silent = () => refuse('shard_unavailable', 'The event does not answer.', { retryable: true });

describe.each(['groups', 'seasons'] as const)('the lifecycle of %s', (kind) => {
  const owner = owners[kind];

  /** Lets any catalog process carry the open work on, as far as it goes. */
  async function carryOn({ key }: Owned): Promise<void> {
    await shop.catalog.lifecycles[kind].engine.carryOn(key, 0);
  }

  /** The step, asked for while its events keep it waiting. The test's clock stands, so the time is moved on. */
  async function waiting(move: Move, owned: Owned): Promise<LifecycleAnswer> {
    let isOver = false;
    const asked = owner.take(move, owned).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      shop.catalog.clock.time += 500;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return asked;
  }

  async function active(): Promise<Owned> {
    return (await owner.take('activate', await owner.draft())).owned;
  }

  /** The second event takes no lock, and the owner's activation fails. */
  async function failed(): Promise<LifecycleAnswer> {
    const draft = await owner.draft();
    shop.answers.set(draft.eventKeys[1]!, ({ type }) => (type === 'lock' ? refusedLock() : null));
    const told = await owner.take('activate', draft);
    shop.answers.clear();
    return told;
  }

  test('an activation locks every event, and is read by its id', async () => {
    const told = await owner.take('activate', await owner.draft());
    const { owned, lifecycle } = told;
    expect(lifecycle).toMatchObject({ kind: 'ACTIVATION', step: 'active', code: null });
    expect(lifecycle).toMatchObject({ ackedLocks: 3, remainingOperations: null });
    expect(told).toMatchObject({ state: 'active', owned: { revision: 3, activatedAt: shop.catalog.clock.time } });
    expect([...shop.locks]).toEqual(owned.eventKeys.map((key) => [key, lifecycle.operationId]));
    expect(await owner.read(owned, lifecycle.operationId)).toEqual(told);
    expect((await owner.refusal('activate', owned)).code).toBe(owner.wrongState);
  });

  test('a locked event keeps times, venue and currency, and takes other changes', async () => {
    const owned = await active();
    const target = { scope: shop.scope, eventKey: owned.eventKeys[0]! };
    for (const changes of [{ startsAt: 1 }, { endsAt: null }, { venue: 'Park' }, { timezone: 'Europe/Paris' }])
      expect((await shop.catalog.refusal('events.update', { ...target, changes })).code).toBe(owner.locked);
    const currency = { ...target, changes: {}, changesCurrency: true as const };
    expect((await shop.catalog.refusal('events.update', currency)).code).toBe(owner.locked);
    await shop.catalog.ask('events.update', { ...target, changes: { name: 'Premiere' } });
    await owner.take('close', owned);
    await shop.catalog.ask('events.update', { ...target, changes: { venue: 'Park' } });
  });

  test('a stale revision and a wrong state are refused, and lock nothing', async () => {
    const draft = await owner.draft();
    const stale = await owner.refusal('activate', { ...draft, revision: 9 });
    expect(stale).toMatchObject({ code: 'conflict', reason: 'stale_revision', details: { revision: 1 } });
    expect((await owner.refusal('close', draft)).code).toBe(owner.wrongState);
    expect(shop.locks.size).toBe(0);
  });

  test('an event that refuses its lock ends the activation: no lock stays, and the owner is a draft again', async () => {
    const { owned, state, lifecycle } = await failed();
    expect([lifecycle.step, lifecycle.code, state]).toEqual(['failed', 'conflict', 'draft']);
    expect(shop.locks.size).toBe(0);
    expect((await owner.take('activate', owned)).state).toBe('active');
  });

  test('a late lock of a failed activation is taken back, and never the lock of a later activation', async () => {
    const { owned, lifecycle } = await failed();
    shop.locks.set(owned.eventKeys[0]!, lifecycle.operationId);
    shop.catalog.clock.time += 30_000;
    await carryOn(owned);
    expect(shop.locks.size).toBe(0);
    const { step } = (await owner.read(owned, lifecycle.operationId)).lifecycle;
    expect(step).toBe('cleared');
    const again = await owner.take('activate', owned);
    await carryOn(owned);
    expect(shop.locks.get(owned.eventKeys[0]!)).toBe(again.lifecycle.operationId);
  });

  test('a late lock is taken back from the events of a deleted draft', async () => {
    const { owned, lifecycle } = await failed();
    await owner.delete(owned);
    shop.locks.set(owned.eventKeys[0]!, lifecycle.operationId);
    shop.catalog.clock.time += 30_000;
    await carryOn(owned);
    expect(shop.locks.size).toBe(0);
  });

  test('an activation goes on in another process, once the events answer', async () => {
    const draft = await owner.draft();
    for (const key of draft.eventKeys) shop.answers.set(key, silent);
    const { owned, lifecycle } = await waiting('activate', draft);
    expect(lifecycle.step).toBe('locking');
    expect((await owner.refusal('activate', owned)).code).toMatch(/^(conflict|invalid_group_state)$/);
    shop.answers.clear();
    await carryOn(owned);
    expect(await owner.read(owned, lifecycle.operationId)).toMatchObject({
      state: 'active',
      lifecycle: { step: 'active' },
    });
  });

  test('a silent event ends the activation, once its locks cannot act any more', async () => {
    const draft = await owner.draft();
    shop.answers.set(draft.eventKeys[0]!, ({ type }) => (type === 'lock' ? silent() : null));
    const { owned, lifecycle } = await waiting('activate', draft);
    shop.catalog.clock.time += 20_000;
    await carryOn(owned);
    const ended = await owner.read(owned, lifecycle.operationId);
    expect(ended).toMatchObject({ state: 'draft', lifecycle: { code: 'shard_unavailable' } });
    expect(shop.locks.size).toBe(0);
  });

  test('a close waits for live operations, then unlocks', async () => {
    const owned = await active();
    shop.live.set(owned.eventKeys[1]!, 2);
    const closing = await waiting('close', owned);
    expect(closing.lifecycle).toMatchObject({ kind: 'CLOSE', step: 'waiting', remainingOperations: 2 });
    expect(closing.state).toBe('closing');
    expect(shop.locks.size).toBe(3);
    shop.live.clear();
    await carryOn(owned);
    const closed = await owner.read(owned, closing.lifecycle.operationId);
    expect(closed.lifecycle).toMatchObject({ step: 'closed', remainingOperations: 0 });
    expect(closed).toMatchObject({ state: 'closed', owned: { closedAt: shop.catalog.clock.time } });
    expect(shop.locks.size).toBe(0);
  });
});
