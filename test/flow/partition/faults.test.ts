/** A partition on a fake journal and loader: faults of appends and loads, and repeated commands. */
import type { Command } from '@parterre/shared/protocol/commands';
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { mailboxCommandsMax, reloadPauseMs } from '../../../services/inventory-shard/src/partition/bounds.ts';
import { callId, direct, hold } from '../../support/inventory/house.ts';
import { settled, partitionOnFakes as setUp } from '../../support/partition/on-fakes.ts';

test('A group that cannot be appended is refused, and leaves no trace in the state', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  one.faults.appendThrows = true;
  const id = one.send(hold('h1', 'A-1'));
  one.faults.appendThrows = false;
  await settled();
  expect(one.answers(id)).toMatchObject([{ kind: 'refused', refusal: { code: 'internal_error' } }]);
  expect(await one.ask({ type: 'count' })).toMatchObject({ kind: 'ok', value: { counts: { held: 0 } } });
  expect(await one.ask(hold('h2', 'A-1'))).toMatchObject({ kind: 'ok' });
});

test('A success tells whether it changed anything', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  const book = direct('r1', 'A-1');
  const first = (await one.ask(book))!;
  expect([first.kind, 'unchanged' in first]).toEqual(['ok', false]);
  expect(await one.ask(direct('r1', 'A-1'))).toMatchObject({ kind: 'ok', value: { booked: [] }, unchanged: true });
});

test('A group whose append throws, and which landed all the same, is settled behind the fence', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  one.faults.sendThrows = true;
  const id = one.send(hold('h1', 'A-1'));
  one.faults.sendThrows = false;
  const sequence = one.stream.length + 1;
  one.landUnheard();
  await settled();
  expect(one.answers(id)).toMatchObject([{ kind: 'refused', refusal: { code: 'internal_error' } }]);
  expect(one.changes.at(-1)).toMatchObject({ to: sequence });
  expect(await one.ask({ type: 'count' })).toMatchObject({ kind: 'ok', value: { counts: { held: 1 } } });
  expect(one.answers(id)).toHaveLength(1);
});

test('Of two copies of a command that wait together, a refusal of the first also holds for the second', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  await one.ask(hold('h1', 'A-1'));
  one.journal.breakOff('silence');
  const sale: Command = {
    type: 'book-direct',
    callId: callId(),
    bookingRef: 'order-1',
    selections: [{ label: 'A-1' }],
  };
  const id = one.send(sale);
  one.send({ type: 'release', callId: callId(), holdId: 'h1' });
  one.send(sale, { id, copy: 2 });
  await settled();
  one.land();
  await settled();
  expect(one.answers(id)).toMatchObject([{ kind: 'refused', refusal: { code: 'conflict' } }]);
  expect(await one.ask({ type: 'count' })).toMatchObject({ value: { counts: { booked: 0 } } });
});

test('A copy of a command whose append is under way is not carried out again', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  const block: Command = { type: 'block', callId: callId(), labels: ['A-1'], releaseAt: null, reason: null };
  const id = one.send(block);
  one.send({ type: 'unblock', callId: callId(), labels: ['A-1'] });
  one.send(block, { id, copy: 2 });
  one.land();
  await settled();
  one.land();
  expect(one.answers(id)).toHaveLength(1);
  expect(await one.ask({ type: 'count' })).toMatchObject({ value: { counts: { blocked: 0 } } });
});

test('A copy that comes while the fate of the append is being read is not carried out again', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  const block: Command = { type: 'block', callId: callId(), labels: ['A-1'], releaseAt: null, reason: null };
  const id = one.send(block);
  one.send({ type: 'unblock', callId: callId(), labels: ['A-1'] });
  one.landUnheard();
  const { landed } = one.journal;
  const reads: (() => void)[] = [];
  one.journal.landed = (group) => new Promise((resolve) => reads.push(() => resolve(landed(group))));
  one.journal.breakOff('silence');
  await settled();
  one.send(block, { id, copy: 2 });
  for (let read = reads.shift(); read; read = reads.shift()) {
    read();
    await settled();
  }
  one.land();
  expect(one.answers(id)).toMatchObject([{ kind: 'ok', copy: 2 }]);
  expect(await one.ask({ type: 'count' })).toMatchObject({ value: { counts: { blocked: 0 } } });
});

