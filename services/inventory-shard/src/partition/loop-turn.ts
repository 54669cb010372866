/**
 * The turn of the event loop, shared by the partitions of a process (I8). The partitions cut groups for at most
 * `loopTurnMs` in one turn. The rest of their work waits for the next turn, so that beats, sockets and timers run
 * between the two.
 *
 * States: fresh → under way, at the first question of a turn → over, after `loopTurnMs` → fresh, at the start of the
 * next turn. Then the waiting work goes on, the work that has waited longest first. One command is never cut in two: a
 * long command ends the turn late, and the turn is then over.
 */
import type { Clock } from '@parterre/shared/runtime/clock';
import { loopTurnMs } from './bounds.ts';

type Run = () => void;

export class LoopTurn {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #atNextTurn: (run: Run) => void;
  #waiting = new Set<Run>();
  /** Null in a fresh turn. */
  #endsAt: number | null = null;

  constructor(clock: Pick<Clock, 'elapsed'>, atNextTurn: (run: Run) => void = setImmediate) {
    this.#clock = clock;
    this.#atNextTurn = atNextTurn;
  }

  isOver(): boolean {
    const now = this.#clock.elapsed();
    if (this.#endsAt !== null) return now >= this.#endsAt;
    this.#endsAt = now + loopTurnMs;
    this.#atNextTurn(() => this.#begin());
    return false;
  }

  /** Runs in a later turn, once. Call this when the turn is over. */
  goOn(run: Run): void {
    this.#waiting.add(run);
  }

  #begin(): void {
    this.#endsAt = null;
    if (this.#waiting.size === 0) return;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const run of waiting) {
      if (this.isOver()) break;
      waiting.delete(run);
      run();
    }
    for (const run of this.#waiting) waiting.add(run);
    this.#waiting = waiting;
  }
}
