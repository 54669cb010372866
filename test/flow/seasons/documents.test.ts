import type { SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { organisationScope } from '../../store/test-catalog.ts';
import { type SeasonShop, seasonShop } from './season-shop.ts';

let database: TestDatabase;
let shop: SeasonShop;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  shop = await seasonShop(await database.connect());
});
afterEach(() => database.remove());

const get = async (seasonKey: string) =>
  (await shop.catalog.ask('seasons.get', { scope: shop.scope, seasonKey })).season;
const at = ({ key, revision }: SeasonRecord) => ({ scope: shop.scope, seasonKey: key, expectedRevision: revision });
const actions = async ({ key }: SeasonRecord) => {
  const { audit } = await shop.catalog.ask('seasons.audit', { scope: shop.scope, seasonKey: key });
  return audit.map(({ action }) => action).reverse();
};

describe('a season', () => {
  test('is a draft with the facts of its events, found by key and in lists', async () => {
    const eventKeys = await shop.events(3);
    const season = await shop.draft(eventKeys);
    expect(season).toMatchObject({
      key: expect.stringMatching(/^sea_[0-9A-Za-z]{22}$/),
      name: 'Subscription',
      edition: '2027',
      mode: 'test',
      chartId: shop.chartId,
      currency: 'EUR',
      structureState: 'draft',
      salesState: 'closed',
      revision: 1,
      eventKeys,
      plans: [],
      activatedAt: null,
    });
    expect(await get(season.key)).toEqual(season);
    for (const filter of [{}, { workspaceId: season.workspaceId }, { structureState: 'draft' as const }]) {
      const { seasons } = await shop.catalog.ask('seasons.list', { scope: shop.scope, page: {}, ...filter });
      expect(seasons).toEqual([season]);
    }
    const none = await shop.catalog.ask('seasons.list', { scope: shop.scope, page: {}, structureState: 'active' });
    expect(none.seasons).toEqual([]);
  });

  test('of a named call is made once', async () => {
    const selection = { eventKeys: await shop.events(2) };
    const call = { scope: shop.scope, name: 'Once', selection, callId: 'call-1' };
    const first = await shop.catalog.ask('seasons.create', call);
    expect(await shop.catalog.ask('seasons.create', call)).toEqual(first);
    expect(await actions(first.season)).toEqual(['season.created']);
  });

  test('of events that differ is refused with every fault, and nothing is stored', async () => {
    const [first] = await shop.events(1);
    const dollars = await shop.event({ currency: 'USD', region: 'oceania' });
    const selection = { eventKeys: [first!, dollars, first!, 'nobody'], sourcePerformanceGroupKeys: ['pg_0'] };
    const refusal = await shop.catalog.refusal('seasons.create', { scope: shop.scope, name: 'Mixed', selection });
    expect(refusal).toMatchObject({ code: 'incompatible_events' });
    const codes = (refusal.details!.issues as { code: string }[]).map(({ code }) => code).sort();
    expect(codes).toEqual([
      'currency_mismatch',
      'duplicate_event',
      'event_not_found',
      'performance_group_not_found',
      'region_mismatch',
    ]);
    const checked = await shop.catalog.ask('seasons.validate', { scope: shop.scope, selection });
    expect(checked).toMatchObject({ valid: false, mode: 'test', issues: refusal.details!.issues });
    expect((await shop.catalog.ask('seasons.list', { scope: shop.scope, page: {} })).seasons).toEqual([]);
  });

  test('of one event is refused, and so is a season of 51', async () => {
    for (const count of [1, 51]) {
      const eventKeys = await shop.events(count);
      const checked = await shop.catalog.ask('seasons.validate', { scope: shop.scope, selection: { eventKeys } });
      expect(checked.issues).toMatchObject([{ code: 'event_count', actual: count }]);
    }
  });

  test('is unknown to another organisation, and a mismatch to the other mode', async () => {
    const { key } = await shop.draft();
    const stranger = await organisationScope(shop.catalog);
    const unknown = await shop.catalog.refusal('seasons.get', { scope: stranger, seasonKey: key });
    expect(unknown.code).toBe('not_found');
    const live = { ...shop.scope, mode: 'live' as const };
    expect((await shop.catalog.refusal('seasons.get', { scope: live, seasonKey: key })).code).toBe('mode_mismatch');
    expect((await shop.catalog.ask('seasons.list', { scope: live, page: {} })).seasons).toEqual([]);
  });

  test('changes its name at the present revision alone, and a null clears the edition', async () => {
    const season = await shop.draft();
    const { season: next } = await shop.catalog.ask('seasons.update', { ...at(season), name: 'Pass', edition: null });
    expect(next).toMatchObject({ name: 'Pass', edition: null, revision: 2 });
    expect(await shop.catalog.refusal('seasons.update', { ...at(season), name: 'Late' })).toMatchObject({
      code: 'conflict',
      reason: 'stale_revision',
      details: { revision: 2 },
    });
    expect((await shop.catalog.refusal('seasons.update', at(next))).code).toBe('nothing_to_update');
  });

  test('whose named change is repeated changes once', async () => {
    const season = await shop.draft();
    const call = { ...at(season), name: 'Pass', callId: 'call-1' };
    await shop.catalog.ask('seasons.update', call);
    await shop.catalog.ask('seasons.update', { ...at(await get(season.key)), name: 'Later' });
    expect((await shop.catalog.ask('seasons.update', call)).season).toMatchObject({ name: 'Later', revision: 3 });
    expect(await actions(season)).toEqual(['season.created', 'season.updated', 'season.updated']);
  });

  test('is deleted as a draft alone, and a repeated named deletion succeeds', async () => {
    const season = await shop.draft();
    const call = { scope: shop.scope, seasonKey: season.key, callId: 'call-1' };
    await shop.catalog.ask('seasons.delete', call);
    await shop.catalog.ask('seasons.delete', call);
    expect((await shop.catalog.refusal('seasons.delete', { ...call, callId: 'call-2' })).code).toBe('not_found');
    expect((await shop.catalog.refusal('seasons.get', call)).code).toBe('not_found');
    expect((await shop.catalog.ask('seasons.list', { scope: shop.scope, page: {} })).seasons).toEqual([]);
    const active = await shop.active();
    const refusal = await shop.catalog.refusal('seasons.delete', { scope: shop.scope, seasonKey: active.key });
    expect(refusal.code).toBe('invalid_season_state');
  });
});

