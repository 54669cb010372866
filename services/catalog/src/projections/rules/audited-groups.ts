/**
 * The channel audit of an event: every change of its channels, assignments and prices that a chart took from them, and
 * sales of private seats by an override. For each bucket of the event's journal, the sequences of the groups with such
 * records are stored. An audit reads only these groups.
 */
import { isOfChannels } from '@parterre/shared/protocol/catalog/history';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import type { AuditedGroups } from '../../store/rules/records.ts';
import { bucketId, bucketOf } from './group-buckets.ts';
import { type Counted, noParts, type View } from './views.ts';

export function isAudited(record: JournalRecord): boolean {
  switch (record.type) {
    case 'chart-updated':
      return record.droppedAssignments !== undefined || record.droppedPrices !== undefined;
    case 'held':
    case 'booked':
    case 'exchanged':
    case 'exchanged-with':
    case 'blocked':
      return record.overridden !== undefined;
    default:
      return isOfChannels(record);
  }
}

export const auditView: View<AuditedGroups, Pick<Counted, 'seq' | 'eventKey'>> = {
  split: (counted) => {
    const { eventKey, seq, group } = counted;
    return group.records.some(isAudited) ? [[bucketId(eventKey, seq), counted]] : noParts;
  },
  count(before, parts) {
    const { eventKey, seq } = parts.at(-1)!;
    return { eventKey, bucket: bucketOf(seq), seq, seqs: [...(before?.seqs ?? []), ...parts.map((part) => part.seq)] };
  },
};
