/**
 * The counters of the request budgets, in this process's memory: with several front doors each grants the whole budget.
 * Bounded: past `WINDOWS_MAX` the oldest windows are forgotten, which only ever grants more.
 */
import type { Clock } from '@parterre/shared/clock';
import { type Budget, type Spent, spend, type Window } from './rules/budget.ts';

export type Budgets = {
  /** Counts one request of `who` (a key's id, an address); null when budgets are lifted. */
  spend(budget: Budget, who: string): Spent | null;
};

const WINDOWS_MAX = 100_000;

export function createBudgets(clock: Clock, enabled: boolean): Budgets {
  const windows = new Map<string, Window>();
  return {
    spend(budget, who) {
      if (!enabled) return null;
      const key = `${budget.name} ${who}`;
      const spent = spend(budget, windows.get(key), clock.now());
      if (windows.size >= WINDOWS_MAX && !windows.has(key)) windows.delete(windows.keys().next().value!);
      windows.set(key, spent.window);
      return spent;
    },
  };
}
