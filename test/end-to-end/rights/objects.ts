/** The objects that a call names, and their state as their owner reads it. */
import type { Row } from '../../../services/frontdoor/src/admission/admission.ts';
import type { Json } from '../../support/openapi.ts';
import type { Sending } from '../openapi/send.ts';
import type { Tenant } from './tenants.ts';

/**
 * The form of an id, and of the events that the examples' world makes. A picture has no owner: anyone with its id may
 * see it.
 */
const NAME =
  /^((ev|cht|ws|pg|op|sea|spl|slc|sam|org|key|usr|dsh|whk|dlv|ses|lnk|chn|rel|hld|lst|rsv|acl)_[0-9A-Za-z]{8,}|gala-\d+)$/;

/** The example without its own credential: each caller of the matrix brings another. */
export function withoutCredentials(sending: Sending): Sending {
  const { Origin: _, Authorization: __, ...headers } = sending.headers ?? {};
  const body = sending.body as Json;
  if (typeof body?.publicKey !== 'string') return { ...sending, headers };
  const { publicKey: ___, ...rest } = body;
  return { ...sending, headers, body: rest };
}

/** The names of objects in a call. */
export function namesIn({ path, query, body }: Sending): string[] {
  return leavesOf({ path, query, body }).flatMap(({ value }) => (isName(value) ? [value] : []));
}

/** A call with one name of another tenant, and the place of the name. */
export type Mix = { at: string; foreign: string; sending: Sending };

/** `sending` once for each name in it, with this name replaced by the name at the same place of `other`. */
export function withOneForeignName(sending: Sending, other: Sending): Mix[] {
  const places = leavesOf(sending).filter(({ value }) => isName(value));
  return places.map(({ at }) => {
    const foreign = valueAt(other, at);
    return { at: at.join('.'), foreign, sending: replaced(sending, at, foreign) };
  });
}

/** The names of objects in an answer. */
export function namesInText(text: string): string[] {
  return [...new Set(text.split(/[^0-9A-Za-z_-]+/))].filter(isName);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

type Leaf = { at: readonly string[]; value: unknown };

function leavesOf(value: Json, at: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ at, value }];
  return Object.keys(value).flatMap((key) => leavesOf(value[key], [...at, key]));
}

function valueAt(value: Json, at: readonly string[]): Json {
  return at.reduce((inner, key) => inner[key], value);
}

function replaced(value: Json, [key, ...rest]: readonly string[], by: unknown): Json {
  if (key === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

/**
 * The named objects as their owner reads them. Reads of projections are left out: they follow later, and so may show
 * an earlier change of the owner.
 */
export async function pictureOf(victim: Tenant, row: Row, { path = {}, body }: Sending): Promise<Json> {
  const { token, rootToken, call } = victim.shop;
  const [, version, kind] = row.path.split('/');
  const paths: string[] = [];
  const isOfMany = kind === 'performance-groups' || kind === 'seasons';
  if (path.key) paths.push(...(isOfMany ? [`/v1/${kind}/${path.key}`] : readsOfEvent(row, path)));
  if (kind === 'charts' && path.id) paths.push(`/v1/charts/${path.id}`);
  if (kind === 'workspaces' || kind === 'designer') paths.push('/v1/workspaces');
  if (kind === 'webhooks') paths.push('/v1/webhooks');
  if (version === 'v1' && kind === 'admin' && path.id) {
    paths.push(...['', '/users', '/keys'].map((part) => `/v1/admin/organisations/${path.id}${part}`));
  }
  const { chartId } = (body ?? {}) as Json;
  if (typeof chartId === 'string') paths.push(`/v1/charts/${chartId}`);
  const answers = await Promise.all(
    paths.map(async (address) => {
      const answer = await call('GET', address, { token: kind === 'admin' ? rootToken : token });
      return [address, [answer.status, wholeTenants(answer.body)]] as const;
    }),
  );
  return Object.fromEntries(answers);
}

/** Without the subscriptions of other workspaces, which keys of these workspaces make. */
function wholeTenants({ subs, webhooks: _, ...body }: Json): Json {
  return subs ? { ...body, subs: subs.filter(({ workspaceId }: Json) => workspaceId === null) } : body;
}

function readsOfEvent(row: Row, { key, id }: Record<string, string>): string[] {
  const parts = ['', '/objects', '/channels', '/availability', '/releases', '/buyer-access-sessions', '/hold-ttl'];
  parts.push('/event-configuration', '/reservations');
  if (row.path.includes('/channels/{id}')) parts.push(`/channels/${id}/access-links`);
  return parts.map((part) => `/v1/events/${key}${part}`);
}
