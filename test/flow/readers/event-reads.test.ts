/** Reads of an event beside its sales: callers share answers, and an answer names the version that it shows. */
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import { smallAnswersPerTurn } from '../../../services/inventory-shard/src/readers/bounds.ts';
import { Readers } from '../../../services/inventory-shard/src/readers/event-readers.ts';
import { hold } from '../../support/inventory/house.ts';
import { settled, partitionOnFakes as setUp } from '../../support/partition/on-fakes.ts';

type OnAnswer = Parameters<Readers['read']>[2];

/** Answers when the test says so. `answerAll` gives the answers of the states as they were read. */
function slowReaders() {
  const readers = new Readers(createLog('test', 'silent'), null);
  const waiting: (() => void)[] = [];
  return {
    reads: () => waiting.length,
    answerAll: () => {
      for (const answer of waiting.splice(0)) answer();
    },
    read(state: Parameters<Readers['read']>[0], reads: Parameters<Readers['read']>[1], onAnswer: OnAnswer): void {
      readers.read(state, reads, (read, answer) => waiting.push(() => onAnswer(read, answer)));
    },
  };
}

async function onSale(readers?: Pick<Readers, 'read'>) {
  const one = await setUp(readers ? { readers } : {});
  await one.partition.open();
  await one.create();
  return one;
}

test('200 reports at once are computed once, and their answers leave over several turns', async () => {
  const readers = new Readers(createLog('test', 'silent'), null);
  const one = await onSale(readers);
  const ids = Array.from({ length: 199 }, () => one.put({ type: 'report' }));
  ids.push(one.send({ type: 'report' }));
  expect(ids.filter((id) => one.answers(id).length > 0)).toHaveLength(smallAnswersPerTurn);
  for (let turns = 0; turns < 200 / smallAnswersPerTurn; turns++) await settled();
  for (const id of ids) expect(one.answers(id)).toMatchObject([{ kind: 'ok', value: { byStatus: { held: 0 } } }]);
  expect(readers.computed).toBe(1);
  one.send(hold('h1', 'A-1'));
  one.land();
  const later = one.send({ type: 'report' });
  expect(one.answers(later)).toMatchObject([{ value: { byStatus: { held: 1 } } }]);
  expect(readers.computed).toBe(2);
});

test('a read behind a sale of its cut names the version of the sale, and leaves after it', async () => {
  const one = await onSale();
  const sale = one.put(hold('h1', 'A-1'));
  const count = one.put({ type: 'count' });
  const view = one.put({ type: 'view' });
  const columns = one.send({ type: 'unit-columns', from: 0 });
  expect([count, view, columns].map((id) => one.answers(id))).toEqual([[], [], []]);
  one.land();
  expect(one.answers(sale)).toMatchObject([{ kind: 'ok' }]);
  const version = one.stream.length;
  expect(one.answers(count)).toMatchObject([{ value: { version, counts: { held: 1 } } }]);
  expect(one.answers(view)).toMatchObject([{ value: { version, activeHolds: 1 } }]);
  expect(one.answers(columns)).toMatchObject([{ value: { version } }]);
});

test('sales go on while a report is made, and later reports share the next capture', async () => {
  const readers = slowReaders();
  const one = await onSale(readers);
  const first = one.send({ type: 'report' });
  expect(readers.reads()).toBe(1);
  expect(await one.ask(hold('h1', 'A-1'))).toMatchObject({ kind: 'ok' });
  const later = [one.send({ type: 'report' }), one.send({ type: 'report' })];
  expect(readers.reads()).toBe(1);
  readers.answerAll();
  expect(one.answers(first)).toMatchObject([{ value: { byStatus: { held: 0 } } }]);
  expect(readers.reads()).toBe(1);
  readers.answerAll();
  for (const id of later) expect(one.answers(id)).toMatchObject([{ value: { byStatus: { held: 1 } } }]);
});

test('a report that is made before its group is durable waits for the group', async () => {
  const readers = slowReaders();
  const one = await onSale(readers);
  one.put(hold('h1', 'A-1'));
  const report = one.send({ type: 'report' });
  readers.answerAll();
  expect(one.answers(report)).toEqual([]);
  one.land();
  expect(one.answers(report)).toMatchObject([{ value: { byStatus: { held: 1 } } }]);
});

test('a report of a group that never became durable is answered moved, once', async () => {
  const readers = slowReaders();
  const one = await onSale(readers);
  one.put(hold('h1', 'A-1'));
  const report = one.send({ type: 'report' });
  one.journal.breakOff('lost');
  await settled();
  expect(one.answers(report)).toMatchObject([{ kind: 'moved' }]);
  readers.answerAll();
  await settled();
  expect(one.answers(report)).toHaveLength(1);
  expect(await one.ask({ type: 'count' })).toMatchObject({ value: { counts: { held: 0 } } });
});

test('at the end of the term every report is answered moved', async () => {
  const readers = slowReaders();
  const one = await onSale(readers);
  const reading = one.send({ type: 'report' });
  const waiting = one.send({ type: 'report' });
  one.partition.close();
  readers.answerAll();
  for (const id of [reading, waiting]) expect(one.answers(id)).toMatchObject([{ kind: 'moved' }]);
});

test('a second copy of a report finds the first under way', async () => {
  const readers = slowReaders();
  const one = await onSale(readers);
  const id = one.send({ type: 'report' }, { copy: 1 });
  one.send({ type: 'report' }, { id, copy: 2 });
  expect(readers.reads()).toBe(1);
  readers.answerAll();
  expect(one.answers(id)).toMatchObject([{ kind: 'ok', copy: 2 }]);
  expect(readers.reads()).toBe(0);
});
