/** Answers of access links. */
import type { AccessLink } from '@parterre/shared/catalog/access';
import { z } from 'zod';
import { count, epochMs, idOf, ok, text, textOrNull } from '../records/records.ts';

export const accessLink = z.object({
  id: idOf('lnk'),
  channelId: idOf('chn'),
  label: textOrNull,
  includePublic: z.boolean().describe('Whether its sessions also reach public sale.'),
  expiresAt: epochMs,
  maxRedemptions: count.nullable(),
  redemptions: count,
  maxQuantity: count.nullable().describe("The bound of each of the link's sessions."),
  sessionTtlSeconds: count,
  state: z.enum(['active', 'revoked', 'rotated']),
  status: z
    .enum(['active', 'revoked', 'rotated', 'expired', 'exhausted'])
    .describe('Like `state`, and also expired or exhausted. A link that is both shows expired.'),
  createdAt: epochMs,
  createdBy: textOrNull.describe('The id of the key, user or session that created the link.'),
  revokedAt: epochMs.nullable(),
  lastRedeemedAt: epochMs.nullable(),
  rotatedFrom: textOrNull,
  rotatedTo: textOrNull,
}) satisfies z.ZodType<AccessLink>;

const revealed = {
  url: text.describe(
    'The address of the demo page of this front door, with the capability in the fragment. The host comes from the ' +
      'Host header, the scheme from X-Forwarded-Proto. Your own page may take the capability from its own address ' +
      'and redeem it.',
  ),
  capability: z
    .string()
    .regex(/^acl_[0-9A-Za-z]{43}$/)
    .describe('Shown in this answer only, and stored as a hash.'),
  revealedOnce: z.literal(true),
};

const endedSessions = count.describe('The number of sessions that ended with the link.');

export const listAccessLinksAnswer = z.object({
  links: z.array(accessLink.extend({ activeSessions: count.describe("The number of the link's valid sessions.") })),
});

export const createAccessLinkAnswer = z.object({ link: accessLink, ...revealed });

export const rotateAccessLinkAnswer = z.object({ link: accessLink, previous: accessLink, endedSessions, ...revealed });

export const revokeAccessLinkAnswer = z.object({ ok, link: accessLink, endedSessions });
