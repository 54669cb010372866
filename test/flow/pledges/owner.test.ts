/** An owner pledges that refusals of booked units stand, and carries out nothing that could change them. */
import type { Command, Reply } from '@parterre/shared/protocol/commands';
import { beforeEach, expect, test } from 'vitest';
import {
  loopTurnMs,
  pledgedEventsMax,
  pledgeWaitsMax,
  standsMsMax,
  standsMsMin,
} from '../../../services/inventory-shard/src/partition/bounds.ts';
import { callId, direct, hold } from '../../support/inventory/house.ts';
import { partitionOnFakes, settled } from '../../support/partition/on-fakes.ts';

/** A pledge binds the owner a sixth longer than the front door counts. */
const boundMs = (standsMsMax * 7) / 6;

let fakes: Awaited<ReturnType<typeof partitionOnFakes>>;
let holds = 0;
const refused = (label = 'A-1'): Command => hold(`again-${++holds}`, label);
const unbook = (): Command => ({ type: 'unbook', callId: callId(), bookingRef: 'r1' });
const standsIn = (reply: Reply | undefined) => (reply?.kind === 'refused' ? reply.stands : 'no refusal');

beforeEach(async () => {
  fakes = await partitionOnFakes();
  await fakes.partition.open();
  await fakes.create();
  await fakes.ask(direct('r1', 'A-1'));
});

/** The kind of the only answer so far. */
const answerTo = (id: number): string | undefined => fakes.answers(id)[0]?.kind;

async function pass(ms: number): Promise<void> {
  fakes.clock.advance(ms);
  await settled();
  fakes.land();
  await settled();
}

test('The refusal of a booked unit carries a pledge, with the epoch and a number of changes', async () => {
  expect(standsIn(await fakes.ask(refused()))).toEqual([standsMsMax, 1, expect.any(Number)]);
});

test('The refusal of a held unit carries none, even if the unit is booked in the same cut', async () => {
  await fakes.ask(hold('h1', 'A-2'));
  expect(standsIn(await fakes.ask(refused('A-2')))).toBeUndefined();
  fakes.put(refused('A-2'));
  const late = fakes.put(refused('A-2'));
  expect((await fakes.ask({ type: 'book', callId: callId(), bookingRef: 'r2', holdId: 'h1' }))?.kind).toBe('ok');
  expect(standsIn(fakes.answers(late)[0])).toBeUndefined();
});

test('A command that may change the refusal waits for the end of the pledge, and sales do not', async () => {
  await fakes.ask(refused());
  const freeing = fakes.send(unbook());
  expect((await fakes.ask(hold('h1', 'A-2')))?.kind).toBe('ok');
  await pass(boundMs - 1);
  expect(answerTo(freeing)).toBeUndefined();
  await pass(1);
  expect(answerTo(freeing)).toBe('ok');
  expect((await fakes.ask(refused()))?.kind).toBe('ok');
});

test('A waiting command gets no new pledge in its way', async () => {
  await fakes.ask(refused());
  const freeing = fakes.send(unbook());
  expect(standsIn(await fakes.ask(refused()))).toBeUndefined();
  await pass(boundMs);
  expect(answerTo(freeing)).toBe('ok');
});

test('Each command that may change refusals gets the event another number of changes', async () => {
  await fakes.ask(direct('r2', 'A-2'));
  const before = standsIn(await fakes.ask(refused('A-2')));
  expect(standsIn(await fakes.ask(refused('A-2')))).toEqual(before);
  await pass(boundMs);
  await fakes.ask(unbook());
  const after = standsIn(await fakes.ask(refused('A-2')));
  expect(after).toEqual([standsMsMax, 1, expect.any(Number)]);
  expect(after).not.toEqual(before);
});

