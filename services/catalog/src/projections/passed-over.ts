/**
 * Parts that the event itself goes on without (I9). Where an operator has accepted a break of the stream, parts behind
 * the lost ones may still stand there. No owner folds them. A restoration has written them again, or an acceptance has
 * given them up. So they are not counted: each counted part follows the event's last counted part by its link.
 *
 * Streams without an accepted break are counted without this look. In the others, the first part of each event costs a
 * read of the store.
 *
 * Failure at the await: the read of the store fails → the batch is read again, as after any failure.
 */
import { isSameLink, type Link, linkOf } from '@parterre/shared/protocol/journal/links';
import { linkAfter } from '@parterre/shared/protocol/journal/messages';
import type { Views } from '../store/collections.ts';
import type { Store } from '../store/store.ts';
import { readLastPart } from './counted-parts.ts';
import type { Entry } from './entries.ts';

/** The entries in order, without the groups that are passed over. */
export type Followers = (entries: readonly Entry[]) => Promise<Entry[]>;

export function createFollowers(store: Store, views: Views): Followers {
  const links = new Map<string, Link>();
  async function linkBefore(eventKey: string): Promise<Link> {
    const last = await readLastPart(store, views, eventKey);
    return last ? linkAfter(last.data) : linkOf(eventKey);
  }
  return async (entries) => {
    const followers: Entry[] = [];
    for (const entry of entries) {
      const groups: Entry['groups'][number][] = [];
      for (const each of entry.groups) {
        const { eventKey, group, data } = each;
        const before = links.get(eventKey) ?? (await linkBefore(eventKey));
        const follows = isSameLink(group.link, before);
        links.set(eventKey, follows ? linkAfter(data) : before);
        if (follows) groups.push(each);
      }
      followers.push(groups.length === entry.groups.length ? entry : { ...entry, groups });
    }
    return followers;
  };
}
