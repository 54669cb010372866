/** The moves of an event from state to state, and what takes each back. Pure. */
import type { State } from './listed-event.ts';

export const moves = ['reopen', 'close', 'archive', 'unarchive', 'delete'] as const;
export type Move = (typeof moves)[number];

const movesFrom: Readonly<Record<State, readonly Move[]>> = {
  on_sale: ['close', 'archive', 'delete'],
  paused: ['reopen', 'close', 'archive', 'delete'],
  closed: ['reopen', 'archive', 'delete'],
  archived: ['unarchive', 'delete'],
};

export const movesOf = (state: State): readonly Move[] => movesFrom[state];

/** Null where nothing takes the move back. An event out of the archive has its sales paused. */
export const undoOf: Readonly<Record<Move, Move | null>> = {
  reopen: 'close',
  close: 'reopen',
  archive: 'unarchive',
  unarchive: 'archive',
  delete: null,
};

/** The call of a move. */
export function callOf(move: Move, key: string): { method: 'POST' | 'DELETE'; path: string } {
  const event = `events/${encodeURIComponent(key)}`;
  return move === 'delete' ? { method: 'DELETE', path: event } : { method: 'POST', path: `${event}/${move}` };
}
