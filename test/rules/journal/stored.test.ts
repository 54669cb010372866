/** Stored bytes that are no value of their kind: each reader throws a fault that names the operation and the cause. */
import { gzipSync } from 'node:zlib';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { Fault } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { parseStored, readStored, readStoredList } from '@parterre/shared/protocol/stored';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { createLog } from '@parterre/shared/runtime/log';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../services/catalog/src/charts/chart-documents.ts';
import { storedDocument } from '../../../services/catalog/src/store/store.ts';
import { createLeases } from '../../../services/inventory-shard/src/cluster/leases.ts';
import { createRosterStore } from '../../../services/inventory-shard/src/journal/rosters.ts';
import { capture, readSnapshot, toSnapshot } from '../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { readDeliveries, readRetry } from '../../../services/notifier/src/deliveries/rules/delivery.ts';
import { house } from '../../support/inventory/house.ts';

const cut = Uint8Array.of(0x82, 0xa1);
const garbage: [name: string, bytes: Uint8Array][] = [
  ['no bytes', new Uint8Array()],
  ['bytes that end too early', cut],
  ['bytes that are no msgpack', Uint8Array.of(0xc1)],
  ['a number', encodeKept(7)],
  ['null', encodeKept(null)],
  ['a list', encodeKept([1])],
  ['an object without fields', encodeKept({})],
];
const readers: [name: string, read: (bytes: Uint8Array) => unknown, operation: string][] = [
  ['a value', (bytes) => readStored<{ n: number }>('read it', bytes, { n: 'number' }), 'read it'],
  ['a snapshot', (bytes) => readSnapshot('read the snapshot', bytes), 'read the snapshot'],
  ['a queued retry', readRetry, 'read a queued retry'],
  ['queued deliveries', readDeliveries, 'read deliveries of a backlog'],
];

describe.each(readers)('%s', (_name, read, operation) => {
  test.each(garbage)('of %s is a fault that names the operation', (_kind, bytes) => {
    expect(() => read(bytes)).toThrow(Fault);
    expect(() => read(bytes)).toThrow(operation);
  });

  test('of undecodable bytes keeps the cause', () => {
    expect(() => read(cut)).toThrow(expect.objectContaining({ cause: expect.any(Error) }));
  });
});

test('a fault names the first field of the wrong kind', () => {
  const form = { id: 'text', at: 'number' } as const;
  const bytes = encodeKept({ id: 'x', at: '7' });
  expect(() => readStored('read it', bytes, form)).toThrow('read it: the field "at" is not of the kind "number"');
  expect(() => parseStored('read it', '{"id":1,"at":7}', form)).toThrow('read it: the field "id"');
  expect(() => parseStored('read it', '{', form)).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) }));
  expect(readStoredList('read it', encodeKept([{ id: 'x', at: 7 }]), form)).toEqual([{ id: 'x', at: 7 }]);
});

test('a snapshot is read back, one of another version is none, and one that lacks a field is a fault', () => {
  const snapshot = toSnapshot(capture(house().state));
  const read = readSnapshot('read it', encodeKept(snapshot))!;
  expect(Buffer.compare(encodeKept(read), encodeKept(snapshot))).toBe(0);
  expect(readSnapshot('read it', encodeKept({ ...snapshot, v: 0 }))).toBeNull();
  const { slots: _, ...rest } = snapshot;
  expect(() => readSnapshot('read it', encodeKept(rest))).toThrow('read it: the field "slots"');
});

test('a chart document that is damaged, or no document, is a fault with its name', async () => {
  const document = {
    version: 1,
    name: 'A',
    venueType: 'SIMPLE',
    focalPoint: { x: 0, y: 0 },
    categories: [],
    objects: [],
  };
  const stored = (value: unknown) => gzipSync(JSON.stringify(value));
  expect(await readDocument('draft_1', stored(document))).toEqual(document as ChartDocument);
  for (const bytes of [Buffer.from('no gzip'), gzipSync('no json'), stored({ ...document, objects: 'none' })]) {
    await expect(readDocument('draft_1', bytes)).rejects.toThrow(/^read the chart document draft_1/);
  }
});

test('a document of a store without a version or a value is a fault with its collection and id', () => {
  const wrong = { version: 'one', value: {} };
  expect(() => storedDocument({ name: 'charts' }, 'cht_1', wrong)).toThrow(
    /^read the document cht_1 of charts: .*version/,
  );
});

test('an unreadable lease counts as missing, and the next lease replaces it', async () => {
  const values = new Map([
    ['0', 'no json'],
    ['1', '{"owner":"shd_1"}'],
    ['2', JSON.stringify({ owner: 'shd_2', epoch: 3, at: 1, process: 'host/2' })],
  ]);
  const bucket = {
    keys: async () => values.keys(),
    get: async (key: string) => ({ key, operation: 'PUT', revision: 1, string: () => values.get(key) }),
    update: async (key: string, value: string) => void values.set(key, value),
  };
  const leases = createLeases(bucket as never, createLog('test', 'silent'));
  expect([...(await leases.all()).keys()]).toEqual([2]);
  await leases.put(1, { owner: 'shd_3', epoch: 4, at: 2, process: 'host/3' });
  expect([...(await leases.all()).keys()]).toEqual([1, 2]);
});

test('a roster with a true hash that is no roster is a fault with its partition', async () => {
  const bytes = encodeKept({ v: 1, upTo: 'far' });
  const objects = { info: async () => ({ metadata: { hash: sha256(bytes) } }), getBlob: async () => bytes };
  const rosters = createRosterStore(objects as never, 3, createLog('test', 'silent'));
  await expect(rosters.load()).rejects.toThrow('read the roster of partition 3: the field "upTo"');
});
