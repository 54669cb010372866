/**
 * Audit entries of an event's access links, for its channel audit. Links are in no journal, so they can end while no
 * owner of the event answers. An entry is numbered behind the last group of the event's journal that the catalog knows,
 * and the audit shows it there.
 *
 * An entry's id consists of the link and its new state, so writing it again changes nothing (I5). The making of a link
 * is written before the link: no link stands without its entry. An end is written after it. Where this catalog dies in
 * between, a repeated revoke writes the entry. A rotation then shows only in the links themselves (`rotatedFrom`).
 */
import { entryId, type LinkEntry, linkEntriesFrom } from '@parterre/shared/protocol/catalog/history';
import { Fault } from '@parterre/shared/protocol/errors';
import { eventProjections } from '../projections/projected.ts';
import { linkAudits } from '../store/collections.ts';
import { changeAttemptsMax } from '../store/rules/bounds.ts';
import type { AccessLinkRecord, LinkAudit } from '../store/rules/records.ts';
import type { Store } from '../store/store.ts';

type LinkChange = Omit<LinkAudit, 'order' | 'rotatedTo' | 'sessionsEnded' | 'channelId' | 'eventKey'>;

/** `version`: a version of the event that the caller knows. */
export async function noteLink(store: Store, link: AccessLinkRecord, change: LinkChange, version = 0): Promise<void> {
  const { eventKey, channelId, rotatedTo, sessionsEnded, state } = link;
  const id = `${change.linkId}/${state}/${sessionsEnded}`;
  for (let attempt = 0; attempt < changeAttemptsMax; attempt++) {
    if (await store.get(linkAudits, id)) return;
    const order = await nextOrder(store, eventKey, version);
    const entry = { ...change, eventKey, channelId, rotatedTo, sessionsEnded, order };
    if ((await store.insert(linkAudits, id, entry)) === 'inserted') return;
  }
  throw new Fault(`write the audit entry of link ${change.linkId}: too many entries at once`);
}

async function nextOrder(store: Store, eventKey: string, version: number): Promise<number> {
  const newest = { index: 'byEvent', equal: [eventKey], descending: true, limit: 1 };
  const [last, known] = await Promise.all([store.page(linkAudits, newest), eventProjections(store, [eventKey])]);
  const seq = Math.max(version, known.get(eventKey)?.seq ?? 0);
  return Math.max(entryId(seq, linkEntriesFrom), (last.documents[0]?.value.order ?? 0) + 1);
}

/** Newest first, only entries below `before`. */
export async function linkEntries(
  store: Store,
  eventKey: string,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<LinkEntry[]> {
  const after = before === undefined ? undefined : { order: before, id: '' };
  const query = { index: 'byEvent', equal: [eventKey], descending: true, limit, after };
  const { documents } = await store.page(linkAudits, query);
  return documents.map(({ value: { eventKey: _, order, ...entry } }) => ({ id: order, ...entry }));
}
