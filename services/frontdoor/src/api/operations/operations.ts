/**
 * Operations over several events, as routes of groups and seasons run them: the coordinator of this call, and the look-up
 * of an operation by the caller's name. The events' actors are asked, so a call sees what the call before it did.
 *
 * Failure at each await: an event does not answer by the call's deadline → the answer of `findOperation` is
 * `shard_unavailable`; the coordinator's own failures stand in shared/src/operations.
 */
import type { PartDetail } from '@parterre/shared/answers';
import type { OwnerSession } from '@parterre/shared/catalog/scope';
import type { Caller } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { createCoordinator } from '@parterre/shared/operations/coordinator';
import { internalIdOf, type OperationOwner } from '@parterre/shared/operations/operation';
import type { Coordinator, CoordinatorPorts, OperationRef } from '@parterre/shared/operations/ports';
import { knownInTime } from '../../admission/admission.ts';
import type { Call } from '../calls/calls.ts';

type AnyCall = Pick<Call<'none'>, 'ports' | 'request'>;

/** `callerIn` gives each event its caller: a session reaches other channels in each event. */
export function coordinatorOf(call: AnyCall, callerIn?: (eventKey: string) => Caller): Coordinator {
  return createCoordinator({ ask: askOf(call, callerIn), now: () => call.ports.clock.now() });
}

function askOf({ ports }: AnyCall, callerIn?: (eventKey: string) => Caller): CoordinatorPorts['ask'] {
  return async (eventKey, command, caller, deadlineAt) => {
    const event = await knownInTime(ports, eventKey, deadlineAt);
    if (!event.ok) return event;
    return ports.shards.submit(event.value.event, callerIn?.(eventKey) ?? caller, command, deadlineAt);
  };
}

/** The caller of a session to a group or season, in one of its events. */
export function callerOfOwnerBuyer(session: OwnerSession, eventKey: string): Caller {
  const { sessionId, accessSource, channelIdsByEvent, includePublic, maxQuantity, partnerRef, buyerRef } = session;
  const channelIds = channelIdsByEvent[eventKey] ?? [];
  const isPublic = channelIds.length === 0 && includePublic;
  return {
    source: 'buyer',
    actor: sessionId,
    accessSource,
    ...(isPublic ? {} : { reach: { channelIds, includePublic } }),
    session: { id: sessionId, maxQuantity },
    ...(partnerRef === null ? {} : { partnerRef }),
    ...(buyerRef === null ? {} : { buyerRef }),
  };
}

/** An operation with its first known part, which has the operation's events and its buyer. */
export type FoundOperation = { ref: OperationRef; part: PartDetail };

const unknownOperation = refuse('not_found', 'There is no such operation, or it ended more than a day ago.');

/** `eventKeys` are the owner's events: an operation has the first of them as its home, or leaves it out. */
export async function findOperation(
  call: AnyCall,
  owner: OperationOwner,
  operationId: string,
  eventKeys: readonly string[],
): Promise<Outcome<FoundOperation>> {
  const id = internalIdOf(owner, operationId);
  const ask = askOf(call);
  const { deadlineAt } = call.request;
  const partIn = (eventKey: string) => ask(eventKey, { type: 'inspect-operation', id }, reader, deadlineAt);
  const foundIn = ({ part }: { part: PartDetail | null }): Outcome<FoundOperation> | null =>
    part && done({ ref: { owner, operationId, eventKeys: part.head.eventKeys }, part });
  const [first, ...others] = eventKeys;
  const home = await partIn(first!);
  const atHome = home.ok ? foundIn(home.value) : null;
  if (atHome) return atHome;
  const elsewhere = await Promise.all(others.map(partIn));
  for (const answer of elsewhere) {
    const found = answer.ok ? foundIn(answer.value) : null;
    if (found) return found;
  }
  return [home, ...elsewhere].find((answer) => !answer.ok) ?? unknownOperation;
}

const reader: Caller = { source: 'timer', actor: null, accessSource: 'public' };
