/**
 * Copies of commands that arrive late. A front door sends a command again when it has heard nothing; what overtakes its
 * earlier copy on another way must not be followed by it, since the answer to the last copy is what counts (I5). Only
 * commands that were sent again are remembered, as long as a front door may wait for them.
 */
import type { Clock } from '@parterre/shared/clock';
import type { Envelope } from '@parterre/shared/commands';
import { requestDeadlineMs } from '@parterre/shared/limits';
import { RecentMap } from '@parterre/shared/recent-map';
import { attemptsKept } from '../rules/state/bounds.ts';
import { frontDoorOf } from './actor.ts';

export class Attempts {
  readonly #clock: Clock;
  /** The latest attempt, by front door and number of the command. */
  readonly #latest: RecentMap<number>;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#latest = new RecentMap(clock, { entriesMax: attemptsKept, keepMs: requestDeadlineMs });
  }

  /** False for a copy that a later one has overtaken. */
  isLatest({ id, attempt = 1 }: Envelope, replyTo: string): boolean {
    const now = this.#clock.elapsed();
    if (attempt === 1 && now - this.#lastAt >= requestDeadlineMs) return true;
    const name = `${frontDoorOf(replyTo)} ${id}`;
    if (attempt < (this.#latest.get(name) ?? 1)) return false;
    if (attempt > 1) {
      this.#latest.set(name, attempt);
      this.#lastAt = now;
    }
    return true;
  }
}
