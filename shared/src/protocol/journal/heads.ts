/**
 * The heads of a stream's messages: of a commit, and of an epoch record. docs/internals/journal-and-fence.md has the
 * protocol.
 */

/** `n` counts the commits of one epoch from 1. `low` is the low-water mark. */
export type CommitHead = { v: 2; epoch: number; n: number; low: number };

/**
 * The payload of an epoch record: from its sequence on, appends of lower epochs fail (I3). `released` marks the owner's
 * second and last record of an epoch: the owner answers nothing any more, so the next owner need not wait for the read
 * lease. `fence` marks records of a fence against late appends of the epoch `late`; `left` more follow. A record of the
 * second form repeats the low-water mark of the tail.
 */
export type EpochRecord = {
  epoch: number;
  owner: string;
  at: number;
  released?: true;
  fence?: { late: number; left: number };
} & ({ v: 1 } | { v: 2; low: number });
