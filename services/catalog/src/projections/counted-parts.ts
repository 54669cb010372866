/** The parts of events as the projections have them, byte for byte: those of buckets, and large ones by themselves. */
import type { CountedPart } from '@parterre/shared/protocol/catalog/history';
import { Fault } from '@parterre/shared/protocol/errors';
import type { Views } from '../store/collections.ts';
import { bucketsReadAtOnce, partBytesReadMax } from '../store/rules/bounds.ts';
import type { Position } from '../store/rules/paging.ts';
import type { PageQuery, Store } from '../store/store.ts';
import { bucketOf, groupsIn } from './rules/group-buckets.ts';
import { groupId } from './rules/views.ts';

/** Oldest first, behind the sequence `after`, until enough bytes were read for one answer. */
export async function readParts(
  store: Store,
  views: Views,
  eventKey: string,
  after: number,
): Promise<{ parts: CountedPart[]; isCut: boolean }> {
  const parts: CountedPart[] = [];
  let bytes = 0;
  let position: Position | undefined = { order: bucketOf(after) - 1, id: '' };
  while (position) {
    const query: PageQuery = { index: 'byEvent', equal: [eventKey], limit: bucketsReadAtOnce, after: position };
    const { documents, next } = await store.page(views.groups, query);
    for (const { seq, data } of documents.flatMap(({ value }) => groupsIn(value))) {
      if (seq <= after) continue;
      const whole = data ?? (await largeGroup(store, views, eventKey, seq));
      if (parts.length > 0 && bytes + whole.length > partBytesReadMax) return { parts, isCut: true };
      parts.push({ sequence: seq, data: whole });
      bytes += whole.length;
    }
    position = next ?? undefined;
  }
  return { parts, isCut: false };
}

export async function readLastPart(store: Store, views: Views, eventKey: string): Promise<CountedPart | null> {
  const query = { index: 'byEvent', equal: [eventKey], descending: true, limit: 1 };
  const [last] = (await store.page(views.groups, query)).documents;
  const group = last && groupsIn(last.value).at(-1);
  if (!group) return null;
  return { sequence: group.seq, data: group.data ?? (await largeGroup(store, views, eventKey, group.seq)) };
}

/** Written together with its bucket, or before it. */
export async function largeGroup(
  store: Store,
  { largeGroups }: Views,
  eventKey: string,
  seq: number,
): Promise<Uint8Array> {
  const found = await store.get(largeGroups, groupId(eventKey, seq));
  if (!found) throw new Fault(`read group ${seq} of ${eventKey}`);
  return found.value.data;
}