test('A copy that comes behind its answer and behind a later call to the same booking is not carried out again', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  const sale: Command = { ...direct('order-1', 'A-1'), callId: callId() };
  const id = one.send(sale);
  one.land();
  expect(await one.ask({ type: 'unbook', callId: callId(), bookingRef: 'order-1' })).toMatchObject({ kind: 'ok' });
  one.send(sale, { id, copy: 2 });
  await settled();
  one.land();
  const value = { booked: ['A-1'] };
  expect(one.answers(id)).toMatchObject([
    { kind: 'ok', value },
    { kind: 'ok', copy: 2, value },
  ]);
  expect(await one.ask({ type: 'count' })).toMatchObject({ value: { counts: { booked: 0 } } });
});

test('The address of a tenure stays when its journal is fenced again', async () => {
  const one = await setUp();
  await one.partition.open();
  const { epoch } = one.partition;
  one.journal.breakOff('silence');
  await settled();
  expect(one.journal.epoch).toBe(epoch + 1);
  expect(one.partition).toMatchObject({ state: 'serving', epoch });
});

test("Of two copies in sequence the last one's answer counts, and a late earlier copy is dropped", async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  await one.ask(hold('h1', 'A-1'));
  const id = one.send(hold('h2', 'A-1'));
  await settled();
  await one.ask({ type: 'release', callId: callId(), holdId: 'h1' });
  one.send(hold('h2', 'A-1'), { id, copy: 3 });
  one.land();
  one.send(hold('h2', 'A-1'), { id, copy: 2 });
  one.send(hold('h2', 'A-1'), { id });
  await settled();
  expect(one.answers(id)).toMatchObject([{ kind: 'refused' }, { kind: 'ok', copy: 3 }]);
});

test('A full mailbox drops commands whose deadline has passed', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  // Two groups of the event are in flight and do not land, so all later commands wait.
  one.send(hold('h1', 'A-1'));
  one.send(hold('h2', 'A-2'));
  const full = Array.from({ length: mailboxCommandsMax }, () => one.send({ type: 'count' }));
  const tooMany = one.send({ type: 'count' });
  expect(one.answers(tooMany)).toMatchObject([{ refusal: { code: 'overloaded' } }]);
  one.clock.advance(requestDeadlineMs);
  const next = one.send({ type: 'count' });
  one.land();
  await settled();
  one.land();
  expect(one.answers(next)).toMatchObject([{ kind: 'ok' }]);
  expect(one.answers(full[0]!)).toEqual([]);
});

test('Holds expire on time although the first load of their event failed', async () => {
  const first = await setUp();
  await first.partition.open();
  await first.create();
  await first.ask({ ...hold('h1', 'A-1'), ttlMs: 60_000 });
  const two = await setUp({ stream: first.stream });
  two.faults.catalogIsDown = true;
  await two.partition.open();
  await settled();
  two.faults.catalogIsDown = false;
  two.clock.advance(reloadPauseMs);
  await settled();
  two.clock.advance(60_000);
  await settled();
  two.land();
  expect(two.stream.at(-1)!.records).toMatchObject([{ type: 'expired', holdId: 'h1' }]);
});

test('Holds expire although their group did not land and no command follows', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  await one.ask({ ...hold('h1', 'A-1'), ttlMs: 60_000 });
  one.clock.advance(60_000);
  one.journal.breakOff('silence');
  await settled();
  one.clock.advance(1);
  one.land();
  expect(one.stream.at(-1)!.records).toMatchObject([{ type: 'expired', holdId: 'h1' }]);
});

test('A hold expires although the clock was set back and its timer fired while the journal was broken', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  await one.ask({ ...hold('h1', 'A-1'), ttlMs: 1_000 });
  one.clock.wallOffset = -500;
  one.journal.breakOff('lost');
  one.clock.advance(1_000);
  await settled();
  one.clock.advance(500);
  await settled();
  one.land();
  expect(one.stream.at(-1)?.records).toMatchObject([{ type: 'expired', holdId: 'h1' }]);
});

test('A partition whose journal breaks during the takeover serves all the same', async () => {
  const one = await setUp();
  one.faults.breaksWhileOpening = true;
  await one.partition.open();
  await one.create();
  expect(await one.ask(hold('h1', 'A-1'))).toMatchObject({ kind: 'ok' });
});

test('A partition that is taken by another owner while it opens does not begin to serve', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  const two = await setUp({ stream: one.stream });
  two.faults.breaksWhileOpening = true;
  two.faults.isTaken = true;
  expect(await two.partition.open()).toBe(false);
  expect(two.partition.state).toBe('ended');
  await settled();
  expect(two.loads()).toBe(0);
});
