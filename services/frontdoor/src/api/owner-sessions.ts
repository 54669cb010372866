/**
 * Buyers' sessions to groups and seasons. A server issues, lists and ends them, and a page opens one with a publishable
 * key. Both owners have the same routes: `sessionRoutes` makes them from the table of an owner.
 *
 * Failure at each await: the owner cannot be read, or an event's channels cannot → the refusal is the answer; the
 * session comes last, so a failure leaves nothing behind.
 */
import type { GroupRecord } from '@parterre/shared/protocol/catalog/groups';
import type { OwnerOfSession, OwnerSessionInfo } from '@parterre/shared/protocol/catalog/owner-sessions';
import type { SeasonPlan, SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { ownerSessionsPerPageMax } from '@parterre/shared/protocol/group-limits';
import {
  buyerSessionSecondsMax,
  buyerSessionSecondsMin,
  channelsPerEventMax,
  maxQuantityMax,
} from '@parterre/shared/protocol/limits';
import { z } from 'zod';
import { type Budget, type BuyerPrincipal, budgets, scopeOf } from '../admission/admission.ts';
import { nothingHere, secretOnce } from '../answers/answers.ts';
import { standIn } from '../openapi/openapi.ts';
import { allowedOrigin, ref } from './access.ts';
import { bootstrapBody } from './buyers.ts';
import { limit } from './calls/query.ts';
import { type Call, pageRoute, type Route, serverRoute, type WithPath } from './calls/route.ts';
import { groupOfPath, target as groupTarget, unknownGroup } from './groups.ts';
import {
  accessSource,
  count,
  epochMs,
  id,
  idOf,
  keptForGood,
  mode,
  ok,
  optional,
  recordById,
  text,
  textOrNull,
} from './records.ts';
import { openChannels, unknownChannels } from './sales-over-events.ts';
import { known, target as seasonTarget, unknownSeason } from './seasons.ts';

const ownerSession = z.object({
  sessionId: idOf('ses'),
  expiresAt: epochMs,
  allowedOrigin: text,
  includePublic: z.boolean(),
  channelIdsByEvent: z.record(text, z.array(text)),
  maxQuantity: count.nullable(),
  buyerRef: textOrNull,
  state: z.enum(['active', 'revoked']).describe('`expiresAt` tells whether an active session is over.'),
  createdAt: epochMs,
  revokedAt: epochMs.nullable(),
});

const groupSession = ownerSession.extend({
  performanceGroupKey: idOf('pg'),
  partnerRef: textOrNull,
  accessSource,
});

const seasonSession = ownerSession.extend({
  seasonKey: idOf('sea'),
  mode,
  environment: textOrNull,
  planActivationId: idOf('spa').describe('The publication that the session sells.'),
});

const groupToken = text.regex(/^bgs_[0-9A-Za-z]{38}$/);
const seasonToken = text.regex(/^bss_[0-9A-Za-z]{38}$/);

type Session = z.output<typeof groupSession> | z.output<typeof seasonSession>;

function ownerSessionOf(info: OwnerSessionInfo): z.output<typeof ownerSession> {
  const { sessionId, expiresAt, allowedOrigin, includePublic, channelIdsByEvent } = info;
  const { maxQuantity, buyerRef, state, createdAt, revokedAt } = info;
  const reach = { sessionId, expiresAt, allowedOrigin, includePublic, channelIdsByEvent };
  return { ...reach, maxQuantity, buyerRef, state, createdAt, revokedAt };
}

/** The owner of a session. `unready` refuses every new session. */
type SaleOfOwner = { of: OwnerOfSession; eventKeys: readonly string[]; unready?: Outcome<never> };

type SessionOwner = {
  /** In the ids of operations. */
  noun: 'Group' | 'Season';
  tag: 'Groups' | 'Seasons';
  words: 'a group' | 'a season';
  path: '/performance-groups/{key}' | '/seasons/{key}';
  budget: Budget;
  openBudget: Budget;
  session: z.ZodType<Session>;
  minted: z.ZodType<Session & { token: string }>;
  token: z.ZodType<string>;
  aboutMint: string;
  /** The refusals of `unready`, with the owner that shows them. */
  unready: readonly 'invalid_season_state'[];
  unreadyExamples: readonly { summary: string; path: { key: string }; answers: 'invalid_season_state' }[];
  unknown: typeof unknownGroup | typeof unknownSeason;
  unknownToPage: string;
  find(call: Pick<Call<'server'>, 'ports' | 'principal'> & WithPath<'key'>): Promise<Outcome<SaleOfOwner>>;
  findForPage(call: Call<'page'> & WithPath<'key'>): Promise<Outcome<SaleOfOwner>>;
  show(info: OwnerSessionInfo): Session;
};

const groups: SessionOwner = {
  noun: 'Group',
  tag: 'Groups',
  words: 'a group',
  path: '/performance-groups/{key}',
  budget: budgets.serverCalls,
  openBudget: budgets.groupSessions,
  session: groupSession,
  minted: groupSession.extend({ token: groupToken }),
  token: groupToken,
  aboutMint:
    'The token is shown once. `channelIdsByEvent` names the channels of each event. `maxQuantity` counts labels, ' +
    'not labels times events.',
  unready: [],
  unreadyExamples: [],
  unknown: unknownGroup,
  unknownToPage: 'Of an unknown group',
  async find(call) {
    const found = await call.ports.catalog('groups.get', groupTarget(call));
    return found.ok ? done(soldGroup(found.value.group)) : found;
  },
  async findForPage(call) {
    const found = await groupOfPath(call);
    return found.ok ? done(soldGroup(found.value)) : found;
  },
  show(info) {
    const { owner, partnerRef, accessSource } = info;
    return { ...ownerSessionOf(info), performanceGroupKey: owner.key, partnerRef, accessSource };
  },
};

function soldGroup({ organisationId, workspaceId, mode, environment, key, eventKeys }: GroupRecord): SaleOfOwner {
  return { of: { organisationId, workspaceId, mode, environment, owner: { kind: 'group', key } }, eventKeys };
}

const seasons: SessionOwner = {
  noun: 'Season',
  tag: 'Seasons',
  words: 'a season',
  path: '/seasons/{key}',
  budget: budgets.seasons,
  openBudget: budgets.seasonSessions,
  session: seasonSession,
  minted: seasonSession.extend({ token: seasonToken }),
  token: seasonToken,
  aboutMint:
    'The session sells the plan that was published last, as long as this plan is not superseded. The token is shown ' +
    'once. `channelIdsByEvent` names the channels of each event, whose seats this buyer may take too. `maxQuantity` ' +
    'counts labels, not labels times events.',
  unready: ['invalid_season_state'],
  unreadyExamples: [
    { summary: 'Without a published plan', path: { key: standIn.draftSeason }, answers: 'invalid_season_state' },
  ],
  unknown: unknownSeason,
  unknownToPage: 'Of an unknown season',
  async find(call) {
    const found = await call.ports.catalog('seasons.get', seasonTarget(call));
    return found.ok ? done(soldSeason(found.value.season)) : found;
  },
  async findForPage(call) {
    const found = await call.ports.catalog('seasons.find', { seasonKey: call.path.key });
    return found.ok ? done(soldSeason(found.value.season)) : found;
  },
  show(info) {
    const { owner, mode, environment, planActivationId } = info;
    // A session to a season always has a plan.
    const ofSeason = { seasonKey: owner.key, mode, environment, planActivationId: planActivationId ?? '' };
    return { ...ownerSessionOf(info), ...ofSeason };
  },
};

const withoutPlan = refuse('invalid_season_state', 'The season has no published plan. Publish a plan first.', {
  reason: 'no_published_plan',
});

function soldSeason(season: SeasonRecord): SaleOfOwner {
  const { organisationId, workspaceId, mode, environment, key, eventKeys } = season;
  const of: OwnerOfSession = { organisationId, workspaceId, mode, environment, owner: { kind: 'season', key } };
  const plan = latestPlan(season);
  if (plan === null) return { of, eventKeys, unready: withoutPlan };
  return { of: { ...of, planActivationId: plan.activationId! }, eventKeys };
}

/** The plan that new sessions sell. */
function latestPlan({ plans }: SeasonRecord): SeasonPlan | null {
  const published = plans.filter(({ publicationState }) => publicationState === 'published');
  return published.reduce<SeasonPlan | null>((latest, plan) => {
    return (latest?.publishedRevision ?? 0) < plan.publishedRevision! ? plan : latest;
  }, null);
}

const sessionBody = z.object({
  channelIdsByEvent: optional(
    recordById(z.array(id).max(channelsPerEventMax), 'There is no such event.').describe(
      'Channels by event key. An event that is left out has no channels.',
    ),
  ),
  includePublic: optional(
    z.boolean().describe('Whether public sale is in reach. True if absent and no channel is named.'),
  ),
  allowedOrigin,
  expiresInSeconds: optional(z.int().min(buyerSessionSecondsMin).max(buyerSessionSecondsMax)),
  maxQuantity: optional(
    z
      .int()
      .min(1)
      .max(maxQuantityMax)
      .nullable()
      .describe('The most labels, however many events each label stands for.'),
  ),
  buyerRef: optional(ref.nullable().describe(`The caller's name for the buyer. ${keptForGood}`)),
  partnerRef: optional(ref.nullable().describe(`The caller's name for a partner. ${keptForGood}`)),
});

const sessionsQuery = z.object({
  limit: limit({ usual: ownerSessionsPerPageMax, most: ownerSessionsPerPageMax }),
});

const publicSale = { includePublic: true, allowedOrigin: 'https://shop.example' };
const shop = { Origin: 'https://shop.example' };
const withKey = { body: { publicKey: standIn.publishableKey }, headers: shop };

/** One schema, which the description names once. */
const revoked = z.object({ ok, sessionId: idOf('ses') });

function sessionRoutes(owner: SessionOwner): readonly Route[] {
  return [mintRoute(owner), listRoute(owner), revokeRoute(owner), openRoute(owner)];
}

function mintRoute(owner: SessionOwner): Route {
  return serverRoute(
    `POST /v1${owner.path}/buyer-access-sessions`,
    {
      budget: owner.budget,
      answer: owner.minted,
      body: sessionBody,
      status: 201,
      description: {
        operationId: `mint${owner.noun}BuyerSession`,
        tag: owner.tag,
        summary: `Issue a buyer’s session to ${owner.words}`,
        description: owner.aboutMint,
        refusals: [...known, ...owner.unready, 'invalid_channel_scope', 'shard_unavailable', 'overloaded'],
        examples: [
          { summary: 'To public sale', body: publicSale },
          {
            summary: 'To an unknown channel',
            body: { channelIdsByEvent: { 'no-such-event': ['chn_0'] }, ...publicSale },
            answers: 'invalid_channel_scope',
          },
          ...owner.unreadyExamples.map((example) => ({ ...example, body: publicSale })),
          { ...owner.unknown, body: publicSale },
        ],
      },
    },
    async (call) => {
      const found = await owner.find(call);
      if (!found.ok) return found;
      if (found.value.unready) return found.value.unready;
      const minted = await mintSession(call, found.value);
      return minted.ok ? secretOnce({ ...owner.show(minted.value.session), token: minted.value.token }) : minted;
    },
  );
}

type MintCall = Call<'server', z.output<typeof sessionBody>>;

const nothingReached = refuse(
  'invalid_channel_scope',
  'The session would reach nothing. Name channelIdsByEvent, or set includePublic.',
  { details: { channelIds: [] } },
);

async function mintSession(
  call: Pick<MintCall, 'ports' | 'request' | 'principal' | 'body'>,
  { of, eventKeys }: SaleOfOwner,
) {
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

function withoutRepeats(asked: Record<string, string[]>): Record<string, string[]> {
  const named = Object.entries(asked).filter(([, channelIds]) => channelIds.length > 0);
  return Object.fromEntries(named.map(([eventKey, channelIds]) => [eventKey, [...new Set(channelIds)]]));
}

/** Refused if an event is not the owner's, or if it has no such channel, or only in the archive. */
async function checkChannels(
  call: Pick<Call<'server'>, 'ports' | 'request' | 'principal'>,
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
      const open = await openChannels(call, eventKey);
      return open.ok ? done(channelIds.filter((id) => !open.value.has(id))) : open;
    }),
  );
  const missing: string[] = [];
  for (const outcome of unknown) {
    if (!outcome.ok) return outcome;
    missing.push(...outcome.value);
  }
  return missing.length === 0 ? done(true) : unknownChannels(missing);
}

