/** Messages of a journal as its stream has them, in both forms. */
import { encodeCommit, encodePart } from '@parterre/shared/protocol/journal/messages';
import type { EventGroup, Group, JournalRecord } from '@parterre/shared/protocol/records';
import { subjects } from '@parterre/shared/protocol/subjects';
import { encodeKept } from '@parterre/shared/protocol/wire';

export type StoredMessage = { seq: number; subject: string; data: Uint8Array };

/** A change of one event, before its place in the stream is known. */
export type Change = Omit<EventGroup, 'from'> & { eventKey: string };

/** A message of the first form. */
export function groupMessage(seq: number, { eventKey, ...change }: Change, partition = 0): StoredMessage {
  const group: Group = { v: 1, epoch: 1, n: seq, ...change };
  return { seq, subject: subjects.journal(partition, eventKey), data: encodeKept(group) };
}

/** A commit of changes of different events. */
export function commitMessage(seq: number, changes: readonly Change[], partition = 0): StoredMessage {
  const parts = changes.map(({ eventKey, ...change }) => encodePart({ event: eventKey, from: 0, ...change }));
  return {
    seq,
    subject: parts.length === 1 ? subjects.journal(partition, changes[0]!.eventKey) : subjects.commits(partition),
    data: encodeCommit({ v: 2, epoch: 1, n: seq, low: 0 }, parts),
  };
}

/**
 * The changes in order, in messages of either form: `cut` tells at each change whether a commit ends before it, and
 * whether the change is a message of the first form.
 */
export function cutIntoMessages(
  changes: readonly Change[],
  cut: (index: number) => 'join' | 'close' | 'first form',
  partition = 0,
): StoredMessage[] {
  const messages: StoredMessage[] = [];
  let open: Change[] = [];
  const close = (): void => {
    if (open.length > 0) messages.push(commitMessage(messages.length + 1, open, partition));
    open = [];
  };
  for (const [index, change] of changes.entries()) {
    const how = cut(index);
    if (how !== 'join' || open.some(({ eventKey }) => eventKey === change.eventKey)) close();
    if (how === 'first form') messages.push(groupMessage(messages.length + 1, change, partition));
    else open.push(change);
  }
  close();
  return messages;
}

/** Records by their order, for lists of changes that are written by hand. */
export function change(eventKey: string, at: number, ...records: JournalRecord[]): Change {
  return { eventKey, at, plan: 'p', records };
}
