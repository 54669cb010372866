/** The facts for the next owner in the last message of a log. */
import type { EpochRecord } from '@parterre/shared/protocol/journal/heads';
import { headOf } from '@parterre/shared/protocol/journal/messages';
import { endedQuietMs, fenceQuietMs } from './bounds.ts';

/** The end of a partition's stream. A rejection means that the log cannot be reached. */
export type TailLog = {
  /** The last message and its sequence. The payload is null in an empty log. */
  last(): Promise<{ sequence: number; payload: Uint8Array | null }>;
  /** The last epoch record, or null. */
  lastEpoch(): Promise<Uint8Array | null>;
};

/**
 * `record` is set when the last message is an epoch record. `late` is the epoch whose appends may still come, or null.
 * `low` is the low-water mark.
 */
export type Tail = {
  sequence: number;
  epoch: number;
  record: EpochRecord | null;
  late: number | null;
  low: number;
  /** The last message is a commit of an owner whose process has ended for certain. */
  ownerHasEnded: boolean;
};

/** `ended`: the ids of owners whose processes have ended. Rejects when the log cannot be reached. */
export async function readTail(log: TailLog, ended?: ReadonlySet<string>): Promise<Tail> {
  const [{ sequence, payload }, epochRecord] = await Promise.all([log.last(), ended?.size ? log.lastEpoch() : null]);
  const tail = tailOf(sequence, payload);
  if (tail.record || !epochRecord || !ended) return tail;
  // An epoch has one owner. The two answers may be of different moments, and one of them old: then the epochs differ.
  const head = headOf(epochRecord);
  return { ...tail, ownerHasEnded: 'owner' in head && head.epoch === tail.epoch && ended.has(head.owner) };
}

/** `payload` is null for an empty log, whose end is its low-water mark. Throws for a message of an unknown form. */
function tailOf(sequence: number, payload: Uint8Array | null): Tail {
  if (!payload) return { sequence, epoch: 0, record: null, late: null, low: sequence, ownerHasEnded: false };
  const head = headOf(payload);
  const record = 'owner' in head ? head : null;
  return {
    sequence,
    epoch: head.epoch,
    record,
    late: record ? lateBehind(record) : head.epoch,
    low: head.low,
    ownerHasEnded: false,
  };
}

/**
 * How long an heir answers nothing behind this tail, from the ack of its fence's first record on, in milliseconds. A
 * log that is empty or was given up has no earlier owner. Behind a commit of an owner that has ended, nobody answers
 * any more: an owner cuts its first commit when no owner before it answers. An epoch record shows no such thing, since
 * the owner before may still have its lease.
 */
export function quietBehind({ epoch, record, ownerHasEnded }: Tail): number {
  if (epoch === 0 || record?.released) return 0;
  return ownerHasEnded ? endedQuietMs : fenceQuietMs;
}

/** The epoch whose appends may still come when this record is the last, or null. */
function lateBehind({ epoch, released, fence }: EpochRecord): number | null {
  if (released) return null;
  return fence && fence.left > 0 ? fence.late : epoch;
}
