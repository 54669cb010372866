/**
 * The projections count the changes of a journal. The same changes give the same projections, in one commit or in many.
 */
import type { JournalRecord } from '@parterre/shared/protocol/records';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { entriesOf } from '../../../services/catalog/src/history/log-pages.ts';
import { type Entry, entryOf, listsOf } from '../../../services/catalog/src/projections/entries.ts';
import type { EventOwners } from '../../../services/catalog/src/projections/event-owners.ts';
import { projectBatches } from '../../../services/catalog/src/projections/project-batches.ts';
import { groupsIn } from '../../../services/catalog/src/projections/rules/group-buckets.ts';
import { viewsOf } from '../../../services/catalog/src/store/collections.ts';
import { groupBytesInBucketMax } from '../../../services/catalog/src/store/rules/bounds.ts';
import type { Collection, Store } from '../../../services/catalog/src/store/store.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { noLink } from '../../support/journal/links.ts';
import { type Change, change, commitMessage, cutIntoMessages } from '../../support/journal/stored-messages.ts';

const by = { source: 'server', actor: null } as const;
const stream = 'JOURNAL-0';
const views = viewsOf(1);
const bookingRefs = ['b0', 'b1', 'b2'] as const;
const eventKeys = ['a', 'b', 'c', 'd'] as const;
/** Events a to c are of one organisation. Event d is a test event. */
const owners: EventOwners = async (keys) =>
  new Map([...keys].map((key) => [key, { organisationId: 'org', mode: key === 'd' ? 'test' : 'live' }]));

const databases: TestDatabase[] = [];
afterEach(removeDatabases);

async function removeDatabases(): Promise<void> {
  await Promise.all(databases.splice(0).map((database) => database.remove()));
}

async function newStore(): Promise<Store> {
  const database = await embeddedDatabase([]);
  databases.push(database);
  return database.connect();
}

function booked(bookingRef: string, count: number): JournalRecord {
  const lines = Array.from({ length: count }, (_, unit) => ({ unit, price: 10 }));
  return { type: 'booked', callId: 'c', bookingRef, holdId: null, accessSource: 'public', lines, by };
}

function recordOf(kind: number, bookingRef: string, count: number): JournalRecord {
  const units = Array.from({ length: count }, (_, unit) => unit);
  if (kind === 0) return { type: 'unbooked', callId: 'c', bookingRef, units, by };
  if (kind === 1)
    return { type: 'blocked', units, releaseAt: null, reason: null, overridden: { units, reason: 'r' }, by };
  if (kind === 2) return { type: 'status-set', status: count > 2 ? 'closed' : 'active', by };
  return booked(bookingRef, count);
}

const project = (store: Store, entries: readonly Entry[]) =>
  projectBatches({ store, views, owners, announce: () => {} }, [{ stream, entries }]);

/** As a catalog sees the store that read its batch before another one moved the positions. */
function withoutPositions(store: Store): Store {
  return {
    ...store,
    getMany: async (collection, ids) =>
      collection.name === views.positions.name ? [] : store.getMany(collection, ids),
    writeInOrder: (first) => store.writeMany(first),
  };
}

/** All projections without sequences, which depend on the commits. */
async function told(store: Store) {
  const all = async <Value extends object>(collection: Collection<Value>, index: string, equal: string[]) =>
    (await store.page(collection, { index, equal, limit: 1_000 })).documents.map(({ value }) => value);
  const ofEvent = async (eventKey: string) => {
    const projection = (await store.get(views.events, eventKey))?.value;
    const log: unknown[] = [];
    for (const bucket of await all(views.groups, 'byEvent', [eventKey])) {
      for (const { seq, data } of groupsIn(bucket)) {
        const whole = data ?? (await store.get(views.largeGroups, `${eventKey}/${seq}`))!.value.data;
        log.push(...entriesOf(seq, whole).map(({ at, plan, record }) => [at, plan, record]));
      }
    }
    const bookings = await Promise.all(
      bookingRefs.map(async (ref) => (await store.get(views.bookings, `${eventKey}/${ref}`))?.value),
    );
    const audits = await all(views.audits, 'byEvent', [eventKey]);
    return {
      projection: { ...projection, seq: undefined },
      log,
      bookings: bookings.map(
        (booking) => booking && { ...booking, seq: undefined, order: undefined, groups: booking.groups.length },
      ),
      audited: audits.reduce((sum, { seqs }) => sum + seqs.length, 0),
    };
  };
  const credits = await store.get(views.credits, `org/${stream}`);
  return { used: credits?.value.used ?? 0, events: await Promise.all(eventKeys.map(ofEvent)) };
}

