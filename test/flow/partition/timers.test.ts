/**
 * Deadlines in a partition whose owner fails meanwhile: each ends to the millisecond, and stands in the journal once. A
 * deadline that is overdue at a takeover ends when the heir's survey begins.
 */
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { surveyRestMs } from '../../../services/inventory-shard/src/partition/bounds.ts';
import { callId, hold, START } from '../../support/inventory/house.ts';
import { type FakeCommit, settled, partitionOnFakes as setUp } from '../../support/partition/on-fakes.ts';

const END = 60_000;

type Owner = Awaited<ReturnType<typeof setUp>>;

const ends = (stream: readonly FakeCommit[]): [type: JournalRecord['type'], afterMs: number][] =>
  stream.flatMap(({ at, records }) =>
    records
      .filter(({ type, by }) => type !== 'created' && by.source === 'timer')
      .map(({ type }): [JournalRecord['type'], number] => [type, at - START]),
  );

/** An owner with a hold and a scheduled unblock, both due at END. */
async function ownerWithDeadlines(): Promise<Owner> {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  await one.ask({ ...hold('h1', 'A-1', 'A-2'), ttlMs: END });
  await one.ask({ type: 'block', callId: callId(), labels: ['B-1'], releaseAt: START + END, reason: null });
  return one;
}

/** The next owner of the same journal, at the same time. */
async function heirOf({ stream, clock }: Owner): Promise<Owner> {
  const heir = await setUp({ stream });
  heir.clock.advance(clock.now() - START);
  await heir.partition.open();
  await settled();
  return heir;
}

async function passTime(owner: Owner): Promise<void> {
  owner.clock.advance(END);
  await settled();
  owner.land();
  await settled();
}

const once: ReturnType<typeof ends> = [
  ['expired', END],
  ['unblocked', END],
];

test('A hold and a scheduled block end by themselves at their millisecond, and not before', async () => {
  const one = await ownerWithDeadlines();
  one.clock.advance(END - 1);
  one.land();
  expect(ends(one.stream)).toEqual([]);
  one.clock.advance(1);
  one.land();
  expect(ends(one.stream)).toEqual(once);
  await passTime(one);
  expect(ends(one.stream)).toEqual(once);
});

test('A deadline that an owner with lost acks carried out is not carried out again by the next owner', async () => {
  const one = await ownerWithDeadlines();
  one.clock.advance(END);
  one.landUnheard();
  const two = await heirOf(one);
  await passTime(two);
  expect(ends(two.stream)).toEqual(once);
  expect(await two.ask({ type: 'inspect-hold', holdId: 'h1' })).toMatchObject({ value: { status: 'expired' } });
});

test('A deadline that an owner did not append is carried out by the next owner when its survey begins', async () => {
  const one = await ownerWithDeadlines();
  one.clock.advance(END);
  const two = await heirOf(one);
  two.clock.advance(surveyRestMs - 1);
  await settled();
  two.land();
  expect(ends(two.stream)).toEqual([]);
  two.clock.advance(1);
  await settled();
  two.clock.advance(0);
  two.land();
  const late = once.map(([type, at]) => [type, at + surveyRestMs]);
  expect(ends(two.stream)).toEqual(late);
  await passTime(two);
  expect(ends(two.stream)).toEqual(late);
});

test('An owner that fences its journal at a deadline carries it out once, landed or not', async () => {
  for (const hasLanded of [true, false]) {
    const one = await ownerWithDeadlines();
    one.clock.advance(END);
    if (hasLanded) one.landUnheard();
    one.journal.breakOff('lost');
    await settled();
    await passTime(one);
    expect(ends(one.stream).map(([type]) => type)).toEqual(['expired', 'unblocked']);
  }
});

test('A block that is set again ends at its new time, and a block that was lifted does not end', async () => {
  const one = await ownerWithDeadlines();
  await one.ask({ type: 'block', callId: callId(), labels: ['B-1', 'B-2'], releaseAt: START + 2 * END, reason: null });
  await one.ask({ type: 'unblock', callId: callId(), labels: ['B-2'] });
  await one.ask({ type: 'block', callId: callId(), labels: ['B-2'], releaseAt: null, reason: null });
  await passTime(one);
  expect(ends(one.stream)).toEqual([['expired', END]]);
  one.clock.advance(END - 1);
  one.land();
  expect(ends(one.stream)).toHaveLength(1);
  one.clock.advance(1);
  one.land();
  expect(ends(one.stream).at(-1)).toEqual(['unblocked', 2 * END]);
  await passTime(one);
  expect(ends(one.stream)).toHaveLength(2);
  expect(one.stream.at(-1)!.records).toMatchObject([{ type: 'unblocked', reason: 'scheduled', units: [8] }]);
});
