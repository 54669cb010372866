/**
 * The life of an event: active, closed, archived, deleted, and the moves between them. An archived event sells, books,
 * blocks and sets nothing. Time still ends holds and scheduled blocks, and every read works. An unarchived event is
 * active with its sales paused until it is reopened.
 */

import type { MoveAnswer } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import type { EventMove, EventStatus } from '@parterre/shared/protocol/records';
import { byOf, countsOf, type Decision, type ReadState } from '../state/state.ts';

type NextStatus = { status: EventStatus; salesPaused?: true };

/** By move and the status before it. An active event with paused sales can also be reopened. */
const nextStatuses: Record<EventMove, Partial<Record<EventStatus, NextStatus>>> = {
  close: { active: { status: 'closed' } },
  reopen: { closed: { status: 'active' } },
  archive: { active: { status: 'archived' }, closed: { status: 'archived' } },
  unarchive: { archived: { status: 'active', salesPaused: true } },
  delete: { active: { status: 'deleted' }, closed: { status: 'deleted' }, archived: { status: 'deleted' } },
};

export function move(
  state: ReadState,
  { callId, move }: Command & { type: 'move' },
  caller: Caller,
  now: number,
): Decision<'move'> {
  const resumes = move === 'reopen' && state.status === 'active' && state.salesPaused;
  const next: NextStatus | undefined = resumes ? { status: 'active' } : nextStatuses[move][state.status];
  if (!next) return invalidState(state);
  if (ends.has(move) && isLocked(state)) return lockedRefusal(state);
  return {
    ok: true,
    records: [{ type: 'status-set', callId, ...next, by: byOf(caller) }],
    answer: movedAnswer(state, next, now),
  };
}

/** The moves that a lock refuses. */
const ends: ReadonlySet<EventMove> = new Set(['close', 'archive', 'delete']);

export function isLocked({ parts }: ReadState): boolean {
  return parts.locks.size > 0;
}

const lockedByGroup = refuse(
  'performance_group_locked',
  'A performance group sells this event. Close the group before you change the event.',
);
const lockedBySeason = refuse(
  'season_event_locked',
  'A season sells this event. Close the season before you change the event.',
);

/** The refusal of a change that a lock forbids. */
export function lockedRefusal({ parts }: ReadState): ReturnType<typeof refuse> {
  for (const { owner } of parts.locks.values()) if (owner.kind === 'group') return lockedByGroup;
  return lockedBySeason;
}

/** Whether commands may change the event. */
export function isMutable({ status }: ReadState): boolean {
  return status === 'active' || status === 'closed';
}

export function invalidState({ status }: ReadState): ReturnType<typeof refuse> {
  return refuse('invalid_event_state', `This event is ${status}. The call is not possible in this state.`, {
    details: { status },
  });
}

/**
 * The answer to a move into the status of `moved`. Its version counts the move's group, which comes after the folded
 * groups.
 */
export function movedAnswer(
  state: ReadState,
  moved: { status: EventStatus; salesPaused?: boolean },
  at: number,
): MoveAnswer {
  const { status, salesPaused = false } = moved;
  return { status, salesPaused, counts: countsOf(state), at, version: state.groups + 1 };
}
