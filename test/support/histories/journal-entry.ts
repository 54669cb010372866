/** The history of one event together with its journal, as the checks of both read them. */
import type { Operation } from './history.ts';
import type { Change } from './seat-model.ts';

/** One record of a journal, at `position` (from 1) of the list it is in. `change` is null where no seat is concerned. */
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

/** How far the owner's clock may be ahead of the recorder's. */
export const clockSlackMs = 250;

/** When the clock's own change can have begun, on the operations' clock. */
export function scheduledFrom(entry: JournalEntry, epochAtZero: number): number {
  return entry.at - epochAtZero - clockSlackMs;
}