function listRoute(owner: SessionOwner): Route {
  return serverRoute(
    `GET /v1${owner.path}/buyer-access-sessions`,
    {
      budget: owner.budget,
      answer: z.object({ sessions: z.array(owner.session) }),
      query: sessionsQuery,
      description: {
        operationId: `list${owner.noun}BuyerSessions`,
        tag: owner.tag,
        summary: `The buyers’ sessions to ${owner.words}, newest first`,
        description: 'Sessions that a page has opened with a publishable key are not listed.',
        refusals: known,
        examples: [{ summary: 'All of them' }, owner.unknown],
      },
    },
    async (call) => {
      const found = await owner.find(call);
      if (!found.ok) return found;
      const asked = { owner: found.value.of.owner, limit: call.query.limit };
      const listed = await call.ports.catalog('owner-sessions.list', asked);
      return listed.ok ? done({ sessions: listed.value.sessions.map(owner.show) }) : listed;
    },
  );
}

function revokeRoute(owner: SessionOwner): Route {
  return serverRoute(
    `DELETE /v1${owner.path}/buyer-access-sessions/{sessionId}`,
    {
      budget: owner.budget,
      answer: revoked,
      description: {
        operationId: `revoke${owner.noun}BuyerSession`,
        tag: owner.tag,
        summary: 'End a buyer’s session',
        description:
          'The token of the session is refused from now on, and its live feeds close. Holds of the session ' +
          'stay until their end. A repeat changes nothing.',
        refusals: known,
        examples: [
          { summary: 'The session' },
          { summary: 'An unknown session', path: { sessionId: 'ses_0' }, answers: 'not_found' },
        ],
      },
    },
    async (call) => {
      const found = await owner.find(call);
      if (!found.ok) return found;
      const { sessionId } = call.path;
      const ended = await call.ports.catalog('owner-sessions.revoke', { owner: found.value.of.owner, sessionId });
      return ended.ok ? done({ ok: true as const, sessionId }) : ended;
    },
  );
}

