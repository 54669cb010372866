/**
 * The heads of a stream's messages: of a commit, and of an epoch record. docs/internals/journal-and-fence.md has the
 * protocol.
 */

import { isSameLink, type Link } from './links.ts';

/**
 * The form in which this version of Parterre reads and writes messages. A later version may write a higher form once
 * every member of the deployment reads the form (inventory-shard, cluster/raise-form.ts).
 */
export const journalForm = 1;

/** A new identity of a stream: the name of its deployment, and a text that no other stream has. */
export function streamIdentity(deployment: string, unique: string): string {
  return `${deployment}.${unique}`;
}

export function deploymentOf(stream: string): string {
  return stream.slice(0, stream.indexOf('.'));
}

/** `n` counts the commits of one epoch from 1. `low` is the low-water mark, `link` the link of the message before. */
export type CommitHead = { epoch: number; n: number; low: number; link: Link };

/**
 * The payload of an epoch record: from its sequence on, appends of lower epochs fail (I3). `released` marks the owner's
 * second and last record of an epoch: the owner answers nothing any more, so the next owner need not wait for the read
 * lease. `fence` marks records of a fence against late appends of the epoch `late`; `left` more follow. `low` repeats
 * the low-water mark of the tail. `stream` is the identity of the stream, which its first owner drew: a stream that is
 * made anew has another identity. `link` is the link of the message before, or of the identity at the beginning.
 */
export type EpochRecord = {
  epoch: number;
  owner: string;
  at: number;
  low: number;
  stream: string;
  link: Link;
  released?: true;
  fence?: { late: number; left: number };
};

/** `late` is the epoch against whose appends a record of a fence stands; null for every other message. */
export function lateIn(head: EpochRecord | CommitHead): number | null {
  return ('fence' in head && head.fence?.late) || null;
}

/**
 * Whether a message follows the one before it in its stream (I9): the message carries that one's link. Records of two
 * fences against the same epoch also follow each other. The first fence was interrupted, and a record of it that was
 * under way may land between records of the second. Both fences carry the link of the commit before them, and no part
 * of an event stands among their records.
 */
export function followsMessage(
  { before, late }: { before: Link; late: number | null },
  last: { link: Link; late: number | null },
): boolean {
  return isSameLink(before, last.link) || (late !== null && late === last.late);
}
