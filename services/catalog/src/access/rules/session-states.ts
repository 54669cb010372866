/** The states of embedded sessions: their principals, their ends, and the origins to which they may be bound. */
import type { BuyerSessionInfo } from '@parterre/shared/catalog/access';
import type { BuyerSession, DesignerSession, ManageSession, OwnerSession } from '@parterre/shared/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { Mode } from '@parterre/shared/records';
import { isOrigin } from '../../accounts/rules/origins.ts';
import type {
  BuyerSessionRecord,
  DesignerSessionRecord,
  EmbeddedSessionRecord,
  ManageSessionRecord,
  OwnerSessionRecord,
} from '../../store/rules/records.ts';
import { channelsWithout } from './owner-session-states.ts';

export function buyerSessionOf(sessionId: string, record: BuyerSessionRecord): BuyerSession {
  const { listedIn: _, ...session } = record;
  return { ...withoutStoredFields(session), sessionId };
}

function ownerSessionOf(sessionId: string, record: OwnerSessionRecord): OwnerSession {
  const { listedIn: _, ...session } = record;
  return { ...withoutStoredFields(session), sessionId };
}

export function manageSessionOf(sessionId: string, record: ManageSessionRecord): ManageSession {
  return { ...withoutStoredFields(record), sessionId };
}

export function designerSessionOf(sessionId: string, record: DesignerSessionRecord): DesignerSession {
  return { ...withoutStoredFields(record), sessionId };
}

function withoutStoredFields<R extends Pick<EmbeddedSessionRecord, 'hash' | 'grantVersion' | 'createdAt' | 'restsOn'>>(
  record: R,
) {
  const { hash: _, grantVersion: __, createdAt: ___, restsOn: ____, ...session } = record;
  return session;
}

export function embeddedPrincipalOf(
  sessionId: string,
  record: EmbeddedSessionRecord,
): BuyerSession | OwnerSession | ManageSession | DesignerSession {
  switch (record.kind) {
    case 'buyer':
      return buyerSessionOf(sessionId, record);
    case 'owner-buyer':
      return ownerSessionOf(sessionId, record);
    case 'manage':
      return manageSessionOf(sessionId, record);
    case 'designer':
      return designerSessionOf(sessionId, record);
  }
}

/** The session as its operator sees it. */
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

/** The same record where the session has ended before. */
export function revoked<R extends EmbeddedSessionRecord>(record: R, now: number): R {
  if (record.revokedAt !== null) return record;
  return { ...record, revokedAt: now, grantVersion: record.grantVersion + 1, restsOn: [] };
}

/** The ground of an event's channel. Other grounds are the ids of the workspace, an access link and a publishable key. */
export function channelGround(eventKey: string, channelId: string): string {
  return `${eventKey}/${channelId}`;
}

/**
 * The session without this channel of this event. A session without another channel ends: it was made for the channel,
 * and does not fall back to public sale.
 */
export function withoutChannel(
  record: EmbeddedSessionRecord,
  eventKey: string,
  channelId: string,
  now: number,
): EmbeddedSessionRecord {
  const ground = channelGround(eventKey, channelId);
  const restsOn = record.restsOn.filter((each) => each !== ground);
  if (record.kind === 'owner-buyer') {
    const channelIdsByEvent = channelsWithout(record.channelIdsByEvent, eventKey, channelId);
    if (Object.keys(channelIdsByEvent).length === 0) return revoked(record, now);
    return { ...record, channelIdsByEvent, restsOn };
  }
  if (record.kind !== 'buyer') return record;
  const channelIds = record.channelIds.filter((id) => id !== channelId);
  return channelIds.length === 0 ? revoked(record, now) : { ...record, channelIds, restsOn };
}

export function checkAllowedOrigin(origin: string, mode: Mode): Outcome<true> {
  if (isOrigin(origin, mode)) return done(true);
  const message = 'Must be https://host[:port] as browsers send it, or http://localhost[:port] in test mode.';
  return refuse('invalid_request', 'A session cannot use this origin. The issue gives the form of an origin.', {
    details: { issues: [{ path: 'allowedOrigin', message }] },
  });
}
