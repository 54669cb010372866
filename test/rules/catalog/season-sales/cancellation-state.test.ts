/** The states of a cancellation, from the outcomes of its events. */
import type { CancelOutcome } from '@parterre/shared/protocol/operations/ports';
import { expect, it } from 'vitest';
import {
  afterTry,
  begunCancellation,
  judged,
  pendingLabels,
} from '../../../../services/catalog/src/season-sales/rules/cancellation-state.ts';

const asked = {
  seasonKey: 'sea_1',
  operationId: 'sop_1',
  actionId: 'book-1',
  cancelActionId: 'cancel-1',
  bookingRef: 'order-1',
  planActivationId: 'spa_1',
  rightDisposition: 'release' as const,
  eventKeys: ['one', 'two'],
  labels: { one: ['A-1'], two: ['A-1'] },
  by: { source: 'server' as const, actor: null, accessSource: 'public' as const },
};
const begun = begunCancellation(asked, 1_000);
const tell = (...states: CancelOutcome['state'][]): CancelOutcome[] =>
  states.map((state, at) => ({ eventKey: asked.eventKeys[at]!, state, code: state === 'failed' ? 'not_found' : null }));

it.each([
  [['cancelled', 'cancelled'], 'cancelled'],
  [['failed', 'failed'], 'cancel_failed'],
  [['cancelled', 'failed'], 'partial_terminal'],
  [['cancelled', 'pending'], 'cancel_pending'],
] as const)('outcomes %j make %s', (states, state) => {
  const next = afterTry(begun, tell(...states), 2_000)!;
  expect([next.state, next.open]).toEqual([state, state === 'cancel_pending' ? true : null]);
});

it('an outcome that is final stays, and its event is not asked again', () => {
  const half = afterTry(begun, tell('cancelled', 'pending'), 2_000)!;
  expect(pendingLabels(half)).toEqual({ two: ['A-1'] });
  expect(afterTry(half, tell('cancelled', 'pending'), 3_000)).toBeNull();
  expect(afterTry(half, tell('failed', 'cancelled'), 3_000)!.state).toBe('cancelled');
});

it('a repetition finds the first call; another call waits, is refused, or tries a failed cancellation again', () => {
  const other = begunCancellation({ ...asked, cancelActionId: 'cancel-2' }, 5_000);
  const preserving = begunCancellation({ ...asked, rightDisposition: 'preserve' }, 5_000);
  const reasonOf = (outcome: ReturnType<typeof judged>) => (outcome.ok ? null : outcome.refusal.reason);
  expect(judged(begun, begunCancellation(asked, 5_000))).toEqual({ ok: true, value: begun });
  expect(reasonOf(judged(begun, preserving))).toBe('action_reused');
  expect(reasonOf(judged(begun, other))).toBe('other_action');
  const cancelled = afterTry(begun, tell('cancelled', 'cancelled'), 2_000)!;
  expect(reasonOf(judged(cancelled, other))).toBe('booking_cancelled');
  const partial = afterTry(begun, tell('cancelled', 'failed'), 2_000)!;
  expect(judged(partial, other)).toEqual({ ok: true, value: other });
});
