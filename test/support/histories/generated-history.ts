/**
 * Random legal histories for the tests of the checkers. The model runs one call after another, each at a moment of its
 * own, and every call gets an interval around that moment, so that calls overlap at random. Both clocks start at zero.
 */
import fc from 'fast-check';
import type { Call, Operation } from './history.ts';
import type { EventHistory, JournalEntry } from './journal-entry.ts';
import { answerIn, type Change } from './seat-model.ts';
import { SeatState } from './seat-state.ts';

const FEW_SEATS = ['A-1', 'A-2', 'A-3', 'A-4'];
const MOMENT_MS = 1_000;

const stepOn = (seats: string[]) =>
  fc.record({
    type: fc.constantFrom<Call['type'][]>(
      'hold',
      'hold',
      'hold',
      'book',
      'release',
      'extend',
      'unbook',
      'inspect',
      'count',
      'map',
    ),
    labels: fc.uniqueArray(fc.constantFrom(...seats), { minLength: 1, maxLength: 2 }),
    /** The choice among the latest holds and bookings that the call is about. */
    pick: fc.nat(3),
    ttlMs: fc.integer({ min: 1, max: 6 * MOMENT_MS }),
    before: fc.integer({ min: 0, max: 4 * MOMENT_MS }),
    after: fc.integer({ min: 0, max: 4 * MOMENT_MS }),
    end: fc.constantFrom('answered', 'answered', 'answered', 'answered', 'open', 'never'),
  });

type Step = ReturnType<typeof stepOn> extends fc.Arbitrary<infer S> ? S : never;

export const legalHistory = (maxLength: number): fc.Arbitrary<EventHistory> =>
  fc.array(stepOn(FEW_SEATS), { minLength: 1, maxLength }).map((steps) => play(steps, FEW_SEATS.length));

/** A history of exactly this length on many seats. About one call in 60 stays open. */
export function longHistory(length: number, seatCount: number, seed: number): EventHistory {
  const seats = Array.from({ length: seatCount }, (_, i) => `B-${i + 1}`);
  const steps = fc.sample(stepOn(seats), { numRuns: length, seed });
  return play(
    steps.map((step, i) => (i % 20 === 0 ? step : { ...step, end: 'answered' })),
    seatCount,
  );
}

function play(steps: Step[], seatTotal: number): EventHistory {
  const state = new SeatState(seatTotal);
  const journal: JournalEntry[] = [];
  const operations: Operation[] = [];
  const holds = ['no hold'];
  const refs = ['no booking'];

  const write = (change: Change, at: number, scheduled: boolean): void => {
    state.apply(change);
    journal.push({ sequence: journal.length + 1, at, change, scheduled });
  };
  for (const [i, step] of steps.entries()) {
    const moment = (i + 5) * MOMENT_MS;
    for (const holdId of holds) {
      const hold = state.hold(holdId);
      if (hold?.status !== 'active' || hold.expiresAt > moment) continue;
      const labels = hold.labels.filter((label) => state.owner(label) === `held ${holdId}`);
      write({ type: 'expired', holdId, labels, expiresAt: hold.expiresAt }, moment, true);
    }
    const call = callOf(step, i, holds, refs);
    const chosen = { holdId: `h${i}`, expiresAt: moment + step.ttlMs, version: journal.length };
    const { outcome, change } = answerIn(state, call, chosen);
    const isOpen = step.end !== 'answered';
    operations.push({
      id: i + 1,
      client: i,
      eventKey: 'generated',
      call,
      invokedAt: moment - step.before,
      returnedAt: isOpen ? Number.POSITIVE_INFINITY : moment + step.after,
      outcome: isOpen ? { kind: 'unknown', why: 'generated' } : outcome,
    });
    if (!change || step.end === 'never') continue;
    write(change, moment, false);
    if (change.type === 'held') holds.push(change.holdId);
    if (change.type === 'booked') refs.push(change.bookingRef);
  }
  return { operations, journal, seatTotal, epochAtZero: 0 };
}

function callOf({ type, labels, pick }: Step, i: number, holds: string[], refs: string[]): Call {
  const holdId = holds[Math.max(0, holds.length - 1 - pick)]!;
  const bookingRef = refs[Math.max(0, refs.length - 1 - pick)]!;
  switch (type) {
    case 'hold':
      return { type, labels };
    case 'extend':
    case 'release':
    case 'inspect':
      return { type, holdId };
    case 'book':
      return { type, holdId, bookingRef: `r${i}` };
    case 'unbook':
      return { type, bookingRef };
    case 'count':
    case 'map':
      return { type };
    case 'block':
      return { type, labels, reason: `b${i}` };
    case 'unblock':
      return { type, labels };
    default:
      return type satisfies never;
  }
}

/** A history with one answer, interval or record changed. It may still be legal. */
export const mutatedHistory = (maxLength: number): fc.Arbitrary<EventHistory> =>
  fc.tuple(legalHistory(maxLength), fc.nat(), fc.nat(), fc.nat(4)).map(([history, which, other, how]) => {
    const { operations } = history;
    const one = operations[which % operations.length]!;
    const two = operations[other % operations.length]!;
    const changed = { ...one };
    if (how === 0 && two.call.type === one.call.type) changed.outcome = two.outcome;
    if (how === 1) changed.invokedAt = Math.min(one.returnedAt, two.returnedAt, one.invokedAt + 8 * MOMENT_MS);
    if (how === 2) changed.returnedAt = Math.max(one.invokedAt, Math.min(one.returnedAt, two.invokedAt));
    if (how === 3) changed.outcome = { kind: 'refused', code: 'conflict', reason: null, conflicts: ['A-1 held'] };
    if (how === 4 && one.outcome.kind === 'ok' && one.outcome.answer.type === 'map') {
      changed.outcome = { kind: 'ok', answer: { ...one.outcome.answer, seats: ['A-1 held'] } };
    }
    if (changed.outcome.kind !== 'unknown' && !Number.isFinite(changed.returnedAt)) changed.returnedAt = 1e9;
    if (changed.outcome.kind === 'unknown') changed.returnedAt = Number.POSITIVE_INFINITY;
    return { ...history, operations: operations.map((each) => (each === one ? changed : each)) };
  });
