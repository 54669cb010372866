/**
 * The commands in flight, by id, and the commands that leave at the end of this turn, by partition.
 *
 * No `Map`: a Map of V8 moves to another table each time its table is full of deleted entries, and each old table
 * points to the next one. Once the collector has promoted one of these tables, every later table counts as reachable,
 * with all commands that were in it, until the next full collection. Each scavenge then copies the commands of its
 * whole time.
 */
import type { Envelope } from '@parterre/shared/protocol/commands';
import type { Outcome } from '@parterre/shared/protocol/errors';
import type { EventAddress } from '@parterre/shared/runtime/placement';
import type { PartitionQueue } from './partition-queues.ts';
import type { Tenant } from './tenants.ts';

/** A command that waits for its reply. */
export type WaitingCommand = {
  readonly envelope: Envelope;
  readonly event: EventAddress;
  readonly partition: number;
  /** The queue that the command left, or another one for the spending of a budget. */
  readonly queue: PartitionQueue;
  readonly bytes: number;
  /** In `Clock.elapsed`. */
  readonly takenAt: number;
  /** In `Clock.elapsed`. */
  readonly deadlineAt: number;
  readonly tenant: Tenant;
  readonly resolve: (outcome: Outcome<never>) => void;
  /**
   * The sweep acts on `sent` and `pausing` only. A queued command waits for the end of the turn, a parked command for
   * the creation of its event.
   */
  state: 'queued' | 'sent' | 'pausing' | 'parked';
  /** When the sweep acts on the command. */
  actAt: number;
  resent: boolean;
  /** Copies that were sent, less those that certainly did nothing. Without copies out nothing was carried out. */
  copiesOut: number;
  /** The number of the message that carried the last copy, until the command is answered or queued again. */
  batch: number | null;
};

export function copyOf({ copy = 1 }: { copy?: number }): number {
  return copy;
}

const SLOTS_MIN = 1_024;

/** Ids only grow, and an id whose slot is taken is passed over. So the low bits of an id name its command's slot. */
export class WaitingCommands {
  #slots = emptySlots(SLOTS_MIN);
  #size = 0;
  #lastId = 0;

  get size(): number {
    return this.#size;
  }

  /** The id of the next command. No other command gets the same id. */
  nextId(): number {
    if (2 * this.#size >= this.#slots.length) this.#grow();
    do this.#lastId++;
    while (this.#slots[this.#slotOf(this.#lastId)] !== undefined);
    return this.#lastId;
  }

  /** Adds a command under the id that `nextId` gave last. */
  add(waiting: WaitingCommand): void {
    this.#slots[this.#slotOf(waiting.envelope.id)] = waiting;
    this.#size++;
  }

  get(id: number): WaitingCommand | undefined {
    const waiting = this.#slots[this.#slotOf(id)];
    return waiting?.envelope.id === id ? waiting : undefined;
  }

  delete(id: number): void {
    if (this.get(id) === undefined) return;
    this.#slots[this.#slotOf(id)] = undefined;
    this.#size--;
  }

  /** The commands as they are now, the oldest first. */
  all(): WaitingCommand[] {
    const found: WaitingCommand[] = [];
    for (let n = 1; n <= this.#slots.length; n++) {
      const waiting = this.#slots[this.#slotOf(this.#lastId + n)];
      if (waiting !== undefined) found.push(waiting);
    }
    return found.sort((a, b) => a.envelope.id - b.envelope.id);
  }

  /** Two commands in one slot of the double length would be in one slot of this length. */
  #grow(): void {
    const before = this.#slots;
    this.#slots = emptySlots(2 * before.length);
    for (const waiting of before) if (waiting) this.#slots[this.#slotOf(waiting.envelope.id)] = waiting;
  }

  /** The length is a power of two. Ids may outgrow 32 bits, and their low bits stay right. */
  #slotOf(id: number): number {
    return id & (this.#slots.length - 1);
  }
}

/** The commands that leave at the end of this turn, by partition. */
export class TurnQueues {
  readonly #byPartition: (WaitingCommand[] | undefined)[] = [];
  #queues: WaitingCommand[][] = [];

  add(waiting: WaitingCommand): void {
    const queue = this.#byPartition[waiting.partition];
    if (queue) {
      queue.push(waiting);
      return;
    }
    const begun = [waiting];
    this.#byPartition[waiting.partition] = begun;
    this.#queues.push(begun);
  }

  /** The queues so far, each of one partition. From now on all queues are empty. */
  take(): WaitingCommand[][] {
    const queues = this.#queues;
    this.#queues = [];
    for (const [first] of queues) this.#byPartition[first!.partition] = undefined;
    return queues;
  }
}

function emptySlots(length: number): (WaitingCommand | undefined)[] {
  return new Array<WaitingCommand | undefined>(length).fill(undefined);
}
