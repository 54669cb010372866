/** A partition on a journal and a loader of the test's own: what must hold when appends, loads and callers go wrong. */
import type { Command } from '@parterre/shared/commands';
import { requestDeadlineMs } from '@parterre/shared/limits';
import { expect, test } from 'vitest';
import { mailboxCommandsMax, reloadPauseMs } from '../../services/inventory-shard/src/rules/state/bounds.ts';
import { callId, hold } from '../support/inventory.ts';
import { settled, partitionOnFakes as setUp } from '../support/partition-on-fakes.ts';

test('a group that cannot be appended is refused, and leaves no trace in the state', async () => {
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

test('of two copies of a command that wait together, the first counts: what it was refused, the second does not do', async () => {
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
  one.send(sale, { id, attempt: 2 });
  await settled();
  one.land();
  await settled();
  expect(one.answers(id)).toMatchObject([{ kind: 'refused', refusal: { code: 'conflict' } }]);
  expect(await one.ask({ type: 'count' })).toMatchObject({ value: { counts: { booked: 0 } } });
});

test('a copy of a command whose append is under way is not done again', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  const block: Command = { type: 'block', callId: callId(), labels: ['A-1'], releaseAt: null, reason: null };
  const id = one.send(block);
  one.send({ type: 'unblock', callId: callId(), labels: ['A-1'] });
  one.send(block, { id, attempt: 2 });
  one.land();
  await settled();
  one.land();
  expect(one.answers(id)).toHaveLength(1);
  expect(await one.ask({ type: 'count' })).toMatchObject({ value: { counts: { blocked: 0 } } });
});

test('nor is a copy that comes while the end of that append is read', async () => {
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
  one.send(block, { id, attempt: 2 });
  for (let read = reads.shift(); read; read = reads.shift()) {
    read();
    await settled();
  }
  one.land();
  expect(one.answers(id)).toMatchObject([{ kind: 'ok', attempt: 2 }]);
  expect(await one.ask({ type: 'count' })).toMatchObject({ value: { counts: { blocked: 0 } } });
});

test('what a tenure is addressed by stays when its journal is fenced again', async () => {
  const one = await setUp();
  await one.partition.open();
  const { epoch } = one.partition;
  one.journal.breakOff('silence');
  await settled();
  expect(one.journal.nextGroup().epoch).toBe(epoch + 1);
  expect(one.partition).toMatchObject({ state: 'serving', epoch });
});

test('of two copies that come one after the other, the answer to the last counts, and a late first one is dropped', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  await one.ask(hold('h1', 'A-1'));
  const id = one.send(hold('h2', 'A-1'));
  await settled();
  await one.ask({ type: 'release', callId: callId(), holdId: 'h1' });
  one.send(hold('h2', 'A-1'), { id, attempt: 3 });
  one.land();
  one.send(hold('h2', 'A-1'), { id, attempt: 2 });
  one.send(hold('h2', 'A-1'), { id });
  await settled();
  expect(one.answers(id)).toMatchObject([{ kind: 'refused' }, { kind: 'ok', attempt: 3 }]);
});

test('a full mailbox forgets those whose callers have been told to try again', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  // Two groups of the event are in flight, and nothing of them lands: all that follows waits.
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

test('holds expire on time although their event could not be loaded at first', async () => {
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
  two.land();
  expect(two.stream.at(-1)!.records).toMatchObject([{ type: 'expired', holdId: 'h1' }]);
});

test('holds expire although the group that told it did not land and nobody asks for the event again', async () => {
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

test('a hold expires although the clock was set back and its timer fired while nothing could be cut', async () => {
  const one = await setUp();
  await one.partition.open();
  await one.create();
  await one.ask({ ...hold('h1', 'A-1'), ttlMs: 1_000 });
  one.clock.wallOffset = -500;
  one.journal.breakOff('lost');
  one.clock.advance(1_000);
  await settled();
  one.clock.advance(500);
  one.land();
  expect(one.stream.at(-1)?.records).toMatchObject([{ type: 'expired', holdId: 'h1' }]);
});

test('a partition whose journal breaks while it is taken over serves all the same', async () => {
  const one = await setUp();
  one.faults.breaksWhileOpening = true;
  await one.partition.open();
  await one.create();
  expect(await one.ask(hold('h1', 'A-1'))).toMatchObject({ kind: 'ok' });
});
