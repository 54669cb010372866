/** The group of a call with its events, and the caller's view of them. */
import type { GroupRecord } from '@parterre/shared/catalog/groups';
import type { OwnerSession } from '@parterre/shared/catalog/scope';
import { done, type Outcome } from '@parterre/shared/errors';
import { type KnownEvent, knownInTime } from '../../admission/admission.ts';
import { type Audience, buyerAudience } from '../../pictures/pictures.ts';
import { type Call, inTime } from '../calls/calls.ts';

/** The group that the path names. The caller's session is bound to it. */
export function groupOfPath(call: Pick<Call<'none'>, 'ports' | 'request'>): Promise<Outcome<GroupRecord>> {
  return inTime(call, Promise.resolve(call.ports.groups.get(call.request.params[0]!)));
}

/** The group's events, in its order. */
export async function membersOf(
  { ports, request }: Pick<Call<'none'>, 'ports' | 'request'>,
  { eventKeys }: GroupRecord,
): Promise<Outcome<KnownEvent[]>> {
  const members: KnownEvent[] = [];
  for (const found of await Promise.all(eventKeys.map((key) => knownInTime(ports, key, request.deadlineAt)))) {
    if (!found.ok) return found;
    members.push(found.value);
  }
  return done(members);
}

/** The view of a session in one of its events. */
export function audienceIn({ channelIdsByEvent, includePublic }: OwnerSession, eventKey: string): Audience {
  return buyerAudience({ channelIds: channelIdsByEvent[eventKey] ?? [], includePublic });
}
