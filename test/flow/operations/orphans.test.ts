/**
 * Claims on events whose owner the store does not have, as after a restore of an older store. The events are the
 * shard's own rules, the claims come from their journals through the catalog's projection.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { systemClock } from '@parterre/shared/runtime/clock';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOrphans, type Orphans } from '../../../services/catalog/src/operations/orphans.ts';
import { entryOf } from '../../../services/catalog/src/projections/entries.ts';
import { createEventOwners } from '../../../services/catalog/src/projections/event-owners.ts';
import { projectBatches } from '../../../services/catalog/src/projections/project-batches.ts';
import { collections, events, viewsOf } from '../../../services/catalog/src/store/collections.ts';
import { groups } from '../../../services/catalog/src/store/group-collections.ts';
import type { Ports } from '../../../services/catalog/src/store/operations.ts';
import { offers } from '../../../services/catalog/src/store/right-collections.ts';
import { orphanPatienceMs } from '../../../services/catalog/src/store/rules/bounds.ts';
import { seasons } from '../../../services/catalog/src/store/season-collections.ts';
import type { Store } from '../../../services/catalog/src/store/store.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { house, START } from '../../support/inventory/house.ts';
import { change, commitMessage } from '../../support/journal/stored-messages.ts';

const stream = 'JOURNAL-0';
const group = { kind: 'group', key: 'pg_1' } as const;
const season = { kind: 'season', key: 'sea_1' } as const;
const lockId = 'pgl_1';
const actsUntil = START + 60_000;
const keys = ['first', 'second'];

let database: TestDatabase;
let store: Store;
let houses: Map<string, ReturnType<typeof house>>;
let elapsed: number;
let warned: object[];
let isHung: boolean;
let orphans: Orphans;

/** Documents with the fields that a look reads. */
const insert = (collection: object, id: string, value: object = {}) =>
  store.insert(collection as typeof groups, id, value as never);

beforeEach(async () => {
  database = await embeddedDatabase(collections);
  store = await database.connect();
  houses = new Map(keys.map((key) => [key, house()]));
  [elapsed, warned, isHung] = [0, [], false];
  const clock = { ...systemClock, now: () => START, elapsed: () => elapsed };
  const ask = async (eventKey: string, command: Command): Promise<Outcome<unknown>> => {
    if (isHung) return refuse('shard_unavailable', 'No answer.', { retryable: true });
    const event = houses.get(eventKey)!;
    return event.tries(command) ? done({}) : refuse('conflict', 'Not now.', { retryable: true });
  };
  const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(JSON.parse(line)) });
  const ports = { store, clock, ask, announce: () => {}, hurryProjector: () => {}, log } as unknown as Ports;
  orphans = createOrphans(ports);
  for (const [key, event] of houses) {
    await insert(events, key, { slugClaim: key, locks: [{ owner: group, lockId }] });
    event.ok({ type: 'lock', owner: group, lockId, actsUntil });
    event.ok({ type: 'lock', owner: season, lockId: 'sea_lock', actsUntil });
    const selections = [{ label: 'A-1' }];
    event.ok({ type: 'reserve', callId: 'r', offerId: 'sro_1', owner: season, selections, actsUntil });
  }
});
afterEach(() => database.remove());

/** The projection has counted the journals. */
async function project(): Promise<void> {
  const entries = [...houses].map(([key, { journal }], index) =>
    entryOf(commitMessage(index + 1, [change(key, index + 1, ...journal)])),
  );
  const owners = createEventOwners(store, systemClock);
  await projectBatches({ store, views: viewsOf(1), owners, announce: () => {} }, [{ stream, entries }]);
}

async function lookFor(ms: number): Promise<void> {
  for (const end = elapsed + ms; elapsed <= end; elapsed += 1_000) await orphans.look();
}

const locksOf = (key: string) =>
  houses
    .get(key)!
    .ok({ type: 'inspect-locks' })
    .locks.map(({ owner }) => owner.kind);
const closes = (key: string) => houses.get(key)!.tries({ type: 'move', callId: `close-${key}`, move: 'close' });

