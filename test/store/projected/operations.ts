/** Operations over several events on any store: from the journals of two partitions to their reads. */

import type { JournalRecord } from '@parterre/shared/protocol/records';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventOwners } from '../../../services/catalog/src/projections/event-owners.ts';
import { type Batch, projectBatches } from '../../../services/catalog/src/projections/project-batches.ts';
import { collections, viewsOf } from '../../../services/catalog/src/store/collections.ts';
import type { Collection, Store } from '../../../services/catalog/src/store/store.ts';
import { operationRecords } from '../../support/operations/operation-records.ts';
import type { MakeDatabase, TestDatabase } from '../adapters.ts';
import { testCatalog } from '../test-catalog.ts';
import { entry } from './projections.ts';

const owner = { kind: 'group', key: 'pg_run' } as const;
const first = 'JOURNAL-1';
const second = 'JOURNAL-2';
const versions: { eventKey: string; version: number }[] = [];

export function operationsContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    store = await database.connect();
  });
  afterEach(() => database.remove());

  const project = (batches: Batch[], on = store) => {
    const ports = { store: on, views: viewsOf(1), owners: createEventOwners(on, systemClock), announce: () => {} };
    return projectBatches(ports, batches);
  };
  /** The records of event `home` in one partition, and of event `member` in another. */
  const batches = (home: JournalRecord[][], member: JournalRecord[][]): Batch[] => [
    { stream: first, entries: home.map((records, at) => entry(at + 1, 'home', ...records)) },
    { stream: second, entries: member.map((records, at) => entry(at + 1, 'member', ...records)) },
  ];
  const openIds = async () => {
    const { documents } = await store.page(viewsOf(1).operations, { index: 'open', equal: [true], limit: 50 });
    return documents.map(({ value }) => value.head.operationId);
  };

  test('an operation of two partitions is one document, also when two catalogs count at once', async () => {
    const other = await database.connect();
    const [a, b] = ['pghop_a', 'pghop_b'].map((id) => operationRecords(owner, id, ['home', 'member']));
    const all = batches(
      [a!.held('home', 1), b!.held('home', 2), a!.booked('home', 'act', 1)],
      [a!.held('member', 1), b!.held('member', 2), a!.pinned('member', 'act'), a!.booked('member', 'act', 1)],
    );
    await Promise.all([project(all), project(all, other), project([all[1]!])]);
    const catalog = testCatalog(store);
    const told = async (operationId: string) =>
      (await catalog.ask('operations.get', { owner, operationId, versions })).operation;
    expect(await told('pghop_a')).toMatchObject({
      state: 'booked',
      isOpen: false,
      parts: [
        { eventKey: 'home', state: 'booked' },
        { eventKey: 'member', state: 'booked' },
      ],
      actions: [{ actionId: 'act', state: 'booked', bookedParts: 2 }],
    });
    expect(await told('pghop_b')).toMatchObject({ state: 'committed', actions: [] });
    const refusal = await catalog.refusal('operations.get', { owner, operationId: 'pghop_c', versions });
    expect(refusal.code).toBe('not_found');
  });

  test('only open operations are among the open ones', async () => {
    const [held, left, ended] = ['pghop_held', 'pghop_left', 'pghop_ended'].map((id) =>
      operationRecords(owner, id, ['home', 'member']),
    );
    await project(
      batches([held!.held('home', 1)], [held!.held('member', 1), left!.held('member', 2), ended!.held('member', 3)]),
    );
    expect((await openIds()).sort()).toEqual(['pghop_ended', 'pghop_left']);
    await project([
      { stream: first, entries: [entry(2, 'home', ...ended!.aborted())] },
      { stream: second, entries: [entry(4, 'member', ...ended!.released('member', 3))] },
    ]);
    expect(await openIds()).toEqual(['pghop_left']);
  });

  test('lists are of one owner, newest first', async () => {
    const season = { kind: 'season', key: 'pg_run' } as const;
    const of = (id: string, at: typeof owner | typeof season = owner) => operationRecords(at, id, ['home', 'member']);
    const held = ['pghop_1', 'pghop_2', 'pghop_3'].map((id) => of(id));
    await project(
      batches(
        [...held.map((each, unit) => each.held('home', unit)), of('sop_1', season).held('home', 9)],
        [...held.map((each, unit) => each.held('member', unit)), held[1]!.pinned('member', 'act')],
      ),
    );
    const catalog = testCatalog(store);
    const list = async (more: object) => {
      const { operations, nextCursor } = await catalog.ask('operations.list', { owner, versions, page: {}, ...more });
      return [operations.map(({ operationId }) => operationId), nextCursor] as const;
    };
    expect(await list({})).toEqual([['pghop_3', 'pghop_2', 'pghop_1'], undefined]);
    const [page, cursor] = await list({ page: { limit: 2 } });
    expect(page).toEqual(['pghop_3', 'pghop_2']);
    expect(await list({ page: { limit: 2, cursor } })).toEqual([['pghop_1'], undefined]);
    expect(await list({ owner: season })).toEqual([['sop_1'], undefined]);
  });

  test('a booking is found by its action: the operation that books before those that refused', async () => {
    const [one, other] = ['pghop_1', 'pghop_2'].map((id) => operationRecords(owner, id, ['home', 'member']));
    await project(
      batches(
        [
          one!.held('home', 1),
          one!.booked('home', 'act', 1),
          other!.held('home', 2),
          other!.refused('act'),
          other!.refused('no'),
        ],
        [one!.held('member', 1), other!.held('member', 2)],
      ),
    );
    const catalog = testCatalog(store);
    const found = (actionId: string) => catalog.ask('operations.by-action', { owner, actionId, versions });
    expect((await found('act')).operation).toMatchObject({ operationId: 'pghop_1', state: 'book_pending' });
    expect((await found('no')).operation.operationId).toBe('pghop_2');
    const missing = { owner, actionId: 'none', versions };
    expect((await catalog.refusal('operations.by-action', missing)).code).toBe('not_found');
    // The store's events have counted no such version, and never will.
    const ahead = { owner, versions: [{ eventKey: 'home', version: 99 }] };
    const none = catalog.refusal('operations.by-action', { ...ahead, actionId: 'none' });
    const act = catalog.ask('operations.by-action', { ...ahead, actionId: 'act' });
    catalog.clock.time += 10_000;
    expect(await none).toMatchObject({ code: 'catalog_unavailable', retryable: true });
    expect((await act).isCounted).toBe(false);
  });

  test('bookings of a season are found by their reference, also those of two operations', async () => {
    const season = { kind: 'season', key: 'season_1' } as const;
    const [one, other, third] = ['sop_1', 'sop_2', 'sop_3'].map((id) =>
      operationRecords(season, id, ['home', 'member']),
    );
    const all = [one!, other!, third!];
    await project(
      batches(
        [...all.map((each, unit) => each.held('home', unit)), one!.booked('home', 'act', 1)],
        [...all.map((each, unit) => each.held('member', unit)), other!.pinned('member', 'act')],
      ),
    );
    const catalog = testCatalog(store);
    const found = async (bookingRef: string, at: typeof owner | typeof season = season) =>
      (await catalog.ask('operations.by-booking-ref', { owner: at, bookingRef, versions })).operations.map(
        ({ operationId }) => operationId,
      );
    expect(await found('ref-act')).toEqual(['sop_2', 'sop_1']);
    expect([await found('none'), await found('ref-act', owner)]).toEqual([[], []]);
  });
}
