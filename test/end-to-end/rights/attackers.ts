/**
 * The credentials of the matrix: for a route and a tenant the credentials that open the tenant's objects, and every
 * other credential, each with a name.
 */
import { capabilities, type OwnerSession, type Scope } from '@parterre/shared/protocol/catalog/scope';
import type { Outcome } from '@parterre/shared/protocol/errors';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Row } from '../../../services/frontdoor/src/admission/admission.ts';
import { buyersTokens } from '../openapi/group-world.ts';
import type { Sending } from '../openapi/send.ts';
import { origin } from '../shop.ts';
import {
  bearer,
  type Headers,
  type Kind,
  kinds,
  lesserKinds,
  newKey,
  onPage,
  type SessionKind,
  sessions,
  standsFor,
  type Tenant,
} from './tenants.ts';

/**
 * `reaches`: the tenant whose objects this call may show and change with this credential; null for none. `workspaceId`:
 * the credential is bound to this other workspace of the tenant, so it reaches none of the objects.
 */
export type Attacker = { name: string; headers: Headers; reaches: Tenant | null; workspaceId?: string };

/** The kinds of credentials that a route takes, by its row. */
export function kindsOf(row: Row): readonly Kind[] {
  const server = ['secret', 'dashboard'] as const;
  switch (row.credential) {
    case 'server':
      return server;
    case 'console':
      return row.capabilities.length === 0 ? server : [...server, 'manage'];
    case 'editor':
      return row.authority === null ? server : [...server, 'designer'];
    case 'dashboard':
      return ['dashboard'];
    case 'designer':
      return ['designer'];
    case 'page':
      return ['publishable'];
    case 'buyer':
      // A session opens no other session.
      return row.path.endsWith('/session') ? ['publishable'] : ['publishable', 'buyer'];
    case 'group-buyer':
      return ['group'];
    case 'season-buyer':
      return ['season'];
    case 'none':
    case 'operator':
      return [];
  }
}

/** The credential of `kind` that opens the objects that `sending` names. A session is bound to the first of them. */
export async function rightCredential(tenant: Tenant, kind: Kind, { path = {} }: Sending): Promise<Headers> {
  if (!isSession(kind)) return tenant.credentials[kind];
  // A hold of a group or season belongs to the session that made it.
  const holder = kind === 'group' || kind === 'season' ? buyersTokens.get(path.key!) : undefined;
  if (holder !== undefined) return onPage(holder);
  const { token } = await sessions[kind](tenant.shop, targetOf(kind, tenant, path));
  return onPage(token);
}

/** A route about the session itself names no chart. */
function targetOf(kind: SessionKind, { shop }: Tenant, path: Record<string, string>): string {
  return kind === 'designer' ? (path.id ?? shop.chart.id) : path.key!;
}

/** Charts and workspaces belong to an organisation, not to a mode. */
function hasMode(row: Row): boolean {
  return row.event || row.path.startsWith('/v1/webhooks') || /\/(performance-groups|seasons)/.test(row.path);
}

/** Every credential that must not open the objects of `victim` that `sending` names. */
export async function attackersOf(
  tenants: readonly Tenant[],
  victim: Tenant,
  row: Row,
  sending: Sending,
  { catalog, ended }: { catalog: CatalogClient; ended: readonly Attacker[] },
): Promise<Attacker[]> {
  const taken = kindsOf(row);
  const session = taken.find(isSession);
  const ofTenants = strangersOf(tenants, victim, row);
  const spoilt = session === undefined ? [] : await spoiltSessions(catalog, victim, session, sending);
  return [...ofTenants, ...spoiltCredentials(victim, row), ...ended, ...spoilt];
}

/** Standing credentials of every tenant that do not open the victim's objects: they are of another owner or mode. */
export function strangersOf(tenants: readonly Tenant[], victim: Tenant, row: Row): Attacker[] {
  const taken = kindsOf(row);
  return tenants.flatMap((tenant) => {
    const isOwn = tenant.organisationId === victim.organisationId;
    const isRight = (kind: Kind) =>
      isOwn && taken.includes(kind) && !isSession(kind) && (kind === 'dashboard' || tenant === victim || !hasMode(row));
    const whole = kinds.flatMap((kind): Attacker[] => {
      if (isRight(kind)) return [];
      const reaches = taken.includes(kind) ? tenant : null;
      return [{ name: `${tenant.name}: ${kind}`, headers: tenant.credentials[kind], reaches }];
    });
    const lesser = lesserKinds.flatMap((kind): Attacker[] => {
      const full = standsFor[kind];
      const elsewhere = kind === 'workspace' ? { workspaceId: tenant.otherWorkspaceId } : {};
      if (isRight(full) && kind !== 'workspace') return [];
      const reaches = taken.includes(full) ? tenant : null;
      return [{ name: `${tenant.name}: ${kind}`, headers: tenant.credentials[kind], reaches, ...elsewhere }];
    });
    return [...whole, ...lesser];
  });
}

function isSession(kind: Kind): kind is SessionKind {
  return kind in sessions;
}

