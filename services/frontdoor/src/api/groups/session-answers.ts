/** Answers of buyers' sessions to performance groups. */
import type { MintedOwnerSession, OwnerSessionInfo } from '@parterre/shared/catalog/owner-sessions';
import { z } from 'zod';
import { ownerSession, ownerSessionOf } from '../owner-sessions/owner-sessions.ts';
import { accessSource, epochMs, idOf, text, textOrNull } from '../records/records.ts';

const session = ownerSession.extend({
  performanceGroupKey: idOf('pg'),
  partnerRef: textOrNull,
  accessSource,
});

const token = text.regex(/^bgs_[0-9A-Za-z]{38}$/);
export const mintedGroupSession = session.extend({ token });
export const listGroupSessionsAnswer = z.object({ sessions: z.array(session) });
export const openedGroupSession = z.object({ token, expiresAt: epochMs });

export function groupSessionOf(info: OwnerSessionInfo): z.output<typeof session> {
  const { owner, partnerRef, accessSource: source } = info;
  return { ...ownerSessionOf(info), performanceGroupKey: owner.key, partnerRef, accessSource: source };
}

export function mintedGroupSessionOf({ session, token }: MintedOwnerSession): z.output<typeof mintedGroupSession> {
  return { ...groupSessionOf(session), token };
}
