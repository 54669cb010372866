/**
 * Holds of a performance group. The page names each hold (`pghop_…`), so a repetition finds the first one.
 *
 * States of an operation, as the server tells them: preparing or commit_pending → committed → booked or expired; or
 * aborted. Failure at each await: no answer, or an operation that is still undecided at the deadline → the outcome is
 * unknown, and the sale repeats the call under its name. A refusal of an extension or a release may mean that the shop
 * has booked the hold meanwhile: the operation is read, and tells.
 */

import type { Problem } from '../messages/problems.ts';
import { bestChoices, bestPlaces } from '../rules/best.ts';
import { mergedItems } from '../rules/performances.ts';
import type { HeldItem, Wanted } from '../rules/selection.ts';
import type { Result } from '../sale/calls.ts';
import type { Counter, FoundHold } from '../sale/counter.ts';
import type { GroupApi } from './group-api.ts';
import { newOperation } from './operation-name.ts';

type Item = HeldItem & { labels?: string[] };
type Operation = {
  operationId: string;
  state: string;
  hold: { id: string; expiresAt: number | null; allocations: { eventKey: string; items: Item[] }[] };
};
type OperationAnswer = { operation: Operation };

type Setting = {
  api: Pick<GroupApi, 'call'>;
  /** The names of the performances by event key, in their order. */
  names(): ReadonlyMap<string, string>;
  /** Reads the map again, after a call that may have changed it. */
  look(): Promise<void>;
  /** The pause between two looks at an undecided operation. */
  pauseMs?: number;
};

const PAUSE_MS = 1_000;
const DECISION_MS_MAX = 30_000;
const undecided = ['preparing', 'commit_pending'];
const unfinished = [...undecided, 'expire_pending', 'abort_pending'];
const noAnswer = { ok: false as const, status: 0, problem: { code: 'no_answer' } };
const isOver = { ok: false as const, status: 404, problem: { code: 'hold_not_found' } };
const noneLeft = { ok: false as const, status: 409, problem: { code: 'conflict', ofBest: true as const } };
const justTaken = { ok: false as const, status: 409, problem: { code: 'conflict' } };

export function groupCounter({ api, names, look, pauseMs = PAUSE_MS }: Setting): Counter {
  const pathOf = (name: string, action = '') => `operations/${encodeURIComponent(name)}${action}`;

  /** The operation of an answer, once it has left these states. A 504 tells the operation too. */
  async function after(states: readonly string[], answer: Result<OperationAnswer>): Promise<Result<Operation>> {
    let operation = operationIn(answer);
    if (!operation) return answer.ok ? noAnswer : answer;
    const until = Date.now() + DECISION_MS_MAX;
    while (states.includes(operation.state) && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      operation = operationIn(await api.call<OperationAnswer>('GET', pathOf(operation.operationId))) ?? operation;
    }
    return undecided.includes(operation.state) ? noAnswer : { ok: true, value: operation };
  }

  async function resume(name: string): Promise<Result<FoundHold>> {
    const found = await after(undecided, await api.call<OperationAnswer>('GET', pathOf(name)));
    if (!found.ok) return found.status === 404 ? isOver : found;
    return holdOf(found.value) ?? isOver;
  }

  /** What a refusal means: the hold is booked or over, or else the refusal itself. */
  async function explained(name: string, refusal: Extract<Result<never>, { ok: false }>): Promise<Result<FoundHold>> {
    const { status, problem } = refusal;
    if (status === 0 || status >= 500 || problem.reason === 'extend_limit') return refusal;
    const found = await resume(name);
    return found.ok && !found.value.isBooked ? refusal : found;
  }

  return {
    replaces: false,
    namesHolds: true,
    newKey: newOperation,
    chooseBest: async (wanted, hall, statuses) => bestPlaces(hall, statuses, wanted),
    async alternatives(wanted, count, hall, statuses) {
      const value = bestChoices(hall, statuses, wanted, count);
      return value.length > 0 ? { ok: true, value } : noneLeft;
    },
    async hold({ key, wanted, expectedTotal = null }) {
      const price = expectedTotal === null ? {} : { expectedTotal };
      const body = { operationId: key, ...placesOf(wanted, [...names().keys()]), ...price };
      const answer = await after(undecided, await api.call<OperationAnswer>('POST', 'hold', { body }));
      void look();
      if (!answer.ok) return { ...answer, problem: named(answer.problem, names()) };
      if (answer.value.state === 'aborted' || answer.value.state === 'abort_pending') return justTaken;
      return holdOf(answer.value) ?? isOver;
    },
    resume,
    async extend(name) {
      const answer = await api.call<OperationAnswer>('POST', pathOf(name, '/extend'), { body: {}, once: true });
      const extended = await after(undecided, answer);
      return extended.ok ? (holdOf(extended.value) ?? isOver) : explained(name, extended);
    },
    async release(name) {
      const answer = await api.call<OperationAnswer>('POST', pathOf(name, '/release'), { body: {} });
      const released = await after(unfinished, answer);
      const found = released.ok ? (holdOf(released.value) ?? isOver) : await explained(name, released);
      if (found.ok) return found.value.isBooked ? found : noAnswer;
      if (found.problem.code !== 'hold_not_found') return found;
      // The places are chosen anew on a map that has them free.
      await look();
      return { ok: true, value: null };
    },
  };
}

function operationIn(answer: Result<OperationAnswer>): Operation | undefined {
  return answer.ok ? answer.value.operation : (answer.problem as Problem & Partial<OperationAnswer>).operation;
}

/** Null for an operation without a hold. */
function holdOf({ operationId, state, hold }: Operation): { ok: true; value: FoundHold } | null {
  if (state !== 'committed' && state !== 'booked') return null;
  const { id, expiresAt, allocations } = hold;
  const labels = (allocations[0]?.items ?? []).flatMap((item) => item.labels ?? [item.label]);
  const base = { holdId: id, operationId, expiresAt: expiresAt ?? 0, labels, items: mergedItems(allocations) };
  return { ok: true, value: state === 'booked' ? { ...base, isBooked: true } : base };
}

/** Only allocations have tickets and quantities. They are the same in every performance. */
function placesOf(wanted: readonly Wanted[], eventKeys: readonly string[]): object {
  const isPlain = wanted.every(({ tierId, quantity }) => tierId === undefined && quantity === undefined);
  if (isPlain) return { labels: wanted.map(({ label }) => label) };
  const allocations = eventKeys.map((eventKey) => ({ eventKey, selections: wanted }));
  return { selectionMode: 'per_performance', allocations };
}

/** Conflicts name their performances, and new prices are sums over all performances. */
function named(problem: Problem, names: ReadonlyMap<string, string>): Problem {
  if (problem.allocations) return { ...problem, items: mergedItems(problem.allocations) };
  if (!problem.conflicts) return problem;
  const conflicts = problem.conflicts.map((conflict) => {
    const performance = names.get(conflict.eventKey ?? '');
    return performance === undefined ? conflict : { ...conflict, performance };
  });
  return { ...problem, conflicts };
}
