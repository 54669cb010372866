/** Asks an event's actor on behalf of the calling key or session, with its reach. */
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import type { Outcome } from '@parterre/shared/protocol/errors';
import { markedAs } from '@parterre/shared/protocol/held-until';
import { keyedId, newId, sha256 } from '@parterre/shared/protocol/ids';
import type { Worded } from '@parterre/shared/protocol/line-items';
import type { BuyerPrincipal } from '../../admission/admission.ts';
import { canonicalJson } from '../rules/canonical.ts';
import { askAs } from './ask.ts';
import type { BuyerCall } from './route.ts';
import { asVisitor } from './visitors.ts';

export function askForBuyer<C extends Command>(
  call: BuyerCall,
  command: C,
): Promise<Outcome<Worded<Answers[C['type']]>>> {
  return askAs(call, callerOfBuyer(call.principal), command);
}

/** The same for a command that holds or extends, which the bounds of public sale bind. */
export function askForVisitor<C extends Command>(
  call: BuyerCall,
  command: C,
): Promise<Outcome<Worded<Answers[C['type']]>>> {
  return askAs(call, asVisitor(call, call.event, callerOfBuyer(call.principal)), command);
}

/** A key reaches public sale. A session with the same reach and no bound on its quantity counts as a key. */
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
 * An Idempotency-Key names the hold (I5) within its key or session only. The name of a hold gives a buyer access to it,
 * and another page or the platform's server may choose the same key. A hold of a session has the session's mark, so
 * that the session finds its holds among the holds of all.
 */
export function buyerHoldName({ ports, request, event, body, principal }: BuyerCall): {
  holdId: string;
  fingerprint?: string;
} {
  const { idempotencyKey } = request;
  const isSession = principal.kind === 'buyer';
  const marked = (holdId: string): string => (isSession ? markedAs(holdId, principal.sessionId) : holdId);
  if (idempotencyKey === '') return { holdId: marked(newId('hld')) };
  const { organisationId, mode, key } = event.event;
  const callerId = isSession ? principal.sessionId : principal.keyId;
  const holdId = keyedId('hld', ports.holdIdKey, organisationId, mode, key, 'buyer', callerId, idempotencyKey);
  return { holdId: marked(holdId), fingerprint: sha256(canonicalJson(body)) };
}
