/** Answers of buyers' sessions to seasons. */
import type { MintedOwnerSession, OwnerSessionInfo } from '@parterre/shared/catalog/owner-sessions';
import { z } from 'zod';
import { ownerSession, ownerSessionOf } from '../owner-sessions/owner-sessions.ts';
import { epochMs, idOf, mode, text, textOrNull } from '../records/records.ts';

const session = ownerSession.extend({
  seasonKey: idOf('sea'),
  mode,
  environment: textOrNull,
  planActivationId: idOf('spa').describe('The publication that the session sells.'),
});

const token = text.regex(/^bss_[0-9A-Za-z]{38}$/);
export const mintedSeasonSession = session.extend({ token });
export const listSeasonSessionsAnswer = z.object({ sessions: z.array(session) });
export const openedSeasonSession = z.object({ token, expiresAt: epochMs });

export function seasonSessionOf(info: OwnerSessionInfo): z.output<typeof session> {
  const { owner, mode: itsMode, environment, planActivationId } = info;
  // A session to a season always has a plan.
  const ofSeason = { seasonKey: owner.key, mode: itsMode, environment, planActivationId: planActivationId ?? '' };
  return { ...ownerSessionOf(info), ...ofSeason };
}

export function mintedSeasonSessionOf({ session, token }: MintedOwnerSession): z.output<typeof mintedSeasonSession> {
  return { ...seasonSessionOf(session), token };
}
