/**
 * Detects copies of commands that arrive late. A front door sends a command again when it gets no answer. A later copy
 * may overtake an earlier copy on another way. The earlier copy must then not be performed: only the answer to the last
 * copy counts (I5). The file remembers only commands that were sent again, for as long as a front door may wait for
 * them.
 */

import type { Envelope } from '@parterre/shared/protocol/commands';
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import { RecentMap } from '@parterre/shared/runtime/recent-map';
import { frontDoorOf, type Job, type PendingReply } from '../actor.ts';
import { copiesKept } from '../bounds.ts';

/** Where earlier copies of a command, and their answers, may wait. */
type Places = {
  jobs(matches: (job: Job) => boolean): Job | undefined;
  answers(matches: (pending: PendingReply) => boolean): PendingReply | undefined;
};

/**
 * Whether an earlier copy of a command, or its answer, still waits here. Then only the earlier copy is performed, and
 * its answer goes out as the answer to the later copy. A second execution could undo a change that another caller made
 * between the two, or succeed where the first was refused (I5).
 */
export function isUnderWay(envelope: Envelope, replyTo: string, places: Places): boolean {
  const frontDoor = frontDoorOf(replyTo);
  const isTwin = (id: number, to: string): boolean => id === envelope.id && frontDoorOf(to) === frontDoor;
  const waiting = places.jobs((job) => isTwin(job.envelope.id, job.replyTo));
  if (waiting) {
    waiting.envelope = envelope;
    return true;
  }
  const answer = places.answers(({ reply, replyTo: to }) => isTwin(reply.id, to));
  if (answer) answer.reply.copy = envelope.copy!;
  return answer !== undefined;
}

export class CommandCopies {
  readonly #clock: Clock;
  /** By front door and number of the command: its latest copy. */
  readonly #latest: RecentMap<number>;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#latest = new RecentMap(clock, { entriesMax: copiesKept, keepMs: requestDeadlineMs });
  }

  /** False for a copy that a later copy has overtaken. */
  isLatest({ id, copy = 1 }: Envelope, replyTo: string): boolean {
    const now = this.#clock.elapsed();
    if (copy === 1 && now - this.#lastAt >= requestDeadlineMs) return true;
    const name = `${frontDoorOf(replyTo)} ${id}`;
    if (copy < (this.#latest.get(name) ?? 1)) return false;
    if (copy > 1) {
      this.#latest.set(name, copy);
      this.#lastAt = now;
    }
    return true;
  }
}
