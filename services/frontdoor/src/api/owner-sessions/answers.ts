/** Answers of buyers' sessions to groups and seasons: the fields that both have. */
import type { OwnerSessionInfo } from '@parterre/shared/catalog/owner-sessions';
import { z } from 'zod';
import { count, epochMs, idOf, ok, text, textOrNull } from '../records/records.ts';

export const ownerSession = z.object({
  sessionId: idOf('ses'),
  expiresAt: epochMs,
  allowedOrigin: text,
  includePublic: z.boolean(),
  channelIdsByEvent: z.record(text, z.array(text)),
  maxQuantity: count.nullable(),
  buyerRef: textOrNull,
  state: z.enum(['active', 'revoked']).describe('`expiresAt` tells whether an active session is over.'),
  createdAt: epochMs,
  revokedAt: epochMs.nullable(),
});

export const revokedOwnerSession = z.object({ ok, sessionId: idOf('ses') });

export function ownerSessionOf(info: OwnerSessionInfo): z.output<typeof ownerSession> {
  const { sessionId, expiresAt, allowedOrigin, includePublic, channelIdsByEvent } = info;
  const { maxQuantity, buyerRef, state, createdAt, revokedAt } = info;
  return {
    ...{ sessionId, expiresAt, allowedOrigin, includePublic, channelIdsByEvent },
    ...{ maxQuantity, buyerRef, state, createdAt, revokedAt },
  };
}
