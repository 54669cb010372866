/**
 * Prepares plans for best-available when they enter memory, so that the first call on a plan costs what later calls
 * cost. One step is taken in a turn of the event loop, since all steps of a large plan take tens of milliseconds (I8).
 *
 * States of a plan: waiting → under way → prepared; or dropped, when its last event leaves memory before. The plans
 * that wait are plans in memory, so their number has the bound of the memory. A call that comes before takes the steps
 * that are left by itself (rules/seat-search/seat-rows.ts). If a rule throws, the plan is prepared no further, and the
 * call meets the exception.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Steps } from '../rules/packed/packed.ts';
import { prepareSearch } from '../rules/seat-search/seat-search.ts';

export class PlanPreparations {
  readonly #log: Pick<Logger, 'error'>;
  readonly #atNextTurn: (run: () => void) => void;
  /** The plan that waits longest comes first. */
  readonly #waiting = new Map<Plan, Steps<void>>();
  #isUnderWay = false;

  constructor(log: Pick<Logger, 'error'>, atNextTurn: (run: () => void) => void = setImmediate) {
    this.#log = log;
    this.#atNextTurn = atNextTurn;
  }

  prepare(plan: Plan): void {
    this.#waiting.set(plan, prepareSearch(plan));
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    this.#atNextTurn(() => this.#goOn());
  }

  drop(plan: Plan): void {
    this.#waiting.delete(plan);
  }

  #goOn(): void {
    const [first] = this.#waiting;
    this.#isUnderWay = first !== undefined;
    if (!first) return;
    const [plan, steps] = first;
    try {
      if (steps.next().done) this.#waiting.delete(plan);
    } catch (error) {
      this.#waiting.delete(plan);
      this.#log.error({ err: error, plan: plan.hash }, 'a plan cannot be prepared for best-available');
    }
    this.#atNextTurn(() => this.#goOn());
  }
}
