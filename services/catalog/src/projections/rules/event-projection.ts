/** Folds an event's groups into the catalog's facts about it. */
import type { EventGroup, JournalRecord } from '@parterre/shared/protocol/records';
import type { EventProjection } from '../../store/rules/records.ts';

export const emptyProjection: EventProjection = { sold: 0, seq: 0, status: null, holdTtlMs: null };

/** Writes into `projection`. `seq` is the group's sequence in its partition's stream. */
export function foldGroup(projection: EventProjection, seq: number, group: EventGroup): void {
  projection.seq = seq;
  projection.at = group.at;
  for (const record of group.records) foldRecord(projection, record);
}

function foldRecord(projection: EventProjection, record: JournalRecord): void {
  switch (record.type) {
    case 'booked':
      projection.sold += record.lines.length;
      break;
    case 'unbooked':
      projection.sold -= record.units.length;
      break;
    case 'exchanged':
    case 'exchanged-with':
      projection.sold += record.lines.length - record.units.length;
      break;
    case 'status-set':
      projection.status = record.status;
      projection.salesPaused = record.salesPaused ?? false;
      break;
    case 'chart-updated':
      projection.planHash = record.planHash;
      projection.chartVersion = record.chartVersion;
      projection.seatTotal = record.seatTotal;
      break;
    case 'chart-set':
      projection.chartId = record.chartId;
      break;
    case 'event-configured':
      projection.selectionRules = record.selectionRules;
      if (record.currency !== undefined) projection.currency = record.currency;
      break;
    case 'public-sale-set':
      projection.publicSale = record.publicSale;
      break;
    case 'configured':
      if (record.currency !== undefined) projection.currency = record.currency;
      break;
    case 'hold-ttl-set':
      projection.holdTtlMs = record.holdTtlMs;
      break;
    default:
  }
}

/** Whether the difference matters to other services, which cache the catalog's facts about an event. */
export function changesFacts(before: EventProjection, after: EventProjection): boolean {
  const { sold: _sold, seq: _seq, at: _at, ...known } = before;
  const { sold, seq, at, ...facts } = after;
  return JSON.stringify(known) !== JSON.stringify(facts);
}
