/** Histories written by hand, for the tests of the checkers: rows of calls with their intervals, and a journal. */
import type { Answer, Call, Operation, Outcome } from './history.ts';
import type { EventHistory } from './journal-entry.ts';
import { findOrder, type Verdict } from './linearizability.ts';
import type { Change } from './seat-model.ts';

const LATE = 1_000_000;
export const open: Outcome = { kind: 'unknown', why: 'no answer in time' };

export const ok = (answer: Answer): Outcome => ({ kind: 'ok', answer });
export const refused = (code: string, conflicts: string[] = [], reason: string | null = null): Outcome => ({
  kind: 'refused',
  code,
  reason,
  conflicts,
});
export const hold = (...labels: string[]): Call => ({ type: 'hold', labels });
export const book = (holdId: string, bookingRef: string): Call => ({ type: 'book', holdId, bookingRef });
export const isHeld = (holdId: string, labels: string[], expiresAt = LATE): Outcome =>
  ok({ type: 'hold', holdId, labels, expiresAt });
export const map = (version: number, ...seats: string[]): Outcome => ok({ type: 'map', seats, version });

export const held = (holdId: string, labels: string[], expiresAt = LATE): Change => ({
  type: 'held',
  holdId,
  labels,
  expiresAt,
});
export const booked = (holdId: string, bookingRef: string, labels: string[]): Change => ({
  type: 'booked',
  bookingRef,
  holdId,
  labels,
});
export const expired = (holdId: string, labels: string[], expiresAt: number): Change => ({
  type: 'expired',
  holdId,
  labels,
  expiresAt,
});

export type Row = [client: number, invokedAt: number, returnedAt: number, call: Call, outcome: Outcome];

/** Times in milliseconds; an open operation's end is ignored. Changes stand in the journal one to a group. */
export function history(rows: Row[], changes: Change[], times: number[] = []): EventHistory {
  const operations = rows.map(([client, invokedAt, returnedAt, call, outcome], i): Operation => {
    const end = outcome.kind === 'unknown' ? Number.POSITIVE_INFINITY : returnedAt;
    return { id: i + 1, client, eventKey: 'night', call, invokedAt, returnedAt: end, outcome };
  });
  const journal = changes.map((change, i) => {
    const { type } = change;
    return { sequence: 10 * (i + 1), at: times[i] ?? 0, change, scheduled: type === 'expired' };
  });
  return { operations, journal, seatTotal: 40, epochAtZero: 0 };
}

/** The search alone: open operations are not resolved, but the clock's own changes are known. */
export function orderWithoutJournal({ operations, journal, seatTotal }: EventHistory): Verdict {
  const scheduled = journal
    .filter((entry) => entry.scheduled)
    .map(({ change, at }, i) => ({ change: change!, from: at, hint: i }));
  return findOrder({ operations, seatTotal, scheduled });
}
