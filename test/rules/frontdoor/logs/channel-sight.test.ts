/** The journal as a console without sight of channels reads it. */
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { withoutChannels } from '../../../../services/frontdoor/src/logs/rules/channel-sight.ts';

const overridden = { units: [0], reason: 'House seats' };
const told = (record: object) =>
  withoutChannels([{ id: 1, at: 5_000, plan: 'hall', record: record as JournalRecord }])[0]?.record;

test.each(['held', 'booked', 'blocked'])(
  '%s units are told, but not the units that were taken by an override',
  (type) => {
    expect(told({ type, units: [0, 1], overridden })).toEqual({ type, units: [0, 1] });
  },
);

test('a change of chart is told, but not the units that channels lost', () => {
  const dropped = { droppedAssignments: [{ channelId: 'chn_a', units: [3] }], droppedPrices: [] };
  expect(told({ type: 'chart-updated', chartVersion: 2, ...dropped })).toEqual({
    type: 'chart-updated',
    chartVersion: 2,
  });
});

test.each(['channel-created', 'channel-changed', 'channel-state-set', 'channels-assigned', 'channel-archived'])(
  'nothing is told of %s',
  (type) => {
    expect(told({ type })).toBeUndefined();
  },
);
