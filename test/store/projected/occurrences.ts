/** The list of occurrences on any store: exact pages while several catalogs count, in the scope of the caller. */

import type { ListedGroup } from '@parterre/shared/protocol/catalog/occurrences';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { decodeOccurrencesCursor, encodeOccurrencesCursor } from '@parterre/shared/protocol/occurrences/cursor';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { occurrencesKeptMs } from '@parterre/shared/protocol/webhook-limits';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Entry, entryOf } from '../../../services/catalog/src/projections/entries.ts';
import { createEventOwners } from '../../../services/catalog/src/projections/event-owners.ts';
import { beginRebuild, turnOver } from '../../../services/catalog/src/projections/generations.ts';
import { projectBatches } from '../../../services/catalog/src/projections/project-batches.ts';
import { collections, viewsOf } from '../../../services/catalog/src/store/collections.ts';
import { groupsPerBucket } from '../../../services/catalog/src/store/rules/bounds.ts';
import type { Collection, Store, Write } from '../../../services/catalog/src/store/store.ts';
import { change, commitMessage } from '../../support/journal/stored-messages.ts';
import type { MakeDatabase, TestDatabase } from '../adapters.ts';
import { organisationScope, publishedChart, type TestCatalog, testCatalog } from '../test-catalog.ts';
import { booked, whole } from './projections.ts';

const streams = ['JOURNAL-0', 'JOURNAL-1', 'JOURNAL-2'] as const;
const quiet: JournalRecord = { type: 'clock-set', from: 5, by: { source: 'timer', actor: null } };

