/**
 * Pages of the groups with occurrences of an organisation's events: the source of `GET /v1/occurrences` and of the
 * recovery of a subscription.
 *
 * Paging is exact. A stream's position is read first, and no group behind it is listed. The position moves only behind
 * all buckets of its groups (project-batches.ts), so each listed group has all groups of its stream before it. A cursor
 * names a place in each stream. Between two streams the order is by time, as far as both are counted.
 *
 * On failure at an await: the store throws, and the operation fails. Another generation replaces this one meanwhile →
 * the buckets of both have the same groups.
 */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { ListedGroup } from '@parterre/shared/protocol/catalog/occurrences';
import { isInWorkspace } from '@parterre/shared/protocol/catalog/owner-scope';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, Fault } from '@parterre/shared/protocol/errors';
import { partitionsMax } from '@parterre/shared/protocol/limits';
import { decodeOccurrencesCursor, isBefore, type OccurrencesPlace } from '@parterre/shared/protocol/occurrences/cursor';
import { partitionOfStream } from '@parterre/shared/protocol/subjects';
import { occurrencesKeptMs } from '@parterre/shared/protocol/webhook-limits';
import { largeGroup } from '../projections/counted-parts.ts';
import { eventsByKey } from '../projections/event-records.ts';
import { currentViews } from '../projections/generations.ts';
import { bucketId, bucketOf, groupsIn } from '../projections/rules/group-buckets.ts';
import { listOwner } from '../projections/rules/occurrence-buckets.ts';
import type { Views } from '../store/collections.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import { bucketsReadAtOnce, listedBytesReadMax } from '../store/rules/bounds.ts';
import type { Position } from '../store/rules/paging.ts';
import type { OccurrenceBucket } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';

type PageQuery = CatalogInput<'occurrences.page'>;
type Page = CatalogOutput<'occurrences.page'>;

export function createOccurrenceOperations({ store, clock }: Ports): OperationTable<'occurrences.page'> {
  return {
    async 'occurrences.page'(asked) {
      const views = await currentViews(store);
      const since = Math.max(clock.now() - occurrencesKeptMs, asked.since ?? 0);
      const found = await merged(store, views, asked, since);
      return done(await withData(store, views, asked, found));
    },
  };
}

/** A group as the buckets list it. */
type Entry = { place: OccurrencesPlace; partition: number; eventKey: string; at: number };

type ListedEntries = { entries: Entry[]; nextAt: number | null };

/** The first `limit` groups of all streams behind the cursor. The oldest head of a stream comes first. */
async function merged(store: Store, views: Views, asked: PageQuery, since: number): Promise<ListedEntries> {
  const cursor = decodeOccurrencesCursor(asked.after);
  const streams = await streamsOf(store, views, asked);
  const queues = await Promise.all(
    streams.map(({ stream, end }) => {
      const partition = partitionOfStream(stream);
      const from = cursor.get(partition) ?? { sequence: 0, group: 0, bodies: 0 };
      return headsOf(store, views, { ...asked, stream, partition, end, from, since });
    }),
  );
  const entries: Entry[] = [];
  while (entries.length < asked.limit) {
    const next = oldestOf(queues);
    if (!next) return { entries, nextAt: null };
    entries.push(next.shift()!);
  }
  return { entries, nextAt: oldestOf(queues)?.[0]?.at ?? null };
}

function oldestOf(queues: readonly Entry[][]): Entry[] | null {
  let oldest: Entry[] | null = null;
  for (const queue of queues) if (queue[0] && (!oldest || queue[0].at < oldest[0]!.at)) oldest = queue;
  return oldest;
}

