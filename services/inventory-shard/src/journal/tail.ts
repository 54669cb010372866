/** The facts for the next owner in the last message of a log. */
import { Fault } from '@parterre/shared/protocol/errors';
import type { EpochRecord } from '@parterre/shared/protocol/journal/heads';
import { type Link, linkOf } from '@parterre/shared/protocol/journal/links';
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
  /** The identity of the stream; null for an empty log, which has none yet. */
  stream: string | null;
  /** The link of the last message; null in an empty log. */
  link: Link | null;
  /** The last message is a commit of an owner whose process has ended for certain. */
  ownerHasEnded: boolean;
};

/** `ended`: the ids of owners whose processes have ended. Rejects when the log cannot be reached. */
export async function readTail(log: TailLog, ended?: ReadonlySet<string>): Promise<Tail> {
  const [{ sequence, payload }, epochRecord] = await Promise.all([log.last(), log.lastEpoch()]);
  const tail = tailOf(sequence, payload);
  if (tail.record || !payload) return tail;
  const head = epochRecord && headOf(epochRecord);
  if (!head || !('owner' in head)) throw new Fault(`read the tail at ${sequence}: the log has no epoch record`);
  // An epoch has one owner. The two answers may be of different moments, and one of them old: then the epochs differ.
  const ownerHasEnded = head.epoch === tail.epoch && (ended?.has(head.owner) ?? false);
  return { ...tail, stream: head.stream, ownerHasEnded };
}

/**
 * `payload` is null for an empty log, whose end is its low-water mark. A stream that follows a lost one begins at a
 * later sequence. No epoch of the lost stream was higher than its sequences, so epochs never run backwards: front doors
 * believe the owner of the highest. Throws for a message of an unknown form.
 */
function tailOf(sequence: number, payload: Uint8Array | null): Tail {
  const nobody = { record: null, late: null, stream: null, link: null, ownerHasEnded: false };
  if (!payload) return { ...nobody, sequence, epoch: sequence, low: sequence };
  const head = headOf(payload);
  const record = 'owner' in head ? head : null;
  return {
    sequence,
    epoch: head.epoch,
    record,
    late: record ? lateBehind(record) : head.epoch,
    low: head.low,
    stream: record?.stream ?? null,
    link: linkOf(payload),
    ownerHasEnded: false,
  };
}

/**
 * How long an heir answers nothing behind this tail, from the ack of its fence's first record on, in milliseconds. A
 * log that is empty or was given up has no earlier owner. Behind a commit of an owner that has ended, nobody answers
 * any more: an owner cuts its first commit when no owner before it answers. An epoch record shows no such thing, since
 * the owner before may still have its lease.
 */
export function quietBehind({ link, record, ownerHasEnded }: Tail): number {
  if (link === null || record?.released) return 0;
  return ownerHasEnded ? endedQuietMs : fenceQuietMs;
}

/** The epoch whose appends may still come when this record is the last, or null. */
function lateBehind({ epoch, released, fence }: EpochRecord): number | null {
  if (released) return null;
  return fence && fence.left > 0 ? fence.late : epoch;
}
