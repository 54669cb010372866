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
import { holdTtlMsDefault } from '@parterre/shared/limits';
import { createCoordinator } from '@parterre/shared/operations/coordinator';
import { internalIdOf, type OperationOwner } from '@parterre/shared/operations/operation';
import type {
  AssumedRef,
  Coordinator,
  CoordinatorPorts,
  OperationRef,
  OperationView,
} from '@parterre/shared/operations/ports';
import { type KnownEvent, knownInTime } from '../../admission/admission.ts';
import { type Call, callerOf } from '../calls/calls.ts';

type AnyCall = Pick<Call<'none'>, 'ports' | 'request'>;

/** `callerIn` gives each event its caller: a session reaches other channels in each event. */
export function coordinatorOf(call: AnyCall, callerIn?: (event: KnownEvent) => Caller): Coordinator {
  return createCoordinator({ ask: askOf(call, callerIn), now: () => call.ports.clock.now() });
}

function askOf({ ports }: AnyCall, callerIn?: (event: KnownEvent) => Caller): CoordinatorPorts['ask'] {
  return async (eventKey, command, caller, deadlineAt) => {
    const event = await knownInTime(ports, eventKey, deadlineAt);
    if (!event.ok) return event;
    return ports.shards.submit(event.value.event, callerIn?.(event.value) ?? caller, command, deadlineAt);
  };
}

/**
 * How long a hold or an extension lasts whose caller does not say: as long as the shortest hold of these events, since all
 * parts end at one time.
 */
export async function shortestTtlMs({ ports, request }: AnyCall, eventKeys: readonly string[]): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (const eventKey of eventKeys) {
    const known = await knownInTime(ports, eventKey, request.deadlineAt);
    // An event that cannot be looked up refuses its part.
    const own = known.ok ? known.value.event.holdTtlMs : null;
    shortest = Math.min(shortest, own ?? holdTtlMsDefault);
  }
  return shortest;
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

/**
 * An operation with its first known part. `holder` is the session that holds it; null for a server's hold, and where
 * only the abort of the operation is known.
 */
export type FoundOperation = { ref: OperationRef; part: PartDetail; holder: string | null };

const unknownOperation = refuse('not_found', 'There is no such operation, or it ended more than a day ago.');

/** The operation under its caller's name. `eventKeys` as in `findById`. */
export function findOperation(
  call: AnyCall,
  owner: OperationOwner,
  operationId: string,
  eventKeys: readonly string[],
): Promise<Outcome<FoundOperation>> {
  return findById(call, owner, internalIdOf(owner, operationId), eventKeys);
}

/**
 * `eventKeys` are the events that may know the operation, its usual home first: the owner's events, or the first two of
 * the operation. A home that does not have the operation has its abort, or its first member holds already.
 */
export async function findById(
  call: AnyCall,
  owner: OperationOwner,
  id: string,
  eventKeys: readonly string[],
): Promise<Outcome<FoundOperation>> {
  const ask = askOf(call);
  const { deadlineAt } = call.request;
  const partIn = (eventKey: string) => ask(eventKey, { type: 'inspect-operation', id }, reader, deadlineAt);
  const [first, ...others] = eventKeys;
  const home = await partIn(first!);
  // An abort at the home does not know the session. The parts that were held elsewhere do.
  const isKnown = home.ok && home.value.part !== null && home.value.part.state !== 'aborted';
  const answers = isKnown ? [home] : [home, ...(await Promise.all(others.map(partIn)))];
  const parts = answers.flatMap((answer) => (answer.ok ? (answer.value.part ?? []) : []));
  const [part] = parts;
  if (!part) return answers.find((answer) => !answer.ok) ?? unknownOperation;
  const { operationId, eventKeys: all, owner: its } = part.head;
  // The id of a hold may be that of another owner's operation in the same event.
  if (its.kind !== owner.kind || its.key !== owner.key) return unknownOperation;
  const holder = parts.find(({ sessionId }) => sessionId !== undefined)?.sessionId ?? null;
  return done({ ref: { owner, operationId, eventKeys: all }, part, holder });
}

/** Books the operation that the caller names. Most operations have all events of their owner, so no look-up comes first. */
export async function bookOperation(
  call: AnyCall & Pick<Call<'server'>, 'principal'>,
  assumed: OperationRef,
  action: Parameters<Coordinator['book']>[1],
  deadlineAt: number,
): Promise<{ ref: OperationRef; booked: Outcome<OperationView> }> {
  const { owner, operationId, eventKeys } = assumed;
  const book = (ref: AssumedRef) => coordinatorOf(call).book(ref, action, callerOf(call.principal), deadlineAt);
  // The home of an operation with one event is not asked which events it has.
  if (eventKeys.length > 1) {
    const booked = await book({ ...assumed, isAssumed: true });
    if (booked.ok || booked.refusal.reason !== 'other_events') return { ref: assumed, booked };
  }
  const found = await findOperation(call, owner, operationId, eventKeys);
  return found.ok ? { ref: found.value.ref, booked: await book(found.value.ref) } : { ref: assumed, booked: found };
}

const reader: Caller = { source: 'timer', actor: null, accessSource: 'public' };
