/** The states of access links: the status of a link, and its record after a redemption or an end. */
import type { AccessLink } from '@parterre/shared/protocol/catalog/access';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { redemptionsMax } from '@parterre/shared/protocol/limits';
import type { AccessLinkRecord } from '../../store/rules/records.ts';

export function accessLinkOf(id: string, record: AccessLinkRecord, now: number): AccessLink {
  const { organisationId: _, eventKey: __, hash: ___, minter: ____, sessionsEnded: _____, ...link } = record;
  return { id, ...link, maxRedemptions: boundOf(record), status: linkStatus(record, now) };
}

/** A link that was stored without a bound, or with a higher one, has the highest. */
export function boundOf({ maxRedemptions }: Pick<AccessLinkRecord, 'maxRedemptions'>): number {
  return Math.min(maxRedemptions ?? redemptionsMax, redemptionsMax);
}

/** A link that is both expired and used up has the status `expired`. */
export function linkStatus(record: AccessLinkRecord, now: number) {
  const { state, redemptions, expiresAt } = record;
  if (state !== 'active') return state;
  if (expiresAt <= now) return 'expired';
  return redemptions >= boundOf(record) ? 'exhausted' : 'active';
}

/**
 * Refuses with the reason why the link admits nobody. The code is never `buyer_access_expired`: on that code a page
 * uses the same link again for a fresh token.
 */
export function checkRedeemable(link: AccessLinkRecord, now: number): Outcome<true> {
  switch (linkStatus(link, now)) {
    case 'active':
      return done(true);
    case 'expired':
      return refuse('buyer_access_revoked', 'This link has expired. Ask the sender for a new link.', {
        reason: 'access_link_expired',
      });
    case 'exhausted':
      return refuse(
        'buyer_access_revoked',
        'This link was used as often as it may be. Ask the sender for a new link.',
        {
          reason: 'access_link_exhausted',
        },
      );
    case 'revoked':
    case 'rotated':
      return refuse('buyer_access_revoked', 'This link was revoked. Ask the sender for a new link.');
  }
}

/** The record with as many of `asked` redemptions as are left. */
export function redeemed(
  link: AccessLinkRecord,
  asked: number,
  now: number,
): { link: AccessLinkRecord; taken: number } {
  const taken = Math.min(asked, boundOf(link) - link.redemptions);
  return { link: { ...link, redemptions: link.redemptions + taken, lastRedeemedAt: now }, taken };
}

/** The same record where nothing changes. A rotated link stays rotated. */
export function ended(
  link: AccessLinkRecord,
  how: { state: 'revoked' | 'rotated'; rotatedTo?: string; sessionsEnded: boolean },
  now: number,
): AccessLinkRecord {
  const sessionsEnded = link.sessionsEnded || how.sessionsEnded;
  if (link.state !== 'active') return sessionsEnded === link.sessionsEnded ? link : { ...link, sessionsEnded };
  const { state, rotatedTo = null } = how;
  return { ...link, state, revokedAt: now, rotatedTo, sessionsEnded };
}
