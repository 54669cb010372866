/**
 * The quiet time of a new owner begins when nothing can confirm the previous owner any more. It is short when the
 * process of the previous owner has ended. No owner gives its partition up before its end.
 */
import { encodeCommit, encodeEpochRecord } from '@parterre/shared/protocol/journal/messages';
import { appendWindow } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { Journal, type JournalLog } from '../../../services/inventory-shard/src/journal/appends.ts';
import { endedQuietMs, fenceQuietMs } from '../../../services/inventory-shard/src/journal/bounds.ts';
import { noLink } from '../../support/journal/links.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { partitionOnFakes } from '../../support/partition/on-fakes.ts';

const epochRecord = encodeEpochRecord({ epoch: 4, owner: 'dead', at: 0, low: 0, stream: 'dep.x', link: noLink });
const commitOf = (epoch: number): Uint8Array => encodeCommit({ epoch, n: 1, low: 0, link: noLink }, []);

/** A fence behind this tail of epoch 4. The ack of each of its sends takes `ackMs`. */
async function fencedAfter(ackMs: number[], payload = epochRecord, ended?: Set<string>) {
  const clock = new ManualClock();
  const sends = ackMs.values();
  const log: JournalLog = {
    last: async () => ({ sequence: 9, payload }),
    lastEpoch: async () => epochRecord,
    at: async () => null,
    async appendEpoch(_payload, expected) {
      clock.advance(sends.next().value ?? 0);
      return expected + 1;
    },
    append: () => {},
    onAck: () => {},
    close: () => {},
  };
  return new Journal(log, clock, 'heir', { onCommitted: () => {}, onBroken: () => {} }, () => 0).open(ended);
}

test('The quiet time counts from the ack of the first record, not from its send time, and not from the last record', async () => {
  const others = Array.from({ length: appendWindow - 1 }, () => 2);
  expect(await fencedAfter([200, ...others])).toMatchObject({ epoch: 5, quietMs: fenceQuietMs - 2 * others.length });
});

test('A fence that takes longer than the quiet time leaves none', async () => {
  expect(await fencedAfter([0, fenceQuietMs + 1])).toMatchObject({ quietMs: 0 });
});

test('An heir of an ended process waits for pledges alone behind a commit of the process', async () => {
  expect(await fencedAfter([], commitOf(4), new Set(['dead']))).toMatchObject({ epoch: 5, quietMs: endedQuietMs });
});

test.each([
  ['a commit, when the epoch record is of another epoch', commitOf(5), new Set(['dead'])],
  ['an epoch record: the owner before may still answer', epochRecord, new Set(['dead'])],
  ['a commit of a living process', commitOf(4), new Set(['another'])],
  ['a commit, when no process has ended', commitOf(4), undefined],
])('An heir keeps the quiet time behind %s', async (_tail, payload, ended) => {
  expect(await fencedAfter([], payload, ended)).toMatchObject({ quietMs: fenceQuietMs });
});

test.each([
  ['within its quiet time writes no release: the owner before may still answer', fenceQuietMs - 1, 0],
  ['behind its quiet time writes a release', fenceQuietMs, 1],
])('An owner that hands over %s', async (_when, servedMs, releases) => {
  const { partition, journal, clock } = await partitionOnFakes();
  const open = journal.open.bind(journal);
  let written = 0;
  const handOver = async (): Promise<boolean> => ++written > 0;
  Object.assign(journal, { handOver, open: async () => ({ ...(await open())!, quietMs: fenceQuietMs }) });
  await partition.open();
  clock.advance(servedMs);
  await partition.handOver();
  expect(written).toBe(releases);
});
