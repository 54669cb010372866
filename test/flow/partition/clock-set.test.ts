/** An owner whose clock was ahead, and the heir that sets the event's time back. */
import { expect, test } from 'vitest';
import { surveyRestMs } from '../../../services/inventory-shard/src/partition/bounds.ts';
import { hold, MINUTE, START } from '../../support/inventory/house.ts';
import { type FakeCommit, partitionOnFakes, settled } from '../../support/partition/on-fakes.ts';

const HOUR = 60 * MINUTE;

type Owner = Awaited<ReturnType<typeof partitionOnFakes>>;

/** The journal of an owner whose clock was an hour ahead and who made a hold of 15 minutes. */
async function journalFromTheFuture(): Promise<FakeCommit[]> {
  const owner = await partitionOnFakes();
  await owner.partition.open();
  await owner.create();
  owner.clock.wallOffset = HOUR;
  await owner.ask({ ...hold('h1', 'A-1'), ttlMs: 15 * MINUTE });
  owner.land();
  await settled();
  return owner.stream;
}

async function heir(stream: FakeCommit[], confirmed: boolean): Promise<Owner> {
  const owner = await partitionOnFakes({ stream });
  owner.clock.confirmed = confirmed;
  await owner.partition.open();
  await settled();
  owner.land();
  await settled();
  return owner;
}

test('an heir sets the time back as soon as its survey has loaded the event, and the hold ends after its own 15 minutes', async () => {
  const stream = await journalFromTheFuture();
  const owner = await heir(stream, true);
  owner.clock.advance(surveyRestMs);
  await settled();
  owner.land();
  const setAt = START + surveyRestMs;
  expect(stream.at(-1)).toMatchObject({ at: setAt, records: [{ type: 'clock-set', from: START + HOUR }] });
  owner.clock.advance(15 * MINUTE);
  await settled();
  owner.land();
  expect(stream.at(-1)).toMatchObject({ at: setAt + 15 * MINUTE, records: [{ type: 'expired', holdId: 'h1' }] });
});

test('new holds stand at the present time', async () => {
  const stream = await journalFromTheFuture();
  const owner = await heir(stream, true);
  await owner.ask({ ...hold('h2', 'A-2'), ttlMs: 15 * MINUTE });
  expect(stream.at(-1)).toMatchObject({ at: START, records: [{ type: 'held', expiresAt: START + 15 * MINUTE }] });
});

test('an heir whose own clock nobody confirms leaves the time as it is', async () => {
  const stream = await journalFromTheFuture();
  const owner = await heir(stream, false);
  await owner.ask({ ...hold('h2', 'A-2'), ttlMs: 15 * MINUTE });
  expect(stream.at(-1)).toMatchObject({ at: START + HOUR, records: [{ type: 'held' }] });
});

test('an owner whose clock is a few seconds behind waits for the time of the event', async () => {
  const stream = await journalFromTheFuture();
  const owner = await partitionOnFakes({ stream });
  owner.clock.confirmed = true;
  owner.clock.wallOffset = HOUR - 3_000;
  await owner.partition.open();
  await owner.ask({ ...hold('h2', 'A-2'), ttlMs: 15 * MINUTE });
  expect(stream.at(-1)).toMatchObject({ at: START + HOUR, records: [{ type: 'held' }] });
  expect(stream.flatMap(({ records }) => records).some(({ type }) => type === 'clock-set')).toBe(false);
});
