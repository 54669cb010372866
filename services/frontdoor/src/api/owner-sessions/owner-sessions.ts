/**
 * Buyers' sessions to the events of a performance group or season: a server issues them with channels, a page with a
 * publishable key opens them for public sale. The caller has found the owner in its scope.
 *
 * The awaits come in this order: each event's channels, then the session. A failure at any await is the answer, and
 * leaves nothing behind.
 */
import type { MintedOwnerSession, OwnerOfSession, OwnerSessionInfo } from '@parterre/shared/catalog/owner-sessions';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { z } from 'zod';
import { type BuyerPrincipal, knownInTime, scopeOf } from '../../admission/admission.ts';
import { askAs, type Call, callerOf } from '../calls/calls.ts';
import type { ownerSessionBody } from './bodies.ts';

export { ownerSession, ownerSessionOf, revokedOwnerSession } from './answers.ts';
export { ownerSessionBody } from './bodies.ts';
export { ownerSessionsQuery } from './queries.ts';

type Body = z.output<typeof ownerSessionBody>;

export async function mintOwnerSession(
  call: Pick<Call<'server', Body>, 'ports' | 'request' | 'principal' | 'body'>,
  of: OwnerOfSession,
  eventKeys: readonly string[],
): Promise<Outcome<MintedOwnerSession>> {
  const { channelIdsByEvent: asked = {}, includePublic: asksPublic, ...draft } = call.body;
  const channelIdsByEvent = withoutRepeats(asked);
  const isBare = Object.keys(channelIdsByEvent).length === 0;
  const includePublic = asksPublic ?? isBare;
  if (isBare && !includePublic) return nothingReached;
  const known = await checkChannels(call, channelIdsByEvent, eventKeys);
  if (!known.ok) return known;
  const accessSource = draft.partnerRef ? 'partner' : 'promoter';
  const session = { ...draft, channelIdsByEvent, includePublic, accessSource } as const;
  return call.ports.catalog('owner-sessions.create', { scope: scopeOf(call.principal), of, draft: session });
}

const nothingReached = refuse(
  'invalid_channel_scope',
  'The session would reach nothing. Name channelIdsByEvent, or set includePublic.',
  { details: { channelIds: [] } },
);

function withoutRepeats(asked: Record<string, string[]>): Record<string, string[]> {
  const named = Object.entries(asked).filter(([, channelIds]) => channelIds.length > 0);
  return Object.fromEntries(named.map(([eventKey, channelIds]) => [eventKey, [...new Set(channelIds)]]));
}

/** Refused if an event is not the owner's, or if it has no such channel, or only in the archive. */
async function checkChannels(
  { ports, request, principal }: Pick<Call<'server'>, 'ports' | 'request' | 'principal'>,
  channelIdsByEvent: Record<string, string[]>,
  eventKeys: readonly string[],
): Promise<Outcome<true>> {
  const foreign = Object.keys(channelIdsByEvent).filter((key) => !eventKeys.includes(key));
  if (foreign.length > 0) {
    return refuse('invalid_channel_scope', 'These events are not members. Name only events that are members.', {
      details: { eventKeys: foreign, channelIds: foreign.flatMap((key) => channelIdsByEvent[key]!) },
    });
  }
  const unknown = await Promise.all(
    Object.entries(channelIdsByEvent).map(async ([eventKey, channelIds]): Promise<Outcome<string[]>> => {
      const event = await knownInTime(ports, eventKey, request.deadlineAt);
      if (!event.ok) return event;
      const told = await askAs({ ports, request, event: event.value }, callerOf(principal), { type: 'channel-states' });
      if (!told.ok) return told;
      const open = new Set(told.value.channels.filter(({ state }) => state !== 'archived').map(({ id }) => id));
      return done(channelIds.filter((id) => !open.has(id)));
    }),
  );
  const missing: string[] = [];
  for (const outcome of unknown) {
    if (!outcome.ok) return outcome;
    missing.push(...outcome.value);
  }
  if (missing.length === 0) return done(true);
  return refuse(
    'invalid_channel_scope',
    'The events have no such channels, or they are archived. Name channels of each event that are not archived.',
    { details: { channelIds: missing } },
  );
}

const needsKey = refuse(
  'buyer_access_invalid',
  'Only a publishable key opens a session. Send Authorization: Bearer pk_…',
);
const otherMode = refuse('buyer_access_mode_mismatch', 'The key is of the other mode. Use a key of this mode.');

/**
 * `missing` is the refusal of an owner outside the key's organisation or workspace, `unready` of an owner that no session
 * can reach now.
 */
export async function openOwnerSession(
  { ports, request, principal }: Call<'page'>,
  of: OwnerOfSession,
  missing: Outcome<never>,
  unready?: Outcome<never>,
): Promise<Outcome<MintedOwnerSession>> {
  if (principal.kind !== 'publishable') return needsKey;
  if (!isWithin(of, principal)) return missing;
  if (of.mode !== principal.mode) return otherMode;
  if (unready) return unready;
  const { keyId, budgets } = principal;
  const by = budgets === undefined ? { keyId } : { keyId, budgets };
  return ports.catalog('owner-sessions.open-public', { of, origin: request.origin, ...by });
}

function isWithin(of: OwnerOfSession, { organisationId, workspaceId }: BuyerPrincipal): boolean {
  return of.organisationId === organisationId && (workspaceId === null || of.workspaceId === workspaceId);
}

/** Newest first. */
export async function listOwnerSessions<Session>(
  { ports, query }: Pick<Call<'server', unknown, null, { limit: number }>, 'ports' | 'query'>,
  { owner }: Pick<OwnerOfSession, 'owner'>,
  show: (info: OwnerSessionInfo) => Session,
): Promise<Outcome<{ sessions: Session[] }>> {
  const listed = await ports.catalog('owner-sessions.list', { owner, limit: query.limit });
  return listed.ok ? done({ sessions: listed.value.sessions.map(show) }) : listed;
}

/** The session that the path names second. */
export async function revokeOwnerSession(
  { ports, request }: Pick<Call<'server'>, 'ports' | 'request'>,
  { owner }: Pick<OwnerOfSession, 'owner'>,
): Promise<Outcome<{ ok: true; sessionId: string }>> {
  const sessionId = request.params[1]!;
  const ended = await ports.catalog('owner-sessions.revoke', { owner, sessionId });
  return ended.ok ? done({ ok: true, sessionId }) : ended;
}
