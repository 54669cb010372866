/**
 * A repeat of a season's call, by a stranger. Seasons' keys are public and revisions are small numbers, so anybody can
 * name a call that stands. A stranger must hear what a read of the season tells the stranger, and see nothing of it.
 */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { CatalogOperation } from '@parterre/shared/protocol/catalog-api';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

type SeasonCall = Extract<CatalogOperation, `seasons.${string}`>;
type NamedSeasonCall = { operation: SeasonCall; input: Record<string, unknown> };

/** Asks for a season's call without its types: the calls below differ in their fields. */
const ask = ({ operation, input }: NamedSeasonCall) => shop.catalog.ask(operation, input as never);

/** Every kind of call that finds its repeat, made once by the owner, in an order in which each succeeds. */
async function standingCalls(): Promise<NamedSeasonCall[]> {
  const { scope } = shop;
  const asked: NamedSeasonCall[] = [];
  const { key: seasonKey } = await shop.draft();
  const read = async () => (await shop.catalog.ask('seasons.get', { scope, seasonKey })).season;
  const act = async (operation: SeasonCall, fields: object = {}) => {
    const { revision: expectedRevision } = await read();
    const call = { operation, input: { scope, seasonKey, expectedRevision, ...fields } };
    asked.push(call);
    await ask(call);
  };
  await act('seasons.update', { callId: 'named-1', name: 'Other' });
  await act('seasons.activate');
  await act('seasons.create-plan', { callId: 'named-2', name: 'All', selection: {} });
  const season = await read();
  const { key: planKey } = season.plans[0]!;
  await act('seasons.publish-plan', { planKey });
  for (const move of ['open', 'pause', 'resume', 'end']) await act('seasons.move-sales', { move });
  await act('seasons.amend', {
    callId: 'named-3',
    draft: { eventKey: season.eventKeys[0]!, kind: 'cancel_exception' },
  });
  await act('seasons.supersede-plan', { planKey });
  await act('seasons.close');
  await act('seasons.archive');
  const { key: deletedKey } = await shop.draft();
  const deletion: NamedSeasonCall = {
    operation: 'seasons.delete',
    input: { scope, seasonKey: deletedKey, callId: 'named-4' },
  };
  await ask(deletion);
  return [...asked, deletion];
}

async function strangersOf(scope: Scope): Promise<[name: string, stranger: Scope, code: string][]> {
  const other = await organisationScope(shop.catalog);
  const live = 'live' as const;
  return [
    ['another organisation', { ...other, mode: scope.mode }, 'not_found'],
    ['another organisation, live', { ...other, mode: live }, 'not_found'],
    [
      'another organisation, by an environment key',
      { ...other, mode: scope.mode, environment: 'staging' },
      'not_found',
    ],
    ['a member of another organisation', { ...other, mode: null, role: 'member' }, 'not_found'],
    ['a key of another workspace', { ...scope, workspaceId: 'ws_00000000000000000000' }, 'not_found'],
    ['a key of the other mode', { ...scope, mode: live }, 'mode_mismatch'],
  ];
}

test('a stranger who repeats a call that stands hears what a stranger hears of the season', async () => {
  const calls = await standingCalls();
  const strangers = await strangersOf(shop.scope);
  for (const { operation, input } of calls) {
    for (const [name, scope, code] of strangers) {
      const refusal = await shop.catalog.refusal(operation, { ...input, scope } as never);
      expect([operation, name, refusal.code]).toEqual([operation, name, code]);
    }
  }
});

test('the owner who repeats a call that stands finds it, even a delete', async () => {
  const calls = await standingCalls();
  for (const call of calls) await ask(call);
  const { input } = calls.at(-1)!;
  const another = { ...input, callId: 'another' } as never;
  expect((await shop.catalog.refusal('seasons.delete', another)).code).toBe('not_found');
});
