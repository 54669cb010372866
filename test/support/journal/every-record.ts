/** A record of each type, once with required fields alone, and all its optional fields. */
import type { Attribution, JournalRecord } from '@parterre/shared/protocol/records';

type Type = JournalRecord['type'];
type RecordOf<T extends Type> = Extract<JournalRecord, { type: T }>;
type OptionalNames<T> = { [Name in keyof T]-?: Record<never, never> extends Pick<T, Name> ? Name : never }[keyof T];

/** A field that is missing here does not compile. */
export type Example<T extends Type> = {
  required: Omit<RecordOf<T>, OptionalNames<RecordOf<T>>>;
  optional: Required<Pick<RecordOf<T>, OptionalNames<RecordOf<T>>>>;
};

const by = { source: 'operator', actor: 'usr_1' } as const;
const callId = 'call_1';
const reason = 'Käse';
const units = [0, 127, 128, 255, 256, 65_535, 65_536, 249_999];
const attribution = {
  reach: { channelIds: ['chn_1', 'chn_2'], includePublic: false },
  sessionId: 'ses_1',
  partnerRef: 'partner',
  buyerRef: 'buyer',
  overridden: { units: [3], reason },
  operation: { id: 'op_1', owner: { kind: 'group', key: 'pg_1' }, operationId: 'pghop_1', actionId: 'act_1' },
} satisfies Required<Attribution>;
const owner = { kind: 'group', key: 'pg_1' } as const;
const tag = { id: 'op_1', owner, operationId: 'pghop_1', actionId: 'act_1' };
const head = {
  id: 'op_1',
  owner,
  operationId: 'pghop_1',
  eventKeys: ['gala', 'encore'],
  selectionMode: 'per_performance',
  revision: 3,
  planActivationId: 'spa_1',
} as const;
const lines = [
  { unit: 3, price: 12.5 },
  { unit: 4, price: 0, tierId: 'child', group: 3, channelId: 'chn_1', releaseId: 'rel_1', accessSource: 'promoter' },
  { unit: 300, price: 40, quantity: 4 },
] satisfies RecordOf<'held'>['lines'];
const freed = { accessSource: 'partner', lines } satisfies RecordOf<'released'>['freed'];
const channel = {
  id: 'chn_1',
  name: 'Club',
  color: null,
  marker: null,
  externalRef: 'club',
  state: 'active',
  archiveDestination: null,
  accessIntent: 'none',
  priceOverrides: [{ categoryKey: 'stalls', tierId: null, price: 9.5 }],
  pricingVersion: 1,
  createdAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  archivedAt: null,
} as const;
const config = {
  eventId: 'evt_1',
  eventKey: 'gala',
  organisationId: 'org_1',
  workspaceId: 'ws_1',
  mode: 'live',
  ownership: 'platform',
  externalRef: null,
  currency: 'EUR',
  planHash: 'hash',
  holdTtlMs: null,
} as const;
const bucket = { count: 1, labels: ['A-1'], truncated: false };
const buckets = {
  changedFromPublic: { count: 2 },
  movedFromOtherChannel: { count: 1, channels: [{ channelId: 'chn_2', name: 'Press', count: 1 }] },
  alreadyInTarget: { count: 0 },
  skippedHeld: bucket,
  skippedBooked: bucket,
  notFound: bucket,
};
const release = {
  id: 'rel_1',
  name: 'Early',
  price: 20,
  previousPrice: null,
  quota: 10,
  startsAt: null,
  endsAt: null,
  categoryKey: null,
  action: 'buy',
  actionUrl: null,
  closedAt: null,
} as const;
const expiresAt = 1_790_000_600_000;
const reserved = { reservationId: 'rsv_1', name: 'Class 4b' };

