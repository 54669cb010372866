/** The index of shared parts: what it finds, and the low-water mark that bounds it. */
import { expect, test } from 'vitest';
import { SharedParts } from '../../../services/inventory-shard/src/journal/shared-parts.ts';

const part = (eventKey: string) => ({ eventKey, data: new Uint8Array(100) });
const parts = (...keys: string[]) => keys.map(part);

function opened(bytesMax?: number): SharedParts {
  const shared = new SharedParts(bytesMax);
  shared.open(0, 1);
  shared.fill([]);
  return shared;
}

test('a shared part stands in the index until a later message of its event', async () => {
  const shared = opened();
  shared.add(2, parts('a', 'b'));
  shared.add(3, parts('a', 'b'));
  expect(shared.mark).toBe(1);
  expect(await shared.of('a')).toEqual([2, 3]);
  shared.add(4, parts('a'));
  expect(shared.mark).toBe(1);
  shared.add(5, parts('b'));
  expect(shared.mark).toBe(5);
  expect(await shared.of('a')).toEqual([]);
});

test('the mark never passes a part without an anchor', () => {
  const shared = opened();
  shared.add(2, parts('a', 'b'));
  shared.add(3, parts('b', 'c'));
  shared.anchored('a', 4);
  shared.anchored('b', 4);
  expect(shared.mark).toBe(2);
  shared.anchored('c', 5);
  expect(shared.mark).toBe(3);
});

test('loads wait for what stood between the mark and the fence, and it comes first', async () => {
  const shared = new SharedParts();
  shared.open(10, 40);
  const waiting = shared.of('a');
  shared.add(41, parts('a', 'b'));
  shared.anchored('b', 42);
  expect(shared.mark).toBe(10);
  shared.fill([{ sequence: 20, eventKeys: ['a', 'c'], bytes: 50 }]);
  expect(shared.mark).toBe(19);
  expect((await waiting)[0]).toBe(20);
});

test('past its bytes, the event that holds the mark is due for an anchor, one at a time', () => {
  const shared = opened(250);
  shared.add(2, parts('a', 'b'));
  expect(shared.due).toBe(null);
  shared.add(3, parts('b', 'c'));
  expect(shared.due).toBe('a');
  shared.anchoring('a', 5);
  expect(shared.due).toBe(null);
  shared.add(4, parts('b', 'c'));
  expect(shared.due).toBe(null);
  shared.add(5, parts('a'));
  expect(shared.due).toBe('b');
});

test('an anchor that is lost is asked for again', () => {
  const shared = opened(50);
  shared.add(2, parts('a', 'b'));
  shared.anchoring('a', 3);
  shared.add(3, parts('b', 'c'));
  expect(shared.due).toBe('a');
});

test('the end of the term ends every wait', async () => {
  const shared = new SharedParts();
  shared.open(1, 2);
  const waiting = shared.of('a');
  shared.close();
  await expect(waiting).rejects.toThrow('the term is over');
});

test('an event in many commits is covered and forgotten in order', async () => {
  const shared = opened();
  for (let sequence = 2; sequence < 500; sequence++) shared.add(sequence, parts('a', 'b'));
  shared.anchored('a', 400);
  shared.anchored('b', 300);
  expect(shared.mark).toBe(299);
  expect((await shared.of('a'))[0]).toBe(300);
  shared.add(500, parts('a'));
  shared.anchored('b', 500);
  expect(shared.mark).toBe(500);
  expect(await shared.of('b')).toEqual([]);
});

test('a commit that cannot be read holds the mark for the whole term, and no event before it is due', async () => {
  const shared = new SharedParts(50);
  shared.open(10, 40);
  shared.fill([
    { sequence: 20, eventKeys: ['a', 'b'], bytes: 50 },
    { sequence: 30, eventKeys: null, bytes: 50 },
    { sequence: 35, eventKeys: ['b', 'c'], bytes: 60 },
  ]);
  expect([shared.unreadable, shared.mark, shared.due]).toEqual([30, 10, 'b']);
  expect(await shared.of('b')).toEqual([20, 35]);
  shared.add(41, parts('b'));
  shared.add(42, parts('c'));
  expect([shared.mark, shared.due]).toEqual([10, null]);
  expect(await shared.of('a')).toEqual([20]);
});
