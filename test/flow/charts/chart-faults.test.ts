/** Changes of an event's chart on a fake journal: faults of appends and of the catalog. */
import type { Command } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { callId, hold } from '../../support/inventory/house.ts';
import { settled, partitionOnFakes as setUp } from '../../support/partition/on-fakes.ts';

const toMovedPlan = (): Command => ({
  type: 'update-chart',
  acknowledgeMoved: true,
  reason: 'A new chart',
  callId: callId(),
  planHash: 'moved-plan',
  chartVersion: 2,
});

test('A chart update whose append did not land is undone with all later commands', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  await one.ask(hold('h1', 'A-1'));
  const update = one.send(toMovedPlan());
  await settled();
  const held = one.send(hold('h2', 'D-1'));
  one.journal.breakOff('silence');
  await settled();
  expect([...one.answers(update), ...one.answers(held)]).toMatchObject([{ kind: 'moved' }, { kind: 'moved' }]);
  expect(await one.ask({ type: 'count' })).toMatchObject({ value: { planHash: 'small-plan', counts: { held: 1 } } });
  expect(await one.ask(hold('h3', 'D-1'))).toMatchObject({ refusal: { code: 'unknown_labels' } });
  expect(await one.ask(toMovedPlan())).toMatchObject({ kind: 'ok', value: { updated: true } });
  expect(await one.ask(hold('h3', 'D-1'))).toMatchObject({ kind: 'ok' });
  expect(one.stream.map(({ plan, records }) => [plan, records.length])).toEqual([
    ['small-plan', 1],
    ['small-plan', 1],
    ['moved-plan', 1],
    ['moved-plan', 1],
  ]);
});

test('A chart update that landed unheard is done once, and answered as done', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  const command = toMovedPlan();
  const id = one.send(command);
  await settled();
  one.landUnheard();
  one.journal.breakOff('silence');
  await settled();
  expect(one.answers(id)).toMatchObject([{ kind: 'ok', value: { updated: true, planHash: 'moved-plan' } }]);
  expect(await one.ask(command)).toMatchObject({ kind: 'ok', value: { updated: true } });
  expect(one.stream).toHaveLength(2);
});

test('A chart that the catalog cannot give is refused as retryable, and no other command waits for it', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  one.faults.catalogIsDown = true;
  const update = one.send(toMovedPlan());
  one.send(toMovedPlan(), { id: update, copy: 2 });
  const count = one.send({ type: 'count' });
  expect(one.answers(count)).toMatchObject([{ kind: 'ok' }]);
  await settled();
  expect(one.answers(update)).toMatchObject([
    { kind: 'refused', copy: 2, refusal: { code: 'catalog_unavailable', retryable: true } },
  ]);
  one.faults.catalogIsDown = false;
  expect(await one.ask(toMovedPlan())).toMatchObject({ kind: 'ok' });
});

test('A chart update that waits for its chart when the partition closes is answered moved', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  const update = one.send(toMovedPlan());
  one.partition.close();
  await settled();
  expect(one.answers(update)).toMatchObject([{ kind: 'moved' }]);
});

test("During the store of an archive's snapshot reads are answered, and a repeated archive starts no second store", async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  const archive: Command = { type: 'move', callId: callId(), move: 'archive' };
  one.snapshots.outcome = Promise.resolve(false);
  expect(await one.ask(archive)).toMatchObject({ kind: 'moved' });
  let store = (_isStored: boolean): void => {};
  one.snapshots.outcome = new Promise((resolve) => {
    store = resolve;
  });
  const before = one.snapshots.count;
  const count = one.put({ type: 'count' });
  const again = one.send(archive);
  expect(one.answers(count)).toMatchObject([{ kind: 'ok', value: { status: 'archived' } }]);
  one.send(archive, { id: again, copy: 2 });
  await settled();
  expect([one.snapshots.count - before, one.answers(again)]).toEqual([1, []]);
  store(true);
  await settled();
  expect(one.answers(again)).toMatchObject([{ copy: 2, kind: 'ok', value: { status: 'archived' } }]);
  expect(one.snapshots.count - before).toBe(1);
});
