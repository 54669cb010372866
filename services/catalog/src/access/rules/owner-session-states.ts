/** The states of buyers' sessions to groups and seasons. Pure. */
import type { Owner } from '@parterre/shared/catalog/lifecycles';
import type { OwnerSessionInfo } from '@parterre/shared/catalog/owner-sessions';
import type { OwnerSessionRecord } from '../../store/rules/records.ts';

/** The list of the owner's sessions, beside the lists of events: no event key has a colon. */
export function ownerListName({ kind, key }: Owner): string {
  return `${kind}:${key}`;
}

export function ownerSessionInfoOf(sessionId: string, record: OwnerSessionRecord): OwnerSessionInfo {
  const { kind: _, keyId: __, budgets: ___, origin: allowedOrigin, ...rest } = record;
  const { hash: ____, grantVersion: _____, restsOn: ______, listedIn: _______, ...session } = rest;
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
