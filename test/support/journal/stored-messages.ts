/** Messages of a journal as its stream has them. */
import type { Link } from '@parterre/shared/protocol/journal/links';
import { encodeCommit } from '@parterre/shared/protocol/journal/messages';
import type { EventGroup, JournalRecord } from '@parterre/shared/protocol/records';
import { subjects } from '@parterre/shared/protocol/subjects';
import { chainOfParts, noLink } from './links.ts';

export type StoredMessage = { seq: number; subject: string; data: Uint8Array };

/**
 * A change of one event, before its place in the stream is known. `from` matters only to a fold. [0] `link`: of the
 * event's part before it. [the link behind the change before it]
 */
export type Change = Omit<EventGroup, 'from'> & { eventKey: string; from?: number; link?: Link };

const encode = chainOfParts();

/** A commit of changes of different events. */
export function commitMessage(
  seq: number,
  changes: readonly Change[],
  partition = 0,
  link: Link = noLink,
): StoredMessage {
  const parts = changes.map(({ eventKey, ...change }) => encode({ event: eventKey, from: 0, ...change }));
  return {
    seq,
    subject: parts.length === 1 ? subjects.journal(partition, changes[0]!.eventKey) : subjects.commits(partition),
    data: encodeCommit({ epoch: 1, n: seq, low: 0, link }, parts),
  };
}

/** The changes in order, in commits: `cut` tells at each change whether a commit ends before it. */
export function cutIntoMessages(
  changes: readonly Change[],
  cut: (index: number) => 'join' | 'close',
  partition = 0,
): StoredMessage[] {
  const messages: StoredMessage[] = [];
  let open: Change[] = [];
  const close = (): void => {
    if (open.length > 0) messages.push(commitMessage(messages.length + 1, open, partition));
    open = [];
  };
  for (const [index, change] of changes.entries()) {
    if (cut(index) === 'close' || open.some(({ eventKey }) => eventKey === change.eventKey)) close();
    open.push(change);
  }
  close();
  return messages;
}

/** Records by their order, for lists of changes that are written by hand. */
export function change(eventKey: string, at: number, ...records: JournalRecord[]): Change {
  return { eventKey, at, plan: 'p', records };
}
