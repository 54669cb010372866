/** Folds an event's groups into what the catalog tells of it. A group that was counted already changes nothing. */
import type { Group, JournalRecord } from '@parterre/shared/records';
import type { EventProjection } from './records.ts';

export const emptyProjection: EventProjection = { sold: 0, seq: 0, status: null, holdTtlMs: null };

/** `seq` is the group's sequence in its partition's stream; an event's groups come in that order. */
export function project(before: EventProjection, seq: number, group: Group): EventProjection {
  if (seq <= before.seq) return before;
  return group.records.reduce(count, { ...before, seq });
}

function count(projection: EventProjection, record: JournalRecord): EventProjection {
  switch (record.type) {
    case 'booked':
      return { ...projection, sold: projection.sold + record.lines.length };
    case 'unbooked':
      return { ...projection, sold: projection.sold - record.units.length };
    case 'status-set':
      return { ...projection, status: record.status };
    case 'hold-ttl-set':
      return { ...projection, holdTtlMs: record.holdTtlMs };
    default:
      return projection;
  }
}
