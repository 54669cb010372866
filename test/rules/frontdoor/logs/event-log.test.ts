/** The log's entry for each kind of journal record. The table does not compile without a row for each kind. */
import type { JournalEntry } from '@parterre/shared/protocol/catalog/history';
import type { Channel, JournalRecord, TicketRelease } from '@parterre/shared/protocol/records';
import { describe, expect, test } from 'vitest';
import { getLogAnswer as described } from '../../../../services/frontdoor/src/api/reports.ts';
import { logActions, logEntryOf } from '../../../../services/frontdoor/src/logs/rules/event-log.ts';
import { noBuckets } from '../../../support/inventory/channels.ts';
import { eventConfig, shrunkPlan, smallPlan } from '../../../support/inventory/house.ts';
import { type ComparedEntry, operationRows } from './operation-rows.ts';

const server = { source: 'server', actor: 'key_1' } as const;
const buyer = { source: 'buyer', actor: 'ses_1' } as const;
const operator = { source: 'operator', actor: 'usr_1' } as const;
const timer = { source: 'timer', actor: null } as const;

type Kind = JournalRecord['type'];
type RecordOf<K extends Kind> = Extract<JournalRecord, { type: K }>;

const lines = [
  { unit: 0, price: 40 },
  { unit: 2, price: 40 },
];
const seats = ['A-1', 'A-3'];
const callId = 'call';
const bookingRef = 'order-1';
const exchangeId = 'exc_5Tg2Wc9Lr1Zs6Pn8Xd4Q';
const holdId = 'hld_1zQf6XcN3vKt8RmBw4Yj';
const holdName = 'hold:YmZF8iKs6A';
const listingId = 'lst_1zQf6XcN3vKt8RmBw4Yj';
const releaseId = 'rel_1zQf6XcN3vKt8RmBw4Yj';
const ofBooking = { callId, bookingRef, units: [0, 2], by: server };
const sale = { bookingRef, callId, holdId: null, accessSource: 'public', lines } as const;
const ttlSet = (holdTtlMs: number | null): [Omit<RecordOf<'hold-ttl-set'>, 'type'>, ComparedEntry] => [
  { callId, holdTtlMs, by: server },
  { action: 'set_hold_ttl', details: { holdTtlMs } },
];
const release: TicketRelease = {
  id: releaseId,
  name: 'Early',
  price: 12,
  previousPrice: null,
  quota: 10,
  startsAt: null,
  endsAt: null,
  categoryKey: 'stalls',
  action: 'buy',
  actionUrl: null,
  closedAt: null,
};
const channel: Channel = {
  id: 'chn_0123456789abcdefghij',
  name: 'Friends',
  color: null,
  marker: null,
  externalRef: null,
  state: 'active',
  archiveDestination: null,
  accessIntent: 'server',
  priceOverrides: [{ categoryKey: 'stalls', tierId: null, price: 9 }],
  pricingVersion: 1,
  createdAt: 1,
  updatedAt: 1,
  archivedAt: null,
};

