/** The reads of a load among shared commits: where they begin, with an index of the partition and without one. */
import { encodeCommit, groupsOf, linkAfter } from '@parterre/shared/protocol/journal/messages';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { subjects } from '@parterre/shared/protocol/subjects';
import { expect, test } from 'vitest';
import type { Span } from '../../../services/inventory-shard/src/journal/journal-reader.ts';
import { createEventLoader } from '../../../services/inventory-shard/src/journal/recovery.ts';
import type { LoadPorts } from '../../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { foldGroup } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import { capture, type Snapshot, toSnapshot } from '../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { eventConfig, smallPlan } from '../../support/inventory/house.ts';
import { chainOfParts, noLink } from '../../support/journal/links.ts';

const by = { source: 'server', actor: null } as const;
const created: JournalRecord = { type: 'created', config: eventConfig(), by };
const changed: JournalRecord = { type: 'hold-ttl-set', holdTtlMs: 7_000, by };
const turn = { isOver: () => false, goOn: (run: () => void) => run() };
/** Many commits of other events stand between the two messages of the event. */
const sharedSequence = 5_000;

/** Makes the parts of one history, in order. */
function history() {
  const encode = chainOfParts();
  return (event: string, from: number, ...records: JournalRecord[]) =>
    encode({ event, from, at: 1, plan: smallPlan.hash, records });
}

const partOf = history();
const messages = [
  ownMessage(1, partOf('gala', 0, created)),
  sharedMessage(sharedSequence, partOf('opera', 9, changed), partOf('gala', 1, changed)),
];

function ownMessage(seq: number, part: Uint8Array) {
  return { ...sharedMessage(seq, part), subject: subjects.journal(0, 'gala') };
}

function sharedMessage(seq: number, ...parts: Uint8Array[]) {
  return { seq, subject: subjects.commits(0), data: encodeCommit({ epoch: 1, n: seq, low: 0, link: noLink }, parts) };
}

function snapshotAt(version: number): Snapshot | null {
  if (version === 0) return null;
  const state = newState(eventConfig(), smallPlan);
  foldGroup(state, { at: 1, plan: smallPlan.hash, records: [created] }, 1, smallPlan);
  if (version > 1) foldGroup(state, { at: 1, plan: smallPlan.hash, records: [changed] }, version, smallPlan);
  return toSnapshot(capture(state));
}

/**
 * A loader without an index, unless it is given, and without a snapshot of version 0. `ends` are the sequences up to
 * which snapshots were asked for.
 */
function loaderWith(version: number, shared: Parameters<typeof createEventLoader>[6] = null, stored = messages) {
  const spans: Span[] = [];
  const judged: number[] = [];
  const reader = {
    async *read(span: Span) {
      spans.push(span);
      yield stored.filter(({ subject, seq }) => subject === span.subject && seq >= span.from && seq <= span.last);
    },
  };
  const getMessage = async (_: string, asked: { last_by_subj: string } | { seq: number }) =>
    stored.findLast(({ subject, seq }) => ('seq' in asked ? seq === asked.seq : subject === asked.last_by_subj)) ??
    null;
  const snapshots = {
    store: async () => true,
    head: async () => null,
    async load(_: string, { judge }: LoadPorts) {
      const snapshot = snapshotAt(version);
      if (!snapshot) return null;
      const { subject, data } = stored.find(({ seq }) => seq === version)!;
      const link = linkAfter(groupsOf(subject, data).find(({ eventKey }) => eventKey === 'gala')!.data);
      await judge({ sequence: version, link, groups: 1, wakeAt: null, at: 0 });
      judged.push(version);
      return { snapshot, link };
    },
  };
  const manager = { streams: { getMessage } } as never;
  const plans = async () => smallPlan;
  return { loader: createEventLoader(reader, manager, snapshots as never, plans, 0, turn, shared), spans, judged };
}

test('a load reads nothing before the first shared part that it needs', async () => {
  const shared = { of: async () => [sharedSequence], anchored: () => {}, unreadable: 0 };
  const { loader, spans, judged } = loaderWith(1, shared);
  expect((await loader.load('gala'))?.state).toMatchObject({ version: sharedSequence, holdTtlMs: 7_000 });
  expect(spans).toEqual([expect.objectContaining({ subject: subjects.commits(0), from: sharedSequence })]);
  expect(judged).toEqual([1]);
});

test('a prepared load knows no shared part, and takes a snapshot that is ahead of the own subject', async () => {
  const { loader, spans, judged } = loaderWith(sharedSequence);
  expect(await loader.load('gala')).toMatchObject({
    state: { version: sharedSequence, holdTtlMs: 7_000 },
    storedVersion: sharedSequence,
  });
  expect([spans, judged]).toEqual([[], [sharedSequence]]);
});

test('a load over a long way reads only the shared commits that hold its parts', async () => {
  const sequences = [2_000, 2_003, 40_000];
  const befores = [1, 2_000, 2_003];
  const own = history();
  const stored = [
    ownMessage(1, own('gala', 0, created)),
    ...sequences.map((seq, i) => sharedMessage(seq, own('gala', befores[i]!, changed))),
    ownMessage(50_000, own('gala', 40_000, changed)),
  ];
  const { loader, spans } = loaderWith(0, null, stored);
  expect((await loader.load('gala'))?.state).toMatchObject({ version: 50_000, groups: 5 });
  const shared = spans.filter(({ subject }) => subject === subjects.commits(0));
  expect(shared).toMatchObject([
    { from: 40_000, last: 40_000 },
    { from: 2_003, last: 2_003 },
    { from: 1_993, last: 2_000 },
  ]);
});

test('a load over a long way fails where a part before is missing', async () => {
  const stored = [messages[0]!, ownMessage(50_000, partOf('gala', 40_000, changed))];
  const { loader } = loaderWith(0, null, stored);
  await expect(loader.load('gala')).rejects.toThrow('the part at 50000 does not follow');
});
