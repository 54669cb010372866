/** The history of one event together with its journal, for the checks of both. */
import type { Operation } from './history.ts';
import type { Change } from './seat-model.ts';

/** One record of a journal, at `position` (from 1) of its list. `change` is null when it concerns no seat. */
export type JournalEntry = {
  /** Stream sequence of its group, and the group's time in epoch milliseconds. */
  sequence: number;
  at: number;
  change: Change | null;
  /** Made by the clock, not by a caller. */
  scheduled: boolean;
};

export type EventHistory = {
  operations: Operation[];
  journal: JournalEntry[];
  /** Units of the plan. */
  seatTotal: number;
  /** Epoch milliseconds at zero of the operations' clock. */
  epochAtZero: number;
};

/** The largest lead of the owner's clock over the recorder's. */
export const clockSlackMs = 250;

/** The earliest begin of the clock's own change, on the operations' clock. */
export function scheduledFrom(entry: JournalEntry, epochAtZero: number): number {
  return entry.at - epochAtZero - clockSlackMs;
}
