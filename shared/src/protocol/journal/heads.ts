/**
 * The heads of a stream's messages: of a commit, and of an epoch record. docs/internals/journal-and-fence.md has the
 * protocol.
 */

/**
 * The form in which this version of Parterre reads and writes messages. A later version may write a higher form once
 * every member of the deployment reads the form (inventory-shard, cluster/raise-form.ts).
 */
export const journalForm = 1;

/** `n` counts the commits of one epoch from 1. `low` is the low-water mark. */
export type CommitHead = { epoch: number; n: number; low: number };

/**
 * The payload of an epoch record: from its sequence on, appends of lower epochs fail (I3). `released` marks the owner's
 * second and last record of an epoch: the owner answers nothing any more, so the next owner need not wait for the read
 * lease. `fence` marks records of a fence against late appends of the epoch `late`; `left` more follow. `low` repeats
 * the low-water mark of the tail.
 */
export type EpochRecord = {
  epoch: number;
  owner: string;
  at: number;
  low: number;
  released?: true;
  fence?: { late: number; left: number };
};
