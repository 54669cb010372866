/**
 * Two organisations with two modes each: four tenants in one Parterre. A tenant has each kind of credential, and can
 * make the objects behind the examples of the description (openapi/world.ts).
 */
import { capabilities } from '@parterre/shared/protocol/catalog/scope';
import type { Json } from '../../support/openapi.ts';
import { makeDraftGroup } from '../openapi/group-world.ts';
import { makeSeason } from '../openapi/season-world.ts';
import { origin, type Shop } from '../shop.ts';

export type Headers = Record<string, string>;
export type Mode = 'test' | 'live';

/** The kinds of a tenant's own credentials that a route takes. The operator's root token belongs to no tenant. */
export const kinds = ['secret', 'dashboard', 'publishable', 'manage', 'buyer', 'group', 'season', 'designer'] as const;
export type Kind = (typeof kinds)[number];

/**
 * Secret keys that are bound to another workspace or to an environment, and the session of a member. They reach less
 * than the key or the admin's session that they stand for.
 */
export const standsFor = { workspace: 'secret', environment: 'secret', member: 'dashboard' } as const;
export type LesserKind = keyof typeof standsFor;
export const lesserKinds = Object.keys(standsFor) as LesserKind[];

export type Tenant = {
  name: string;
  organisationId: string;
  mode: Mode;
  /** The shop as this tenant's key sees it. */
  shop: Shop;
  /** An empty workspace. The credential of kind `workspace` is bound to it. */
  otherWorkspaceId: string;
  /** The sessions among them are bound to an event and a chart of their own. */
  credentials: Record<Kind | LesserKind, Headers>;
};

/** A live event costs a credit. */
const CREDITS = 100_000;

export async function openTenants(shop: Shop): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (const name of ['Aria', 'Bolero']) {
    const organisation = await shop.organisation(name);
    await asOperator(shop, organisation.id, 'credits', { delta: CREDITS, reason: 'Live events' });
    for (const mode of ['test', 'live'] as const) {
      tenants.push(await openTenant(shop, `${name} ${mode}`, organisation, mode));
    }
  }
  return tenants;
}

/** For calls that end the session of their caller. */
export async function logInAgain({ shop, credentials }: Tenant): Promise<void> {
  credentials.dashboard = (await shop.logIn(await shop.user())).write;
  credentials.member = (await shop.logIn(await shop.user({ role: 'member' }))).write;
}

/** An organisation has few subscriptions, and every key of it may add some. */
export async function forgetWebhooks({ shop, credentials: { dashboard: headers } }: Tenant): Promise<void> {
  const { subs } = (await shop.call('GET', '/v1/webhooks', { headers })).body;
  for (const { id } of subs) await shop.call('DELETE', `/v1/webhooks/${id}`, { headers });
}

async function openTenant(
  shop: Shop,
  name: string,
  organisation: Awaited<ReturnType<Shop['organisation']>>,
  mode: Mode,
): Promise<Tenant> {
  const publishable =
    mode === 'test' ? organisation.publishable : await newKey(shop, organisation.id, { kind: 'publishable', mode });
  const token: string = organisation[mode].secret;
  const { meta } = (await shop.call('POST', '/v1/charts', { token, body: { name: 'Hall', doc: shop.hall } })).body;
  await shop.call('POST', `/v1/charts/${meta.id}/publish`, { token });
  const own: Shop = {
    ...shop,
    own: { ...organisation, publishable },
    token,
    chart: meta,
    user: (more) => shop.user({ organisationId: organisation.id, ...more }),
  };
  const created = await own.call('POST', '/v1/events', { token, body: { chartId: meta.id } });
  const post = async (path: string, body?: unknown) => demand(await own.call('POST', path, { token, body }), path);
  const { key: groupKey } = await makeDraftGroup(post, meta.id);
  const { key: seasonKey } = await makeSeason(post, meta.id);
  const { workspace } = await post('/v1/workspaces', { name: 'Another stage' });
  const boundKey = async (bound: { workspaceId: string } | { environment: string }) =>
    bearer((await newKey(shop, organisation.id, { kind: 'secret', mode, ...bound })).secret);
  const [dashboard, manage, buyer, group, season, designer] = await Promise.all([
    own.logIn(await own.user()),
    sessions.manage(own, created.body.meta.key),
    sessions.buyer(own, created.body.meta.key),
    sessions.group(own, groupKey),
    sessions.season(own, seasonKey),
    sessions.designer(own, meta.id),
  ]);
  const credentials = {
    secret: bearer(token),
    dashboard: dashboard.write,
    publishable: onPage(publishable.secret),
    manage: onPage(manage.token),
    buyer: onPage(buyer.token),
    group: onPage(group.token),
    season: onPage(season.token),
    designer: onPage(designer.token),
    workspace: await boundKey({ workspaceId: workspace.id }),
    environment: await boundKey({ environment: 'staging' }),
    member: (await own.logIn(await own.user({ role: 'member' }))).write,
  };
  return { name, organisationId: organisation.id, mode, shop: own, otherWorkspaceId: workspace.id, credentials };
}

export function bearer(token: string): Headers {
  return { Authorization: `Bearer ${token}` };
}

/** A token that a page of the shop's origin sends. */
export function onPage(token: string): Headers {
  return { ...bearer(token), Origin: origin };
}

type NewKey = { kind: string; mode: Mode; workspaceId?: string; environment?: string };

export async function newKey(shop: Shop, organisationId: string, body: NewKey): Promise<Json> {
  return asOperator(shop, organisationId, 'keys', { ...body, origins: body.kind === 'secret' ? [] : [origin] });
}

async function asOperator(shop: Shop, organisationId: string, what: string, body: object): Promise<Json> {
  const path = `/v1/admin/organisations/${organisationId}/${what}`;
  return demand(await shop.call('POST', path, { token: shop.rootToken, body }), path);
}

/** Opens a session of a tenant for an event or a chart, with all that a session may do. `path` revokes the session. */
export const sessions = {
  manage: (shop: Shop, eventKey: string) =>
    openSession(shop, `/v1/events/${eventKey}/manage-sessions`, { allowedOrigin: origin, capabilities }),
  buyer: (shop: Shop, eventKey: string) =>
    openSession(shop, `/v1/events/${eventKey}/buyer-access-sessions`, { allowedOrigin: origin, includePublic: true }),
  group: (shop: Shop, groupKey: string) =>
    openSession(shop, `/v1/performance-groups/${groupKey}/buyer-access-sessions`, {
      allowedOrigin: origin,
      includePublic: true,
    }),
  season: (shop: Shop, seasonKey: string) =>
    openSession(shop, `/v1/seasons/${seasonKey}/buyer-access-sessions`, {
      allowedOrigin: origin,
      includePublic: true,
    }),
  designer: (shop: Shop, chartId: string) => {
    const { workspaceId } = shop.chart;
    return openSession(shop, '/v1/designer/sessions', {
      workspaceId,
      chartId,
      allowedOrigin: origin,
      authority: 'publish',
    });
  },
};
export type SessionKind = keyof typeof sessions;

async function openSession(shop: Shop, path: string, body: object): Promise<{ path: string; token: string }> {
  const opened = demand(await shop.call('POST', path, { token: shop.token, body }), path);
  return { path: `${path}/${opened.sessionId ?? opened.id}`, token: opened.token };
}

function demand(answer: { status: number; body: Json }, path: string): Json {
  if (answer.status < 300) return answer.body;
  throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}
