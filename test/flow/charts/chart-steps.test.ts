/**
 * A change of chart on a fake journal and a slow clock: each question for the turn takes a millisecond, so that a
 * change takes several turns. Other events are served between its steps, and nothing that happens meanwhile leaves a
 * half changed event.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import { afterEach, expect, test } from 'vitest';
import { PackedMap } from '../../../services/inventory-shard/src/rules/packed/packed-map.ts';
import { book, callId, direct, hold } from '../../support/inventory/house.ts';
import { settled, partitionOnFakes as setUp } from '../../support/partition/on-fakes.ts';

const nextTurn = settled;
const set = PackedMap.prototype.set;

afterEach(() => {
  PackedMap.prototype.set = set;
});

const toMovedPlan = (): Command & { type: 'update-chart' } => ({
  type: 'update-chart',
  acknowledgeMoved: true,
  reason: 'A new chart',
  callId: callId(),
  planHash: 'moved-plan',
  chartVersion: 2,
});
const onMovedPlan = { kind: 'ok', value: { planHash: 'moved-plan' } };

async function slowHouse() {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  await one.create('other');
  await one.ask(hold('h1', 'A-1'));
  await one.ask(direct('order-1', 'A-3'));
  one.turnCost.msPerQuestion = 1;
  const typesInFlight = () => one.inFlight.map(({ records }) => records[0]!.type);
  /** Sends the change and waits until its first steps are taken. */
  const begin = async (command: Command = toMovedPlan()): Promise<number> => {
    const id = one.send(command);
    await nextTurn();
    expect([typesInFlight(), one.answers(id)]).toEqual([[], []]);
    return id;
  };
  const end = async (): Promise<void> => {
    for (let turns = 0; turns < 40; turns++) {
      await nextTurn();
      one.land();
    }
  };
  return { ...one, begin, end, typesInFlight };
}

test('other events are served between the steps, and commands to the event wait for its new chart', async () => {
  const one = await slowHouse();
  const update = await one.begin();
  const waits = one.send(hold('h2', 'D-1'));
  const other = one.send(hold('h3', 'A-1'), { eventKey: 'other' });
  await nextTurn();
  expect(one.typesInFlight()).toEqual(['held']);
  one.land();
  expect(one.answers(other)).toMatchObject([{ kind: 'ok' }]);
  expect([one.answers(update), one.answers(waits)]).toEqual([[], []]);
  await one.end();
  expect(one.answers(update)).toMatchObject([onMovedPlan]);
  // Only the new chart has the seat.
  expect(one.answers(waits)).toMatchObject([{ kind: 'ok' }]);
});

test('events that change their chart do so one after the other, and each is changed', async () => {
  const one = await slowHouse();
  const updates = ['test-night', 'other'].map((eventKey) => one.send(toMovedPlan(), { eventKey }));
  const again = one.send({ ...toMovedPlan(), planHash: 'small-plan', chartVersion: 3 });
  await one.end();
  for (const id of updates) expect(one.answers(id)).toMatchObject([onMovedPlan]);
  expect(one.answers(again)).toMatchObject([{ kind: 'ok', value: { planHash: 'small-plan' } }]);
  expect(one.stream.filter(({ records }) => records[0]!.type === 'chart-updated')).toHaveLength(3);
});

test('a copy of the command finds it under way, and the change is answered once', async () => {
  const one = await slowHouse();
  const command = toMovedPlan();
  const update = await one.begin(command);
  one.send(command, { id: update, copy: 2 });
  await one.end();
  expect(one.answers(update)).toMatchObject([{ ...onMovedPlan, copy: 2 }]);
});

test('a change whose event is dropped in the middle is not made, and its callers ask again', async () => {
  const one = await slowHouse();
  one.turnCost.msPerQuestion = 0;
  const held = one.send(hold('h2', 'A-2'));
  one.turnCost.msPerQuestion = 1;
  const update = one.send(toMovedPlan());
  const waits = one.send(hold('h3', 'D-1'));
  await nextTurn();
  expect(one.typesInFlight()).toEqual(['held']);
  one.journal.breakOff('silence');
  await one.end();
  for (const id of [held, update, waits]) expect(one.answers(id)).toMatchObject([{ kind: 'moved' }]);
  expect(await one.ask({ type: 'count' })).toMatchObject({ value: { planHash: 'small-plan', counts: { held: 1 } } });
  const again = await one.begin();
  await one.end();
  expect(one.answers(again)).toMatchObject([onMovedPlan]);
});

test('a change under way when the term ends is answered moved, and writes nothing', async () => {
  const one = await slowHouse();
  const update = await one.begin();
  const groups = one.stream.length;
  one.partition.close();
  await one.end();
  expect(one.answers(update)).toMatchObject([{ kind: 'moved' }]);
  expect(one.stream).toHaveLength(groups);
});

test('a fault in a step is answered with internal_error, and the event goes on with its old chart', async () => {
  const one = await slowHouse();
  const update = await one.begin();
  const { epoch } = one.journal;
  PackedMap.prototype.set = () => {
    PackedMap.prototype.set = set;
    throw new Error('an injected bug');
  };
  const waits = one.send(hold('h2', 'A-2'));
  await one.end();
  expect(one.answers(update)).toMatchObject([{ kind: 'refused', refusal: { code: 'internal_error' } }]);
  expect(one.answers(waits)).toMatchObject([{ kind: 'moved' }]);
  const id = one.send(book('h1', 'order-2'));
  await one.end();
  expect(one.answers(id)).toMatchObject([{ kind: 'ok' }]);
  expect(one.journal.epoch).toBe(epoch);
});

test('a change whose caller got no answer in time is given up, whether or not other commands come', async () => {
  for (const comesLater of [false, true]) {
    const one = await slowHouse();
    const update = await one.begin();
    one.clock.advance(requestDeadlineMs);
    if (comesLater) one.send({ type: 'count' });
    await one.end();
    expect(one.answers(update)).toMatchObject(comesLater ? [] : [{ kind: 'moved' }]);
    expect(one.stream.some(({ records }) => records[0]!.type === 'chart-updated')).toBe(false);
    const count = one.send({ type: 'count' });
    await one.end();
    expect(one.answers(count)).toMatchObject([{ value: { planHash: 'small-plan', counts: { booked: 1 } } }]);
  }
});

test('a hold that ends during the change ends behind it', async () => {
  const one = await slowHouse();
  const short = one.send({ ...hold('h2', 'A-2'), ttlMs: 1_000 });
  await one.end();
  expect(one.answers(short)).toMatchObject([{ kind: 'ok' }]);
  const update = await one.begin();
  one.clock.advance(1_500);
  const count = one.send({ type: 'count' });
  await one.end();
  expect(one.answers(update)).toMatchObject([{ ...onMovedPlan, value: { counts: { held: 2 } } }]);
  expect(one.answers(count)).toMatchObject([{ kind: 'ok', value: { counts: { held: 1 } } }]);
  expect(one.stream.slice(-2).map(({ records }) => records[0]!.type)).toEqual(['chart-updated', 'expired']);
});

test('a changing event is not stored, and its new chart is', async () => {
  const one = await slowHouse();
  await one.begin();
  const before = one.snapshots.count;
  await one.partition.snapshotAll(1_000);
  // The other event has changed since its snapshot.
  expect(one.snapshots.count - before).toBe(1);
  await one.end();
  expect(one.snapshots.count - before).toBe(2);
});
