/**
 * Detects copies of commands that arrive late. A front door sends a command again when it gets no answer. A later copy
 * may overtake an earlier copy on another way. The earlier copy must then not be performed: only the answer to the last
 * copy counts (I5). The file remembers only commands that were sent again, for as long as a front door may wait for
 * them.
 */
import type { Clock } from '@parterre/shared/clock';
import type { Envelope } from '@parterre/shared/commands';
import { requestDeadlineMs } from '@parterre/shared/limits';
import { RecentMap } from '@parterre/shared/recent-map';
import { frontDoorOf } from './actor.ts';
import { attemptsKept } from './bounds.ts';

export class Attempts {
  readonly #clock: Clock;
  /** By front door and number of the command: its latest attempt. */
  readonly #latest: RecentMap<number>;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#latest = new RecentMap(clock, { entriesMax: attemptsKept, keepMs: requestDeadlineMs });
  }

  /** False for a copy that a later copy has overtaken. */
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
