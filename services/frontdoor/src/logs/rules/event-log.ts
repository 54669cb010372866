/**
 * The log of an event, as callers read it: actor, action, labels, time and details of each journal record. Each kind of
 * record has its own action. Pure.
 */

import { labelsOf } from '@parterre/shared/charts/plan';
import type { SelectionRules } from '@parterre/shared/charts/selection-rules';
import type { JournalEntry } from '@parterre/shared/protocol/catalog/history';
import type {
  AvailabilityRules,
  ChangedFacts,
  Channel,
  DroppedPrices,
  JournalRecord,
  PublicSale,
  SaleSettings,
  SectionStates,
  TicketRelease,
} from '@parterre/shared/protocol/records';
import { actorOf, type Exchange, exchangeIn, type Plans, unitsOf } from './bookings.ts';
import { holdRef } from './hold-ref.ts';

export type LogEntry = {
  id: number;
  at: number;
  action: LogAction;
  labels: string[];
  ref: string | null;
  actor: string | null;
  source: string;
  reason?: string;
  passed?: string[];
  /** The labels among `labels` that were taken by an override. `reason` gives the reason for the override. */
  overridden?: string[];
  details?: LogDetails;
};

/** Facts beyond the action and the labels. Absent facts have no field. */
export type LogDetails = {
  expiresAt?: number;
  /** The labels among `labels` that did not become free. */
  kept?: string[];
  /** Of the hold that was booked. */
  holdRef?: string;
  counter?: true;
  /** The labels among `labels` that were blocked until their sale. */
  fromBlock?: string[];
  reservation?: ReservationDetails;
  listingId?: string;
  exchange?: Exchange;
  toBookingRef?: string;
  releaseAt?: number;
  holdTtlMs?: number | null;
  currency?: string;
  sectionStates?: SectionStates;
  facts?: ChangedFacts;
  selectionRules?: SelectionRules | null;
  publicSale?: PublicSale | null;
  saleSettings?: { [Field in keyof SaleSettings]?: SaleSettings[Field] | undefined };
  releases?: TicketRelease[];
  releaseId?: string;
  rules?: AvailabilityRules;
  version?: number;
  scopes?: string[];
  chartId?: string;
  chartVersion?: number;
  seatTotal?: number;
  droppedScopes?: string[];
  unblocked?: string[];
  droppedAssignments?: { channelId: string; labels: string[] }[];
  droppedPrices?: DroppedPrices[];
  adjusted?: true;
  /** The time of the event before it was set back. */
  from?: number;
  /** The first and the last sequence of the journal that the event may have lost. */
  lostFrom?: number;
  lostTo?: number;
  /** Null is public sale. */
  channelId?: string | null;
  destination?: string;
  /** The whole channel in the entry of its creation, later the changed fields. */
  channel?: { [Field in keyof Channel]?: Channel[Field] | undefined };
};

/** `until` and `note` after a call that sets them. `freed` are the labels that a change gave up. */
type ReservationDetails = { id: string; name: string; until?: number; note?: string | null; freed?: string[] };

export const logActions = [
  'create',
  'hold',
  'extend',
  'release',
  'expire',
  'book',
  'unbook',
  'block',
  'unblock',
  'set_hold_ttl',
  'reopen',
  'exchanged',
  'close',
  'archive',
  'unarchive',
  'delete',
  'configure',
  'set_section_states',
  'update_chart',
  'set_chart',
  'renumber',
  'set_selection_rules',
  'set_public_sale',
  'set_sale_settings',
  'set_releases',
  'close_release',
  'set_availability',
  'reveal',
  'sold_out',
  'list_resale',
  'remove_resale',
  'resell',
  'create_channel',
  'change_channel',
  'pause_channel',
  'unpause_channel',
  'assign_channel',
  'archive_channel',
  'set_clock',
  'keep_hold',
  'lock',
  'drain_lock',
  'unlock',
  'reserve',
  'unreserve',
  'hold_part',
  'pin_part',
  'unpin_part',
  'abort_operation',
  'name_call',
  'refuse_action',
  'pin_exchange',
  'unpin_exchange',
  'refuse_exchange',
  'accept_loss',
  'restore_part',
  'end_holds',
  'make_reservation',
  'change_reservation',
  'end_reservation',
  'book_reservation',
  'other',
] as const;
export type LogAction = (typeof logActions)[number];

