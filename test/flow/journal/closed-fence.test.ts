/** The fences of a journal on a log that the test plays. */
import { encodePart } from '@parterre/shared/protocol/journal/messages';
import { appendWindow } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { Journal, type JournalLog } from '../../../services/inventory-shard/src/journal/appends.ts';
import { noLink } from '../../support/journal/links.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('A journal that is closed while another process appends gives up its fence, which would disturb the next owner', async () => {
  const clock = new ManualClock();
  let tries = 0;
  let refuse = (): void => {};
  const log: JournalLog = {
    last: async () => ({ sequence: 0, payload: null }),
    lastEpoch: async () => null,
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
  const journal = new Journal(log, clock, 'shard', { onCommitted: () => {}, onBroken: () => {} }, () => 0);
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

test('An append whose send throws may come late: the next fence is as long as the window', async () => {
  const fences: number[] = [];
  const written: Uint8Array[] = [];
  let last = 0;
  const log: JournalLog = {
    last: async () => ({ sequence: last, payload: null }),
    lastEpoch: async () => null,
    at: async () => null,
    async appendEpoch(payload, expected) {
      written.push(payload);
      fences.push(expected);
      last = expected + 1;
      return last;
    },
    append: () => {
      throw new Error('too large');
    },
    onAck: () => {},
    close: () => {},
  };
  const whys: string[] = [];
  const events = { onCommitted: () => {}, onBroken: (why: string) => whys.push(why) };
  const journal = new Journal(log, new ManualClock(), 'shard', events, () => 0);
  await journal.open();
  const data = encodePart({ link: noLink, event: 'gala', from: 0, at: 1, plan: 'p', records: [] });
  expect(() => journal.append([{ eventKey: 'gala', data }])).toThrow('too large');
  expect(journal.inFlight).toBe(1);
  journal.breakOff('the test says so');
  log.last = async () => ({ sequence: last, payload: written.at(-1)! });
  log.at = async (sequence) => written[sequence - 1] ?? null;
  await journal.open();
  expect(fences.length).toBe(1 + appendWindow);
});