/** The streams that may have groups of the organisation, each with the sequence up to which it is listed. */
async function streamsOf(
  store: Store,
  views: Views,
  { eventKey }: PageQuery,
): Promise<{ stream: string; end: number }[]> {
  if (eventKey !== undefined) {
    const stream = (await store.get(views.events, eventKey))?.value.stream;
    const position = stream === undefined ? null : await store.get(views.listed, stream);
    return position ? [{ stream: position.id, end: position.value.seq }] : [];
  }
  const { documents } = await store.page(views.listed, { index: 'byStream', equal: [], limit: partitionsMax });
  return documents.map(({ id, value }) => ({ stream: id, end: value.seq }));
}

type HeadsQuery = PageQuery & {
  stream: string;
  partition: number;
  end: number;
  from: OccurrencesPlace;
  since: number;
};

type PageOf<V> = { documents: Stored<V>[]; next: Position | null };

/** The first groups of one stream behind the cursor: one more than the page may have. */
async function headsOf(store: Store, { occurrences }: Views, query: HeadsQuery): Promise<Entry[]> {
  const { stream, partition, end, from, since, eventKey, limit } = query;
  const entries: Entry[] = [];
  let after: Position | undefined = { order: bucketOf(from.sequence) - 1, id: '' };
  while (after && entries.length <= limit) {
    const equal = [listOwner(query), stream];
    const page: PageOf<OccurrenceBucket> = await store.page(occurrences, {
      index: 'byOwner',
      equal,
      limit: bucketsReadAtOnce,
      after,
    });
    for (const { value } of page.documents) {
      for (const [at, sequence] of value.seqs.entries()) {
        if (sequence > end) return entries;
        const place = { sequence, group: numberOf(value.seqs, at), bodies: 0 };
        const isBehind = isBefore(place, { ...from, bodies: 0 });
        if (isBehind || value.times[at]! < since || (eventKey !== undefined && value.events[at] !== eventKey)) continue;
        entries.push({ place, partition, eventKey: value.events[at]!, at: value.times[at]! });
      }
    }
    after = page.next ?? undefined;
  }
  return entries;
}

/** The number of a group among those of its sequence. */
function numberOf(seqs: readonly number[], at: number): number {
  let first = at;
  while (first > 0 && seqs[first - 1] === seqs[at]) first -= 1;
  return at - first;
}

/** Reads the groups that the scope has, until enough bytes were read for one answer. */
async function withData(
  store: Store,
  views: Views,
  asked: PageQuery,
  { entries, nextAt }: ListedEntries,
): Promise<Page> {
  const known = await eventsByKey(
    store,
    entries.map(({ eventKey }) => eventKey),
  );
  const read = createGroupReader(store, views);
  const groups: ListedGroup[] = [];
  const events = new Map<string, EventRecord>();
  let bytes = 0;
  for (const { place, partition, eventKey, at } of entries) {
    const event = known.get(eventKey);
    const data = event && isInWorkspace(event, asked) ? await read(eventKey, place.sequence) : null;
    bytes += data?.length ?? 0;
    if (groups.length > 0 && bytes > listedBytesReadMax) return { groups, events: [...events.values()], nextAt: at };
    if (data) events.set(eventKey, event!);
    groups.push({ partition, sequence: place.sequence, group: place.group, eventKey, data });
  }
  return { groups, events: [...events.values()], nextAt };
}

/** Near groups of an event share a bucket, so a page reads each bucket once. */
function createGroupReader(store: Store, views: Views): (eventKey: string, sequence: number) => Promise<Uint8Array> {
  const buckets = new Map<string, Map<number, Uint8Array | null>>();
  return async (eventKey, sequence) => {
    const id = bucketId(eventKey, sequence);
    let groups = buckets.get(id);
    if (!groups) {
      const bucket = await store.get(views.groups, id);
      groups = new Map(bucket ? groupsIn(bucket.value).map(({ seq, data }) => [seq, data]) : []);
      buckets.set(id, groups);
    }
    const data = groups.get(sequence);
    if (data === undefined) throw new Fault(`read group ${sequence} of ${eventKey}`);
    return data ?? (await largeGroup(store, views, eventKey, sequence));
  };
}
