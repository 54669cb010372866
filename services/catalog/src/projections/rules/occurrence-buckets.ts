/**
 * The list of an organisation's occurrences: the sequences of the groups that have some, by organisation, mode and
 * stream, in buckets of `groupsPerBucket` sequences. The bodies are made of the groups when the list is read. A bucket
 * is deleted some days after its last group is too old for the list: `expiresAt` moves once a day.
 */
import { hasOccurrence } from '@parterre/shared/protocol/occurrences/occurrences';
import { occurrencesKeptMs } from '@parterre/shared/protocol/webhook-limits';
import { DAY_MS } from '@parterre/shared/runtime/units';
import type { OccurrenceBucket } from '../../store/rules/records.ts';
import { bucketOf } from './group-buckets.ts';
import { type Counted, noParts, type View } from './views.ts';

type ListedPart = Pick<Counted, 'owner' | 'stream' | 'seq' | 'eventKey' | 'group'>;

export const occurrenceView: View<OccurrenceBucket, ListedPart> = {
  split(counted) {
    const { stream, seq, group, owner } = counted;
    if (owner === null || !hasOccurrence(group)) return noParts;
    return [[`${owner}/${stream}/${bucketOf(seq)}`, counted]];
  },
  count(before, parts) {
    const { owner, stream, seq, group } = parts.at(-1)!;
    return {
      owner: owner!,
      stream,
      bucket: bucketOf(seq),
      seq,
      seqs: [...(before?.seqs ?? []), ...parts.map((part) => part.seq)],
      events: [...(before?.events ?? []), ...parts.map(({ eventKey }) => eventKey)],
      times: [...(before?.times ?? []), ...parts.map((part) => part.group.at)],
      expiresAt: Math.max(before?.expiresAt ?? 0, (Math.ceil(group.at / DAY_MS) + 1) * DAY_MS + occurrencesKeptMs),
    };
  },
};

/** The owner of a list. */
export function listOwner({ organisationId, mode }: { organisationId: string; mode: string }): string {
  return `${organisationId}/${mode}`;
}
