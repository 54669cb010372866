import type { SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { refusedLock, type SeasonShop, seasonShop } from './season-shop.ts';

let database: TestDatabase;
let shop: SeasonShop;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  shop = await seasonShop(await database.connect());
});
afterEach(() => database.remove());

const at = ({ key, revision }: SeasonRecord) => ({ scope: shop.scope, seasonKey: key, expectedRevision: revision });
const silent = () => refuse('shard_unavailable', 'The event does not answer.', { retryable: true });

/** Lets any catalog process carry the season's open step on, as far as it goes. */
async function carryOn({ key }: SeasonRecord): Promise<void> {
  await shop.catalog.lifecycles.seasons.engine.carryOn(key, 0);
}

async function read({ key }: SeasonRecord, operationId: string) {
  return shop.catalog.ask('seasons.lifecycle', { scope: shop.scope, seasonKey: key, operationId });
}

/** The step, asked for while its events keep it waiting. The test's clock stands, so the time is moved on. */
async function waiting(season: SeasonRecord, step: 'activate' | 'close') {
  const asked = shop.catalog.ask(`seasons.${step}`, at(season));
  let isOver = false;
  void asked.then(() => {
    isOver = true;
  });
  while (!isOver) {
    shop.catalog.clock.time += 500;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return asked;
}

describe('an activation', () => {
  test('locks every event, and a repeated call finds it', async () => {
    const season = await shop.draft();
    const step = await shop.catalog.ask('seasons.activate', at(season));
    expect(step.lifecycle).toMatchObject({ kind: 'ACTIVATION', phase: 'active', terminal: true, code: null });
    expect(step.season).toMatchObject({ structureState: 'active', activatedAt: shop.catalog.clock.time });
    const { operationId } = step.lifecycle;
    expect([...shop.locks]).toEqual(season.eventKeys.map((key) => [key, operationId]));
    expect(await shop.catalog.ask('seasons.activate', at(season))).toEqual(step);
    expect(await read(season, operationId)).toEqual(step);
    const twice = await shop.catalog.refusal('seasons.activate', at(step.season));
    expect(twice.code).toBe('invalid_season_state');
  });

  test('keeps the times and places of its events, until the season is closed', async () => {
    const season = await shop.active();
    const target = { scope: shop.scope, eventKey: season.eventKeys[0]!, changes: { venue: 'Elsewhere' } };
    expect((await shop.catalog.refusal('events.update', target)).code).toBe('season_event_locked');
    await shop.catalog.ask('seasons.close', at(season));
    expect((await shop.catalog.ask('events.update', target)).event.venue).toBe('Elsewhere');
  });

  test('at a stale revision, or of events that no longer fit, is refused and locks nothing', async () => {
    const season = await shop.draft();
    const stale = await shop.catalog.refusal('seasons.activate', { ...at(season), expectedRevision: 9 });
    expect(stale).toMatchObject({ code: 'conflict', reason: 'stale_revision', details: { revision: 1 } });
    const settled = { at: 1_800_000_000_001, facts: { currency: 'USD' } };
    await shop.catalog.ask('events.settle', { eventKey: season.eventKeys[1]!, ...settled });
    const refusal = await shop.catalog.refusal('seasons.activate', at(season));
    expect(refusal.details!.issues).toMatchObject([{ code: 'currency_mismatch', field: 'eventKeys.1' }]);
    expect(shop.locks.size).toBe(0);
  });

  test('that an event refuses takes its locks back, and the season is a draft again', async () => {
    const season = await shop.draft();
    const [, second] = season.eventKeys;
    shop.answers.set(second!, ({ type }) => (type === 'lock' ? refusedLock() : null));
    const step = await shop.catalog.ask('seasons.activate', at(season));
    expect(step.lifecycle).toMatchObject({ phase: 'decided', terminal: true, code: 'conflict' });
    expect(step.season.structureState).toBe('draft');
    expect(shop.locks.size).toBe(0);
    shop.answers.clear();
    const again = await shop.catalog.ask('seasons.activate', at(step.season));
    expect(again.season.structureState).toBe('active');
  });

  test('that was given up takes back a lock that comes late, and never the lock of a later activation', async () => {
    const season = await shop.draft();
    const [first, second] = season.eventKeys as [string, string];
    shop.answers.set(second, ({ type }) => (type === 'lock' ? refusedLock() : null));
    const step = await shop.catalog.ask('seasons.activate', at(season));
    shop.locks.set(first, step.lifecycle.operationId);
    shop.answers.clear();
    shop.catalog.clock.time += 30_000;
    await carryOn(season);
    expect(shop.locks.size).toBe(0);
    const again = await shop.catalog.ask('seasons.activate', at(step.season));
    await carryOn(season);
    expect(shop.locks.get(first)).toBe(again.lifecycle.operationId);
  });

  test('asks the events which chart they have: the catalog may be behind them', async () => {
    const season = await shop.draft();
    const versions = season.eventKeys.map((key): [string, { now: number }] => [key, { now: 2 }]);
    for (const [key, version] of versions) {
      shop.answers.set(key, (command) => {
        const facts = { locks: [], status: 'active', chartVersion: version.now, planHash: 'plan-2', currency: 'EUR' };
        if (command.type === 'inspect-locks') return done(facts) as never;
        return command.type === 'lock' && command.expects?.chartVersion !== 2 ? refusedLock() : null;
      });
    }
    versions[1]![1].now = 1;
    const refused = await shop.catalog.refusal('seasons.activate', at(season));
    expect(refused.details?.issues).toMatchObject([{ code: 'chart_version_mismatch' }]);
    versions[1]![1].now = 2;
    const step = await shop.catalog.ask('seasons.activate', at(season));
    expect(step.lifecycle).toMatchObject({ phase: 'active', terminal: true, code: null });
    expect(step.season).toMatchObject({ structureState: 'active', chartVersion: 2, planHash: 'plan-2' });
  });

  test('goes on in another process, once the events answer', async () => {
    const season = await shop.draft();
    for (const key of season.eventKeys) shop.answers.set(key, silent);
    const step = await waiting(season, 'activate');
    expect(step.lifecycle).toMatchObject({ phase: 'decided', terminal: false });
    expect((await shop.catalog.refusal('seasons.update', { ...at(step.season), name: 'Now' })).reason).toBe(
      'lifecycle_in_progress',
    );
    shop.answers.clear();
    await carryOn(season);
    const { season: active, lifecycle } = await read(season, step.lifecycle.operationId);
    expect(lifecycle).toMatchObject({ phase: 'active', terminal: true });
    expect(active.structureState).toBe('active');
  });

  test('whose events stay silent ends as a draft', async () => {
    const season = await shop.draft();
    shop.answers.set(season.eventKeys[0]!, ({ type }) => (type === 'lock' ? silent() : null));
    const step = await waiting(season, 'activate');
    shop.catalog.clock.time += 20_000;
    await carryOn(season);
    const ended = await read(season, step.lifecycle.operationId);
    expect(ended.lifecycle).toMatchObject({ terminal: true, code: 'shard_unavailable' });
    expect(ended.season.structureState).toBe('draft');
    expect(shop.locks.size).toBe(0);
  });
});

describe('a close', () => {
  test('ends sales at once, waits for live operations, and unlocks the events', async () => {
    const season = await shop.active();
    shop.live.set(season.eventKeys[1]!, 2);
    const step = await waiting(season, 'close');
    expect(step.lifecycle).toMatchObject({ kind: 'CLOSE', phase: 'decided', terminal: false, remainingOperations: 2 });
    expect(step.season).toMatchObject({ structureState: 'closing', salesState: 'ended' });
    expect(shop.locks.size).toBe(3);
    shop.live.clear();
    await carryOn(season);
    const ended = await read(season, step.lifecycle.operationId);
    expect(ended.lifecycle).toMatchObject({ phase: 'closed', terminal: true, remainingOperations: 0 });
    expect(ended.season).toMatchObject({ structureState: 'closed', closedAt: shop.catalog.clock.time });
    expect(shop.locks.size).toBe(0);
  });

  test('goes before the archive, which is one write', async () => {
    const season = await shop.active();
    expect((await shop.catalog.refusal('seasons.archive', at(season))).code).toBe('invalid_season_state');
    const closed = await shop.catalog.ask('seasons.close', at(season));
    const archived = await shop.catalog.ask('seasons.archive', at(closed.season));
    expect(archived.lifecycle).toMatchObject({ kind: 'ARCHIVE', phase: 'archived', terminal: true });
    expect(archived.season.structureState).toBe('archived');
    const refusal = await shop.catalog.refusal('seasons.update', { ...at(archived.season), name: 'Late' });
    expect(refusal.code).toBe('invalid_season_state');
  });

  test('and every step before it stand in audit and outbox, each once', async () => {
    const season = await shop.active();
    await shop.catalog.ask('seasons.close', at(season));
    await shop.catalog.ask('seasons.close', at(season));
    const target = { scope: shop.scope, seasonKey: season.key };
    const { audit } = await shop.catalog.ask('seasons.audit', target);
    expect(audit.map(({ action }) => action).reverse()).toEqual([
      'season.created',
      'season.activation.begun',
      'season.activated',
      'season.close.begun',
      'season.closed',
    ]);
    const { outbox, undelivered } = await shop.catalog.ask('seasons.outbox', target);
    expect(outbox.map(({ eventName }) => eventName).reverse()).toEqual(['season.activated', 'season.closed']);
    expect(undelivered).toBe(2);
  });
});
