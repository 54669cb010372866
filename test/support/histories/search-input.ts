/** The input of the search for an order (linearizability.ts). */
import type { Operation } from './history.ts';
import type { Change } from './seat-model.ts';

export type Scheduled = { change: Change; from: number; hint: number };

export type SearchInput = {
  operations: Operation[];
  seatTotal: number;
  /** The clock's changes, and the earliest begin of each. */
  scheduled?: Scheduled[];
  /** By id of an operation: its probable place; lower is tried first. */
  hints?: Map<number, number>;
  /** By id of an open operation: its effect. */
  effects?: Map<number, Change>;
};
