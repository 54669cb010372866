/**
 * The commands that wait for each partition, and the limits of new work past an overload (rules/shedding.ts).
 *
 * A command enters its partition's queue when it is taken in, and leaves with its answer. A refused command never
 * enters: no shard has it, so it had no effect. The dispatcher's sweep looks at the queues, with the clock that it has
 * read already. Where nothing waits there is no sweep, and the next one begins with free queues. Nothing awaits here.
 *
 * A free partition costs a command one comparison and three counts.
 */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { type Refusal, refuse } from '@parterre/shared/protocol/errors';
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import { spellOnce } from '../answers/answers.ts';
import { classOf, free, isShed, judge, type Pressure, shedClasses, unlimited } from './rules/shedding.ts';

export type PartitionQueue = {
  readonly partition: number;
  waiting: number;
  /** Answers since the last look. */
  answered: number;
  /** The oldest command of a sale at the look under way, by `Clock.elapsed`; infinite for none. */
  oldestAt: number;
  limit: number;
  pressure: Pressure;
};

/** A refusal that is later than this counts as late. */
export const shedMsMax = 50;

/** Callers who wait as long as they are told come back at different times. */
const refusals = [1, 2, 3].map((retryAfterSeconds) => {
  const shed = refuse(
    'overloaded',
    'More calls wait for this event than can be answered in time. This call did nothing. Wait for Retry-After, then repeat it.',
    { retryable: true, details: { retryAfterSeconds } },
  );
  spellOnce(shed.refusal);
  return shed;
});

/** A command that waits (waiting-commands.ts). */
type Noted = { queue: PartitionQueue; takenAt: number; envelope: { command: Command }; state: string };

export class PartitionQueues {
  readonly #queues: PartitionQueue[] = [];
  /** Refused commands by class. */
  readonly shed = new Map<string, number>(shedClasses.map((name) => [name, 0]));
  /** Of them, the ones whose head is older than `shedMsMax`. */
  shedLate = 0;
  /** The age of the oldest command of a sale at the last look. */
  oldestMs = 0;
  #lookedAt = 0;

  of(partition: number): PartitionQueue {
    return this.#queues[partition] ?? this.#add(partition);
  }

  #add(partition: number): PartitionQueue {
    const queue = newQueue(partition);
    this.#queues[partition] = queue;
    return queue;
  }

  /**
   * The refusal of a command that the queue has no room for; null for a command to take in. Ask this only past the
   * limit. Commands of the servers themselves are taken in.
   */
  refusalOf(
    queue: PartitionQueue,
    caller: Caller,
    command: Command,
    deadlineAt: number,
    now: number,
  ): { ok: false; refusal: Refusal } | null {
    const workClass = caller.source === 'timer' ? null : classOf(command.type);
    if (workClass === null || !isShed(workClass, queue.waiting, queue.limit)) return null;
    const shed = this.shed.get(workClass)!;
    this.shed.set(workClass, shed + 1);
    if (deadlineAt - now < requestDeadlineMs - shedMsMax) this.shedLate++;
    return refusals[shed % refusals.length]!;
  }

  /** Partitions whose new work has a limit. */
  get limited(): number {
    let limited = 0;
    for (const queue of this.#queues) if (queue !== undefined && queue.limit !== unlimited) limited++;
    return limited;
  }

  /** Begins a row of looks: until now nothing has waited. */
  begin(now: number): void {
    this.#lookedAt = now;
    this.oldestMs = 0;
    for (const queue of this.#queues) {
      if (queue === undefined) continue;
      queue.answered = 0;
      queue.pressure = free;
      queue.limit = unlimited;
    }
  }

  /** Notes a waiting command for the next look, the oldest first. A parked command waits for its event's creation. */
  note({ queue, takenAt, envelope, state }: Noted): void {
    if (queue.oldestAt !== Number.POSITIVE_INFINITY || state === 'parked') return;
    if (classOf(envelope.command.type) !== null) queue.oldestAt = takenAt;
  }

  /** A look at what was noted since the look before. `lateMs`: how late the loop is. */
  look(now: number, lateMs: number): void {
    const sinceMs = now - this.#lookedAt;
    this.#lookedAt = now;
    let oldestAt = now;
    for (const queue of this.#queues) {
      if (queue === undefined) continue;
      const { waiting, answered } = queue;
      const oldestMs = Math.max(0, now - queue.oldestAt);
      queue.pressure = judge(queue.pressure, { waiting, answered, sinceMs, oldestMs, lateMs });
      queue.limit = queue.pressure.limit;
      oldestAt = Math.min(oldestAt, queue.oldestAt);
      queue.answered = 0;
      queue.oldestAt = Number.POSITIVE_INFINITY;
    }
    this.oldestMs = Math.round(now - oldestAt);
  }
}

/** A queue that no look sees: of commands that need no event. */
export function newQueue(partition: number): PartitionQueue {
  const oldestAt = Number.POSITIVE_INFINITY;
  return { partition, waiting: 0, answered: 0, oldestAt, limit: unlimited, pressure: free };
}
