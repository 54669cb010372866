/** The states of a cancellation, from its events' outcomes. Pure. */
import type {
  CancellationDraft,
  CancellationState,
  SeasonCancellation,
} from '@parterre/shared/protocol/catalog/season-sales';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { CancelOutcome } from '@parterre/shared/protocol/operations/ports';
import type { CancellationRecord, GroupCancellationRecord } from '../../store/rules/season-records.ts';

export function begunCancellation(
  { eventKeys, labels, by, ...draft }: CatalogInput<'seasons.cancel-booking'>,
  now: number,
): CancellationRecord {
  return {
    ...draft,
    labels,
    by,
    state: 'cancel_pending',
    open: true,
    outcomes: eventKeys.map((eventKey) => ({ eventKey, state: 'pending', code: null })),
    createdAt: now,
    updatedAt: now,
    endedAt: null,
  };
}

/** The standing cancellation for the same call, or its replacement after a cancellation that an event refused. */
export function judged(standing: CancellationRecord, asked: CancellationRecord): Outcome<CancellationRecord> {
  if (standing.cancelActionId === asked.cancelActionId) return isSame(standing, asked) ? done(standing) : reused;
  if (standing.state === 'cancel_pending') return otherAction;
  if (standing.state === 'cancelled') return over;
  const updatedAt = Math.max(asked.updatedAt, standing.updatedAt + 1);
  return done({ ...asked, updatedAt });
}

function isSame(one: CancellationDraft, other: CancellationDraft): boolean {
  return one.rightDisposition === other.rightDisposition && one.actionId === other.actionId;
}

const reused = refuse(
  'conflict',
  'This cancelActionId was used with another disposition. Repeat an action unchanged, or choose a new name for it.',
  { reason: 'action_reused' },
);
const otherAction = refuse('conflict', 'Another call is cancelling this booking now.', { reason: 'other_action' });
const over = refuse('conflict', 'Another call has cancelled this booking.', { reason: 'booking_cancelled' });

/** The cancellation of a season's booking, or of a group's. */
type AnyRecord = CancellationRecord | GroupCancellationRecord;

/** The events that may still cancel, with their units. */
export function pendingLabels({ outcomes, labels }: AnyRecord): Record<string, string[]> {
  const pending = outcomes.filter(({ state }) => state === 'pending');
  return Object.fromEntries(pending.map(({ eventKey }) => [eventKey, labels[eventKey] ?? []]));
}

/** The cancellation with the outcomes of one try. Null where the try has changed nothing. */
export function afterTry<Record extends AnyRecord>(
  record: Record,
  told: readonly CancelOutcome[],
  now: number,
): Record | null {
  const outcomes = record.outcomes.map((before, index) => (before.state === 'pending' ? told[index]! : before));
  const state = stateOf(outcomes);
  const isSame = outcomes.every((outcome, index) => outcome.state === record.outcomes[index]!.state);
  if (isSame && state === record.state) return null;
  const updatedAt = Math.max(now, record.updatedAt + 1);
  if (state === 'cancel_pending') return { ...record, outcomes, updatedAt };
  return { ...record, outcomes, state, open: null, endedAt: updatedAt, updatedAt };
}

function stateOf(outcomes: readonly CancelOutcome[]): CancellationState {
  if (outcomes.some(({ state }) => state === 'pending')) return 'cancel_pending';
  if (outcomes.every(({ state }) => state === 'cancelled')) return 'cancelled';
  return outcomes.every(({ state }) => state === 'failed') ? 'cancel_failed' : 'partial_terminal';
}

export function cancellationOf({
  labels: _,
  by: __,
  open: ___,
  updatedAt: ____,
  ...told
}: CancellationRecord): SeasonCancellation {
  return told;
}
