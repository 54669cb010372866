/** The reads of a load among shared commits: where they begin, with an index of the partition and without one. */
import { encodeCommit, encodePart } from '@parterre/shared/journal/messages';
import type { JournalRecord } from '@parterre/shared/records';
import { subjects } from '@parterre/shared/subjects';
import { expect, test } from 'vitest';
import type { Span } from '../../../services/inventory-shard/src/journal/journal-reader.ts';
import { createEventLoader } from '../../../services/inventory-shard/src/journal/recovery.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { foldGroup } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import { capture, type Snapshot, toSnapshot } from '../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { eventConfig, smallPlan } from '../../support/inventory/house.ts';

const by = { source: 'server', actor: null } as const;
const created: JournalRecord = { type: 'created', config: eventConfig(), by };
const changed: JournalRecord = { type: 'hold-ttl-set', holdTtlMs: 7_000, by };
const turn = { isOver: () => false, goOn: (run: () => void) => run() };
/** Many commits of other events stand between the two messages of the event. */
const sharedSequence = 5_000;

const partOf = (event: string, from: number, ...records: JournalRecord[]) =>
  encodePart({ event, from, at: 1, plan: smallPlan.hash, records });
const messages = [
  { seq: 1, subject: subjects.journal(0, 'gala'), parts: [partOf('gala', 0, created)] },
  {
    seq: sharedSequence,
    subject: subjects.commits(0),
    parts: [partOf('opera', 9, changed), partOf('gala', 1, changed)],
  },
].map(({ parts, ...message }) => ({
  ...message,
  data: encodeCommit({ v: 2, epoch: 1, n: message.seq, low: 0 }, parts),
}));

function snapshotAt(version: number): Snapshot {
  const state = newState(eventConfig(), smallPlan);
  foldGroup(state, { at: 1, plan: smallPlan.hash, records: [created] }, 1, smallPlan);
  if (version > 1) foldGroup(state, { at: 1, plan: smallPlan.hash, records: [changed] }, version, smallPlan);
  return toSnapshot(capture(state));
}

/** A loader without an index, unless it is given. `ends` are the sequences up to which snapshots were asked for. */
function loaderWith(version: number, shared: Parameters<typeof createEventLoader>[6] = null) {
  const spans: Span[] = [];
  const ends: number[] = [];
  const reader = {
    async *read(span: Span) {
      spans.push(span);
      yield messages.filter(({ subject, seq }) => subject === span.subject && seq >= span.from && seq <= span.last);
    },
  };
  const getMessage = async (_: string, { last_by_subj: asked }: { last_by_subj: string }) =>
    messages.findLast(({ subject }) => subject === asked) ?? null;
  const snapshots = {
    store: async () => true,
    head: async () => null,
    async load(_: string, end: Promise<number>) {
      ends.push(await end);
      return snapshotAt(version);
    },
  };
  const manager = { streams: { getMessage } } as never;
  const plans = async () => smallPlan;
  return { loader: createEventLoader(reader, manager, snapshots as never, plans, 0, turn, shared), spans, ends };
}

test('a load reads nothing before the first shared part that it needs', async () => {
  const shared = { of: async () => [sharedSequence], anchored: () => {}, unreadable: 0 };
  const { loader, spans, ends } = loaderWith(1, shared);
  expect((await loader.load('gala'))?.state).toMatchObject({ version: sharedSequence, holdTtlMs: 7_000 });
  expect(spans).toEqual([expect.objectContaining({ subject: subjects.commits(0), from: sharedSequence })]);
  expect(ends).toEqual([sharedSequence]);
});

test('a prepared load knows no shared part, and takes a snapshot that is ahead of the own subject', async () => {
  const { loader, spans, ends } = loaderWith(sharedSequence);
  expect(await loader.load('gala')).toMatchObject({
    state: { version: sharedSequence, holdTtlMs: 7_000 },
    storedVersion: sharedSequence,
  });
  expect([spans, ends]).toEqual([[], [Number.POSITIVE_INFINITY]]);
});
