/** Sessions that are embedded in pages: what one is to the caches, how it ends, and which origins it may be bound to. */
import type { BuyerSessionInfo } from '@parterre/shared/catalog/access';
import type { BuyerSession, DesignerSession, ManageSession } from '@parterre/shared/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { Mode } from '@parterre/shared/records';
import { isOrigin } from './origins.ts';
import type {
  BuyerSessionRecord,
  DesignerSessionRecord,
  EmbeddedSessionRecord,
  ManageSessionRecord,
} from './records.ts';

export function buyerSessionOf(sessionId: string, record: BuyerSessionRecord): BuyerSession {
  const { hash: _, grantVersion: __, createdAt: ___, listedIn: ____, linkId: _____, ...session } = record;
  return { ...session, sessionId };
}

export function manageSessionOf(sessionId: string, record: ManageSessionRecord): ManageSession {
  const { hash: _, grantVersion: __, createdAt: ___, ...session } = record;
  return { ...session, sessionId };
}

export function designerSessionOf(sessionId: string, record: DesignerSessionRecord): DesignerSession {
  const { hash: _, grantVersion: __, createdAt: ___, ...session } = record;
  return { ...session, sessionId };
}

export function embeddedPrincipalOf(
  sessionId: string,
  record: EmbeddedSessionRecord,
): BuyerSession | ManageSession | DesignerSession {
  switch (record.kind) {
    case 'buyer':
      return buyerSessionOf(sessionId, record);
    case 'manage':
      return manageSessionOf(sessionId, record);
    case 'designer':
      return designerSessionOf(sessionId, record);
  }
}

/** As its operator is told of it. */
export function buyerSessionInfoOf(sessionId: string, record: BuyerSessionRecord, now: number): BuyerSessionInfo {
  const { channelIds, includePublic, origin, mode, expiresAt, maxQuantity, buyerRef, partnerRef } = record;
  const state = record.revokedAt !== null ? 'revoked' : expiresAt <= now ? 'expired' : 'active';
  return {
    sessionId,
    channelIds,
    includePublic,
    allowedOrigin: origin,
    mode,
    expiresAt,
    maxQuantity,
    buyerRef,
    partnerRef,
    accessSource: record.accessSource,
    state,
    createdAt: record.createdAt,
    revokedAt: record.revokedAt,
  };
}

/** The same record where it has ended before. */
export function revoked<R extends EmbeddedSessionRecord>(record: R, now: number): R {
  if (record.revokedAt !== null) return record;
  return { ...record, revokedAt: now, grantVersion: record.grantVersion + 1 };
}

export function checkAllowedOrigin(origin: string, mode: Mode): Outcome<true> {
  if (isOrigin(origin, mode)) return done(true);
  const message = 'Must be https://host[:port] as browsers send it, or http://localhost[:port] in test mode.';
  return refuse('invalid_request', 'A session cannot be bound to this origin.', {
    details: { issues: [{ path: 'allowedOrigin', message }] },
  });
}
