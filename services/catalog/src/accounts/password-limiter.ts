/**
 * The order of password work. Each job takes most of a second of a core, so a flood of logins always waits here. The
 * order keeps one person's login short beside the flood of strangers.
 *
 * States of a job: asked → (waiting →) running → done; waiting → dropped. A job is dropped without work when its caller
 * has left (`deadlineAt`), or when the queue is full and a job of a larger party gives way. A dropped job is refused
 * with `overloaded`.
 *
 * A party is a network of callers (one IPv4 address, or /64 of IPv6).
 * - The party that was served longest ago goes first, and a new party before all others. So a party with a thousand
 *   logins delays the login of another party by one job.
 * - The newest login goes first, among new parties and within a party: its caller is the likeliest to be still there.
 *   So a person in an office is served beside a flooding neighbour of the same address. A party may have several
 *   logins waiting: an office signs in at nine o'clock, and nobody has to try again.
 * - One of the places at work is kept for proven callers: their login with this email from this network was right
 *   before. So a flood from very many networks delays known people by one job.
 *
 * Failure at the await: a job that throws frees its place, and its caller gets the error. Everything else happens
 * between awaits.
 */

import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { Clock } from '@parterre/shared/runtime/clock';
import { passwordPartiesKept, passwordsAtOnceMax, passwordsWaitingMax } from '../store/rules/bounds.ts';

export type PasswordTurn = {
  party: string;
  isProven: boolean;
  /** In `Clock.elapsed`. [Infinity: the caller waits for ever] */
  deadlineAt?: number | undefined;
};

/** Runs the job when its turn comes, or refuses with `overloaded`. */
export type PasswordLimiter = <T>(turn: PasswordTurn, job: () => Promise<Outcome<T>>) => Promise<Outcome<T>>;

type WaitingJob = PasswordTurn & { resolve(turn: WaitingJob | null): void };

const dropped = refuse('overloaded', 'Too many logins at once. Try again.', { retryable: true });

export function createPasswordLimiter(clock: Pick<Clock, 'elapsed'>): PasswordLimiter {
  /** In the order of their arrival. */
  let waiting: WaitingJob[] = [];
  const running = new Set<WaitingJob>();
  /** The number of the last job of a party. The party that was served longest ago stands first. */
  const lastJobOf = new Map<string, number>();
  let jobs = 0;

  function leave(job: WaitingJob): void {
    waiting = waiting.filter((other) => other !== job);
  }

  function drop(job: WaitingJob): void {
    leave(job);
    job.resolve(null);
  }

  function dropGone(): void {
    const now = clock.elapsed();
    for (const job of waiting) {
      if (job.deadlineAt !== undefined && now >= job.deadlineAt) drop(job);
    }
  }

  function begin(job: WaitingJob): void {
    leave(job);
    running.add(job);
    lastJobOf.delete(job.party);
    lastJobOf.set(job.party, ++jobs);
    if (lastJobOf.size > passwordPartiesKept) lastJobOf.delete(lastJobOf.keys().next().value!);
    job.resolve(job);
  }

  function beginNext(): void {
    dropGone();
    while (running.size < passwordsAtOnceMax && waiting.length > 0) begin(nextOf(candidatesNow()));
  }

  /** Proven callers alone while none of them is at work. */
  function candidatesNow(): WaitingJob[] {
    const isKeptPlaceTaken = [...running].some(({ isProven }) => isProven);
    const proven = isKeptPlaceTaken ? [] : waiting.filter(({ isProven }) => isProven);
    return proven.length > 0 ? proven : waiting;
  }

  function nextOf(candidates: readonly WaitingJob[]): WaitingJob {
    const lastJob = ({ party }: WaitingJob) => lastJobOf.get(party) ?? 0;
    return candidates.reduce((next, later) => (lastJob(later) <= lastJob(next) ? later : next));
  }

  function turnOf(asked: PasswordTurn): Promise<WaitingJob | null> {
    return new Promise((resolve) => {
      waiting.push({ ...asked, resolve });
      beginNext();
      if (waiting.length > passwordsWaitingMax) drop(oldestOfLargestParty(waiting));
    });
  }

  return async (asked, work) => {
    const turn = await turnOf(asked);
    if (turn === null) return dropped;
    try {
      return await work();
    } finally {
      running.delete(turn);
      beginNext();
    }
  };
}

/** Proven callers give way last. */
function oldestOfLargestParty(waiting: readonly WaitingJob[]): WaitingJob {
  const unproven = waiting.filter(({ isProven }) => !isProven);
  const jobs = unproven.length > 0 ? unproven : waiting;
  const sizes = new Map<string, number>();
  for (const { party } of jobs) sizes.set(party, (sizes.get(party) ?? 0) + 1);
  const largest = Math.max(...sizes.values());
  return jobs.find(({ party }) => sizes.get(party) === largest)!;
}
