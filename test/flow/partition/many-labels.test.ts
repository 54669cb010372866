/**
 * Commands that name many units, on a fake journal and a slow clock: each question for the turn takes a millisecond, so
 * that such a command takes several turns. Other events are answered between its steps, and nobody sees half of it.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { labelsPerStep } from '../../../services/inventory-shard/src/rules/selection/selection.ts';
import { create } from '../../support/inventory/channels.ts';
import { callId, hold } from '../../support/inventory/house.ts';
import { partitionOnFakes, settled } from '../../support/partition/on-fakes.ts';

const nextTurn = settled;
const rowA = ['A-1', 'A-2', 'A-3'];

/** Names the seats of row A often enough for several steps. */
const manyLabels = Array.from({ length: 12 * labelsPerStep }, (_, index) => rowA[index % rowA.length]!);

const commands: Record<string, () => Command> = {
  block: () => ({ type: 'block', callId: callId(), labels: manyLabels, releaseAt: null, reason: null }),
  unblock: () => ({ type: 'unblock', callId: callId(), labels: manyLabels }),
  'assign-channel': () => ({
    type: 'assign-channel',
    callId: callId(),
    channelId: 'chn_1',
    labels: manyLabels,
    assignmentVersion: 0,
    reason: null,
  }),
};

async function slowHouse() {
  const one = await partitionOnFakes();
  await one.partition.open();
  await one.create();
  await one.create('other');
  await one.ask(create('chn_1'));
  one.turnCost.msPerQuestion = 1;
  const typesInFlight = () => one.inFlight.map(({ records }) => records[0]!.type);
  const end = async (): Promise<void> => {
    for (let turns = 0; turns < 60; turns++) {
      await nextTurn();
      one.land();
    }
  };
  return { ...one, end, typesInFlight };
}

test.each(Object.keys(commands))('another event is answered between the steps of %s', async (type) => {
  const one = await slowHouse();
  const many = one.send(commands[type]!());
  await nextTurn();
  expect([one.typesInFlight(), one.answers(many)]).toEqual([[], []]);
  const other = one.send(hold('h1', 'B-1'), { eventKey: 'other' });
  await nextTurn();
  expect(one.typesInFlight()).toEqual(['held']);
  one.land();
  expect(one.answers(other)).toMatchObject([{ kind: 'ok' }]);
  expect(one.answers(many)).toEqual([]);
  await one.end();
  expect(one.answers(many)).toMatchObject([{ kind: 'ok' }]);
});

test('a reader who comes between the steps sees all units changed, in one group', async () => {
  const one = await slowHouse();
  const many = one.send(commands.block!());
  await nextTurn();
  const count = one.send({ type: 'count' });
  const groups = one.stream.length;
  await one.end();
  expect(one.answers(many)).toMatchObject([{ kind: 'ok', value: { blocked: rowA } }]);
  expect(one.answers(count)).toMatchObject([{ value: { counts: { blocked: 3 } } }]);
  expect(one.stream.slice(groups).map(({ records }) => records.map(({ type }) => type))).toEqual([['blocked']]);
});

test('a call that meets a held seat after many steps changes nothing', async () => {
  const one = await slowHouse();
  one.turnCost.msPerQuestion = 0;
  await one.ask(hold('h1', 'B-1'));
  one.turnCost.msPerQuestion = 1;
  const many = one.send({ ...(commands.block!() as Command & { type: 'block' }), labels: [...manyLabels, 'B-1'] });
  await one.end();
  expect(one.answers(many)).toMatchObject([{ kind: 'refused', refusal: { code: 'conflict' } }]);
  const count = one.send({ type: 'count' });
  await one.end();
  expect(one.answers(count)).toMatchObject([{ value: { counts: { blocked: 0, held: 1 } } }]);
});

test('a repetition of a call that took steps is answered as the first', async () => {
  const one = await slowHouse();
  const command = commands.block!();
  const first = one.send(command);
  await one.end();
  const again = one.send(command);
  await one.end();
  expect(one.answers(again)).toMatchObject([{ kind: 'ok', value: { blocked: rowA } }]);
  expect(one.answers(first)).toMatchObject(one.answers(again).map(({ kind }) => ({ kind })));
  expect(one.stream.filter(({ records }) => records[0]!.type === 'blocked')).toHaveLength(1);
});
