/**
 * Parts of operations and reservations at the owners of one event: the end of a part, to the millisecond and once,
 * while owners fail; and event time that goes back.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import { type JournalRecord, unitStatus } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { surveyRestMs } from '../../../services/inventory-shard/src/partition/bounds.ts';
import { hold, MINUTE, START } from '../../support/inventory/house.ts';
import { lock, offerHere, operationHere } from '../../support/operations/one-event.ts';
import { type FakeCommit, partitionOnFakes, settled } from '../../support/partition/on-fakes.ts';

type Owner = Awaited<ReturnType<typeof partitionOnFakes>>;

const member = operationHere('sop_1', ['encore', 'test-night']);
const offer = offerHere('sro_1');
const END = START + MINUTE;
const HOUR = 60 * MINUTE;

async function ownerAfter(...commands: Command[]): Promise<Owner> {
  const owner = await partitionOnFakes();
  await owner.partition.open();
  await owner.create();
  for (const command of [lock, ...commands]) await owner.ask(command);
  return owner;
}

/** The next owner of the same journal, at the same time. Its survey is through. */
async function heirOf({ stream, clock }: Pick<Owner, 'stream' | 'clock'>): Promise<Owner> {
  const heir = await partitionOnFakes({ stream });
  heir.clock.confirmed = true;
  heir.clock.advance(clock.now() - START);
  await heir.partition.open();
  await settled();
  await pass(heir, surveyRestMs);
  return heir;
}

async function pass(owner: Owner, ms: number): Promise<void> {
  owner.clock.advance(ms);
  await settled();
  owner.land();
  await settled();
  owner.clock.advance(0);
  owner.land();
}

const typesOf = (stream: readonly FakeCommit[], type: JournalRecord['type']) =>
  stream.flatMap(({ at, records }) => records.filter((record) => record.type === type).map(() => at));

const stateIn = async (owner: Owner) => {
  const reply = (await owner.ask(member.inspect)) as { value?: { part: { state: string } | null } };
  return reply.value?.part?.state;
};

test('A part ends at its millisecond, and not before', async () => {
  const owner = await ownerAfter(member.hold(END, 'A-1', 'A-2'));
  await pass(owner, MINUTE - 1);
  expect(await stateIn(owner)).toBe('held');
  await pass(owner, 1);
  expect(typesOf(owner.stream, 'expired')).toEqual([END]);
  expect(await stateIn(owner)).toBe('expired');
});

test('A part that an owner with lost acks ended is not ended again by the next owner', async () => {
  const one = await ownerAfter(member.hold(END, 'A-1'));
  one.clock.advance(MINUTE);
  one.landUnheard();
  const two = await heirOf(one);
  await pass(two, MINUTE);
  expect(typesOf(two.stream, 'expired')).toEqual([END]);
  expect(await stateIn(two)).toBe('expired');
});

test('A part whose end no owner saw ends at the next owner', async () => {
  const one = await ownerAfter(member.hold(END, 'A-1'));
  one.clock.advance(MINUTE + 5_000);
  const two = await heirOf(one);
  expect(typesOf(two.stream, 'expired')).toHaveLength(1);
  expect(await stateIn(two)).toBe('expired');
});

test('A pinned part outlives its end and its owner, and ends as soon as the pin goes', async () => {
  const one = await ownerAfter(member.hold(END, 'A-1'), member.pin);
  await pass(one, HOUR);
  const two = await heirOf(one);
  expect(await stateIn(two)).toBe('pinned');
  await two.ask(member.unpin);
  await pass(two, 1);
  expect(await stateIn(two)).toBe('expired');
  expect(typesOf(two.stream, 'expired')).toHaveLength(1);
});

test('The next owner books a pinned part, and repeats the first answer', async () => {
  const one = await ownerAfter(member.hold(END, 'A-1'), member.pin);
  await pass(one, HOUR);
  const two = await heirOf(one);
  const booked = await two.ask(member.book);
  expect(booked).toMatchObject({ kind: 'ok', value: { state: 'booked' } });
  const three = await heirOf(two);
  expect(await three.ask(member.book)).toMatchObject({ value: (booked as { value: object }).value });
  expect(typesOf(three.stream, 'booked')).toHaveLength(1);
});

test('No time and no owner frees the seats of an offer, and the next owner books them', async () => {
  const one = await ownerAfter(offer.reserve('A-1', 'A-2'));
  expect(one.changes.at(-1)).toMatchObject({ units: [0, 1], statuses: [unitStatus.blocked, unitStatus.blocked] });
  await pass(one, 100 * HOUR);
  const two = await heirOf(one);
  expect(await two.ask(hold('h1', 'A-1'))).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
  expect(await two.ask(offer.book)).toMatchObject({ kind: 'ok', value: { booked: ['A-1', 'A-2'] } });
  const three = await heirOf(two);
  expect(await three.ask(offer.book)).toMatchObject({ kind: 'ok', value: { booked: ['A-1', 'A-2'] } });
  expect(await three.ask(offer.unreserve)).toMatchObject({ refusal: { reason: 'offer_booked' } });
  expect(typesOf(three.stream, 'booked')).toHaveLength(1);
});

test('An end of an offer that came first stops its reservation at the next owner too', async () => {
  const one = await ownerAfter(offer.unreserve);
  const two = await heirOf(one);
  expect(await two.ask(offer.reserve('A-1'))).toMatchObject({ refusal: { reason: 'offer_over' } });
});

test('Event time that goes back leaves a part the end of its operation, and an ended offer its end', async () => {
  const one = await partitionOnFakes();
  await one.partition.open();
  await one.create();
  await one.ask(lock);
  one.clock.wallOffset = HOUR;
  const ahead = { ...member.hold(END + HOUR, 'A-1'), actsUntil: START + HOUR + MINUTE } as Command;
  expect(await one.ask(ahead)).toMatchObject({ kind: 'ok' });
  await one.ask(hold('h1', 'A-2'));
  await one.ask(offer.unreserve);
  one.clock.wallOffset = 0;
  const two = await heirOf(one);
  expect(typesOf(two.stream, 'clock-set')).toHaveLength(1);
  expect(await two.ask(member.inspect)).toMatchObject({ value: { part: { state: 'held', expiresAt: END + HOUR } } });
  expect(await two.ask(offer.reserve('A-3'))).toMatchObject({ refusal: { reason: 'offer_over' } });
  await pass(two, 30 * MINUTE);
  expect(typesOf(two.stream, 'expired')).toHaveLength(1);
  expect(await stateIn(two)).toBe('held');
  await pass(two, 31 * MINUTE);
  expect(await stateIn(two)).toBe('expired');
});