const table: { [K in Kind]: [record: Omit<RecordOf<K>, 'type'>, told: ComparedEntry][] } = {
  'call-named': [[{ callId: 'call', fingerprint: 'body', by: server }, { action: 'name_call' }]],
  created: [[{ config: eventConfig(), by: server }, { action: 'create' }]],
  booked: [
    [
      { ...sale, by: server },
      { action: 'book', labels: seats, ref: bookingRef },
    ],
    [
      { ...sale, holdId, by: buyer },
      { action: 'book', labels: seats, ref: bookingRef, details: { holdRef: holdName } },
    ],
    [
      { ...sale, counter: true, note: 'Press', passed: ['front'], by: operator },
      {
        action: 'book',
        labels: seats,
        ref: bookingRef,
        reason: 'Press',
        passed: ['front'],
        details: { counter: true },
      },
    ],
  ],
  unbooked: [
    [ofBooking, { action: 'unbook', labels: seats, ref: bookingRef }],
    [
      { ...ofBooking, resale: { listingId, toBookingRef: 'order-2' } },
      {
        action: 'resell',
        labels: seats,
        ref: bookingRef,
        details: { listingId, toBookingRef: 'order-2' },
      },
    ],
  ],
  exchanged: [
    [
      { ...sale, lines: [{ unit: 2, price: 30 }], exchangeId, units: [0], reason: null, by: server },
      {
        action: 'exchanged',
        labels: ['A-1', 'A-3'],
        ref: bookingRef,
        details: { exchange: { exchangeId, from: ['A-1'], to: ['A-3'] } },
      },
    ],
    [
      { ...sale, holdId, exchangeId, units: [2], reason: 'A pillar', passed: ['front'], by: operator },
      {
        action: 'exchanged',
        labels: ['A-3', ...seats],
        ref: bookingRef,
        reason: 'A pillar',
        passed: ['front'],
        details: { exchange: { exchangeId, from: ['A-3'], to: seats }, holdRef: holdName },
      },
    ],
  ],
  blocked: [
    [
      { units: [0], releaseAt: null, reason: null, by: operator },
      { action: 'block', labels: ['A-1'] },
    ],
    [
      { units: [0], releaseAt: 9, reason: 'Camera', by: operator },
      { action: 'block', labels: ['A-1'], reason: 'Camera', details: { releaseAt: 9 } },
    ],
  ],
  unblocked: [
    [
      { units: [0], reason: 'operator', by: operator },
      { action: 'unblock', labels: ['A-1'], reason: 'operator' },
    ],
    [
      { units: [0], reason: 'scheduled', by: timer },
      { action: 'unblock', labels: ['A-1'], reason: 'scheduled' },
    ],
  ],
  'hold-ttl-set': [ttlSet(60_000), ttlSet(null)],
  ...operationRows,
  accepted: [
    [
      { reason: 'the disk burned', lostFrom: 8, lostTo: 20, by: operator },
      { action: 'accept_loss', reason: 'the disk burned', details: { lostFrom: 8, lostTo: 20 } },
    ],
  ],
  restored: [
    [
      { reason: 'the disk burned', sequence: 8, left: 0, link: 'bGluaw', by: operator },
      { action: 'restore_part', reason: 'the disk burned', details: { lostFrom: 8, lostTo: 8 } },
    ],
  ],
  'clock-set': [
    [
      { from: 5_000, by: timer },
      { action: 'set_clock', details: { from: 5_000 } },
    ],
  ],
  'status-set': [
    [{ status: 'closed', by: operator }, { action: 'close' }],
    [{ status: 'active', by: operator }, { action: 'reopen' }],
    [{ status: 'archived', by: operator }, { action: 'archive' }],
    [{ status: 'active', salesPaused: true, by: operator }, { action: 'unarchive' }],
    [{ status: 'deleted', by: operator }, { action: 'delete' }],
  ],
  configured: [
    [
      { callId, currency: 'USD', by: server },
      { action: 'configure', details: { currency: 'USD' } },
    ],
    [
      { callId, sectionStates: { front: 'closed' }, by: server },
      { action: 'set_section_states', details: { sectionStates: { front: 'closed' } } },
    ],
    [
      { callId, currency: 'USD', sectionStates: {}, by: server },
      { action: 'configure', details: { currency: 'USD', sectionStates: {} } },
    ],
  ],
  'event-configured': [
    [
      { callId, selectionRules: { preventOrphans: true }, by: server },
      { action: 'set_selection_rules', details: { selectionRules: { preventOrphans: true } } },
    ],
    [
      { callId, currency: 'USD', selectionRules: null, by: server },
      { action: 'set_selection_rules', details: { currency: 'USD', selectionRules: null } },
    ],
  ],
  'public-sale-set': [
    [
      { callId, publicSale: { maxPerHold: 8 }, by: server },
      { action: 'set_public_sale', details: { publicSale: { maxPerHold: 8 } } },
    ],
    [
      { callId, publicSale: null, by: server },
      { action: 'set_public_sale', details: { publicSale: null } },
    ],
  ],
  'releases-set': [
    [
      { callId, releases: [release], by: server },
      { action: 'set_releases', details: { releases: [release] } },
    ],
  ],
  'release-closed': [
    [
      { callId, releaseId, at: 9, by: server },
      { action: 'close_release', details: { releaseId } },
    ],
  ],
  'availability-set': [
    [
      { callId, rules: { front: { mode: 'timed', revealAt: 9 } }, version: 3, by: server },
      { action: 'set_availability', details: { rules: { front: { mode: 'timed', revealAt: 9 } }, version: 3 } },
    ],
  ],
  revealed: [
    [
      { scopes: ['front', 'rear'], by: timer },
      { action: 'reveal', details: { scopes: ['front', 'rear'] } },
    ],
  ],
  'channel-created': [
    [
      { callId, channel, reason: 'Presale', by: operator },
      { action: 'create_channel', reason: 'Presale', details: { channelId: channel.id, channel } },
    ],
  ],
  'channel-changed': [
    [
      { callId, channelId: channel.id, change: { name: 'Fans' }, reason: null, by: operator },
      { action: 'change_channel', details: { channelId: channel.id, channel: { name: 'Fans' } } },
    ],
  ],
  'channel-state-set': [
    [
      { callId, channelId: channel.id, state: 'paused', version: 4, reason: null, by: operator },
      { action: 'pause_channel', details: { channelId: channel.id } },
    ],
    [
      { callId, channelId: channel.id, state: 'active', version: 5, reason: 'Again', by: operator },
      { action: 'unpause_channel', reason: 'Again', details: { channelId: channel.id } },
    ],
  ],
  'channels-assigned': [
    [
      {
        callId,
        channelId: channel.id,
        units: [0, 2],
        version: 6,
        requested: 2,
        buckets: noBuckets,
        reason: null,
        by: operator,
      },
      { action: 'assign_channel', labels: seats, details: { channelId: channel.id, version: 6 } },
    ],
    [
      { callId, channelId: null, units: [0], version: 7, requested: 1, buckets: noBuckets, reason: null, by: operator },
      { action: 'assign_channel', labels: ['A-1'], details: { channelId: null, version: 7 } },
    ],
  ],
  'channel-archived': [
    [
      { callId, channelId: channel.id, destination: null, units: [2], version: 8, reason: null, by: operator },
      {
        action: 'archive_channel',
        labels: ['A-3'],
        details: { channelId: channel.id, destination: 'public', version: 8 },
      },
    ],
  ],
  'sold-out': [
    [
      { seatTotal: 38, by: timer },
      { action: 'sold_out', details: { seatTotal: 38 } },
    ],
  ],
  'resale-listed': [
    [
      { ...ofBooking, listingId },
      { action: 'list_resale', labels: seats, ref: bookingRef, details: { listingId } },
    ],
  ],
  'resale-removed': [
    [
      { ...ofBooking, listingId },
      { action: 'remove_resale', labels: seats, ref: bookingRef, details: { listingId } },
    ],
    [
      { callId, listingId, units: [0], by: server },
      { action: 'remove_resale', labels: ['A-1'], details: { listingId } },
    ],
  ],
  'chart-updated': [
    [
      {
        callId,
        from: 'old',
        planHash: smallPlan.hash,
        chartVersion: 2,
        seatTotal: 38,
        reason: 'New stage',
        by: server,
      },
      { action: 'update_chart', reason: 'New stage', details: { chartVersion: 2, seatTotal: 38 } },
    ],
    [
      {
        callId,
        from: shrunkPlan.hash,
        planHash: smallPlan.hash,
        chartVersion: 2,
        seatTotal: 38,
        reason: null,
        droppedScopes: ['front'],
        unblocked: [shrunkPlan.labels.unitOf('T1-2')!],
        by: server,
      },
      {
        action: 'update_chart',
        details: { chartVersion: 2, seatTotal: 38, droppedScopes: ['front'], unblocked: ['T1-2'] },
      },
    ],
  ],
};

