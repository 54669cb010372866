/** One fault of the storage of a real NATS server under load (I9). storage-faults.long.test.ts has the others. */
import { expect, test } from 'vitest';
import { oneServer } from './storage/deployments.ts';
import { flippedBit } from './storage/faults.ts';
import { runStorageFault } from './storage/storage-fault.ts';

test('a flipped bit costs the records behind it, and halts exactly their events', { timeout: 120_000 }, async () => {
  const { halted, lostSales } = await runStorageFault(flippedBit, oneServer);
  expect(halted).toHaveLength(2);
  expect(lostSales).toBeGreaterThan(0);
});
