/** The audit of an event's channels, and overrides in the log, record by record, in the fields of the description. */
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { describe, expect, test } from 'vitest';
import { auditEntryOf } from '../../../../services/frontdoor/src/api/channel-audit.ts';
import { getChannelAuditAnswer as answer } from '../../../../services/frontdoor/src/api/channels.ts';
import { getLogAnswer } from '../../../../services/frontdoor/src/api/reports.ts';
import { logEntryOf } from '../../../../services/frontdoor/src/logs/rules/event-log.ts';
import { smallPlan } from '../../../support/inventory/house.ts';

const server = { source: 'server', actor: 'key_1' } as const;
const buyer = { source: 'buyer', actor: 'ses_1' } as const;
const plans = new Map([[smallPlan.hash, smallPlan]]);
const at = { id: 8_193, at: 5_000, plan: smallPlan.hash };
const entryOf = (record: JournalRecord) => auditEntryOf(plans, { ...at, record });
const label = (unit: number) => smallPlan.labels.at(unit);

const booked = (more: object): JournalRecord => {
  const sold = { bookingRef: 'order-1', callId: 'c', holdId: null, accessSource: 'staff_override' };
  return { type: 'booked', ...sold, by: server, ...more } as JournalRecord;
};
const lines = [
  { unit: 0, price: 10, channelId: 'chn_a' },
  { unit: 1, price: 10 },
  { unit: 2, price: 10, channelId: 'chn_a' },
];
const overridden = { units: [0, 2], reason: 'House seats' };

describe('an override', () => {
  test('is told with its private seats, their channel and the reason', () => {
    const entry = entryOf(booked({ lines, overridden }));
    const labels = [label(0), label(2)];
    expect(entry).toEqual({
      id: 8_193,
      at: 5_000,
      action: 'book',
      ref: 'order-1',
      actor: 'key_1',
      source: 'server',
      channelId: 'chn_a',
      labels,
      reason: 'House seats',
      byChannel: [{ channelId: 'chn_a', labels }],
    });
    expectDescribed(entry);
  });

  test('of seats of several channels names the seats of each channel', () => {
    const several = lines.map((line) => (line.unit === 2 ? { ...line, channelId: 'chn_b' } : line));
    const entry = entryOf(booked({ lines: several, overridden }));
    expect(entry).not.toHaveProperty('channelId');
    expect(entry.byChannel).toEqual([
      { channelId: 'chn_a', labels: [label(0)] },
      { channelId: 'chn_b', labels: [label(2)] },
    ]);
    expectDescribed(entry);
  });

  test('stands in the log with all seats of the sale, the seats it took by override, and the reason', () => {
    const entry = logEntryOf(plans, { ...at, record: booked({ lines, overridden }) });
    expect(entry).toMatchObject({ labels: [label(0), label(1), label(2)], overridden: [label(0), label(2)] });
    expect(entry.reason).toBe('House seats');
    expect(
      getLogAnswer.parse({ entries: [entry], nextBefore: null, currency: 'EUR', priceUnit: 'major' }).entries,
    ).toEqual([entry]);
  });

  test('tells nothing of sessions, tokens and their holders', () => {
    const grant = {
      sessionId: 'ses_1',
      partnerRef: 'p',
      buyerRef: 'b',
      reach: { channelIds: [], includePublic: true },
    };
    const record = booked({ lines, overridden, ...grant, by: buyer });
    for (const entry of [entryOf(record), logEntryOf(plans, { ...at, record })]) {
      expect(entry.actor).toBeNull();
      expect(JSON.stringify(entry)).not.toMatch(/ses_1|partnerRef|buyerRef|reach/);
    }
  });
});

test('a change of a channel is told with its channel, and the rest of the log entry in details', () => {
  const more = { requested: 2, buckets: {} } as object;
  const entry = entryOf({
    type: 'channels-assigned',
    callId: 'c',
    channelId: null,
    units: [0, 1],
    version: 3,
    reason: null,
    by: server,
    ...more,
  } as JournalRecord);
  expect(entry).toEqual({
    id: 8_193,
    at: 5_000,
    action: 'assign_channel',
    ref: null,
    actor: 'key_1',
    source: 'server',
    channelId: null,
    labels: [label(0), label(1)],
    reason: null,
    details: { version: 3 },
  });
  expectDescribed(entry);
});

function expectDescribed(entry: ReturnType<typeof entryOf>): void {
  expect(answer.parse({ entries: [entry], nextBefore: null, currency: 'EUR', priceUnit: 'major' }).entries).toEqual([
    entry,
  ]);
}
