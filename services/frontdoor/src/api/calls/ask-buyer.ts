/** How buyers' routes ask the event's actor: in the name of the key or session that calls, for the seats that it reaches. */
import type { Answers } from '@parterre/shared/answers';
import type { Caller, Command } from '@parterre/shared/commands';
import type { Outcome } from '@parterre/shared/errors';
import { derivedId, newId, sha256 } from '@parterre/shared/ids';
import type { KnownEvent } from '../../admission/events-cache.ts';
import type { BuyerPrincipal } from '../../admission/principals.ts';
import { askAs } from './ask.ts';
import { canonicalJson } from './canonical.ts';
import type { Call } from './route.ts';

export type BuyerCall<Body> = Call<'buyer', Body, KnownEvent>;

export function askForBuyer<C extends Command>(
  call: BuyerCall<unknown>,
  command: C,
): Promise<Outcome<Answers[C['type']]>> {
  return askAs(call, callerOfBuyer(call.principal), command);
}

/** A key reaches what is on public sale; a session that may do no more and has no bound is as one. */
export function callerOfBuyer(principal: BuyerPrincipal): Caller {
  if (principal.kind === 'publishable') return { source: 'buyer', actor: principal.keyId, accessSource: 'public' };
  const { sessionId, accessSource, channelIds, includePublic, maxQuantity, partnerRef, buyerRef } = principal;
  const isPublic = channelIds.length === 0 && includePublic;
  return {
    source: 'buyer',
    actor: sessionId,
    accessSource,
    ...(isPublic ? {} : { reach: { channelIds, includePublic } }),
    ...(isPublic && maxQuantity === null ? {} : { session: { id: sessionId, maxQuantity } }),
    ...(partnerRef === null ? {} : { partnerRef }),
    ...(buyerRef === null ? {} : { buyerRef }),
  };
}

/**
 * An Idempotency-Key names the hold (I5), among those of this key or session alone: what a hold is called is what lets a buyer have it, and
 * another page, or the platform's server, may choose the same key.
 */
export function buyerHoldName({ request, event, body, principal }: BuyerCall<unknown>): {
  holdId: string;
  fingerprint?: string;
} {
  const { idempotencyKey } = request;
  if (idempotencyKey === '') return { holdId: newId('hld') };
  const { organisationId, mode, key } = event.event;
  const holder = principal.kind === 'buyer' ? principal.sessionId : principal.keyId;
  const holdId = derivedId('hld', organisationId, mode, key, 'buyer', holder, idempotencyKey);
  return { holdId, fingerprint: sha256(canonicalJson(body)) };
}
