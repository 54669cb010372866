/**
 * What the pages of groups and seasons draw: the chart and one map of all events. The version of a map is the sum of the
 * events' versions: it grows with every change of an event, and is the same at every front door.
 *
 * Failure at each await: an event, its replica or the document cannot be read by the call's deadline → the refusal is the
 * answer.
 */
import type { OwnerSession } from '@parterre/shared/catalog/scope';
import { done, type Outcome } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import { type KnownEvent, knownInTime } from '../../admission/admission.ts';
import { formsOf, preparedJson, preparedWhole, unchanged } from '../../answers/answers.ts';
import type { Replica } from '../../feeds/feeds.ts';
import { type Audience, buyerAudience } from '../../pictures/pictures.ts';
import { type Call, inTime } from '../calls/calls.ts';

export { groupMap, type PerformanceMap, performanceSeats, seatsEverywhere } from './joined-map.ts';
export { keptMap } from './kept-maps.ts';

type AnyCall = Pick<Call<'none'>, 'ports' | 'request'>;

/** The events with these keys, in this order. */
export async function membersOf(
  { ports, request }: AnyCall,
  eventKeys: readonly string[],
): Promise<Outcome<KnownEvent[]>> {
  const members: KnownEvent[] = [];
  for (const found of await Promise.all(eventKeys.map((key) => knownInTime(ports, key, request.deadlineAt)))) {
    if (!found.ok) return found;
    members.push(found.value);
  }
  return done(members);
}

export async function replicasOf(call: AnyCall, eventKeys: readonly string[]): Promise<Outcome<Replica[]>> {
  const members = await membersOf(call, eventKeys);
  if (!members.ok) return members;
  const replicas: Replica[] = [];
  const found = members.value.map(({ event }) => inTime(call, call.ports.feeds.replicaOf(event)));
  for (const replica of await Promise.all(found)) {
    if (!replica.ok) return replica;
    replicas.push(replica.value);
  }
  return done(replicas);
}

export function versionOf(replicas: readonly Replica[]): number {
  return replicas.reduce((sum, { version }) => sum + version, 0);
}

/** The view of a session in one of its events. */
export function audienceIn({ channelIdsByEvent, includePublic }: OwnerSession, eventKey: string): Audience {
  return buyerAudience({ channelIds: channelIdsByEvent[eventKey] ?? [], includePublic });
}

/** The view of the session in each event. */
export function audiencesOf(session: OwnerSession, replicas: readonly Replica[]): Audience[] {
  return replicas.map(({ eventKey }) => audienceIn(session, eventKey));
}

/** The bare document of the events' chart. A division is left out if every event hides it. */
export async function chartOf(call: AnyCall, [first, ...others]: readonly Replica[]) {
  const { plan, scopes } = first!;
  const hidden = scopes.hidden.filter((id) => others.every((each) => each.scopes.hidden.includes(id)));
  const etag = `"${sha256(plan.hash + JSON.stringify(hidden))}"`;
  const { encoding, headersOf, isKnown } = formsOf(call.request, etag, null);
  if (isKnown) return done(unchanged(headersOf(encoding)));
  const { documents } = call.ports;
  const form = encoding && (await inTime(call, documents.compressed(plan, hidden, 'document', encoding)));
  if (form?.ok) return done(preparedWhole(form.value, headersOf(encoding)));
  const document = await inTime(call, documents.visible(plan, hidden));
  return document.ok ? done(preparedJson(document.value, headersOf(null))) : document;
}
