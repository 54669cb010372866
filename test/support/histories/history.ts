/**
 * The clients' record: every call on an event with the times of its begin and end, on one monotonic clock, for the
 * checks of `check-history.ts`.
 *
 * States of an operation: open → answered. An operation is written down before the call leaves. A call with an unknown
 * end (no answer in time, a lost connection, a retryable 503) stays open for ever: it may have taken effect at any
 * moment since it began, may take effect yet, or never.
 */
import { performance } from 'node:perf_hooks';

/** The call. Seats are named by label; a call on a hold or booking is about all of it. */
export type Call =
  | { type: 'hold'; labels: string[] }
  | { type: 'extend'; holdId: string }
  | { type: 'release'; holdId: string }
  | { type: 'book'; holdId: string; bookingRef: string }
  | { type: 'unbook'; bookingRef: string }
  /** `reason` goes to the journal, where it identifies the call. */
  | { type: 'block'; labels: string[]; reason: string }
  | { type: 'unblock'; labels: string[] }
  | { type: 'inspect'; holdId: string }
  | { type: 'count' }
  | { type: 'map' };

/** Labels are sorted; seats and conflicts are `label status`, sorted. */
export type Answer =
  | { type: 'hold'; holdId: string; labels: string[]; expiresAt: number }
  | { type: 'extend'; labels: string[]; expiresAt: number; extends: number }
  | { type: 'release' | 'book' | 'unbook' | 'block' | 'unblock'; labels: string[] }
  | {
      type: 'inspect';
      status: string;
      labels: string[];
      expiresAt: number;
      extends: number;
      bookingRef: string | null;
    }
  | { type: 'count'; free: number; held: number; booked: number; blocked: number }
  /** All seats that are not free; `version` is the stream sequence of the map. */
  | { type: 'map'; seats: string[]; version: number };

export type Outcome =
  | { kind: 'ok'; answer: Answer }
  /** `reason` is the finer cause, or null when the code is the whole cause. */
  | { kind: 'refused'; code: string; reason: string | null; conflicts: string[] }
  | { kind: 'unknown'; why: string };

export type Operation = {
  /** Counts the operations of a recording from 1, in the order they began. */
  id: number;
  client: number;
  eventKey: string;
  call: Call;
  /** Milliseconds of the monotonic clock; `returnedAt` is Infinity while the operation is open. */
  invokedAt: number;
  returnedAt: number;
  outcome: Outcome;
};

export class Recorder {
  readonly operations: Operation[] = [];
  #begun = 0;
  /** Faults that need no history: an internal error, an unknown shape or refusal. */
  readonly violations: string[] = [];
  /** Epoch milliseconds at zero of the monotonic clock, which place the journal's times on it. */
  readonly epochAtZero = Date.now() - performance.now();

  begin(client: number, eventKey: string, call: Call): Operation {
    const operation: Operation = {
      id: ++this.#begun,
      client,
      eventKey,
      call,
      invokedAt: performance.now(),
      returnedAt: Number.POSITIVE_INFINITY,
      outcome: { kind: 'unknown', why: 'no answer' },
    };
    this.operations.push(operation);
    return operation;
  }

  end(operation: Operation, outcome: Outcome): void {
    if (outcome.kind !== 'unknown') operation.returnedAt = performance.now();
    operation.outcome = outcome;
  }

  /** For a call that never left. */
  strike(operation: Operation): void {
    this.operations.splice(this.operations.lastIndexOf(operation), 1);
  }
}

/** One line for messages: client, call, answer, times. */
export function describe({ id, client, call, outcome, invokedAt, returnedAt }: Operation): string {
  const { type, ...asked } = call;
  const named = Object.values(asked).flat().join(' ');
  const until = Number.isFinite(returnedAt) ? returnedAt.toFixed(1) : 'open';
  return `#${id} client ${client} ${type}${named && ` ${named}`} -> ${say(outcome)} [${invokedAt.toFixed(1)} to ${until}]`;
}

export function say(outcome: Outcome): string {
  if (outcome.kind === 'unknown') return `unknown (${outcome.why})`;
  if (outcome.kind === 'refused') {
    return ['refused', outcome.code, outcome.reason, outcome.conflicts.join(', ')].filter(Boolean).join(' ');
  }
  const { type: _, ...said } = outcome.answer;
  return `ok ${JSON.stringify(said)}`;
}
