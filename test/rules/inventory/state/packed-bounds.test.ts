/** A packed map of any size does little in each call: few entries move, and one small table grows. */
import { hashText } from '@parterre/shared/runtime/text-hash';
import { expect, test } from 'vitest';
import { Chunks } from '../../../../services/inventory-shard/src/rules/packed/chunks.ts';
import { KeyIndex, noEntry } from '../../../../services/inventory-shard/src/rules/packed/key-index.ts';
import { Packer } from '../../../../services/inventory-shard/src/rules/packed/packing.ts';

const entries = 100_000;
const keyOf = (n: number): string => `hld_${String(n).padStart(20, '0')}`;

function filled() {
  const positionOf = new Map<string, number>();
  let moved = 0;
  const chunks = new Chunks((key, from, to) => {
    if (positionOf.get(key) !== from) throw new Error(`${key} moves from a place where it was not`);
    positionOf.set(key, to);
    moved++;
  });
  const packer = new Packer();
  for (let n = 0; n < entries; n++) {
    packer.length = 4;
    packer.text(keyOf(n));
    packer.bytes.writeUInt32LE(packer.length * 2, 0);
    positionOf.set(keyOf(n), chunks.append(packer.bytes, 0, packer.length));
  }
  /** Removes an entry and returns the number of entries that moved. */
  const remove = (n: number): number => {
    moved = 0;
    const at = positionOf.get(keyOf(n))!;
    positionOf.delete(keyOf(n));
    chunks.remove(at);
    return moved;
  };
  return { chunks, positionOf, remove };
}

const orders: [string, (n: number) => number, number][] = [
  ['from the first on', (n) => n, 0],
  ['from the last on', (n) => entries - 1 - n, 0],
  ['all over', (n) => (n * 7_919) % entries, 0],
  ['all but every thousandth', (n) => (n % 1_000 === 0 ? -1 : n), entries / 1_000],
];

test.each(orders)('removing entries %s moves two chunks at most, and frees their room', (_name, nth, left) => {
  const { chunks, positionOf, remove } = filled();
  const perEntry = chunks.live / entries;
  let most = 0;
  let wasted = 0;
  for (let n = 0; n < entries; n++) {
    if (nth(n) >= 0) most = Math.max(most, remove(nth(n)));
    if (n % 100 === 0) wasted = Math.max(wasted, chunks.used - 1.5 * chunks.live);
  }
  expect(most).toBeLessThanOrEqual((2 * 2 ** 16) / perEntry);
  expect(wasted).toBeLessThan(entries * perEntry * 0.05);
  expect(positionOf.size).toBe(left);
  expect(chunks.live).toBe(left * perEntry);
  const keys = Array.from(chunks.positions(), (at) => chunks.at(at).text());
  expect(keys).toEqual([...positionOf.keys()]);
});

test('a captured chunk keeps its bytes when the map is emptied and filled anew', () => {
  const { chunks, positionOf, remove } = filled();
  const { chunks: captured } = chunks.capture();
  const before = captured.map(({ bytes, used }) => Buffer.from(bytes.subarray(0, used)));
  for (let n = 0; n < entries; n++) remove(n);
  const one = Buffer.alloc(8);
  one.writeUInt32LE(2 * one.length, 0);
  for (let n = 0; n < entries; n++) chunks.append(one, 0, one.length);
  expect(positionOf.size).toBe(0);
  for (const [n, { bytes, used }] of captured.entries()) expect(before[n]!.equals(bytes.subarray(0, used))).toBe(true);
});

test('an index of many keys grows by one small table at a time, and finds every key', () => {
  const keys: string[] = [];
  const index = new KeyIndex({ hasKey: (at, key) => keys[at] === key });
  let grown = 0;
  for (let n = 0; n < entries; n++) {
    const before = index.bytes;
    keys.push(keyOf(n));
    index.add(hashText(keyOf(n)), n);
    grown = Math.max(grown, index.bytes - before);
  }
  expect(grown).toBeLessThanOrEqual(8_192);
  expect(index.bytes / entries).toBeLessThan(8 * 4);
  for (let n = 0; n < entries; n += 3) index.remove(hashText(keyOf(n)), n);
  const found = keys.map((key) => index.find(key, hashText(key)));
  expect(found).toEqual(keys.map((_, n) => (n % 3 === 0 ? noEntry : n)));
  expect(index.size).toBe(entries - Math.ceil(entries / 3));
});
