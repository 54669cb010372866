/**
 * Builds the change that a group sends to the event's feed. It names the sequence before the group, so that a listener
 * detects a gap (I7).
 */

import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { type HeldUntil, markOf } from '@parterre/shared/protocol/held-until';
import type { JournalRecord, Line, UnitStatus } from '@parterre/shared/protocol/records';
import { changedDivisions } from '../availability/availability.ts';
import { neverMs } from '../parts/parts.ts';
import { eachOnce } from '../selection/selection.ts';
import { offeredAmong, type ReadState, unitsOfLines } from '../state/state.ts';

/**
 * `state` is the state after the group. `to` and `at` are the group's sequence and time, `from` is the sequence before.
 */
export function feedChangeOf(
  state: ReadState,
  records: readonly JournalRecord[],
  { from, to, at }: Pick<FeedChange, 'from' | 'to' | 'at'>,
): FeedChange {
  const activeHolds = state.holds.active.size;
  const change: FeedChange = { from, to, at, ...changedUnits(state, records), activeHolds };
  const heldUntil = heldUntilIn(records);
  if (heldUntil) change.heldUntil = heldUntil;
  if (records.some(changesBookedValue)) change.bookedValue = state.bookedValue;
  const offered = offeredAmong(state, change.units);
  if (offered) change.offered = offered;
  const moved = records.findLast((record) => record.type === 'status-set');
  if (moved) {
    change.eventStatus = moved.status;
    change.salesPaused = moved.salesPaused ?? false;
  }
  const scopes = changedDivisions(state, records);
  if (scopes) change.scopes = scopes;
  if (records.some(changesReach)) change.allocation = state.channels.version;
  if (movesChart(records)) change.plan = state.plan.hash;
  return change;
}

/** A record that moves the event to another chart is the first of its group. */
export function movesChart(records: readonly JournalRecord[]): boolean {
  return records[0]?.type === 'chart-updated';
}

/** Records that name units without a change of their status. */
const changesNoStatus: ReadonlySet<JournalRecord['type']> = new Set([
  'extended',
  'hold-kept',
  'channels-assigned',
  'channel-archived',
  'part-pinned',
  'part-unpinned',
  'call-named',
]);

/** The units that a group of records touched, and their statuses now. */
export function changedUnits(
  state: ReadState,
  records: readonly JournalRecord[],
): { units: number[]; statuses: UnitStatus[] } {
  const touched: number[] = [];
  for (const record of records) {
    if ('lines' in record) for (const line of record.lines as Line[]) touched.push(line.unit);
    if ('units' in record && !changesNoStatus.has(record.type)) for (const unit of record.units) touched.push(unit);
    if ('givenUp' in record) for (const unit of record.givenUp) touched.push(unit);
  }
  const units = eachOnce(state.plan, touched);
  return { units, statuses: units.map((unit) => state.statuses[unit] as UnitStatus) };
}

function heldUntilIn(records: readonly JournalRecord[]): HeldUntil[] | null {
  let found: HeldUntil[] | null = null;
  for (const record of records) {
    const until = heldUntilOf(record);
    if (until === null) continue;
    found ??= [];
    found.push(until);
  }
  return found;
}

function heldUntilOf(record: JournalRecord): HeldUntil | null {
  switch (record.type) {
    case 'held':
      return { expiresAt: record.expiresAt, units: unitsOfLines(record.lines), mark: markOf(record.holdId) };
    case 'extended':
    case 'part-unpinned':
      return { expiresAt: record.expiresAt, units: record.units, mark: markOf(record.holdId) };
    case 'part-pinned':
      return { expiresAt: neverMs, units: record.units, mark: markOf(record.holdId) };
    default:
      return null;
  }
}

function changesBookedValue({ type }: JournalRecord): boolean {
  return type === 'booked' || type === 'unbooked' || type === 'exchanged' || type === 'exchanged-with';
}

/** Whether the record changes which units a caller may select. */
function changesReach(record: JournalRecord): boolean {
  if (record.type === 'channels-assigned') return record.units.length > 0;
  return record.type === 'channel-state-set' || record.type === 'channel-archived';
}