/** No credential, unknown ones, the operator's, and the victim's own in a wrong way. */
function spoiltCredentials({ shop, credentials, mode }: Tenant, row: Row): Attacker[] {
  const unknown = (text: string) => ({ name: `unknown ${text.slice(0, 3)}`, headers: onPage(text), reaches: null });
  const far = { ...credentials.publishable, Origin: 'https://elsewhere.example' };
  const { 'X-CSRF-Token': _, ...cookieAlone } = credentials.dashboard;
  return [
    { name: 'none', headers: {}, reaches: null },
    ...(row.credential === 'operator' ? [] : [{ name: 'operator', headers: bearer(shop.rootToken), reaches: null }]),
    unknown(`sk_${mode}_0000000000000000000000`),
    unknown(`pk_${mode}_0000000000000000000000`),
    ...['mse', 'bse', 'bgs', 'bss', 'dse'].map((prefix) => unknown(`${prefix}_${'0'.repeat(38)}`)),
    { name: 'a publishable key from elsewhere', headers: far, reaches: null },
    ...(row.method === 'GET' ? [] : [{ name: 'a cookie alone', headers: cookieAlone, reaches: null }]),
  ];
}

/** Keys and a dashboard session of the victim that were revoked. */
export async function endedCredentials({ name, shop, organisationId, mode }: Tenant): Promise<Attacker[]> {
  const revoked = async (kind: 'secret' | 'publishable'): Promise<Attacker> => {
    const made = await newKey(shop, organisationId, { kind, mode });
    const path = `/v1/admin/organisations/${organisationId}/keys/${made.key.id}`;
    await shop.call('DELETE', path, { token: shop.rootToken });
    const headers = kind === 'secret' ? bearer(made.secret) : onPage(made.secret);
    return { name: `${name}: revoked ${kind}`, headers, reaches: null };
  };
  const { write } = await shop.logIn(await shop.user());
  await shop.call('POST', '/v1/dashboard/logout', { headers: write });
  return [
    await revoked('secret'),
    await revoked('publishable'),
    { name: `${name}: ended dashboard`, headers: write, reaches: null },
  ];
}

/** Sessions for the very event or chart: revoked, expired, or used from another origin. */
async function spoiltSessions(
  catalog: CatalogClient,
  victim: Tenant,
  kind: SessionKind,
  sending: Sending,
): Promise<Attacker[]> {
  const { [kind]: open } = sessions;
  const target = targetOf(kind, victim, sending.path ?? {});
  const [standing, revoked, expired] = await Promise.all([
    open(victim.shop, target),
    open(victim.shop, target),
    openExpired[kind](catalog, victim, target),
  ]);
  const { path } = revoked;
  await victim.shop.call('DELETE', path, { token: victim.shop.token });
  const elsewhere = { ...bearer(standing.token), Origin: 'https://elsewhere.example' };
  return [
    { name: `a ${kind} session from elsewhere`, headers: elsewhere, reaches: null },
    { name: `a ${kind} session without an origin`, headers: bearer(standing.token), reaches: null },
    { name: `a revoked ${kind} session`, headers: onPage(revoked.token), reaches: null },
    { name: `an expired ${kind} session`, headers: onPage(expired), reaches: null },
  ];
}

/** The API opens no session for less than a minute, so the catalog opens a session that has expired. */
const openExpired = {
  async manage(catalog, tenant, eventKey) {
    const about = { ...whereOf(tenant, eventKey), allowedOrigin: origin, capabilities: [...capabilities] };
    return tokenOf(await catalog('manage-sessions.create', { ...about, expiresInSeconds: -1 }));
  },
  async buyer(catalog, tenant, eventKey) {
    const draft = { channelIds: [], includePublic: true, allowedOrigin: origin, expiresInSeconds: -1 };
    const asked = { ...whereOf(tenant, eventKey), draft, accessSource: 'public' } as const;
    return tokenOf(await catalog('buyer-sessions.create', asked));
  },
  group: (catalog, tenant, key) => openExpiredOf(catalog, tenant, { kind: 'group', key }),
  season: (catalog, tenant, key) => openExpiredOf(catalog, tenant, { kind: 'season', key }),
  async designer(catalog, tenant, chartId) {
    const { workspaceId } = tenant.shop.chart;
    const { scope } = whereOf(tenant, '');
    const may = { authority: 'publish', safe: null, allowedOrigin: origin } as const;
    return tokenOf(
      await catalog('designer-sessions.create', { scope, workspaceId, chartId, ...may, expiresInSeconds: -1 }),
    );
  },
} satisfies Record<SessionKind, (catalog: CatalogClient, tenant: Tenant, target: string) => Promise<string>>;

async function openExpiredOf(catalog: CatalogClient, tenant: Tenant, owner: OwnerSession['owner']): Promise<string> {
  const { organisationId, mode, shop } = tenant;
  const { workspaceId } = shop.chart;
  const { scope } = whereOf(tenant, '');
  const of = { organisationId, workspaceId, mode, environment: null, owner };
  const draft = { channelIdsByEvent: {}, includePublic: true, allowedOrigin: origin, expiresInSeconds: -1 };
  return tokenOf(await catalog('owner-sessions.create', { scope, of, draft: { ...draft, accessSource: 'promoter' } }));
}

function whereOf({ organisationId, mode }: Tenant, eventKey: string): { scope: Scope; eventKey: string } {
  return {
    eventKey,
    scope: { organisationId, mode, workspaceId: null, environment: null, actor: 'key_of_tests', role: null },
  };
}

function tokenOf(opened: Outcome<{ token: string }>): string {
  if (opened.ok) return opened.value.token;
  throw new Error(`no expired session: ${JSON.stringify(opened.refusal)}`);
}
