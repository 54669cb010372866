/** The moment of a backup: no message that a document or another partition depends on stands in its window. */
import { encodeCommit, encodePart } from '@parterre/shared/protocol/journal/messages';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { takeCut } from '../../../scripts/backup/cut.ts';
import type { JetStreams } from '../../../scripts/backup/messages.ts';
import { noLink } from '../../support/journal/links.ts';

const by = { source: 'server', actor: null } as const;
const booked: JournalRecord = {
  type: 'booked',
  bookingRef: 'order-1',
  callId: 'call-1',
  holdId: null,
  accessSource: 'public',
  lines: [{ unit: 0, price: 20 }],
  by,
};
const owner = { kind: 'group', key: 'pg_1' } as const;
const locked: JournalRecord = { type: 'locked', owner, lockId: 'lock-1', by };
const ofOperation: JournalRecord = { ...booked, operation: { id: 'op-1', owner, operationId: 'pghop_1' } };

const commitOf = (...records: JournalRecord[]) => {
  const part = encodePart({ event: 'gala', from: 0, at: 0, plan: 'plan', link: noLink, records });
  return encodeCommit({ epoch: 1, n: 1, low: 0, link: noLink }, [part]);
};

/** A journal that gets these messages, one by one, within the first windows. */
function journalWith(arriving: JournalRecord[]) {
  const messages = [commitOf(booked)];
  let views = 0;
  let ended = 0;
  const store = {
    async begin() {
      views++;
      const next = arriving.shift();
      if (next) messages.push(commitOf(next));
      return { records: async function* () {}, end: async () => void ended++ };
    },
    close: async () => {},
  };
  const streams = {
    info: async () => ({ state: { last_seq: messages.length } }),
    getMessage: async (_stream: string, { seq }: { seq: number }) => {
      return { seq, time: new Date(0), subject: 'journal.0.gala', header: undefined, data: messages[seq - 1]! };
    },
  };
  const ports = { manager: { streams } } as unknown as JetStreams;
  return { cut: (copied = {}) => takeCut(ports, ['JOURNAL-0'], store, copied), counts: () => ({ views, ended }) };
}

test('sales in the window are in the cut', async () => {
  const journal = journalWith([booked]);
  expect(await journal.cut()).toMatchObject({ tries: 1, lasts: { 'JOURNAL-0': 2 } });
  expect(journal.counts()).toEqual({ views: 1, ended: 0 });
});

test('a window with a lock or with a part of an operation is left, and its view is ended', async () => {
  const journal = journalWith([locked, ofOperation, booked]);
  expect(await journal.cut()).toMatchObject({ tries: 3, lasts: { 'JOURNAL-0': 4 } });
  expect(journal.counts()).toEqual({ views: 3, ended: 2 });
});
