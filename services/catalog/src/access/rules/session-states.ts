/** The states of embedded sessions: their principals, their ends, and the origins to which they may be bound. */
import type { BuyerSessionInfo, EmbedSessionInfo } from '@parterre/shared/protocol/catalog/access';
import type {
  BuyerSession,
  DesignerSession,
  ManageSession,
  OwnerSession,
  Scope,
} from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { Mode } from '@parterre/shared/protocol/records';
import type {
  BuyerSessionRecord,
  DesignerSessionRecord,
  EmbeddedSessionRecord,
  KeptSession,
  ManageSessionRecord,
  OwnerSessionRecord,
} from '../../store/rules/records.ts';
import { isOrigin } from './origins.ts';
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
  const { listedIn: _, ...session } = record;
  return { ...withoutStoredFields(session), sessionId };
}

export function designerSessionOf(sessionId: string, record: DesignerSessionRecord): DesignerSession {
  const { listedIn: _, ...session } = record;
  return { ...withoutStoredFields(session), sessionId };
}

function withoutStoredFields<R extends KeptSession>(record: R) {
  const { hash: _, grantVersion: __, createdAt: ___, restsOn: ____, mintedBy: _____, ...session } = record;
  return session;
}

/** No operator lists a session to public sale alone. Such a session takes no index key in the embedded store. */
export const noList: [] = [];

/** The list of an event's manage sessions, beside the list of its buyers' sessions: no event key has a colon. */
export function manageListName(eventKey: string): string {
  return `manage:${eventKey}`;
}

/** The list of the designer sessions that the scope sees; of one chart where it is named. */
export function designerListName({ organisationId, workspaceId, mode }: Sight, chartId?: string): string {
  const what = chartId ?? workspaceId ?? organisationId;
  return `designer:${what}:${mode ?? 'all'}`;
}

type Sight = Pick<Scope, 'organisationId' | 'workspaceId' | 'mode'>;

/** Every list that has the session. A session that a dashboard minted has no mode, and is in no list of a mode. */
export function designerListNames(
  session: Pick<DesignerSession, 'organisationId' | 'workspaceId' | 'chartId'> & { mode: Mode | null },
): string[] {
  const { chartId, organisationId, mode } = session;
  const modes = mode === null ? [null] : [null, mode];
  return modes.flatMap((mode) => [
    designerListName({ ...session, mode }),
    designerListName({ organisationId, workspaceId: null, mode }),
    designerListName({ organisationId, workspaceId: null, mode }, chartId),
  ]);
}

export function manageSessionInfoOf(
  sessionId: string,
  record: ManageSessionRecord,
  now: number,
): EmbedSessionInfo<ManageSession> {
  const { kind: _, origin, organisationId: __, ...session } = manageSessionOf(sessionId, record);
  return { ...session, allowedOrigin: origin, ...standingOf(record, now) };
}

export function designerSessionInfoOf(
  sessionId: string,
  record: DesignerSessionRecord,
  now: number,
): EmbedSessionInfo<DesignerSession> {
  const { kind: _, origin, organisationId: __, ...session } = designerSessionOf(sessionId, record);
  return { ...session, allowedOrigin: origin, ...standingOf(record, now) };
}

function standingOf({ createdAt, mintedBy, ...session }: ManageSessionRecord | DesignerSessionRecord, now: number) {
  return { state: stateOf(session, now), createdAt, mintedBy };
}

function stateOf(
  { revokedAt, expiresAt }: Pick<EmbeddedSessionRecord, 'revokedAt' | 'expiresAt'>,
  now: number,
): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= now ? 'expired' : 'active';
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
    state: stateOf(record, now),
    createdAt: record.createdAt,
    revokedAt: record.revokedAt,
  };
}

/** The same record where the session has ended before. */
export function revoked<R extends EmbeddedSessionRecord>(record: R, now: number): R {
  if (record.revokedAt !== null) return record;
  return { ...record, revokedAt: now, grantVersion: record.grantVersion + 1, restsOn: [] };
}

/** The ground of an event's channel. Other grounds are the ids of the workspace, an access link, a key and a user. */
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
