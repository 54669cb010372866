/**
 * The shape of rules. A room has a table of the commands that it decides and a table of the records that it folds.
 * turn/decide.ts and turn/apply.ts combine the tables of all rooms.
 */

import type { Plan } from '@parterre/shared/charts/plan';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command, CommandType } from '@parterre/shared/protocol/commands';
import { type Refusal, refuse } from '@parterre/shared/protocol/errors';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import type { Steps } from '../packed/packed.ts';
import type { EventCall, EventState, NamedCall, ReadState } from './event-state.ts';

/** The records of a command and its answer, or a refusal. */
export type Decision<T extends CommandType = CommandType> =
  | { ok: true; records: JournalRecord[]; answer: Answers[T] }
  | { ok: false; refusal: Refusal };

/** Decides a command at `now` (epoch milliseconds); `plan` is the plan that the command names. Only reads the state. */
export type Rule<T extends CommandType> = (
  state: ReadState,
  command: Command & { type: T },
  caller: Caller,
  now: number,
  plan?: Plan,
) => Decision<T>;

export type Rules<T extends CommandType> = { readonly [K in T]: Rule<K> };

/** Reads of the state: their answers need no record. */
export type Reads<T extends CommandType> = {
  readonly [K in T]: (state: ReadState, command: Command & { type: K }, now: number) => Answers[K];
};

/**
 * The rule of a call to the event as a whole, and the answer to its repetition, made from the remembered first answer
 * (I5).
 */
export type CallRule<T extends CommandType> = {
  decide: Rule<T>;
  again(state: ReadState, noted: EventCall | NamedCall, now: number): Answers[T];
};

export type CallRules<T extends CommandType> = { readonly [K in T]: CallRule<K> };

export type RecordType = JournalRecord['type'];

/** Writes a record of this type into the state. `at` is the time of its group, `plan` the plan that the group names. */
export type Fold<T extends RecordType> = (
  state: EventState,
  record: JournalRecord & { type: T },
  at: number,
  plan: Plan,
) => void;

export type Folds<T extends RecordType> = { readonly [K in T]: Fold<K> };

/**
 * The fold of a record that may change all holds or units, in steps. The steps only read the state, and nothing may
 * change the state between them. The last step returns the state after the record. That state shares unchanged parts
 * with the state before.
 */
export type StepFold<T extends RecordType> = (...args: Parameters<Fold<T>>) => Steps<EventState>;

export type StepFolds<T extends RecordType> = { readonly [K in T]: StepFold<K> };

/** The part of a caller that records keep. */
export function byOf(caller: Caller): { source: Caller['source']; actor: string | null } {
  return { source: caller.source, actor: caller.actor };
}

export const salesClosed = refuse(
  'event_closed',
  'Sales of this event are closed now. Try again after the organiser has opened them.',
);

export const keyReused = refuse('conflict', 'This Idempotency-Key was used with another body. Use a new key.', {
  reason: 'idempotency_key_reused',
});
