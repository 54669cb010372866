import type { AccessLink } from '@parterre/shared/catalog/access';
import { z } from 'zod';
import { count, epochMs, idOf, ok, text, textOrNull } from '../records/records.ts';

export const accessLink = z.object({
  id: idOf('lnk'),
  channelId: idOf('chn'),
  label: textOrNull,
  includePublic: z.boolean().describe('Whether its sessions reach the public sale as well.'),
  expiresAt: epochMs.nullable(),
  maxRedemptions: count.nullable(),
  redemptions: count,
  maxQuantity: count.nullable().describe('Of each of its sessions.'),
  sessionTtlSeconds: count,
  state: z.enum(['active', 'revoked', 'rotated']),
  status: z
    .enum(['active', 'revoked', 'rotated', 'expired', 'exhausted'])
    .describe('As state, and whether it is late or used up; one that is both is expired.'),
  createdAt: epochMs,
  createdBy: textOrNull.describe('The id of the key, user or session that made it.'),
  revokedAt: epochMs.nullable(),
  lastRedeemedAt: epochMs.nullable(),
  rotatedFrom: textOrNull,
  rotatedTo: textOrNull,
}) satisfies z.ZodType<AccessLink>;

const revealed = {
  url: text.describe(
    'The demo page of the front door that was asked, by its Host header (https where X-Forwarded-Proto says so), with the capability ' +
      'in the fragment. A page of your own takes the capability from its own address and redeems it.',
  ),
  capability: z
    .string()
    .regex(/^acl_[0-9A-Za-z]{43}$/)
    .describe('Told in this answer only, and kept as a hash.'),
  revealedOnce: z.literal(true),
};

const endedSessions = count.describe('Sessions that ended with it.');

export const listAccessLinksAnswer = z.object({
  links: z.array(accessLink.extend({ activeSessions: count.describe('Sessions of it that stand now.') })),
});

export const createAccessLinkAnswer = z.object({ link: accessLink, ...revealed });

export const rotateAccessLinkAnswer = z.object({ link: accessLink, previous: accessLink, endedSessions, ...revealed });

export const revokeAccessLinkAnswer = z.object({ ok, link: accessLink, endedSessions });
