/**
 * The work of partitions is cut into turns of the event loop: commands wait for later turns, and none waits for ever.
 */
import { expect, test } from 'vitest';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { hold } from '../../support/inventory/house.ts';
import { settled, partitionOnFakes as setUp } from '../../support/partition/on-fakes.ts';

const nextTurn = settled;

test('a full mailbox is answered over several turns, in order', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  one.turnCost.msPerQuestion = 1;
  const reads = Array.from({ length: 40 }, () => one.put({ type: 'count' }));
  const last = one.send({ type: 'count' });
  const answered = (): number => reads.filter((id) => one.answers(id).length > 0).length;
  const first = answered();
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(10);
  await nextTurn();
  expect(answered()).toBeGreaterThan(first);
  expect(answered()).toBeLessThan(20);
  for (let turns = 0; turns < 40; turns++) await nextTurn();
  expect(answered()).toBe(reads.length);
  expect(one.answers(last)).toMatchObject([{ kind: 'ok' }]);
});

test('a sale that comes while reads wait is answered after the reads before it', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  one.turnCost.msPerQuestion = 1;
  const reads = Array.from({ length: 20 }, () => one.put({ type: 'count' }));
  const sale = one.send(hold('h1', 'A-1'));
  for (let turns = 0; turns < 20; turns++) await nextTurn();
  one.land();
  expect(one.answers(sale)).toMatchObject([{ kind: 'ok' }]);
  for (const id of reads) expect(one.answers(id)).toMatchObject([{ value: { counts: { held: 0 } } }]);
});

test('work of two partitions takes turns, and the work that waited longest comes first', () => {
  let now = 0;
  const turns: (() => void)[] = [];
  const turn = new LoopTurn({ elapsed: () => now }, (run) => turns.push(run));
  const order: string[] = [];
  const work = (name: string): (() => void) => {
    const run = (): void => {
      const isOver = turn.isOver();
      if (!isOver) {
        order.push(name);
        now += 5;
      }
      if (isOver || order.length < 6) turn.goOn(run);
    };
    return run;
  };
  work('a')();
  work('b')();
  while (turns.length > 0) turns.shift()!();
  expect(order.slice(1)).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
});
