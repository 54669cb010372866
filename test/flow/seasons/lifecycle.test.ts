/** The lifecycle of a season, beyond the behaviours that test/flow/lifecycles has for groups and seasons alike. */
import type { SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

test('a repeated activation finds the first one', async () => {
  const season = await shop.draft();
  const step = await shop.catalog.ask('seasons.activate', at(season));
  expect(await shop.catalog.ask('seasons.activate', at(season))).toEqual(step);
});

test('an activation of events that no longer fit is refused and locks nothing', async () => {
  const season = await shop.draft();
  const settled = { at: 1_800_000_000_001, facts: { currency: 'USD' } };
  await shop.catalog.ask('events.settle', { eventKey: season.eventKeys[1]!, ...settled });
  const refusal = await shop.catalog.refusal('seasons.activate', at(season));
  expect(refusal.details!.issues).toMatchObject([{ code: 'currency_mismatch', field: 'eventKeys.1' }]);
  expect(shop.locks.size).toBe(0);
});

test('an activation asks the events which chart they have: the catalog may be behind them', async () => {
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
  expect(step.lifecycle).toMatchObject({ step: 'active', code: null });
  expect(step.season).toMatchObject({ structureState: 'active', chartVersion: 2, planHash: 'plan-2' });
});

test('no other change is taken while an activation is open', async () => {
  const season = await shop.draft();
  const silent = () => refuse('shard_unavailable', 'The event does not answer.', { retryable: true });
  shop.answers.set(season.eventKeys[0]!, ({ type }) => (type === 'lock' ? silent() : null));
  const activating = shop.catalog.ask('seasons.activate', at(season));
  const changes = { ...at(season), expectedRevision: 2, name: 'Now' };
  const reason = async () => (await shop.catalog.refusal('seasons.update', changes)).reason;
  await expect.poll(reason).toBe('lifecycle_in_progress');
  shop.answers.clear();
  await activating;
});

test('a close ends sales at once', async () => {
  const season = await shop.active();
  const { season: closed } = await shop.catalog.ask('seasons.close', at(season));
  expect(closed).toMatchObject({ structureState: 'closed', salesState: 'ended' });
});

test('a close goes before the archive, which is one write', async () => {
  const season = await shop.active();
  expect((await shop.catalog.refusal('seasons.archive', at(season))).code).toBe('invalid_season_state');
  const closed = await shop.catalog.ask('seasons.close', at(season));
  const archived = await shop.catalog.ask('seasons.archive', at(closed.season));
  expect(archived.lifecycle).toMatchObject({ kind: 'ARCHIVE', step: 'archived' });
  expect(archived.season.structureState).toBe('archived');
  const refusal = await shop.catalog.refusal('seasons.update', { ...at(archived.season), name: 'Late' });
  expect(refusal.code).toBe('invalid_season_state');
});

test('every step stands in audit and outbox, each once', async () => {
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