describe('a plan', () => {
  test('has the selected occurrences in the caller’s order, or all of them', async () => {
    const season = await shop.draft();
    const [one, two, three] = season.eventKeys as [string, string, string];
    const target = { scope: shop.scope, seasonKey: season.key };
    const chosen = await shop.catalog.ask('seasons.create-plan', {
      ...target,
      name: 'Two nights',
      selection: { eventKeys: [three, one] },
      callId: 'call-1',
    });
    expect(chosen.plan).toMatchObject({ publicationState: 'draft', eventKeys: [three, one], activationId: null });
    const again = { ...target, name: 'Two nights', selection: { eventKeys: [three, one] }, callId: 'call-1' };
    expect((await shop.catalog.ask('seasons.create-plan', again)).plan).toEqual(chosen.plan);
    const all = await shop.catalog.ask('seasons.create-plan', { ...target, name: 'All', selection: {} });
    expect(all.plan.eventKeys).toEqual([one, two, three]);
    expect((await get(season.key)).plans).toEqual([chosen.plan, all.plan]);
    expect((await get(season.key)).revision).toBe(3);
  });

  test('of foreign events is refused with every fault', async () => {
    const season = await shop.draft();
    const [stray] = await shop.events(1);
    const eventKeys = [season.eventKeys[0]!, stray!, season.eventKeys[0]!];
    const target = { scope: shop.scope, seasonKey: season.key, name: 'Wrong', selection: { eventKeys } };
    const refusal = await shop.catalog.refusal('seasons.create-plan', target);
    const codes = (refusal.details!.issues as { code: string }[]).map(({ code }) => code);
    expect(codes).toEqual(['event_not_in_season', 'duplicate_event']);
    expect(await get(season.key)).toEqual(season);
  });

  test('is published once, under an activation that a repeated call finds', async () => {
    const season = await shop.active();
    const made = await shop.catalog.ask('seasons.create-plan', {
      scope: shop.scope,
      seasonKey: season.key,
      name: 'All',
      selection: {},
    });
    const input = { ...at(made.season), planKey: made.plan.key };
    const published = await shop.catalog.ask('seasons.publish-plan', input);
    expect(published.plan).toMatchObject({
      publicationState: 'published',
      publishedRevision: 1,
      activationId: expect.stringMatching(/^spa_/),
    });
    expect(published.lifecycle).toMatchObject({ kind: 'PLAN_PUBLICATION', step: 'published' });
    expect(await shop.catalog.ask('seasons.publish-plan', input)).toEqual(published);
    const twice = { ...at(published.season), planKey: made.plan.key };
    expect((await shop.catalog.refusal('seasons.publish-plan', twice)).code).toBe('invalid_season_state');
    const read = { scope: shop.scope, seasonKey: season.key, operationId: published.lifecycle.operationId };
    expect((await shop.catalog.ask('seasons.lifecycle', read)).lifecycle).toEqual(published.lifecycle);
  });

  test('that the season lacks is unknown at any revision', async () => {
    const season = await shop.active();
    const input = { ...at(season), planKey: 'spl_0' };
    expect((await shop.catalog.refusal('seasons.publish-plan', input)).code).toBe('not_found');
    expect((await shop.catalog.refusal('seasons.supersede-plan', { ...input, expectedRevision: 99 })).code).toBe(
      'not_found',
    );
  });
});

