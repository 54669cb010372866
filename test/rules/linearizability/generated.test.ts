/**
 * The checkers on random histories. They accept legal histories, however their calls overlap. On small histories,
 * spoiled or not, the search agrees with a trial of every order.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkHistory, searchInputOf } from '../../support/histories/check-history.ts';
import { legalHistory, longHistory, mutatedHistory } from '../../support/histories/generated-history.ts';
import { findOrder } from '../../support/histories/linearizability.ts';
import type { SearchInput } from '../../support/histories/search-input.ts';
import { componentsOf } from '../../support/histories/seat-components.ts';
import { claimsChange, stepIn } from '../../support/histories/seat-model.ts';
import { SeatState } from '../../support/histories/seat-state.ts';
import { checkWitness } from '../../support/histories/witness.ts';

const linearizable = { kind: 'linearizable' };

test('a legal history is accepted by the witness check and by the search, with hints and without', () => {
  fc.assert(
    fc.property(legalHistory(40), (history) => {
      expect(checkWitness(history)).toEqual([]);
      const input = searchInputOf(history);
      expect(findOrder(input)).toEqual(linearizable);
      expect(findOrder({ ...input, hints: new Map() })).toEqual(linearizable);
    }),
    { numRuns: 300 },
  );
});

test('the search finds an order exactly when a trial of all orders does, and the witness check never accepts more', () => {
  let refused = 0;
  let accepted = 0;
  fc.assert(
    fc.property(mutatedHistory(7), (history) => {
      const input = withoutVersions(searchInputOf(history));
      const exists = componentsOf(input).every(anyOrder);
      expect(findOrder(input).kind).toBe(exists ? 'linearizable' : 'impossible');
      if (!anyOrder(input)) expect(checkWitness(history)).not.toEqual([]);
      if (exists) accepted++;
      else refused++;
    }),
    { numRuns: 2_000 },
  );
  // Both verdicts must have occurred often.
  expect(Math.min(accepted, refused)).toBeGreaterThan(100);
});

test('an acknowledged change that the journal lacks is noticed, whichever it is', () => {
  fc.assert(
    fc.property(legalHistory(20), fc.nat(), (history, which) => {
      const acknowledged = history.operations.filter(claimsChange);
      fc.pre(acknowledged.length > 0);
      const lost = acknowledged[which % acknowledged.length]!;
      const position = [...searchInputOf(history).hints!].find(([id]) => id === lost.id)![1];
      const journal = history.journal.filter((_, i) => i !== position - 1);
      expect(checkHistory({ ...history, journal }).join('\n')).toContain(`#${lost.id} client ${lost.client}`);
    }),
    { numRuns: 300 },
  );
});

test('7,000 overlapping operations on 40 seats are checked, with a witness and without', () => {
  const history = longHistory(7_000, 40, 4);
  expect(checkWitness(history)).toEqual([]);
  expect(findOrder(searchInputOf(history))).toEqual(linearizable);
});

/** The model has no versions. */
function withoutVersions(input: SearchInput): SearchInput {
  const operations = input.operations.map((operation) => {
    const { outcome } = operation;
    if (outcome.kind !== 'ok' || outcome.answer.type !== 'map') return operation;
    return { ...operation, outcome: { ...outcome, answer: { ...outcome.answer, version: 0 } } };
  });
  return { ...input, operations };
}

/** Every order that keeps real time, without hints, memory or shortcuts. */
function anyOrder({ operations, seatTotal, scheduled = [], effects }: SearchInput): boolean {
  const state = new SeatState(seatTotal);
  const tasks = [
    ...operations.map((operation) => ({
      ...operation,
      step: () => stepIn(state, operation, effects?.get(operation.id)),
    })),
    ...scheduled.map(({ change, from }) => ({
      invokedAt: from,
      returnedAt: Number.POSITIVE_INFINITY,
      step: () => {
        const hold = change.type === 'expired' ? state.hold(change.holdId) : undefined;
        const same = hold && change.type === 'expired' && hold.expiresAt === change.expiresAt;
        const held =
          change.type === 'expired' && change.labels.every((l) => state.owner(l) === `held ${change.holdId}`);
        return same && held && hold.status === 'active'
          ? { fits: true as const, change }
          : { fits: false as const, instead: '' };
      },
    })),
  ];

  function goOn(left: typeof tasks): boolean {
    const due = left.filter(({ returnedAt }) => Number.isFinite(returnedAt));
    if (due.length === 0) return true;
    const ended = Math.min(...due.map(({ returnedAt }) => returnedAt));
    return left.some((task) => {
      if (task.invokedAt > ended) return false;
      const mark = state.mark();
      const stepped = task.step();
      if (!stepped.fits) return false;
      if (stepped.change) state.apply(stepped.change);
      const found = goOn(left.filter((each) => each !== task));
      state.undo(mark);
      return found;
    });
  }
  return goOn(tasks);
}
