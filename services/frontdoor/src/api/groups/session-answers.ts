/** Answers of buyers' sessions to performance groups. */
import type { MintedOwnerSession, OwnerSessionInfo } from '@parterre/shared/catalog/owner-sessions';
import { z } from 'zod';
import { accessSource, count, epochMs, idOf, ok, text, textOrNull } from '../records/records.ts';

const session = z.object({
  sessionId: idOf('ses'),
  expiresAt: epochMs,
  performanceGroupKey: idOf('pg'),
  allowedOrigin: text,
  includePublic: z.boolean(),
  channelIdsByEvent: z.record(text, z.array(text)),
  maxQuantity: count.nullable(),
  buyerRef: textOrNull,
  partnerRef: textOrNull,
  accessSource,
  state: z.enum(['active', 'revoked']).describe('`expiresAt` tells whether an active session is over.'),
  createdAt: epochMs,
  revokedAt: epochMs.nullable(),
});

const token = text.regex(/^bgs_[0-9A-Za-z]{38}$/);
export const mintedGroupSession = session.extend({ token });
export const listGroupSessionsAnswer = z.object({ sessions: z.array(session) });
export const revokedGroupSession = z.object({ ok, sessionId: idOf('ses') });
export const openedGroupSession = z.object({ token, expiresAt: epochMs });

export function groupSessionOf(info: OwnerSessionInfo): z.output<typeof session> {
  const {
    owner,
    organisationId: _,
    workspaceId: __,
    mode: ___,
    environment: ____,
    planActivationId: _____,
    ...told
  } = info;
  return { ...told, performanceGroupKey: owner.key };
}

export function mintedGroupSessionOf({ session, token }: MintedOwnerSession): z.output<typeof mintedGroupSession> {
  return { ...groupSessionOf(session), token };
}
