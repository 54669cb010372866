/** The quiet time of a new owner begins when nothing can confirm the previous owner any more. */
import { encodeEpochRecord } from '@parterre/shared/journal/messages';
import { appendWindow, fenceQuietMs } from '@parterre/shared/limits';
import { expect, test } from 'vitest';
import { Journal, type JournalLog } from '../../../services/inventory-shard/src/journal/appends.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A fence behind another owner's epoch record. The ack of each of its sends takes `ackMs`. */
async function fencedAfter(ackMs: number[]) {
  const clock = new ManualClock();
  const sends = ackMs.values();
  const payload = encodeEpochRecord({ v: 1, epoch: 4, owner: 'dead', at: 0 });
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
  return new Journal(log, clock, 'heir', { onCommitted: () => {}, onBroken: () => {} }).open();
}

test('The quiet time counts from the ack of the first record, not from its send time, and not from the last record', async () => {
  const others = Array.from({ length: appendWindow - 1 }, () => 2);
  expect(await fencedAfter([200, ...others])).toMatchObject({ epoch: 5, quietMs: fenceQuietMs - 2 * others.length });
});

test('A fence that takes longer than the quiet time leaves none', async () => {
  expect(await fencedAfter([0, fenceQuietMs + 1])).toMatchObject({ quietMs: 0 });
});
