/**
 * The budgets of keys, users and organisations that are at least half used, as this front door has seen them last, for
 * control rooms. A request below half of its budget costs one comparison. Budgets of addresses do not stand here: they
 * are bounds of single visitors.
 *
 * States of a budget: absent → near (each request tells how much is left) → absent, when its window has ended or more
 * than `usesMax` other budgets came near since.
 */

import type { Mode } from '@parterre/shared/protocol/records';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Spent } from '@parterre/shared/runtime/fixed-windows';
import type { Asker } from './principal.ts';
import { type Budget, countsAddress } from './rules/budget.ts';

const usesMax = 1_000;

type NearBudget = {
  budget: string;
  key: string | null;
  organisationId: string;
  mode: Mode | null;
  workspaceId: string | null;
  used: number;
  limit: number;
  /** In epoch milliseconds. */
  endsAt: number;
};

export class BudgetUses {
  readonly #clock: Clock;
  readonly #near = new Map<string, NearBudget>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(budget: Budget, countedAs: string, principal: Exclude<Asker, true>, { remaining, resetAfterMs }: Spent): void {
    if (remaining * 2 > budget.limit || principal === null || countsAddress(budget)) return;
    const name = `${budget.name} ${countedAs}`;
    this.#near.delete(name);
    this.#near.set(name, {
      budget: budget.name,
      key: 'keyId' in principal ? principal.keyId : null,
      organisationId: principal.organisationId,
      mode: ('mode' in principal && principal.kind !== 'dashboard' && principal.mode) || null,
      workspaceId: 'workspaceId' in principal ? principal.workspaceId : null,
      used: budget.limit - remaining,
      limit: budget.limit,
      endsAt: Math.ceil(this.#clock.now() + resetAfterMs),
    });
    if (this.#near.size > usesMax) this.#near.delete(this.#near.keys().next().value!);
  }

  of(organisationId: string): Omit<NearBudget, 'organisationId'>[] {
    const now = this.#clock.now();
    const uses: Omit<NearBudget, 'organisationId'>[] = [];
    for (const [name, { organisationId: whose, ...use }] of this.#near) {
      if (use.endsAt <= now) this.#near.delete(name);
      else if (whose === organisationId) uses.push(use);
    }
    return uses;
  }
}
