/**
 * What was done to the access links of an event, for the audit of its channels. Links are in no journal, so that they can be ended while no
 * owner of the event answers; an entry is numbered behind the last group of the event's journal that is known here, and stands there in the audit.
 *
 * An entry's id names the link and what it came to, so that telling it again changes nothing (I5). A link's making is told before it is
 * kept: none stands untold. An end is told after it: where this catalog dies in between, repeating a revoke tells it, and a rotation is told by
 * the links themselves (`rotatedFrom`) alone.
 */
import { entryId, type LinkEntry, linkEntriesFrom } from '@parterre/shared/catalog/history';
import { Fault } from '@parterre/shared/errors';
import { eventProjections } from '../projections/projected.ts';
import { linkAudits } from '../store/collections.ts';
import { changeAttemptsMax } from '../store/rules/bounds.ts';
import type { AccessLinkRecord, LinkAudit } from '../store/rules/records.ts';
import type { Store } from '../store/store.ts';

type Told = Omit<LinkAudit, 'order' | 'rotatedTo' | 'sessionsEnded' | 'channelId' | 'eventKey'>;

/** `version`: one of the event that the caller knows of. */
export async function noteLink(store: Store, link: AccessLinkRecord, told: Told, version = 0): Promise<void> {
  const { eventKey, channelId, rotatedTo, sessionsEnded, state } = link;
  const id = `${told.linkId}/${state}/${sessionsEnded}`;
  for (let attempt = 0; attempt < changeAttemptsMax; attempt++) {
    if (await store.get(linkAudits, id)) return;
    const order = await nextOrder(store, eventKey, version);
    const entry = { ...told, eventKey, channelId, rotatedTo, sessionsEnded, order };
    if ((await store.insert(linkAudits, id, entry)) === 'inserted') return;
  }
  throw new Fault(`tell of link ${told.linkId}: too many others are being told of`);
}

async function nextOrder(store: Store, eventKey: string, version: number): Promise<number> {
  const newest = { index: 'byEvent', equal: [eventKey], descending: true, limit: 1 };
  const [last, known] = await Promise.all([store.page(linkAudits, newest), eventProjections(store, [eventKey])]);
  const seq = Math.max(version, known.get(eventKey)?.seq ?? 0);
  return Math.max(entryId(seq, linkEntriesFrom), (last.documents[0]?.value.order ?? 0) + 1);
}

/** Newest first, those below `before`. */
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