const changesDrawn = fc
  .array(
    fc.tuple(fc.constantFrom(...eventKeys), fc.array(fc.tuple(fc.nat(5), fc.nat(2), fc.nat(4)), { maxLength: 3 })),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((drawn): Change[] =>
    drawn.map(([eventKey, records], index) =>
      change(eventKey, 1_000 + index, ...records.map(([kind, ref, count]) => recordOf(kind, bookingRefs[ref]!, count))),
    ),
  );
const cutsDrawn = fc.array(fc.constantFrom('join', 'join', 'join', 'close'), {
  minLength: 30,
  maxLength: 30,
}) as fc.Arbitrary<('join' | 'close')[]>;

test('a journal that is cut into commits at random projects as with one change in each commit', () =>
  fc.assert(
    fc.asyncProperty(
      changesDrawn,
      cutsDrawn,
      fc.array(fc.tuple(fc.nat(29), fc.nat(29)), { maxLength: 4 }),
      fc.integer({ min: 1, max: 8 }),
      async (changes, cuts, rereads, groupsMax) => {
        const single = await newStore();
        const mixed = await newStore();
        await project(single, cutIntoMessages(changes, () => 'close').map(entryOf));
        const entries = cutIntoMessages(changes, (index) => cuts[index]!).map(entryOf);
        let reached = 0;
        for (const list of listsOf(entries, groupsMax)) {
          await project(mixed, list);
          reached = list.at(-1)!.seq;
          // Another catalog counts messages again.
          for (const [from, length] of rereads) {
            const again = entries.slice(0, reached).slice(from, from + length);
            if (again.length > 0) await project(withoutPositions(mixed), again);
          }
        }
        expect(await told(mixed)).toEqual(await told(single));
        expect((await mixed.get(views.positions, stream))?.value.seq).toBe(entries.length);
        await removeDatabases();
      },
    ),
    { numRuns: 40 },
  ));

test('credits count every part of a commit once, whoever reads it again', async () => {
  const store = await newStore();
  const commit = entryOf(
    commitMessage(7, [
      change('a', 1, booked('x', 2)),
      change('b', 1, booked('x', 3)),
      change('d', 1, booked('x', 9)),
      change('c', 1, booked('x', 4)),
    ]),
  );
  await project(store, [commit]);
  await project(store, [commit]);
  await project(withoutPositions(store), [commit]);
  expect((await store.get(views.credits, `org/${stream}`))?.value).toMatchObject({ used: 9, seq: 7 });
});

test('a large part of a commit has a document of its own, and the log reads it', async () => {
  const store = await newStore();
  const reason = 'r'.repeat(groupBytesInBucketMax);
  const blocked: JournalRecord = { type: 'blocked', units: [1], releaseAt: null, reason, by };
  await project(store, [entryOf(commitMessage(1, [change('a', 5, blocked), change('b', 6, booked('x', 1))]))]);
  const large = await store.get(views.largeGroups, 'a/1');
  expect(entriesOf(1, large!.value.data).map(({ at, record }) => [at, record])).toEqual([[5, blocked]]);
  expect(await store.get(views.largeGroups, 'b/1')).toBeNull();
});

test('a list of entries never divides a message', () => {
  const entry = (seq: number, groups: number): Entry => {
    const linked = { link: noLink, before: noLink, late: null, identity: null };
    return { seq, ...linked, groups: Array.from({ length: groups }, () => ({}) as Entry['groups'][number]) };
  };
  const entries = [3, 2, 0, 9, 1, 4, 5].map((groups, index) => entry(index + 1, groups));
  expect(listsOf(entries, 5).map((list) => list.map(({ groups }) => groups.length))).toEqual([
    [3, 2, 0],
    [9],
    [1, 4],
    [5],
  ]);
  expect(listsOf([], 5)).toEqual([]);
});