describe('sales', () => {
  const published = async () => {
    const season = await shop.active();
    const made = await shop.catalog.ask('seasons.create-plan', {
      scope: shop.scope,
      seasonKey: season.key,
      name: 'All',
      selection: {},
    });
    return shop.catalog.ask('seasons.publish-plan', { ...at(made.season), planKey: made.plan.key });
  };

  test('go from closed over open and paused to ended, each move at the present revision', async () => {
    let { season } = await published();
    const before = season;
    for (const [move, salesState] of [
      ['open', 'open'],
      ['pause', 'paused'],
      ['resume', 'open'],
      ['end', 'ended'],
    ] as const) {
      const { revision } = season;
      ({ season } = await shop.catalog.ask('seasons.move-sales', { ...at(season), move }));
      expect(season).toMatchObject({ salesState, revision: revision + 1 });
    }
    for (const move of ['open', 'pause', 'resume', 'end'] as const) {
      const refusal = await shop.catalog.refusal('seasons.move-sales', { ...at(season), move });
      expect(refusal.code).toBe('invalid_season_state');
    }
    // The first move again: its revision finds it.
    const repeated = await shop.catalog.ask('seasons.move-sales', { ...at(before), move: 'open' });
    expect(repeated.season).toEqual(season);
    expect((await shop.catalog.refusal('seasons.move-sales', { ...at(before), move: 'pause' })).reason).toBe(
      'stale_revision',
    );
  });

  test('do not open without an active season and a published plan', async () => {
    const draft = await shop.draft();
    expect(await shop.catalog.refusal('seasons.move-sales', { ...at(draft), move: 'open' })).toMatchObject({
      code: 'invalid_season_state',
    });
    const active = await shop.active();
    expect(await shop.catalog.refusal('seasons.move-sales', { ...at(active), move: 'open' })).toMatchObject({
      code: 'invalid_season_state',
      reason: 'no_published_plan',
    });
  });

  test('keep a published plan from being superseded while they are open or paused', async () => {
    const { season, plan } = await published();
    const open = await shop.catalog.ask('seasons.move-sales', { ...at(season), move: 'open' });
    const input = { ...at(open.season), planKey: plan.key };
    expect((await shop.catalog.refusal('seasons.supersede-plan', input)).code).toBe('invalid_season_state');
    const ended = await shop.catalog.ask('seasons.move-sales', { ...at(open.season), move: 'end' });
    const over = await shop.catalog.ask('seasons.supersede-plan', { ...at(ended.season), planKey: plan.key });
    expect(over.plan).toMatchObject({ publicationState: 'superseded', publishedRevision: 1 });
  });
});

describe('a live copy', () => {
  test('has the plans as drafts, on the counterparts of their events', async () => {
    const season = await shop.draft();
    const [one, two] = season.eventKeys;
    await shop.catalog.ask('seasons.create-plan', {
      scope: shop.scope,
      seasonKey: season.key,
      name: 'Two',
      selection: { eventKeys: [two!, one!] },
    });
    const live = { ...shop.scope, mode: 'live' as const };
    const { organisationId } = shop.scope;
    await shop.catalog.ask('organisations.add-credits', { organisationId, delta: 10, reason: 'test' });
    const eventKeys: string[] = [];
    for (let count = 0; count < 3; count++) {
      const draft = { chartId: shop.chartId };
      eventKeys.push((await shop.catalog.ask('events.create', { scope: live, draft })).event.key);
    }
    const call = { scope: shop.scope, seasonKey: season.key, eventKeys, callId: 'call-1' };
    const { season: copy } = await shop.catalog.ask('seasons.duplicate-to-live', call);
    expect(copy).toMatchObject({ mode: 'live', name: 'Subscription', structureState: 'draft', eventKeys });
    expect(copy.plans).toMatchObject([
      { name: 'Two', publicationState: 'draft', eventKeys: [eventKeys[1], eventKeys[0]] },
    ]);
    expect((await shop.catalog.ask('seasons.duplicate-to-live', call)).season).toEqual(copy);
    expect((await shop.catalog.refusal('seasons.get', { scope: shop.scope, seasonKey: copy.key })).code).toBe(
      'mode_mismatch',
    );
    const few = { ...call, eventKeys: eventKeys.slice(0, 2), callId: 'call-2' };
    const refusal = await shop.catalog.refusal('seasons.duplicate-to-live', few);
    expect(refusal.details!.issues).toMatchObject([{ code: 'occurrence_count_mismatch', expected: 3, actual: 2 }]);
  });
});
