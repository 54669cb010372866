/**
 * Locks of groups and seasons. A lock keeps the event's life, chart and currency as they are, and lets the operations
 * of its owner begin.
 */
import type { Answers, LockView } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import type { EventLock } from '@parterre/shared/protocol/operations/operation';
import { invalidState } from '../event/lifecycle.ts';
import { lockIdOf } from '../parts/parts.ts';
import { byOf, type Decision, type Folds, isOnSale, type ReadState } from '../state/state.ts';
import { tooLate } from './part-answers.ts';

const lockedOtherwise = refuse('conflict', 'Another activation has locked this event for the same owner.', {
  reason: 'locked_otherwise',
});
const changedMeanwhile = refuse('conflict', 'The chart or the currency of this event has changed. Read it again.', {
  reason: 'event_changed',
});
const operationsLive = refuse('conflict', 'Holds of the group or season are still active in this event.', {
  reason: 'operations_live',
  retryable: true,
});

export function lock(
  state: ReadState,
  { owner, lockId, actsUntil, expects }: Command & { type: 'lock' },
  caller: Caller,
  now: number,
): Decision<'lock'> {
  // A copy that comes behind the unlock: its lock came and went, and is not taken again.
  if (state.parts.hasEnded(owner, lockId)) return { ok: true, records: [], answer: { lock: null } };
  const known = state.parts.locks.get(lockIdOf(owner));
  if (known && known.lockId !== lockId) return lockedOtherwise;
  if (known) return { ok: true, records: [], answer: { lock: lockView(state, known) } };
  if (now > actsUntil) return tooLate;
  if (!isOnSale(state)) return invalidState(state);
  if (expects && !isAsExpected(state, expects)) return changedMeanwhile;
  return {
    ok: true,
    records: [{ type: 'locked', owner, lockId, by: byOf(caller) }],
    answer: { lock: lockView(state, { owner, lockId, isDraining: false }) },
  };
}

function isAsExpected(
  { config: { chartId, chartVersion, currency } }: ReadState,
  expects: NonNullable<(Command & { type: 'lock' })['expects']>,
): boolean {
  const isOnChart = chartId === undefined || expects.chartId === undefined || expects.chartId === chartId;
  return isOnChart && expects.chartVersion === chartVersion && expects.currency === currency;
}

export function drainLock(
  state: ReadState,
  { owner, lockId }: Command & { type: 'drain-lock' },
  caller: Caller,
): Decision<'drain-lock'> {
  const known = state.parts.locks.get(lockIdOf(owner));
  if (known?.lockId !== lockId) return { ok: true, records: [], answer: { lock: null } };
  const answer = { lock: lockView(state, { ...known, isDraining: true }) };
  if (known.isDraining) return { ok: true, records: [], answer };
  return { ok: true, records: [{ type: 'lock-drained', owner, lockId, by: byOf(caller) }], answer };
}

export function unlock(
  state: ReadState,
  { owner, lockId }: Command & { type: 'unlock' },
  caller: Caller,
): Decision<'unlock'> {
  const known = state.parts.locks.get(lockIdOf(owner));
  if (known?.lockId !== lockId) return { ok: true, records: [], answer: { unlocked: false } };
  if (state.parts.liveOf(owner) > 0) return operationsLive;
  return {
    ok: true,
    records: [{ type: 'unlocked', owner, lockId, by: byOf(caller) }],
    answer: { unlocked: true },
  };
}

export function inspectLocks(state: ReadState): Answers['inspect-locks'] {
  const { status, config, parts, plan } = state;
  const locks = Array.from(parts.locks.values(), (each) => lockView(state, each));
  const { chartId, chartVersion = null, currency } = config;
  return { locks, status, chartVersion, planHash: plan.hash, currency, ...(chartId !== undefined && { chartId }) };
}

function lockView({ parts }: ReadState, known: EventLock): LockView {
  return { ...known, live: parts.liveOf(known.owner) };
}

export const lockFolds: Folds<'locked' | 'lock-drained' | 'unlocked'> = {
  locked({ parts }, { owner, lockId }) {
    parts.locks.set(lockIdOf(owner), { owner, lockId, isDraining: false });
  },
  'lock-drained'({ parts }, { owner, lockId }) {
    parts.locks.set(lockIdOf(owner), { owner, lockId, isDraining: true });
  },
  unlocked({ parts }, { owner, lockId }) {
    parts.endLock(owner, lockId);
  },
};
