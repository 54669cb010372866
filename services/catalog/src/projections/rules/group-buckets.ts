/**
 * Buckets: an event's groups as its journal has them, stored for good. `groupsPerBucket` sequences of the partition's
 * stream share a document, because a document costs more to write than a small group. The sequences of a bucket are
 * fixed, so every catalog that counts, from any position, means the same document. A large group has a document of its
 * own. A bucket names its groups with a booking, for the list of bookings.
 */
import { groupBytesInBucketMax, groupsPerBucket } from '../../store/rules/bounds.ts';
import type { BucketDocument } from '../../store/rules/records.ts';
import { type Counted, groupId, type View } from './views.ts';

export const bucketView: View<BucketDocument, Pick<Counted, 'seq' | 'eventKey' | 'data' | 'group'>> = {
  split: (counted) => [[bucketId(counted.eventKey, counted.seq), counted]],
  count(before, parts) {
    const { eventKey, seq } = parts.at(-1)!;
    const bytes = parts.map(({ data }) => (isLarge(data) ? noBytes : data));
    return {
      eventKey,
      bucket: bucketOf(seq),
      seq,
      seqs: [...(before?.seqs ?? []), ...parts.map((part) => part.seq)],
      sizes: [...(before?.sizes ?? []), ...bytes.map(({ length }) => length)],
      data: Buffer.concat(before ? [before.data, ...bytes] : bytes),
      ...bookedIn(before, parts),
    };
  },
};

function bookedIn(
  before: BucketDocument | undefined,
  parts: readonly Pick<Counted, 'seq' | 'group'>[],
): Pick<BucketDocument, 'booked' | 'kinds'> {
  const fresh = parts.filter(({ group }) => group.records.some(({ type }) => type === 'booked'));
  const booked = [...(before?.booked ?? []), ...fresh.map(({ seq }) => seq)];
  return { booked, kinds: booked.length > 0 ? [bookedKind] : [] };
}

/** The kind of buckets with a booking, in the index `byKind`. */
export const bookedKind = 'booked';

const noBytes = new Uint8Array(0);

export function bucketOf(seq: number): number {
  return Math.floor(seq / groupsPerBucket);
}

export function bucketId(eventKey: string, seq: number): string {
  return groupId(eventKey, bucketOf(seq));
}

export function isLarge(data: Uint8Array): boolean {
  return data.length > groupBytesInBucketMax;
}

/** The groups in a bucket, oldest first; null for the bytes of a large group. */
export function groupsIn({ seqs, sizes, data }: BucketDocument): { seq: number; data: Uint8Array | null }[] {
  let from = 0;
  return seqs.map((seq, at) => {
    const to = from + sizes[at]!;
    const bytes = to === from ? null : data.subarray(from, to);
    from = to;
    return { seq, data: bytes };
  });
}