const plans = new Map([smallPlan, shrunkPlan].map((plan) => [plan.hash, plan]));
const entryOf = (record: JournalRecord) =>
  logEntryOf(plans, { id: 8_193, at: 5_000, plan: smallPlan.hash, record } satisfies JournalEntry);

const rows = Object.entries(table).flatMap(([type, cases]) =>
  cases.map(([rest, told]) => [{ type, ...rest } as JournalRecord, told] as const),
);

describe('the log', () => {
  test.each(rows)('of %o tells %o', (record, told) => {
    const { source } = record.by;
    // Nobody learns the session of a buyer.
    const actor = source === 'buyer' ? null : record.by.actor;
    const entry = entryOf(record);
    expect(entry).toEqual({ id: 8_193, at: 5_000, labels: [], ref: null, actor, source, ...told });
    // A field that the description lacks would be left out.
    expect(
      described.parse({ entries: [entry], nextBefore: null, currency: 'EUR', priceUnit: 'major' }).entries,
    ).toEqual([entry]);
  });

  test('names records of different kinds by different actions, and has a record kind for every action', () => {
    const told = new Map<string, Set<string>>();
    for (const [{ type }, { action }] of rows) told.set(action, (told.get(action) ?? new Set()).add(type));
    const shared = [...told].filter(([, kinds]) => kinds.size > 1).map(([action]) => action);
    expect(shared).toEqual([]);
    expect([...told.keys(), 'other'].sort()).toEqual([...logActions].sort());
  });

  test('has an entry for a record kind of a newer shard', () => {
    const record = { type: 'seats-renamed', by: server } as unknown as JournalRecord;
    expect(entryOf(record)).toMatchObject({ action: 'other', labels: [], ref: null, actor: 'key_1' });
  });
});