export function logEntryOf(plans: Plans, { id, at, plan: hash, record }: JournalEntry): LogEntry {
  const plan = plans.get(hash)!;
  const reason = reasonOf(record);
  const details = detailsOf(record, (units, of = hash) => labelsOf(plans.get(of)!, units));
  return {
    id,
    at,
    action: actionOf(record),
    labels: labelsOf(plan, unitsOf(record)),
    ref: refOf(record),
    actor: actorOf(record.by),
    source: record.by.source,
    ...(reason === null ? {} : { reason }),
    ...('passed' in record && record.passed ? { passed: record.passed } : {}),
    ...('overridden' in record && record.overridden ? { overridden: labelsOf(plan, record.overridden.units) } : {}),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
}

function actionOf(record: JournalRecord): LogAction {
  if (isPlain(record)) return plainActions[record.type];
  switch (record.type) {
    case 'created':
      return 'create';
    case 'held':
      return 'hold';
    case 'extended':
      return 'extend';
    case 'released':
      return 'release';
    case 'expired':
      return 'expire';
    case 'booked':
      return 'book';
    case 'unbooked':
      return record.resale ? 'resell' : 'unbook';
    case 'blocked':
      return 'block';
    case 'unblocked':
      return 'unblock';
    case 'hold-ttl-set':
      return 'set_hold_ttl';
    case 'status-set':
      return moveOf(record);
    case 'configured':
      return record.currency === undefined ? 'set_section_states' : 'configure';
    case 'releases-set':
      return 'set_releases';
    case 'availability-set':
      return 'set_availability';
    case 'channel-created':
      return 'create_channel';
    case 'channel-changed':
      return 'change_channel';
    case 'channel-state-set':
      return record.state === 'paused' ? 'pause_channel' : 'unpause_channel';
    default:
      record satisfies never;
      // During an upgrade a newer shard may write kinds of records that this front door does not know yet.
      return 'other';
  }
}

const plainActions = {
  accepted: 'accept_loss',
  restored: 'restore_part',
  'holds-ended': 'end_holds',
  'reservation-made': 'make_reservation',
  'reservation-changed': 'change_reservation',
  'reservation-ended': 'end_reservation',
  'reservation-booked': 'book_reservation',
  'call-named': 'name_call',
  'event-configured': 'set_selection_rules',
  'public-sale-set': 'set_public_sale',
  'sale-settings-set': 'set_sale_settings',
  revealed: 'reveal',
  'sold-out': 'sold_out',
  'resale-listed': 'list_resale',
  'resale-removed': 'remove_resale',
  'release-closed': 'close_release',
  'channels-assigned': 'assign_channel',
  'channel-archived': 'archive_channel',
  'clock-set': 'set_clock',
  'hold-kept': 'keep_hold',
  exchanged: 'exchanged',
  'exchanged-with': 'exchanged',
  'exchange-pinned': 'pin_exchange',
  'exchange-unpinned': 'unpin_exchange',
  'exchange-refused': 'refuse_exchange',
  'chart-updated': 'update_chart',
  renumbered: 'renumber',
  'chart-set': 'set_chart',
  reserved: 'reserve',
  unreserved: 'unreserve',
  locked: 'lock',
  'lock-drained': 'drain_lock',
  unlocked: 'unlock',
  'part-held': 'hold_part',
  'part-pinned': 'pin_part',
  'part-unpinned': 'unpin_part',
  'operation-aborted': 'abort_operation',
  'action-refused': 'refuse_action',
} as const satisfies Partial<Record<JournalRecord['type'], LogAction>>;

function isPlain(record: JournalRecord): record is JournalRecord & { type: keyof typeof plainActions } {
  return record.type in plainActions;
}

/** An event leaves the archive with its sales paused. */
function moveOf({ status, salesPaused }: JournalRecord & { type: 'status-set' }): LogAction {
  switch (status) {
    case 'active':
      return salesPaused ? 'unarchive' : 'reopen';
    case 'closed':
      return 'close';
    case 'archived':
      return 'archive';
    case 'deleted':
      return 'delete';
  }
}

function refOf(record: JournalRecord): string | null {
  if ('bookingRef' in record) return record.bookingRef ?? null;
  if ('reservationId' in record) return record.reservationId;
  return 'holdId' in record && record.holdId !== null ? holdRef(record.holdId) : null;
}

function reasonOf(record: JournalRecord): string | null {
  if (record.type === 'booked' && record.note !== undefined) return record.note;
  if (record.type === 'booked' || record.type === 'held') return record.overridden?.reason ?? record.reason ?? null;
  if (record.type === 'blocked') return record.reason ?? record.overridden?.reason ?? null;
  return 'reason' in record ? (record.reason ?? null) : null;
}

/** The booking tells the sums. The log has none. */
function withoutMoney({ priceDifference: _, fee: __, waivedDifference: ___, ...sides }: Exchange): Exchange {
  return sides;
}

function exchangeDetailsOf(
  record: JournalRecord & { type: 'exchanged' | 'exchanged-with' },
  labels: (units: readonly number[]) => string[],
): LogDetails {
  return {
    exchange: withoutMoney(exchangeIn(record, labels)!),
    ...(record.blocked && { fromBlock: labels(record.blocked) }),
    ...(record.holdId !== null && { holdRef: holdRef(record.holdId) }),
  };
}

/** `labels` reads labels from the entry's plan, or from the given plan. */
function detailsOf(record: JournalRecord, labels: (units: readonly number[], plan?: string) => string[]): LogDetails {
  if ('reservationId' in record) return { reservation: reservationIn(record, labels) };
  if ('lostFrom' in record) return { lostFrom: record.lostFrom, lostTo: record.lostTo };
  if (record.type === 'restored') return { lostFrom: record.sequence, lostTo: record.sequence };
  switch (record.type) {
    case 'held':
    case 'extended':
    case 'hold-kept':
      return { expiresAt: record.expiresAt };
    case 'released':
    case 'expired':
      return record.kept ? { kept: labels(record.kept) } : {};
    case 'booked':
      return {
        ...(record.holdId !== null && { holdRef: holdRef(record.holdId) }),
        ...(record.counter && { counter: true }),
        ...(record.blocked && { fromBlock: labels(record.blocked) }),
      };
    case 'unbooked':
      return record.resale ?? {};
    case 'exchanged':
    case 'exchanged-with':
      return exchangeDetailsOf(record, labels);
    case 'renumbered':
      return { exchange: exchangeIn(record, labels)! };
    case 'chart-set':
      return { chartId: record.chartId };
    case 'blocked':
      return record.releaseAt === null ? {} : { releaseAt: record.releaseAt };
    case 'hold-ttl-set':
      return { holdTtlMs: record.holdTtlMs };
    case 'event-configured':
      return { ...settingsOf(record), selectionRules: record.selectionRules };
    case 'public-sale-set':
      return { publicSale: record.publicSale };
    case 'sale-settings-set':
      return { saleSettings: record.settings };
    case 'configured':
      return { ...settingsOf(record), ...(record.facts && { facts: record.facts }) };
    case 'releases-set':
      return { releases: record.releases };
    case 'release-closed':
      return { releaseId: record.releaseId };
    case 'availability-set':
      return { rules: record.rules, version: record.version };
    case 'revealed':
      return { scopes: record.scopes };
    case 'sold-out':
      return { seatTotal: record.seatTotal };
    case 'clock-set':
      return { from: record.from };
    case 'resale-listed':
    case 'resale-removed':
      return { listingId: record.listingId };
    case 'channel-created':
      return { channelId: record.channel.id, channel: record.channel };
    case 'channel-changed':
      return { channelId: record.channelId, channel: record.change };
    case 'channel-state-set':
      return { channelId: record.channelId };
    case 'channels-assigned':
      return { channelId: record.channelId, version: record.version };
    case 'channel-archived':
      return { channelId: record.channelId, destination: record.destination ?? 'public', version: record.version };
    case 'chart-updated':
      return chartDetailsOf(record, labels);
    default:
      return {};
  }
}

function reservationIn(
  record: Extract<JournalRecord, { reservationId: string }>,
  labels: (units: readonly number[]) => string[],
): ReservationDetails {
  const { reservationId: id, name } = record;
  if (record.type === 'reservation-ended' || record.type === 'reservation-booked') return { id, name };
  const { until, note } = record;
  const freed = record.type === 'reservation-changed' && record.givenUp.length > 0 && labels(record.givenUp);
  return { id, name, until, note, ...(freed && { freed }) };
}

function chartDetailsOf(
  record: JournalRecord & { type: 'chart-updated' },
  labels: (units: readonly number[], plan?: string) => string[],
): LogDetails {
  const { chartVersion, seatTotal, droppedScopes, unblocked, droppedPrices, adjusted, from } = record;
  const droppedAssignments = record.droppedAssignments?.map(({ channelId, units }) => {
    return { channelId, labels: labels(units, from) };
  });
  return {
    chartVersion,
    seatTotal,
    ...(droppedAssignments && { droppedAssignments }),
    ...(droppedPrices && { droppedPrices }),
    ...(adjusted && { adjusted }),
    ...(droppedScopes && { droppedScopes }),
    ...(unblocked && { unblocked: labels(unblocked, from) }),
  };
}

function settingsOf({ currency, sectionStates }: Pick<LogDetails, 'currency' | 'sectionStates'>): LogDetails {
  return { ...(currency !== undefined && { currency }), ...(sectionStates && { sectionStates }) };
}