test('No pledge is made in a cut that changes more than units', async () => {
  const early = fakes.put(refused());
  fakes.put({ type: 'move', callId: callId(), move: 'close' });
  const late = fakes.put(refused());
  fakes.partition.pump();
  await pass(0);
  expect(fakes.answers(early)).toMatchObject([{ kind: 'refused', refusal: { code: 'conflict' } }]);
  expect(standsIn(fakes.answers(early)[0])).toBeUndefined();
  expect(fakes.answers(late)).toMatchObject([{ kind: 'refused', refusal: { code: 'event_closed' } }]);
});

test('No pledge is made while a command that may change the refusal is left in the mailbox', async () => {
  const early = fakes.put(refused());
  const freeing = fakes.put(unbook());
  fakes.turnCost.msPerQuestion = 2 * loopTurnMs;
  fakes.partition.pump();
  fakes.turnCost.msPerQuestion = 0;
  expect(standsIn(fakes.answers(early)[0])).toBeUndefined();
  expect(answerTo(freeing)).toBeUndefined();
  await pass(0);
  expect(answerTo(freeing)).toBe('ok');
});

test('A pledge ends within the read lease', async () => {
  fakes.lease.leftMs = standsMsMin + 0.5;
  expect(standsIn(await fakes.ask(refused()))).toEqual([standsMsMin, 1, expect.any(Number)]);
  fakes.lease.leftMs = standsMsMin - 0.5;
  expect(standsIn(await fakes.ask(refused()))).toBeUndefined();
});

test('A copy of a waiting command finds the first copy, which is carried out once', async () => {
  await fakes.ask(refused());
  const freeing = fakes.send(unbook());
  fakes.send(unbook(), { id: freeing, copy: 2 });
  await pass(boundMs);
  expect(fakes.answers(freeing)).toEqual([expect.objectContaining({ kind: 'ok', copy: 2 })]);
});

test('An event that is folded anew keeps its pledge', async () => {
  await fakes.ask(refused());
  fakes.send(hold('lost', 'A-2'));
  fakes.journal.breakOff('silence');
  await settled();
  const freeing = fakes.send(unbook());
  await pass(0);
  expect(answerTo(freeing)).toBeUndefined();
  await pass(boundMs);
  expect(answerTo(freeing)).toBe('ok');
});

test('A handover answers waiting commands at once, and ends the term behind the pledges', async () => {
  await fakes.ask(refused());
  const freeing = fakes.send(unbook());
  let isOver = false;
  const over = fakes.partition.handOver().then(() => {
    isOver = true;
  });
  expect(answerTo(freeing)).toBe('moved');
  await pass(standsMsMax);
  expect(isOver).toBe(false);
  for (let ms = 0; ms < 20; ms++) await pass(1);
  expect(isOver).toBe(true);
  await over;
});

test('Past the bound of waiting commands the next is refused', async () => {
  await fakes.ask(refused());
  const waiting = Array.from({ length: pledgeWaitsMax }, () => fakes.send(unbook()));
  expect(fakes.answers(fakes.send(unbook()))).toMatchObject([{ kind: 'refused', refusal: { code: 'overloaded' } }]);
  await pass(boundMs);
  expect(waiting.map(answerTo).every((kind) => kind !== undefined)).toBe(true);
});

test('Past the bound of events with pledges, refusals carry none until pledges have ended', async () => {
  await fakes.ask(refused());
  for (let n = 1; n < pledgedEventsMax; n++) await oneOf(`event-${n}`);
  expect(standsIn(await oneOf('one-more'))).toBeUndefined();
  await pass(boundMs);
  expect(standsIn(await oneOf('yet-one-more'))).toEqual([standsMsMax, 1, expect.any(Number)]);

  /** The refusal of a booked unit of a new event. */
  async function oneOf(eventKey: string): Promise<Reply | undefined> {
    await fakes.create(eventKey);
    fakes.send(direct('r1', 'A-1'), { eventKey });
    fakes.land();
    const id = fakes.send(refused(), { eventKey });
    await settled();
    return fakes.answers(id)[0];
  }
});
