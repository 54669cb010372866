/**
 * The audit of an event's channels, as callers read it: changes of channels and their access links, and overrides that
 * took seats of channels, with their reasons. Pure.
 */

import { labelsOf } from '@parterre/shared/charts/plan';
import type { AuditedEntry, JournalEntry, LinkEntry } from '@parterre/shared/protocol/catalog/history';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { type LogDetails, type LogEntry, logEntryOf, type Plans } from '../logs/logs.ts';

export const linkActions = ['create_access_link', 'rotate_access_link', 'revoke_access_link'] as const;

export type AuditEntry = Omit<LogEntry, 'action' | 'reason' | 'passed' | 'overridden' | 'details'> & {
  action: LogEntry['action'] | (typeof linkActions)[number];
  /** Null is public sale; absent if the seats were of several channels. */
  channelId?: string | null;
  reason: string | null;
  /** The labels of an override by channel. */
  byChannel?: { channelId: string; labels: string[] }[];
  details?: Omit<LogDetails, 'channelId'> & { linkId?: string; rotatedTo?: string; sessionsEnded?: true };
};

export function auditEntryOf(plans: Plans, entry: AuditedEntry): AuditEntry {
  if (!('record' in entry)) return linkEntryOf(entry);
  const { details = {}, reason = null, overridden, passed: _passed, ...told } = logEntryOf(plans, entry);
  if (overridden) {
    // A block has no lines, and only lines name the channels of seats.
    const of = entry.record.type === 'blocked' ? {} : overriddenIn(plans, entry);
    return { ...told, reason, labels: overridden, ...of };
  }
  const { channelId, ...more } = details;
  return {
    ...told,
    ...(channelId === undefined ? {} : { channelId }),
    reason,
    ...(Object.keys(more).length === 0 ? {} : { details: more }),
  };
}

function linkEntryOf({ id, at, action, channelId, linkId, rotatedTo, sessionsEnded, ...by }: LinkEntry): AuditEntry {
  return {
    id,
    at,
    action: `${action}_access_link` as const,
    channelId,
    labels: [],
    ref: null,
    ...by,
    details: { linkId, ...(rotatedTo !== null && { rotatedTo }), ...(sessionsEnded && { sessionsEnded }) },
  };
}

/** The channels of the seats at the time of the override. */
function overriddenIn(plans: Plans, { plan, record }: JournalEntry): Pick<AuditEntry, 'channelId' | 'byChannel'> {
  const unitsIn = new Map<string, number[]>();
  for (const [unit, channelId] of privateUnits(record)) {
    const units = unitsIn.get(channelId);
    if (units) units.push(unit);
    else unitsIn.set(channelId, [unit]);
  }
  const byChannel = Array.from(unitsIn, ([channelId, units]) => {
    return { channelId, labels: labelsOf(plans.get(plan)!, units) };
  });
  return { ...(byChannel.length === 1 && { channelId: byChannel[0]!.channelId }), byChannel };
}

function privateUnits(record: JournalRecord): [unit: number, channelId: string][] {
  if (!('lines' in record && 'overridden' in record) || !record.overridden) return [];
  const had = new Set(record.overridden.units);
  return record.lines.flatMap(({ unit, channelId }): [number, string][] =>
    channelId !== undefined && had.has(unit) ? [[unit, channelId]] : [],
  );
}
