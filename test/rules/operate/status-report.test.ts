import type { Beat } from '@parterre/shared/protocol/beat';
import type { PartitionStatus } from '@parterre/shared/protocol/shard-status';
import { describe, expect, test } from 'vitest';
import type { Facts, HeardMember } from '../../../scripts/status/gather.ts';
import { statusReport } from '../../../scripts/status/rules/status-report.ts';
import { deployed, member, stream, streamsWith } from './deployed.ts';

const beat = (id: string, ...owns: Beat['owns']): Beat => ({ id, owns, regions: [], leaving: false, form: 2 });
const serving = (partition: number, more: Partial<PartitionStatus> = {}): PartitionStatus => ({
  partition,
  epoch: 1,
  state: 'serving',
  haltedBy: null,
  haltedEvents: 0,
  events: [],
  ...more,
});

const troubles = (more: Partial<Facts>): string[] => statusReport(deployed(more)).trouble.map(({ trouble }) => trouble);

test('Each partition has the owner with the highest epoch, and the state that this owner tells', () => {
  const beats = [beat('old', [0, 3], [1, 4]), beat('new', [0, 5], [2, 6])];
  const shards = [{ id: 'old', partitions: [serving(0), serving(1)] }];
  const report = statusReport(deployed({ partitions: 4, beats, shards }));
  expect(report.partitions.map(({ owner, epoch, state }) => [owner, epoch, state])).toEqual([
    ['new', 5, 'its owner is silent'],
    ['old', 4, 'serving'],
    ['new', 6, 'its owner is silent'],
    [null, null, 'without an owner'],
  ]);
});

test('Halted events and partitions are counted and named with their reasons', () => {
  const events = [{ eventKey: 'gala', reason: 'its snapshot knows a part at 7' }];
  const partitions = [
    serving(0, { haltedEvents: 1, events }),
    serving(1, { state: 'halted', haltedBy: 'the stream is missing' }),
  ];
  const report = statusReport(
    deployed({
      partitions: 2,
      beats: [beat('one', [0, 1], [1, 1])],
      shards: [{ id: 'one', partitions }],
      streams: [...streamsWith(), stream('JOURNAL-1')],
    }),
  );
  expect(report).toMatchObject({
    haltedPartitions: 1,
    haltedEvents: 1,
    partitions: [
      { haltedEvents: 1, reason: null },
      { state: 'halted', reason: 'the stream is missing' },
    ],
    halted: [{ event: 'gala', partition: 0, reason: 'its snapshot knows a part at 7' }],
  });
  expect(report.trouble.map(({ trouble }) => trouble)).toEqual([
    'Partition 0 has 1 halted events.',
    'Partition 1 is halted: the stream is missing.',
  ]);
});

test('A whole deployment is in no trouble, and tells versions, lag, copies and waiting webhooks', () => {
  const report = statusReport(deployed());
  expect(report.trouble).toEqual([]);
  expect(report).toMatchObject({ parterre: '1.0.0', nats: '2.14.3', waitingWebhooks: 3, natsStorage: '5 MB of 10 MB' });
  expect(report.partitions[0]).toMatchObject({ journal: 9, copies: '3/3', uncounted: '0', webhooks: '2 (1 s)' });
});

test('Two versions side by side are told', () => {
  const members = [member('frontdoor', { version: '1.0.0' }), member('catalog', { version: '1.1.0' })];
  expect(statusReport(deployed({ members })).parterre).toBe('1.0.0 and 1.1.0 run side by side');
});

describe('trouble', () => {
  const full: HeardMember['disk'] = { usedShare: 0.95, bytesFree: 1 };
  const journal = { partition: 0, lastSequence: 9 };
  test.each<[string, Partial<Facts>, string]>([
    ['a missing kind', { members: [] }, 'No frontdoor answers the roll call.'],
    ['no catalog', { catalogAnswers: false }, 'No catalog answers'],
    ['a full disk', { members: [...deployed().members, member('catalog', { disk: full })] }, 'is 95 % full'],
    ['a full account', { account: { bytes: 95, bytesMax: 100 } }, 'NATS has'],
    ['a shard without storage', { beats: [{ ...beat('one', [0, 1]), store: 'down' }] }, 'append to no journal'],
    [
      'a bucket with one copy',
      { streams: streamsWith(stream('KV_OWNERS', { copiesWanted: 1 })) },
      'KV_OWNERS keeps 1 of 3 copies.',
    ],
    [
      'a bucket without a leader, which NATS does not list',
      { streams: streamsWith().filter(({ name }) => name !== 'KV_OWNERS') },
      'KV_OWNERS does not answer',
    ],
    [
      'a copy that is away',
      { streams: streamsWith(stream('JOURNAL-0', { copies: [...stream('x').copies.slice(0, 2), awayCopy()] })) },
      'JOURNAL-0 has 2 of 3 copies up to date: nats-3 is away.',
    ],
    [
      'a stream without a leader',
      { streams: streamsWith(stream('JOURNAL-0', { copies: [] })) },
      'JOURNAL-0 has 0 of 3 copies',
    ],
    [
      'a slow catalog',
      { journals: [{ ...journal, projector: { behind: 5, behindMs: 11_000, halted: false }, webhooks: null }] },
      'The catalog is 11 s behind JOURNAL-0.',
    ],
    [
      'slow webhooks',
      { journals: [{ ...journal, projector: null, webhooks: { behind: 5, behindMs: 61_000 } }] },
      'The notifiers are 61 s behind JOURNAL-0.',
    ],
    [
      'a halted count',
      { journals: [{ ...journal, projector: { behind: 0, behindMs: 0, halted: true }, webhooks: null }] },
      'The catalog counts JOURNAL-0 no further',
    ],
  ])('%s', (_name, facts, words) => {
    const found = statusReport(deployed(facts)).trouble;
    expect(found.map(({ trouble }) => trouble)).toContainEqual(expect.stringContaining(words));
    for (const { todo } of found) expect(todo).toMatch(/^[A-Z].*\.$/);
  });

  test('A follower that is a moment behind is in none', () => {
    const projector = { behind: 900, behindMs: 2_000, halted: false };
    expect(troubles({ journals: [{ ...journal, projector, webhooks: null }] })).toEqual([]);
  });
});

function awayCopy() {
  return { server: 'nats-3', isCurrent: false, isOffline: true, lag: 7 };
}
