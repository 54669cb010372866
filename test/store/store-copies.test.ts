/** Views of a store and the way back, on both stores. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { events, keys } from '../../services/catalog/src/store/collections.ts';
import { fillEmbeddedStore, viewEmbeddedStore } from '../../services/catalog/src/store/embedded-copies.ts';
import { openEmbeddedStore } from '../../services/catalog/src/store/embedded-store.ts';
import { fillMongoStore, viewMongoStore } from '../../services/catalog/src/store/mongo-copies.ts';
import { openMongoStore } from '../../services/catalog/src/store/mongo-store.ts';
import { type Collection, findOne } from '../../services/catalog/src/store/store.ts';
import type { CopiedRecord, StoreView } from '../../services/catalog/src/store/store-copies.ts';
import { startMongo } from '../support/servers/mongo.ts';

const things = {
  name: 'things',
  indexes: { byPlace: { fields: ['place'], order: 'at', unique: true } },
} as Collection<{
  place: string;
  at: number;
  bytes?: Uint8Array;
  nested?: object;
}>;
const value = { place: 'hall', at: 1.5, bytes: Uint8Array.of(1, 2, 3), nested: { list: [1, null, 'x'], is: true } };
/** Larger than a part of a blob in MongoDB. */
const large = new Uint8Array(9 * 1024 * 1024).fill(7);
const written: CopiedRecord[] = [
  ['document', 'things', 'one', 3, value],
  ['document', 'things', 'two', 1, { place: 'yard', at: 2 }],
  ['blob', 'large', large],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-test-copies-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function* each<T>(records: readonly T[]): AsyncGenerator<T> {
  yield* records;
}

async function recordsIn(view: StoreView): Promise<CopiedRecord[]> {
  const records: CopiedRecord[] = [];
  for await (const record of view.records()) records.push(record);
  await view.end();
  return records;
}

describe('the embedded store', () => {
  test('a view has the store of its moment, while another process writes', async () => {
    const store = openEmbeddedStore(join(folder, 'viewed'), [things]);
    await store.insert(things, 'one', { place: 'hall', at: 1 });
    await store.putBlob('early', Uint8Array.of(1));
    const viewed = viewEmbeddedStore(join(folder, 'viewed'));
    const view = await viewed.begin();
    await store.replace(things, 'one', 1, { place: 'yard', at: 2 });
    await store.insert(things, 'two', { place: 'roof', at: 3 });
    await store.putBlob('late', Uint8Array.of(2));
    expect(await recordsIn(view)).toEqual([
      ['document', 'things', 'one', 1, { place: 'hall', at: 1 }],
      ['blob', 'early', Uint8Array.of(1)],
    ]);
    expect((await recordsIn(await viewed.begin())).map(([, , id]) => id)).toEqual([
      'one',
      'two',
      Uint8Array.of(1),
      Uint8Array.of(2),
    ]);
    await viewed.close();
    await store.close();
  });

  test('a filled store has the versions, the bytes and the indexes', async () => {
    const filled = fillEmbeddedStore(join(folder, 'filled'));
    expect(await filled.isEmpty()).toBe(true);
    await filled.fill(each(written));
    await filled.fill(each(written));
    expect(await filled.isEmpty()).toBe(false);
    await filled.close();
    await expectFilled(openEmbeddedStore(join(folder, 'filled'), [things, events, keys]));
  });
});

async function expectFilled(store: Awaited<ReturnType<typeof openMongoStore>>): Promise<void> {
  const found = await findOne(store, things, 'byPlace', ['hall']);
  expect(found).toMatchObject({ id: 'one', version: 3, value: { at: 1.5, nested: value.nested } });
  expect([...found!.value.bytes!]).toEqual([1, 2, 3]);
  expect(Buffer.compare((await store.getBlob('large'))!, large)).toBe(0);
  expect(await store.replace(things, 'one', 3, { place: 'yard', at: 1 })).toBe('duplicate');
  await store.close();
}

const mongo = await startMongo();

if ('missing' in mongo) test.skip(`SKIPPED, copies of MongoDB are not proven here: ${mongo.missing}`, () => {});
else {
  afterAll(() => mongo.stop());
  describe(`the store on ${mongo.kind}`, () => {
    test('a filled store has the versions, the bytes and the indexes', async () => {
      const url = mongo.freshUrl();
      const filled = await fillMongoStore(url);
      expect(await filled.isEmpty()).toBe(true);
      await filled.fill(each(written));
      await filled.fill(each(written));
      expect(await filled.isEmpty()).toBe(false);
      await filled.close();
      await expectFilled(await openMongoStore(url, [things]));
    });

    test('a view has the store of its moment, where the server has snapshot sessions', async ({ skip }) => {
      const url = mongo.freshUrl();
      const filled = await fillMongoStore(url);
      await filled.fill(each(written));
      const viewed = await viewMongoStore(url);
      try {
        const view = await viewed.begin().catch((error: Error) => skip(`no snapshot sessions: ${error.message}`));
        await filled.fill(each<CopiedRecord>([['document', 'things', 'three', 1, { place: 'roof', at: 3 }]]));
        const records = await recordsIn(view);
        expect(records.map(([, , id]) => id).sort()).toEqual(['one', 'two', expect.anything()]);
      } finally {
        await viewed.close();
        await filled.close();
      }
    });
  });
}
