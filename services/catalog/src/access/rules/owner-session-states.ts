/** The states of buyers' sessions to groups and seasons. Pure. */
import type { Owner } from '@parterre/shared/protocol/catalog/lifecycles';
import type { OwnerSessionInfo } from '@parterre/shared/protocol/catalog/owner-sessions';
import { adoptedSessionsMax } from '@parterre/shared/protocol/group-limits';
import type { OwnerSessionRecord } from '../../store/rules/records.ts';

/** The list of the owner's sessions, beside the lists of events: no event key has a colon. */
export function ownerListName({ kind, key }: Owner): string {
  return `${kind}:${key}`;
}

export function ownerSessionInfoOf(sessionId: string, record: OwnerSessionRecord): OwnerSessionInfo {
  const { kind: _, keyId: __, budgets: ___, adopted: ____, origin: allowedOrigin, ...rest } = record;
  const {
    hash: _____,
    grantVersion: ______,
    restsOn: _______,
    mintedBy: ________,
    listedIn: _________,
    ...session
  } = rest;
  return { ...session, sessionId, allowedOrigin, state: record.revokedAt === null ? 'active' : 'revoked' };
}

/** The session's channels without this channel of this event. An event without channels is left out. */
export function channelsWithout(
  channelIdsByEvent: OwnerSessionRecord['channelIdsByEvent'],
  eventKey: string,
  channelId: string,
): OwnerSessionRecord['channelIdsByEvent'] {
  const left = (channelIdsByEvent[eventKey] ?? []).filter((id) => id !== channelId);
  const { [eventKey]: _, ...others } = channelIdsByEvent;
  return left.length === 0 ? others : { ...others, [eventKey]: left };
}

/**
 * The session with the holds of an earlier one. The earlier session has the same owner and origin, and was not revoked.
 */
export function adopting(
  record: OwnerSessionRecord,
  earlier: { sessionId: string; record: OwnerSessionRecord },
): OwnerSessionRecord | null {
  const { owner, origin } = earlier.record;
  const isSame = owner.kind === record.owner.kind && owner.key === record.owner.key && origin === record.origin;
  if (!isSame || earlier.record.revokedAt !== null) return null;
  const adopted = new Set([...(record.adopted ?? []), ...(earlier.record.adopted ?? []), earlier.sessionId]);
  return { ...record, adopted: [...adopted].slice(-adoptedSessionsMax) };
}
