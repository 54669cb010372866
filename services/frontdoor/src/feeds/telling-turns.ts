/**
 * Gives the tellers of all events their turns (I8). A turn of the loop tells at most `viewersPerTurn` viewers, of one
 * event or of many. The front door rests between turns as crowd-pace.ts says. Tellers that ask meanwhile wait in the
 * order of their questions, so an event with few viewers waits for one turn of a crowd, not for all its turns.
 *
 * States: free → telling → (resting) → free. A teller that asks while the front door is free is told at once. `telling`
 * ends with the next timer of the loop: the library has sent the published frames by then. A teller that asks within
 * `telling` still has its turn if the turn has room. Nothing is awaited. If a teller throws, its turn is over, and the
 * others have theirs after the end of `telling`, which was set before.
 */
import type { Clock } from '@parterre/shared/runtime/clock';
import { Durations } from '@parterre/shared/runtime/measures';
import { viewersPerTurn } from '../feed-limits.ts';
import { firstPace, paceAfter } from './rules/crowd-pace.ts';

/** Viewers that were told, and the longest wait of a change that they were told, in milliseconds. */
export type ToldViewers = { viewers: number; waitedMs: number };
export type Telling = {
  /** Tells until at least `room` viewers are told, or none is behind. */
  turn(room: number): ToldViewers;
};

/** The longest time that making frames may keep the event loop, not counting the last frame. */
export const SLICE_MS = 20;

export class TellingTurns {
  /** How long the oldest change of a telling has waited for it. */
  readonly gathered = new Durations([25, 50, 100, 250, 500, 1_000, 2_500]);
  readonly #waiting = new Set<Telling>();
  #state: 'free' | 'telling' | 'resting' = 'free';
  #pace = firstPace;
  #told: ToldViewers = { viewers: 0, waitedMs: 0 };
  #startedAt = 0;

  constructor(private readonly clock: Clock) {}

  ask(telling: Telling): void {
    this.#waiting.add(telling);
    this.#tell();
  }

  forget(telling: Telling): void {
    this.#waiting.delete(telling);
  }

  #tell(): void {
    if (this.#state === 'resting') return;
    for (const telling of this.#waiting) {
      if (this.#state === 'free') this.#begin();
      const room = viewersPerTurn - this.#told.viewers;
      if (room <= 0 || this.clock.elapsed() - this.#startedAt >= SLICE_MS) return;
      this.#waiting.delete(telling);
      const { viewers, waitedMs } = telling.turn(room);
      if (waitedMs > 0) this.gathered.note(waitedMs);
      this.#told.viewers += viewers;
      this.#told.waitedMs = Math.max(this.#told.waitedMs, waitedMs);
    }
  }

  #begin(): void {
    this.#state = 'telling';
    this.#told = { viewers: 0, waitedMs: 0 };
    this.#startedAt = this.clock.elapsed();
    this.clock.after(0, () => this.#end());
  }

  #end(): void {
    const endedAt = this.clock.elapsed();
    const { pace, restMs } = paceAfter(this.#pace, { ...this.#told, startedAt: this.#startedAt, endedAt });
    this.#pace = pace;
    // A timer takes at least a millisecond. A shorter rest stays a debt.
    if (restMs < 1) {
      this.#goOn();
      return;
    }
    this.#state = 'resting';
    this.clock.after(restMs, () => this.#goOn());
  }

  #goOn(): void {
    this.#state = 'free';
    this.#tell();
  }
}
