/** The fences of a journal on a log that the test plays. */
import { followsMessage, lateIn } from '@parterre/shared/protocol/journal/heads';
import { isSameLink, linkOf } from '@parterre/shared/protocol/journal/links';
import { encodePart, headOf } from '@parterre/shared/protocol/journal/messages';
import { appendWindow } from '@parterre/shared/protocol/limits';
import { expect, test, vi } from 'vitest';
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

test('A record of an interrupted fence may land in the middle of the next fence, and each message still follows', async () => {
  const stream: Uint8Array[] = [];
  const delayed: (() => void)[] = [];
  let isSlow = false;
  const ids = new Set<string>();
  const land = (payload: Uint8Array, expected: number, id: string): number | null => {
    if (expected !== stream.length || ids.has(id)) return null;
    ids.add(id);
    return stream.push(payload);
  };
  const log: JournalLog = {
    last: async () => ({ sequence: stream.length, payload: stream.at(-1) ?? null }),
    lastEpoch: async () => stream.findLast((payload) => 'owner' in headOf(payload)) ?? null,
    at: async (sequence) => stream[sequence - 1] ?? null,
    async appendEpoch(payload, expected, id) {
      if (!isSlow || stream.length === 1) return land(payload, expected, id);
      // The record stays under way, and its sender gives up.
      delayed.push(() => land(payload, expected, id));
      throw new Error('timeout');
    },
    append: () => {},
    onAck: () => {},
    close: () => {},
  };
  const journal = (owner: string) =>
    new Journal(log, new ManualClock(), owner, { onCommitted: () => {}, onBroken: () => {} }, () => 0);
  await journal('first').open();
  isSlow = true;
  await expect(journal('second').open()).rejects.toThrow('timeout');
  isSlow = false;
  const { appendEpoch } = log;
  log.appendEpoch = async (payload, expected, id) => {
    if (stream.length === 3) for (const late of delayed) late();
    return appendEpoch(payload, expected, id);
  };
  const clock = new ManualClock();
  const third = new Journal(log, clock, 'third', { onCommitted: () => {}, onBroken: () => {} }, () => 0).open();
  await vi.waitFor(() => {
    clock.advance(1_000);
    expect(stream.length).toBeGreaterThan(2 * appendWindow);
  });
  await third;
  let last = { link: linkOf(stream[0]!), late: lateIn(headOf(stream[0]!)) };
  const torn: number[] = [];
  for (const [index, payload] of stream.entries()) {
    if (index === 0) continue;
    const head = headOf(payload);
    const late = lateIn(head);
    if (!isSameLink(head.link, last.link)) torn.push(index + 1);
    expect(followsMessage({ before: head.link, late }, last), `message ${index + 1}`).toBe(true);
    last = { link: linkOf(payload), late };
  }
  expect(torn).toContain(4);
  const commit = { before: linkOf('another history'), late: null };
  expect(followsMessage(commit, last)).toBe(false);
});
