/** The budgets near their bound, as control rooms show them. */
import { expect, test } from 'vitest';
import { BudgetUses } from '../../../../services/frontdoor/src/admission/budget-uses.ts';
import type { Asker } from '../../../../services/frontdoor/src/admission/principal.ts';
import { budgets } from '../../../../services/frontdoor/src/admission/rules/budget.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const key = { kind: 'secret', keyId: 'key_1', organisationId: 'org_1', mode: 'live', workspaceId: null } as Exclude<
  Asker,
  true
>;
const spent = (remaining: number) => ({ allowed: true, remaining, resetAfterMs: 29_999.4 });

test('a budget is near from half on, for its own organisation, until its window ends', () => {
  const clock = new ManualClock();
  const uses = new BudgetUses(clock);
  uses.note(budgets.serverHolds, 'key_1', key, spent(301));
  expect(uses.of('org_1')).toEqual([]);
  uses.note(budgets.serverHolds, 'key_1', key, spent(300));
  uses.note(budgets.serverHolds, 'key_1', key, spent(60));
  const use = { budget: 'server-holds', key: 'key_1', mode: 'live', workspaceId: null, used: 540, limit: 600 };
  expect(uses.of('org_1')).toEqual([{ ...use, endsAt: clock.now() + 30_000 }]);
  expect(uses.of('org_2')).toEqual([]);
  clock.advance(30_000);
  expect(uses.of('org_1')).toEqual([]);
});

test('bounds of visitors do not stand there, and a user has no key', () => {
  const uses = new BudgetUses(new ManualClock());
  uses.note(budgets.buyerHolds, '10.0.0.1', key, spent(0));
  uses.note(budgets.serverCalls, '10.0.0.1', null, spent(0));
  expect(uses.of('org_1')).toEqual([]);
  const user = { kind: 'dashboard', userId: 'usr_1', organisationId: 'org_1', role: 'owner', mode: 'live' } as Exclude<
    Asker,
    true
  >;
  uses.note(budgets.serverCalls, 'usr_1', user, spent(0));
  expect(uses.of('org_1')).toMatchObject([{ budget: 'server-calls', key: null, mode: null, used: 30_000 }]);
});
