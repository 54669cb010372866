/**
 * The visitors of public sale: what a front door tells an event's actor of a page that holds with a publishable key, or
 * with a session that such a key opened. The actor has the bounds (rules/sales/public-sale.ts in the inventory shard).
 *
 * An address counts in two cases: where trusted proxies are configured, and where the event or its organisation bounds
 * addresses. It does not count where it is a proxy's own: a proxy that names no client stands for all buyers of a shop.
 * The actor gets a keyed hash of the event and the address, so neither a journal nor two events beside each other tell
 * who bought.
 */
import type { Caller, Visitor } from '@parterre/shared/protocol/commands';
import { keyedId } from '@parterre/shared/protocol/ids';
import { type BuyerPrincipal, countedAddress, type KnownEvent } from '../../admission/admission.ts';
import type { Call } from './route.ts';

type VisitorCall = Pick<Call<'none'>, 'ports' | 'request'> & {
  principal: BuyerPrincipal | Call<'group-buyer'>['principal'];
};

/** The caller, as a visitor of this event if public sale's bounds bind them. */
export function asVisitor(call: VisitorCall, event: KnownEvent, caller: Caller): Caller {
  const { principal } = call;
  const isSession = principal.kind !== 'publishable';
  // A session that a back end minted has bounds of its own.
  if (isSession && principal.keyId === undefined) return caller;
  const address = addressIn(call, event);
  const { organisationSale: bounds } = event;
  const visitor: Visitor = {
    ...(isSession && { isSession }),
    ...(address !== null && { address }),
    ...(bounds && { bounds }),
  };
  return { ...caller, visitor };
}

/** The name under which the actor counts the address; null if no address counts. */
function addressIn({ ports, request }: VisitorCall, { event, organisationSale }: KnownEvent): string | null {
  const { isProxy, visitorKey } = ports;
  const bound = event.publicSale?.maxHeldPerAddress ?? organisationSale?.maxHeldPerAddress ?? null;
  if (isProxy === null && bound === null) return null;
  const address = request.address();
  if (address === '' || isProxy?.(address)) return null;
  return keyedId('vst', visitorKey, event.key, countedAddress(address));
}
