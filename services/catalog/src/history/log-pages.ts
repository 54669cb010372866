/**
 * Pages of an event's log, newest first: of its whole journal, or of its channel audit. A separate projection lists the
 * audit's groups. So a page of the audit does not read all the sales between them.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { entryId, type JournalEntry, placeOfEntry } from '@parterre/shared/protocol/catalog/history';
import { readGroup } from '@parterre/shared/protocol/journal/messages';
import { largeGroup } from '../projections/counted-parts.ts';
import { isAudited } from '../projections/rules/audited-groups.ts';
import { bookedKind, bucketOf, groupsIn } from '../projections/rules/group-buckets.ts';
import type { Views } from '../store/collections.ts';
import { bucketsReadAtOnce, logBytesReadMax } from '../store/rules/bounds.ts';
import type { Position } from '../store/rules/paging.ts';
import type { BucketDocument } from '../store/rules/records.ts';
import type { PageQuery, Store, Stored } from '../store/store.ts';
import { LogPage } from './rules/log-page.ts';

/** Only entries below `before`, where it is given. */
type LogQuery = { limit: number; before: number | undefined };
type EntriesPage = { entries: JournalEntry[]; nextBefore: number | null };

/** Newest first. `seqs` are the wanted groups; undefined: all. */
type Bucket = { document: Stored<BucketDocument>; seqs?: ReadonlySet<number> };
type BucketSource = (query: PageQuery) => Promise<{ buckets: Bucket[]; next: Position | null }>;

export function readLog(store: Store, views: Views, eventKey: string, asked: LogQuery): Promise<EntriesPage> {
  const source: BucketSource = async (query) => {
    const { documents, next } = await store.page(views.groups, query);
    return { buckets: documents.map((document) => ({ document })), next };
  };
  return fillPage({ store, views, source, isWanted: () => true }, eventKey, asked);
}

/** Changes of the event's channels, and sales that passed them by an override. */
export function readAudit(store: Store, views: Views, eventKey: string, asked: LogQuery): Promise<EntriesPage> {
  const source: BucketSource = async (query) => {
    const { documents, next } = await store.page(views.audits, query);
    const ids = documents.map(({ id }) => id);
    const kept = new Map((await store.getMany(views.groups, ids)).map((document) => [document.id, document]));
    const buckets = documents.flatMap(({ id, value }): Bucket[] => {
      const document = kept.get(id);
      return document ? [{ document, seqs: new Set(value.seqs) }] : [];
    });
    return { buckets, next };
  };
  return fillPage({ store, views, source, isWanted: ({ record }) => isAudited(record) }, eventKey, asked);
}

/** Bookings alone. */
export function readBooked(store: Store, views: Views, eventKey: string, asked: LogQuery): Promise<EntriesPage> {
  const source: BucketSource = async (query) => {
    const ofKind = { ...query, index: 'byKind', equal: [eventKey, bookedKind] };
    const { documents, next } = await store.page(views.groups, ofKind);
    return { buckets: documents.map((document) => ({ document, seqs: new Set(document.value.booked) })), next };
  };
  return fillPage({ store, views, source, isWanted: ({ record }) => record.type === 'booked' }, eventKey, asked);
}

type Source = { store: Store; views: Views; source: BucketSource; isWanted(entry: JournalEntry): boolean };

/**
 * Adds group by group until the page is full, or enough bytes were read for one answer, even without an entry. Other
 * work runs between two reads of buckets: the embedded store reads at once.
 */
async function fillPage(from: Source, eventKey: string, { limit, before }: LogQuery): Promise<EntriesPage> {
  const page = new LogPage(limit);
  const start = before === undefined ? undefined : placeOfEntry(before);
  // The group of `before` may have more entries below it.
  let after: Position | undefined = start && { order: bucketOf(start.seq) + 1, id: '' };
  let bytes = 0;
  for (;;) {
    const query = { index: 'byEvent', equal: [eventKey], descending: true, limit: bucketsReadAtOnce, after };
    await turn();
    const found = await from.source(query);
    for await (const group of newestFirst(from, found.buckets, start?.seq)) {
      const older = group.entries.filter((entry) => before === undefined || entry.id < before);
      if (older.length > 0) bytes += group.bytes;
      const isTooMuch = page.nextBefore !== null && bytes > logBytesReadMax;
      if (isTooMuch) return { entries: page.entries, nextBefore: page.nextBefore };
      for (const entry of older) {
        if (!from.isWanted(entry)) page.nextBefore = entry.id;
        else if (!page.add(entry)) return { entries: page.entries, nextBefore: page.nextBefore };
      }
    }
    if (!found.next) return { entries: page.entries, nextBefore: null };
    after = found.next;
  }
}

/** Groups up to `seqMax`. Groups above it are not read. */
async function* newestFirst(
  { store, views }: Source,
  buckets: readonly Bucket[],
  seqMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<{ entries: JournalEntry[]; bytes: number }> {
  for (const { document, seqs } of buckets) {
    const { eventKey } = document.value;
    for (const { seq, data } of groupsIn(document.value).reverse()) {
      if (seq > seqMax || seqs?.has(seq) === false) continue;
      const whole = data ?? (await largeGroup(store, views, eventKey, seq));
      yield { entries: entriesOf(seq, whole).reverse(), bytes: whole.length };
    }
  }
}

export function entriesOf(seq: number, data: Uint8Array): JournalEntry[] {
  const { at, plan, records } = readGroup(data);
  return records.map((record, index) => ({ id: entryId(seq, index), at, plan, record }));
}
