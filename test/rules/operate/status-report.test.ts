import type { Beat } from '@parterre/shared/protocol/beat';
import type { PartitionStatus } from '@parterre/shared/protocol/shard-status';
import { expect, test } from 'vitest';
import { isAnythingHalted, statusReport } from '../../../scripts/status/status-report.ts';

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

test('Each partition has the owner with the highest epoch, and the state that this owner tells', () => {
  const beats = [beat('old', [0, 3], [1, 4]), beat('new', [0, 5], [2, 6])];
  const old = { id: 'old', partitions: [serving(0), serving(1)] };
  const report = statusReport(4, beats, [old]);
  expect(report.partitions.map(({ owner, epoch, state }) => [owner, epoch, state])).toEqual([
    ['new', 5, 'its owner is silent'],
    ['old', 4, 'serving'],
    ['new', 6, 'its owner is silent'],
    [null, null, 'without an owner'],
  ]);
  expect(isAnythingHalted(report)).toBe(false);
});

test('Halted events and partitions are counted and named with their reasons', () => {
  const events = [{ eventKey: 'gala', reason: 'its snapshot knows a part at 7' }];
  const partitions = [
    serving(0, { haltedEvents: 1, events }),
    serving(1, { state: 'halted', haltedBy: 'the stream is missing' }),
  ];
  const report = statusReport(2, [beat('one', [0, 1], [1, 1])], [{ id: 'one', partitions }]);
  expect(report).toMatchObject({
    haltedPartitions: 1,
    haltedEvents: 1,
    partitions: [
      { haltedEvents: 1, reason: null },
      { state: 'halted', reason: 'the stream is missing' },
    ],
    events: [{ event: 'gala', partition: 0, reason: 'its snapshot knows a part at 7' }],
  });
  expect(isAnythingHalted(report)).toBe(true);
});
