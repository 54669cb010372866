/** The input of the search for an order (linearizability.ts). */
import type { Operation } from './history.ts';
import type { Change } from './seat-model.ts';

export type Scheduled = { change: Change; from: number; hint: number };

export type SearchInput = {
  operations: Operation[];
  seatTotal: number;
  /** The clock's changes, and when each can have begun. */
  scheduled?: Scheduled[];
  /** By id of an operation: where it may stand; lower is tried first. */
  hints?: Map<number, number>;
  /** By id of an open operation: what it did. */
  effects?: Map<number, Change>;
};
