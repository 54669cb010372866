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
import type { View } from './views.ts';

type ListedPart = { owner: string; stream: string; seq: number; eventKey: string; at: number };

export const occurrenceView: View<OccurrenceBucket, ListedPart> = {
  split({ stream, seq, eventKey, group, owner }) {
    if (owner === null || !hasOccurrence(group)) return [];
    const id = `${owner}/${stream}/${bucketOf(seq)}`;
    return [[id, { owner, stream, seq, eventKey, at: group.at }]];
  },
  count(before, parts) {
    const { owner, stream, seq, at } = parts.at(-1)!;
    return {
      owner,
      stream,
      bucket: bucketOf(seq),
      seq,
      seqs: [...(before?.seqs ?? []), ...parts.map((part) => part.seq)],
      events: [...(before?.events ?? []), ...parts.map(({ eventKey }) => eventKey)],
      times: [...(before?.times ?? []), ...parts.map((part) => part.at)],
      expiresAt: Math.max(before?.expiresAt ?? 0, (Math.ceil(at / DAY_MS) + 1) * DAY_MS + occurrencesKeptMs),
    };
  },
};

/** The owner of a list. */
export function listOwner({ organisationId, mode }: { organisationId: string; mode: string }): string {
  return `${organisationId}/${mode}`;
}
