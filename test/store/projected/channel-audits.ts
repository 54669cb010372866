/** The promises of the channel audit on any store: it is complete, exact, and its cost follows its own length. */
import { entryId } from '@parterre/shared/protocol/catalog/history';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Entry } from '../../../services/catalog/src/projections/entries.ts';
import { createEventOwners } from '../../../services/catalog/src/projections/event-owners.ts';
import { beginRebuild, turnOver } from '../../../services/catalog/src/projections/generations.ts';
import { projectBatches } from '../../../services/catalog/src/projections/project-batches.ts';
import { collections, viewsOf } from '../../../services/catalog/src/store/collections.ts';
import { logBytesReadMax } from '../../../services/catalog/src/store/rules/bounds.ts';
import type { Collection, Store } from '../../../services/catalog/src/store/store.ts';
import { noBuckets } from '../../support/inventory/channels.ts';
import type { MakeDatabase, TestDatabase } from '../adapters.ts';
import { organisationScope, publishedChart, testCatalog } from '../test-catalog.ts';
import { booked, by, entry, stream, whole } from './projections.ts';

const paused: JournalRecord = {
  type: 'channel-state-set',
  callId: 'c',
  channelId: 'chn_a',
  state: 'paused',
  version: 1,
  reason: null,
  by,
};
const assigned = (version: number, units: number[]): JournalRecord => {
  const assigned = { channelId: 'chn_a', units, version, requested: units.length, buckets: noBuckets };
  return { type: 'channels-assigned', callId: 'c', ...assigned, reason: 'Club', by };
};
const overriding = (bookingRef: string, ...units: number[]): JournalRecord => {
  return { ...booked(bookingRef, ...units), overridden: { units, reason: 'House seats' } } as JournalRecord;
};

