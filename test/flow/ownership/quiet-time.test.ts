/**
 * The quiet time of a new owner begins when nothing can confirm the previous owner any more. It is left out when the
 * process of the previous owner has ended.
 */
import { encodeCommit, encodeEpochRecord } from '@parterre/shared/journal/messages';
import { appendWindow, fenceQuietMs } from '@parterre/shared/limits';
import { expect, test } from 'vitest';
import { Journal, type JournalLog } from '../../../services/inventory-shard/src/journal/appends.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const epochRecord = encodeEpochRecord({ v: 1, epoch: 4, owner: 'dead', at: 0 });
const commit = encodeCommit({ v: 2, epoch: 4, n: 1, low: 0 }, []);

/** A fence behind this tail of epoch 4. The ack of each of its sends takes `ackMs`. */
async function fencedAfter(ackMs: number[], payload = epochRecord, endedEpoch: number | null = null) {
  const clock = new ManualClock();
  const sends = ackMs.values();
  const log: JournalLog = {
    last: async () => ({ sequence: 9, payload }),
    at: async () => null,
    async appendEpoch(_payload, expected) {
      clock.advance(sends.next().value ?? 0);
      return expected + 1;
    },
    append: () => {},
    onAck: () => {},
    close: () => {},
  };
  return new Journal(log, clock, 'heir', { onCommitted: () => {}, onBroken: () => {} }).open(endedEpoch);
}

test('The quiet time counts from the ack of the first record, not from its send time, and not from the last record', async () => {
  const others = Array.from({ length: appendWindow - 1 }, () => 2);
  expect(await fencedAfter([200, ...others])).toMatchObject({ epoch: 5, quietMs: fenceQuietMs - 2 * others.length });
});

test('A fence that takes longer than the quiet time leaves none', async () => {
  expect(await fencedAfter([0, fenceQuietMs + 1])).toMatchObject({ quietMs: 0 });
});

test('An heir of an ended process needs no quiet time behind a commit of the epoch that the process claimed', async () => {
  expect(await fencedAfter([], commit, 4)).toMatchObject({ epoch: 5, quietMs: 0 });
});

test.each([
  ['a commit of a later epoch: another process may own the partition', commit, 3],
  ['an epoch record: the owner before may still answer', epochRecord, 4],
  ['a commit, when no process has ended', commit, null],
])('An heir keeps the quiet time behind %s', async (_tail, payload, endedEpoch) => {
  expect(await fencedAfter([], payload, endedEpoch)).toMatchObject({ quietMs: fenceQuietMs });
});
