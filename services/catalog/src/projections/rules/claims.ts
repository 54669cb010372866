/**
 * The claims of owners on events: locks of groups and seasons, and seats that offers reserve. One document for each, so
 * that a season with thousands of offers makes no large document. operations/orphans.ts looks for claims whose owner
 * has no document.
 */

import type { ClaimProjection } from '../../store/rules/records.ts';
import { ownerIdOf } from './operation-view.ts';
import { type Counted, noParts, type View } from './views.ts';

type Claim = ClaimProjection['claim'];
type ClaimPart = Pick<Counted, 'seq' | 'stream' | 'eventKey'> & { claim: Claim; stands: boolean };

export const claimView: View<ClaimProjection, ClaimPart> = {
  /** The last record of a claim in the group says whether the claim stands. */
  split({ seq, stream, eventKey, group }) {
    let parts: Map<string, ClaimPart> | null = null;
    for (const record of group.records) {
      const claim = claimOf(record);
      if (claim === null) continue;
      parts ??= new Map();
      const stands = record.type === 'locked' || record.type === 'reserved';
      parts.set(claimId(eventKey, claim), { seq, stream, eventKey, claim, stands });
    }
    return parts ?? noParts;
  },
  count(before, parts) {
    const { seq, stream, eventKey, claim, stands } = parts.at(-1)!;
    const made = parts.find((part) => part.stands);
    const madeAt = before?.madeAt ?? made?.seq ?? seq;
    return { eventKey, stream, seq, madeAt, claim, standing: stands || null };
  },
};

function claimOf(record: Counted['group']['records'][number]): Claim | null {
  switch (record.type) {
    case 'locked':
    case 'unlocked':
      return { kind: 'lock', owner: record.owner, lockId: record.lockId };
    case 'reserved':
    case 'unreserved':
      return { kind: 'offer', owner: record.owner ?? null, offerId: record.offerId };
    default:
      return null;
  }
}

function claimId(eventKey: string, claim: Claim): string {
  const name = claim.kind === 'lock' ? `${ownerIdOf(claim.owner)}/${claim.lockId}` : claim.offerId;
  return `${eventKey}/${claim.kind}/${name}`;
}
