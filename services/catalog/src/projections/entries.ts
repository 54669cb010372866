/** Messages of a partition's journal as the projections count them. */
import { lateIn } from '@parterre/shared/protocol/journal/heads';
import { type Link, linkOf } from '@parterre/shared/protocol/journal/links';
import { groupsOf, headOf, readGroup } from '@parterre/shared/protocol/journal/messages';
import type { LinkedGroup } from '@parterre/shared/protocol/records';
import type { PulledMessage } from '@parterre/shared/runtime/pull';

/** A group of an event and its bytes. */
export type EntryGroup = { eventKey: string; group: LinkedGroup; data: Uint8Array };

/**
 * A message with its groups, at most one of an event; an epoch record has none. `link` is the message's, `before` the
 * link of the message before it. `identity` is the stream's, which epoch records alone have. `late` is of `lateIn`.
 */
export type Entry = {
  seq: number;
  link: Link;
  before: Link;
  late: number | null;
  identity: string | null;
  groups: readonly EntryGroup[];
};

export function entryOf({ seq, subject, data }: Pick<PulledMessage, 'seq' | 'subject' | 'data'>): Entry {
  const head = headOf(data);
  return {
    seq,
    link: linkOf(data),
    before: head.link,
    late: lateIn(head),
    identity: 'owner' in head ? head.stream : null,
    groups: groupsOf(subject, data).map(({ eventKey, data: part }) => ({
      eventKey,
      data: part,
      group: readGroup(part),
    })),
  };
}

/** The entries in order, in lists of at most `groupsMax` groups. An entry with more is a list of its own. */
export function listsOf(entries: readonly Entry[], groupsMax: number): Entry[][] {
  const lists: Entry[][] = [];
  let room = 0;
  for (const entry of entries) {
    if (lists.length === 0 || entry.groups.length > room) {
      lists.push([]);
      room = groupsMax;
    }
    room -= entry.groups.length;
    lists.at(-1)!.push(entry);
  }
  return lists;
}