export function occurrencesContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let store: Store;
  let catalog: TestCatalog;
  let scope: Scope;
  let at: number;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    store = await database.connect();
    catalog = testCatalog(store);
    scope = await organisationScope(catalog, { mode: 'live' }, 1_000);
    const other = await organisationScope(catalog, { mode: 'live' }, 1_000);
    for (const [owner, slugs] of [[scope, ['a', 'b', 'c', 'd']] as const, [other, ['foreign']] as const]) {
      const chartId = await publishedChart(catalog, owner);
      for (const slug of slugs) await catalog.ask('events.create', { scope: owner, draft: { chartId, slug } });
    }
    at = catalog.clock.time - 60_000;
  });
  afterEach(() => database.remove());

  const message = (seq: number, ...eventKeys: string[]): Entry =>
    entryOf(
      commitMessage(
        seq,
        eventKeys.map((key) => change(key, at++, booked(`o-${seq}`, seq))),
      ),
    );
  const project = (stream: string, entries: Entry[], on = store, generation = 1) =>
    projectBatches(
      { store: on, views: viewsOf(generation), owners: createEventOwners(on, systemClock), announce: () => {} },
      [{ stream, entries }],
    );
  const nameOf = ({ partition, sequence, eventKey }: ListedGroup) => `${partition}/${sequence}/${eventKey}`;

  async function page(after: string | undefined, limit: number, more: object = {}) {
    const { organisationId } = scope;
    const asked = { organisationId, mode: 'live' as const, workspaceId: null, limit, ...more };
    const found = await catalog.ask('occurrences.page', { ...asked, ...(after !== undefined && { after }) });
    const places = new Map(decodeOccurrencesCursor(after));
    for (const { partition, sequence, group } of found.groups) {
      places.set(partition, { sequence, group: group + 1, bodies: 0 });
    }
    return { ...found, after: encodeOccurrencesCursor(places) };
  }

  async function rest(after: string | undefined, limit: number, more: object = {}): Promise<string[]> {
    const names: string[] = [];
    for (let cursor = after; ; ) {
      const { groups, nextAt, after: next } = await page(cursor, limit, more);
      names.push(...groups.map(nameOf));
      cursor = next;
      if (nextAt === null) return names;
    }
  }

  test('a reader beside two counting catalogs gets every group once, and each stream in its order', async () => {
    const journals = streams.map((stream, partition) => ({
      stream,
      messages: Array.from({ length: groupsPerBucket + 20 }, (_, n) =>
        n % 7 === 0 && partition === 0
          ? message(n + 1, 'a', 'foreign', 'd')
          : message(n + 1, ['a', 'b', 'c'][partition]!),
      ),
    }));
    let counting = true;
    const second = await database.connect();
    const count = async (on: Store, step: number) => {
      for (let from = 0; from < groupsPerBucket + 20; from += step) {
        await Promise.all(
          journals.map(({ stream, messages }) => project(stream, messages.slice(from, from + step), on)),
        );
      }
    };
    const catalogs = Promise.all([count(store, 13), count(second, 9)]).finally(() => {
      counting = false;
    });
    const names: string[] = [];
    let cursor: string | undefined;
    for (let most = 1, isLast = false; !isLast; most = (most % 11) + 1) {
      isLast = !counting;
      const found = isLast
        ? { groups: [], names: await rest(cursor, 17) }
        : { names: [] as string[], ...(await page(cursor, most)) };
      names.push(...found.groups.map(nameOf), ...found.names);
      if ('after' in found) cursor = found.after as string;
    }
    await catalogs;
    const expected = journals.flatMap(({ messages }, partition) =>
      messages.flatMap(({ seq, groups }) =>
        groups.map(({ eventKey }) => `${partition}/${seq}/${eventKey}`).filter((name) => !name.endsWith('foreign')),
      ),
    );
    expect([...names].sort()).toEqual([...expected].sort());
    for (const partition of [0, 1, 2]) {
      const ofPartition = (all: string[]) => all.filter((name) => name.startsWith(`${partition}/`));
      expect(ofPartition(names)).toEqual(ofPartition(expected));
    }
  });

  test('one event, a time and the age of the list narrow it; other groups have no data or no place', async () => {
    await project(streams[0], [
      message(1, 'a'),
      message(2, 'b', 'foreign'),
      entryOf(commitMessage(3, [change('a', at, quiet)])),
    ]);
    expect(await rest(undefined, 10)).toEqual(['0/1/a', '0/2/b']);
    expect(await rest(undefined, 10, { eventKey: 'b' })).toEqual(['0/2/b']);
    expect(await rest(undefined, 10, { eventKey: 'foreign' })).toEqual([]);
    expect(await rest(undefined, 10, { since: at - 2 })).toEqual(['0/2/b']);
    const { groups } = await page(undefined, 10, { workspaceId: 'ws_other' });
    expect(groups.map(({ data }) => data)).toEqual([null, null]);
    catalog.clock.time += occurrencesKeptMs;
    expect(await rest(undefined, 10)).toEqual([]);
  });

  test('a cursor goes on in a rebuilt generation', async () => {
    const messages = [message(1, 'a'), message(2, 'a'), message(3, 'b')];
    await project(streams[0], messages);
    const { after } = await page(undefined, 1);
    await beginRebuild(store);
    await project(streams[0], messages, store, 2);
    await turnOver(store, streams, 0, whole);
    expect(await rest(after, 1)).toEqual(['0/2/a', '0/3/b']);
  });

  test('groups that a catalog of an earlier version has counted are listed, too', async () => {
    const messages = [message(1, 'a'), message(2, 'b')];
    await project(streams[0], messages.slice(0, 1));
    const { listed, occurrences } = viewsOf(1);
    const isKnown = ({ collection }: Write) => ![listed.name, occurrences.name].includes(collection.name);
    const earlier: Store = {
      ...store,
      async writeInOrder(first, last) {
        await store.writeInOrder(first.filter(isKnown), last.filter(isKnown));
        return first.map(() => 'inserted');
      },
    };
    await project(streams[0], messages.slice(1), earlier);
    expect((await store.get(listed, streams[0]))?.value.seq).toBe(1);
    await project(streams[0], messages);
    expect(await rest(undefined, 10)).toEqual(['0/1/a', '0/2/b']);
    expect((await store.page(occurrences, { index: 'byExpiry', equal: [], limit: 10 })).documents).toHaveLength(1);
  });
}