export const everyRecord: { [T in Type]: Example<T> } = {
  created: { required: { type: 'created', config, by }, optional: {} },
  held: {
    required: { type: 'held', holdId: 'hld_1', expiresAt, accessSource: 'public', lines, by },
    optional: {
      createdAt: expiresAt - 1,
      extends: 2,
      fingerprint: 'print',
      passed: ['floor'],
      ...attribution,
      visitors: ['ses_1', 'address'],
      reason: 'A friend came later',
    },
  },
  extended: {
    required: { type: 'extended', holdId: 'hld_1', callId, expiresAt, units, by },
    optional: { operation: attribution.operation },
  },
  released: {
    required: { type: 'released', holdId: 'hld_1', units, by },
    optional: { callId, kept: [1], operation: attribution.operation, freed, reason: 'Abandoned' },
  },
  expired: {
    required: { type: 'expired', holdId: 'hld_1', expiresAt, units, by },
    optional: { kept: [], operation: attribution.operation, freed },
  },
  booked: {
    required: { type: 'booked', bookingRef: 'o-1', callId, holdId: null, accessSource: 'partner', lines, by },
    optional: {
      passed: ['floor'],
      channelRefs: { chn_1: 'club' },
      fingerprint: 'print',
      counter: true,
      note: 'Paid in cash',
      reason: 'A friend came later',
      blocked: [3],
      imported: true,
      ...attribution,
    },
  },
  unbooked: {
    required: { type: 'unbooked', bookingRef: 'o-1', callId, units, by },
    optional: { resale: { listingId: 'lst_1', toBookingRef: 'o-2' }, operation: tag, freed },
  },
  exchanged: {
    required: {
      type: 'exchanged',
      exchangeId: 'exc_1',
      bookingRef: 'o-1',
      callId,
      units,
      holdId: null,
      accessSource: 'partner',
      lines,
      reason,
      by,
    },
    optional: {
      passed: ['floor'],
      channelRefs: { chn_1: 'club' },
      partnerRef: 'partner',
      buyerRef: 'buyer',
      overridden: attribution.overridden,
      freed,
      blocked: [3],
    },
  },
  'exchanged-with': {
    required: {
      type: 'exchanged-with',
      exchangeId: 'exc_1',
      bookingRef: 'o-1',
      callId,
      units,
      holdId: null,
      accessSource: 'partner',
      lines,
      reason,
      by,
    },
    optional: {
      passed: ['floor'],
      channelRefs: { chn_1: 'club' },
      partnerRef: 'partner',
      buyerRef: 'buyer',
      overridden: attribution.overridden,
      freed,
      blocked: [3],
      fee: 5,
      waived: { amount: -5, reason: 'A pillar' },
      swappedWith: 'o-2',
      other: { side: 'to', eventKey: 'gala-2', labels: ['B-1'], priceDifference: -5 },
    },
  },
  'exchange-pinned': {
    required: {
      type: 'exchange-pinned',
      exchangeId: 'exc_1',
      pinId: 'exc_1.1',
      bookingRef: 'o-1',
      units,
      toEventKey: 'gala-2',
      by,
    },
    optional: {},
  },
  'exchange-unpinned': {
    required: { type: 'exchange-unpinned', exchangeId: 'exc_1', pinId: 'exc_1.1', bookingRef: 'o-1', units, by },
    optional: {},
  },
  'exchange-refused': {
    required: { type: 'exchange-refused', exchangeId: 'exc_1', pinId: 'exc_1.1', by },
    optional: {},
  },
  blocked: {
    required: { type: 'blocked', units, releaseAt: null, reason, by },
    optional: { callId, fingerprint: 'print', overridden: attribution.overridden },
  },
  unblocked: { required: { type: 'unblocked', units: [], reason: 'scheduled', by }, optional: { callId } },
  'hold-ttl-set': { required: { type: 'hold-ttl-set', holdTtlMs: 60_000, by }, optional: { callId } },
  'status-set': { required: { type: 'status-set', status: 'closed', by }, optional: { callId, salesPaused: false } },
  configured: {
    required: { type: 'configured', callId, by },
    optional: { currency: 'CHF', sectionStates: { floor: 'hidden' }, facts: { name: 'Ball', venue: null } },
  },
  'event-configured': {
    required: {
      type: 'event-configured',
      callId,
      selectionRules: { preventOrphans: true, categoryLimits: { stalls: 4 } },
      by,
    },
    optional: { currency: 'CHF', sectionStates: { floor: 'hidden' } },
  },
  'public-sale-set': {
    required: { type: 'public-sale-set', callId, publicSale: { maxPerHold: 8, maxHeldPerAddress: null }, by },
    optional: {},
  },
  'sale-settings-set': {
    required: {
      type: 'sale-settings-set',
      callId,
      settings: { salesStartAt: 5, salesEndAt: null, companionsUntil: 9, buyerLimit: { perBuyer: 4 } },
      by,
    },
    optional: {},
  },
  'releases-set': { required: { type: 'releases-set', callId, releases: [release], by }, optional: {} },
  'release-closed': { required: { type: 'release-closed', callId, releaseId: 'rel_1', at: 5, by }, optional: {} },
  'availability-set': {
    required: { type: 'availability-set', callId, rules: { floor: { mode: 'timed', revealAt: 9 } }, version: 2, by },
    optional: {},
  },
  revealed: { required: { type: 'revealed', scopes: ['floor'], by: { source: 'timer', actor: null } }, optional: {} },
  'sold-out': { required: { type: 'sold-out', seatTotal: 300, by }, optional: {} },
  'resale-listed': {
    required: { type: 'resale-listed', callId, listingId: 'lst_1', bookingRef: 'o-1', units, by },
    optional: {},
  },
  'resale-removed': {
    required: { type: 'resale-removed', callId, listingId: 'lst_1', units, by },
    optional: { bookingRef: 'o-1' },
  },
  'channel-created': {
    required: {
      type: 'channel-created',
      callId,
      channel: { ...channel, priceOverrides: [...channel.priceOverrides] },
      reason: null,
      by,
    },
    optional: {},
  },
  'channel-changed': {
    required: {
      type: 'channel-changed',
      callId,
      channelId: 'chn_1',
      change: { name: 'Klub', color: null },
      reason,
      by,
    },
    optional: {},
  },
  'channel-state-set': {
    required: { type: 'channel-state-set', callId, channelId: 'chn_1', state: 'paused', version: 3, reason: null, by },
    optional: {},
  },
  'channels-assigned': {
    required: {
      type: 'channels-assigned',
      callId,
      channelId: null,
      units,
      version: 4,
      requested: 9,
      buckets,
      reason,
      by,
    },
    optional: {},
  },
  'channel-archived': {
    required: {
      type: 'channel-archived',
      callId,
      channelId: 'chn_1',
      destination: null,
      units,
      version: 5,
      reason,
      by,
    },
    optional: {},
  },
  accepted: { required: { type: 'accepted', reason, lostFrom: 8, lostTo: 70_000, by }, optional: {} },
  restored: { required: { type: 'restored', reason, sequence: 70_000, left: 2, by }, optional: { link: 'bGluaw' } },
  'holds-ended': { required: { type: 'holds-ended', callId, units, reason: 'Abandoned', by }, optional: {} },
  'reservation-made': {
    required: { type: 'reservation-made', callId, ...reserved, units, until: expiresAt, note: null, by },
    optional: {},
  },
  'reservation-changed': {
    required: {
      type: 'reservation-changed',
      callId,
      ...reserved,
      units,
      givenUp: [9],
      until: expiresAt,
      note: 'Invoice',
      by,
    },
    optional: {},
  },
  'reservation-ended': {
    required: { type: 'reservation-ended', ...reserved, units, reason: 'scheduled', by },
    optional: { callId },
  },
  'reservation-booked': {
    required: { type: 'reservation-booked', callId, ...reserved, bookingRef: 'o-1', units, by },
    optional: {},
  },
  'clock-set': { required: { type: 'clock-set', from: expiresAt, by }, optional: {} },
  'hold-kept': {
    required: { type: 'hold-kept', holdId: 'hld_1', callId, expiresAt, units, by },
    optional: { fingerprint: 'body' },
  },
  'chart-updated': {
    required: { type: 'chart-updated', callId, from: 'a', planHash: 'b', chartVersion: 2, seatTotal: 9, reason, by },
    optional: {
      droppedScopes: ['floor'],
      unblocked: [1, 2],
      droppedAssignments: [{ channelId: 'chn_1', units: [5, 6] }],
      droppedPrices: [{ channelId: 'chn_1', priceOverrides: [{ categoryKey: 'stalls', tierId: 'child', price: 1 }] }],
      adjusted: true,
      renumbered: { from: [8, 9], to: [4, 5] },
    },
  },
  'chart-set': { required: { type: 'chart-set', callId, chartId: 'cht_1', by }, optional: {} },
  renumbered: {
    required: {
      type: 'renumbered',
      callId,
      bookingRef: 'o-1',
      exchangeId: 'exc_1',
      accessSource: 'promoter',
      labels: ['Floor-9', 'Floor-10', 'Floor-11'],
      lines,
      by,
    },
    optional: { channelRefs: { chn_1: 'club' } },
  },
  'part-held': {
    required: {
      type: 'part-held',
      head: { ...head, eventKeys: [...head.eventKeys] },
      holdId: 'hld_1',
      fingerprint: 'print',
      by,
    },
    optional: {},
  },
  'part-pinned': {
    required: {
      type: 'part-pinned',
      id: 'op_1',
      holdId: 'hld_1',
      action: { id: 'act_1', kind: 'book', bookingRef: 'o-1' },
      units,
      by,
    },
    optional: {},
  },
  'part-unpinned': {
    required: { type: 'part-unpinned', id: 'op_1', holdId: 'hld_1', actionId: 'act_1', expiresAt, units, by },
    optional: { refused: true },
  },
  'operation-aborted': {
    required: {
      type: 'operation-aborted',
      head: { id: 'op_1', owner, operationId: 'pghop_1', eventKeys: ['gala'] },
      createdAt: expiresAt,
      by,
    },
    optional: {},
  },
  'action-refused': { required: { type: 'action-refused', id: 'op_1', actionId: 'act_1', by }, optional: {} },
  'call-named': {
    required: { type: 'call-named', callId, fingerprint: 'body', by },
    optional: { units, answer: { extends: 1 } },
  },
  locked: { required: { type: 'locked', owner, lockId: 'pgl_1', by }, optional: {} },
  'lock-drained': { required: { type: 'lock-drained', owner, lockId: 'pgl_1', by }, optional: {} },
  unlocked: {
    required: { type: 'unlocked', owner: { kind: 'season', key: 'sea_1' }, lockId: 'pgl_1', by },
    optional: {},
  },
  reserved: { required: { type: 'reserved', offerId: 'sro_1', owner, callId, lines, by }, optional: {} },
  unreserved: {
    required: { type: 'unreserved', offerId: 'sro_1', callId, units, by },
    optional: { bookingRef: 'o-1', owner },
  },
};
