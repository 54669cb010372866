/**
 * A journal that is closed during its fence must stop trying, since its fences would disturb the partition's next
 * owner.
 */
import { expect, test } from 'vitest';
import { Journal, type JournalLog } from '../../../services/inventory-shard/src/journal/appends.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('A journal that is closed while another process appends gives up its fence', async () => {
  const clock = new ManualClock();
  let tries = 0;
  let refuse = (): void => {};
  const log: JournalLog = {
    last: async () => ({ sequence: 0, payload: null }),
    at: async () => null,
    appendEpoch: () => {
      tries++;
      return new Promise((resolve) => {
        refuse = () => resolve(null);
      });
    },
    append: () => {},
    onAck: () => {},
    close: () => {},
  };
  const journal = new Journal(log, clock, 'shard', { onCommitted: () => {}, onBroken: () => {} });
  const opening = journal.open();
  await new Promise(setImmediate);
  refuse();
  await new Promise(setImmediate);
  journal.close();
  clock.advance(10_000);
  await new Promise(setImmediate);
  expect(tries).toBe(1);
  expect(await opening).toBeNull();
});
