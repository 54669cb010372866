/**
 * The channel audit of an event: every change of its channels, assignments and prices that a chart took from them, and
 * sales of private seats by an override. For each bucket of the event's journal, the sequences of the groups with such
 * records are stored. An audit reads only these groups.
 */
import { isOfChannels } from '@parterre/shared/catalog/history';
import type { JournalRecord } from '@parterre/shared/records';
import type { AuditedGroups } from '../../store/rules/records.ts';
import { bucketId, bucketOf } from './group-buckets.ts';
import type { View } from './views.ts';

export function isAudited(record: JournalRecord): boolean {
  switch (record.type) {
    case 'chart-updated':
      return record.droppedAssignments !== undefined || record.droppedPrices !== undefined;
    case 'held':
    case 'booked':
    case 'blocked':
      return record.overridden !== undefined;
    default:
      return isOfChannels(record);
  }
}

export const auditView: View<AuditedGroups, { eventKey: string }> = {
  split({ eventKey, seq, group }) {
    return group.records.some(isAudited) ? [[bucketId(eventKey, seq), { eventKey }]] : [];
  },
  count(before, seq, { eventKey }) {
    if (before && seq <= before.seq) return before;
    return { eventKey, bucket: bucketOf(seq), seq, seqs: [...(before?.seqs ?? []), seq] };
  },
};