function openRoute(owner: SessionOwner): Route {
  return pageRoute(
    `POST /pub${owner.path}/sessions`,
    {
      budget: owner.openBudget,
      answer: z.object({ token: owner.token, expiresAt: epochMs }),
      body: bootstrapBody,
      anyType: true,
      bodyOptional: true,
      description: {
        operationId: `open${owner.noun}BuyerSession`,
        tag: owner.tag,
        summary: `Open a session to public sale of ${owner.words} with a publishable key`,
        description:
          'The key is in the Authorization header or in the body, which is read as JSON under any content type. The token ' +
          'is valid from the Origin of this request, and is shown once.',
        refusals: ['buyer_access_mode_mismatch', ...owner.unready, 'catalog_unavailable'],
        examples: [
          { summary: 'With a key', ...withKey },
          { summary: 'Without a key', body: {}, headers: shop, answers: 'not_found' },
          ...owner.unreadyExamples.map((example) => ({ ...example, ...withKey })),
          { ...owner.unknown, summary: owner.unknownToPage, ...withKey },
        ],
      },
    },
    async (call) => {
      const found = await owner.findForPage(call);
      if (!found.ok) return found;
      const opened = await openSession(call, found.value);
      if (!opened.ok) return opened;
      return secretOnce({ token: opened.value.token, expiresAt: opened.value.session.expiresAt }, 200);
    },
  );
}

const needsKey = refuse(
  'buyer_access_invalid',
  'Only a publishable key opens a session. Send Authorization: Bearer pk_…',
);

const otherMode = refuse('buyer_access_mode_mismatch', 'The key is of the other mode. Use a key of this mode.');

async function openSession({ ports, request, principal }: Call<'page'>, { of, unready }: SaleOfOwner) {
  if (principal.kind !== 'publishable') return needsKey;
  if (!isWithin(of, principal)) return nothingHere;
  if (of.mode !== principal.mode) return otherMode;
  if (unready) return unready;
  const { keyId, budgets } = principal;
  const by = budgets === undefined ? { keyId } : { keyId, budgets };
  return ports.catalog('owner-sessions.open-public', { of, origin: request.origin, ...by });
}

function isWithin(of: OwnerOfSession, { organisationId, workspaceId }: BuyerPrincipal): boolean {
  return of.organisationId === organisationId && (workspaceId === null || of.workspaceId === workspaceId);
}

export const groupSessionRoutes = sessionRoutes(groups);
export const seasonSessionRoutes = sessionRoutes(seasons);