test('claims without a document are freed, with a word in the log, and the events close and delete again', async () => {
  await project();
  await lookFor(orphanPatienceMs - 2_000);
  expect(keys.map(locksOf)).toEqual(keys.map(() => ['group', 'season']));
  await lookFor(3_000);
  expect(keys.map(locksOf)).toEqual(keys.map(() => []));
  for (const key of keys) {
    expect(houses.get(key)!.counts().blocked).toBe(0);
    expect(houses.get(key)!.journal.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['unlocked', 'unreserved']),
    );
    expect((await store.get(events, key))!.value).not.toMatchObject({ locks: [{ lockId }] });
    expect(closes(key)).toBe(true);
    expect(houses.get(key)!.tries({ type: 'move', callId: `delete-${key}`, move: 'delete' })).toBe(true);
  }
  expect(warned).toContainEqual(expect.objectContaining({ event: 'first', lock: lockId, owner: group, level: 40 }));
  expect(warned).toContainEqual(expect.objectContaining({ event: 'second', offer: 'sro_1', owner: season }));
});

test('a lock that is newer than the document of its owner is freed, and the lock that the document names stays', async () => {
  await insert(groups, group.key, { lockId: null, lifecycles: [{ operationId: 'pgl_0' }] });
  await insert(seasons, season.key, { lockId: 'sea_lock', lifecycles: [] });
  await insert(offers, 'sro_1');
  await project();
  await lookFor(orphanPatienceMs + 1_000);
  expect(keys.map(locksOf)).toEqual(keys.map(() => ['season']));
  expect(warned).toContainEqual(expect.objectContaining({ event: 'first', lock: lockId, owner: group, level: 40 }));
});

test('claims with a document stay', async () => {
  await insert(groups, group.key, { lockId, lifecycles: [] });
  // A close that goes on: the locks are not all taken back yet.
  await insert(seasons, season.key, { lockId: null, lifecycles: [{ operationId: 'sea_lock' }] });
  await insert(offers, 'sro_1');
  await project();
  await lookFor(3 * orphanPatienceMs);
  expect(keys.map(locksOf)).toEqual(keys.map(() => ['group', 'season']));
  expect(keys.map(closes)).toEqual([false, false]);
  expect(warned).toEqual([]);
});

test.each<[string, () => Promise<void>]>([
  ['that is behind the journal', async () => {}],
  [
    'whose position is behind its claims',
    async () => {
      await project();
      const position = (await store.get(viewsOf(1).positions, stream))!;
      await store.replace(viewsOf(1).positions, stream, position.version, { ...position.value, seq: 0 });
    },
  ],
  [
    'that is empty',
    async () => {
      await project();
      await store.deleteMany(events, await Promise.all(keys.map(async (key) => (await store.get(events, key))!)));
    },
  ],
  [
    'whose store does not answer',
    async () => {
      await project();
      store.getMany = async () => {
        throw new Error('no store');
      };
    },
  ],
])('a catalog %s frees nothing', async (_, prepare) => {
  await prepare();
  await lookFor(3 * orphanPatienceMs);
  expect(keys.map(locksOf)).toEqual(keys.map(() => ['group', 'season']));
});

test('an owner that is found again keeps its claims, and a silent event is asked again', async () => {
  await project();
  await lookFor(orphanPatienceMs - 2_000);
  await insert(groups, group.key, { lockId, lifecycles: [] });
  await insert(seasons, season.key, { lockId: 'sea_lock', lifecycles: [] });
  await insert(offers, 'sro_1');
  await lookFor(3 * orphanPatienceMs);
  expect(keys.map(locksOf)).toEqual(keys.map(() => ['group', 'season']));
  const document = (await store.get(groups, group.key))!;
  await store.deleteMany(groups, [document]);
  isHung = true;
  await lookFor(3 * orphanPatienceMs);
  isHung = false;
  await lookFor(1_000);
  expect(keys.map(locksOf)).toEqual(keys.map(() => ['season']));
});