export function channelAuditsContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    store = await database.connect();
  });
  afterEach(() => database.remove());

  const project = (entries: Entry[], generation = 1) => {
    const ports = { views: viewsOf(generation), owners: createEventOwners(store, systemClock), announce: () => {} };
    return projectBatches({ ...ports, store }, [{ stream, entries }]);
  };

  /** Page by page: the facts of each entry. */
  async function audit(on: Store, eventKey: string, limit: number): Promise<string[][]> {
    const catalog = testCatalog(on);
    const pages: string[][] = [];
    for (let before: number | null | undefined; before !== null; ) {
      const asked = { eventKey, version: 0, limit, ...(before !== undefined && { before }) };
      const page = await catalog.ask('history.audit', asked);
      pages.push(page.entries.map((told) => `${told.id} ${'record' in told ? told.record.type : told.action}`));
      before = page.nextBefore;
    }
    return pages;
  }

  const at = (seq: number, index: number) => seq * 8_192 + index;
  const journal = [
    entry(1, 'gala', booked('order-1', 1), assigned(1, [2, 3]), booked('order-2', 4)),
    entry(2, 'other', paused),
    entry(3, 'gala', overriding('order-3', 2)),
    entry(4, 'gala', booked('order-4', 5)),
    entry(300, 'gala', paused, overriding('order-5', 3)),
  ];
  const told = [
    `${at(300, 1)} booked`,
    `${at(300, 0)} channel-state-set`,
    `${at(3, 0)} booked`,
    `${at(1, 1)} channels-assigned`,
  ];

  test('it has every change of channels and each override, newest first, and its pages are contiguous', async () => {
    await project(journal.slice(0, 3));
    await project(journal);
    expect((await audit(store, 'gala', 50)).flat()).toEqual(told);
    expect(await audit(store, 'gala', 2)).toEqual([told.slice(0, 2), told.slice(2)]);
    expect((await audit(store, 'gala', 1)).flat()).toEqual(told);
    expect(await audit(store, 'other', 50)).toEqual([[`${at(2, 0)} channel-state-set`]]);
    expect(await audit(store, 'none', 50)).toEqual([[]]);
  });

  test('a rebuild gives the same audit', async () => {
    await project(journal);
    await beginRebuild(store);
    await project(journal, 2);
    await turnOver(store, [stream], 5, whole);
    const views = viewsOf(1);
    const { documents } = await store.page(views.audits, { index: 'byEvent', equal: ['gala'], limit: 10 });
    for (const { id, version } of documents) await store.delete(views.audits, id, version);
    expect((await audit(store, 'gala', 50)).flat()).toEqual(told);
  });

  test('the audit of an event with many later sales reads only the audited groups', async () => {
    const sold = Array.from({ length: 2_000 }, (_, nth) => entry(nth + 2, 'gala', booked(`order-${nth}`, nth)));
    await project([entry(1, 'gala', assigned(1, [1])), ...sold, entry(2_500, 'gala', paused)]);
    let read = 0;
    const counting: Store = {
      ...store,
      async getMany(collection, ids) {
        const found = await store.getMany(collection, ids);
        if (collection.name === viewsOf(1).groups.name) read += found.length;
        return found;
      },
    };
    const page = await audit(counting, 'gala', 50);
    expect(page.flat()).toEqual([`${at(2_500, 0)} channel-state-set`, `${at(1, 0)} channels-assigned`]);
    expect(read).toBe(2);
  });

  describe('of access links', () => {
    const by = { source: 'server', reason: 'Posted in a forum' } as const;
    const channelId = 'chn_a';

    async function sale() {
      const catalog = testCatalog(store);
      const scope = await organisationScope(catalog);
      const draft = { chartId: await publishedChart(catalog, scope) };
      const { key: eventKey } = (await catalog.ask('events.create', { scope, draft })).event;
      const target = { scope, eventKey, channelId, by };
      const make = (version?: number) =>
        catalog.ask('access-links.create', { ...target, draft: {}, ...(version !== undefined && { version }) });
      const end = (linkId: string, endActiveSessions = false) =>
        catalog.ask('access-links.revoke', { ...target, linkId, endActiveSessions });
      return { catalog, scope, eventKey, target, make, end };
    }

    test('it has who made, rotated and ended each link, and why, each once', async () => {
      const { catalog, scope, eventKey, target, make, end } = await sale();
      const { link } = await make();
      const rotate = { ...target, linkId: link.id, endActiveSessions: true };
      const { link: next } = await catalog.ask('access-links.rotate', rotate);
      await catalog.refusal('access-links.rotate', rotate);
      for (const endActiveSessions of [false, false, true, true, false]) await end(next.id, endActiveSessions);
      // The link was rotated and its sessions have ended: nothing is left to end.
      await end(link.id, true);
      const { entries } = await catalog.ask('history.audit', { eventKey, version: 0, limit: 50 });
      const told = { channelId, actor: scope.actor, ...by, at: catalog.clock.time, id: expect.any(Number) };
      expect(entries).toEqual([
        { ...told, action: 'revoke', linkId: next.id, rotatedTo: null, sessionsEnded: true },
        { ...told, action: 'revoke', linkId: next.id, rotatedTo: null, sessionsEnded: false },
        { ...told, action: 'rotate', linkId: link.id, rotatedTo: next.id, sessionsEnded: true },
        { ...told, action: 'create', linkId: link.id, rotatedTo: null, sessionsEnded: false },
      ]);
      const other = await sale();
      expect(await audit(store, other.eventKey, 50)).toEqual([[]]);
    });

    test("they are merged with the journal's entries, and pages of any size are contiguous", async () => {
      const { eventKey, make, end } = await sale();
      const links = [(await make()).link.id];
      await project([entry(1, eventKey, assigned(1, [1]), booked('order-1', 2)), entry(2, eventKey, paused)]);
      links.push((await make()).link.id);
      // Its channel was made by a group that is not counted here yet.
      links.push((await make(7)).link.id);
      for (const id of links) await end(id);
      await project([entry(7, eventKey, paused), entry(300, eventKey, paused)]);
      await end(links[0]!, true);
      const all = (await audit(store, eventKey, 50)).flat();
      expect(all.map((told) => told.split(' ')[1])).toEqual([
        'revoke',
        'channel-state-set',
        'revoke',
        'revoke',
        'revoke',
        'create',
        'channel-state-set',
        'create',
        'channel-state-set',
        'channels-assigned',
        'create',
      ]);
      expect(all[0]).toBe(`${entryId(300, 6_144)} revoke`);
      for (const limit of [1, 2, 3, 5, 10, 11]) expect((await audit(store, eventKey, limit)).flat()).toEqual(all);
    });

    test('parallel entries through two catalogs each get a number of their own', async () => {
      const { catalog, target, eventKey } = await sale();
      const other = testCatalog(await database.connect());
      const made = Array.from({ length: 20 }, (_, nth) => {
        return [catalog, other][nth % 2]!.ask('access-links.create', { ...target, draft: {} });
      });
      await Promise.all(made);
      const all = (await audit(store, eventKey, 3)).flat();
      expect(new Set(all).size).toBe(20);
    });
  });

  test('long assignments keep an answer within one message', async () => {
    const units = Array.from({ length: 50_000 }, (_, unit) => unit);
    const many = Array.from({ length: 60 }, (_, nth) => entry(nth + 1, 'gala', assigned(nth + 1, units)));
    await project(many);
    const pages = await audit(store, 'gala', 200);
    expect(pages.flat()).toHaveLength(60);
    const atOnce = Math.ceil(logBytesReadMax / encodeKept(assigned(1, units)).length);
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(atOnce);
  });
}
