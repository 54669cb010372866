/** What a rule comes to: the records and the answer, or a refusal. */
import type { Answers } from '@parterre/shared/answers';
import type { Caller, CommandType } from '@parterre/shared/commands';
import { type Refusal, refuse } from '@parterre/shared/errors';
import type { JournalRecord } from '@parterre/shared/records';

export type Decision<T extends CommandType = CommandType> =
  | { ok: true; records: JournalRecord[]; answer: Answers[T] }
  | { ok: false; refusal: Refusal };

/** The part of a caller that goes into records. */
export function byOf(caller: Caller): { source: Caller['source']; actor: string | null } {
  return { source: caller.source, actor: caller.actor };
}

export const salesClosed = refuse('event_closed', 'Sales of this event are closed.');

export const keyReused = refuse('conflict', 'This Idempotency-Key was used with another body.', {
  reason: 'idempotency_key_reused',
});
