/** Sends a call as the description states it, with the credential that the operation requires. */
import { request } from 'node:http';
import type { Example } from '../../../services/frontdoor/src/openapi/description.ts';
import { ask } from '../../support/ask.ts';
import type { Json, Operation, Received } from '../../support/openapi.ts';
import { onPage, sessions } from '../rights/tenants.ts';
import { origin, type Shop } from '../shop.ts';
import { buyersTokens } from './group-world.ts';
import type { World } from './world.ts';

export type Sending = {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  bytes?: { mediaType: string; base64: string };
};

/** Without `credentials` the operation's usual ones are sent; null sends none. */
export async function send(
  shop: Shop,
  operation: Operation,
  { path = {}, query = {}, headers = {}, body, bytes }: Sending,
  credentials?: Record<string, string> | null,
): Promise<Received> {
  const sent = credentials === undefined ? await credentialsFor(shop, operation, path) : credentials;
  const search = new URLSearchParams(query).toString();
  const address = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name]!));
  return ask(`${shop.url}${address}${search && `?${search}`}`, {
    method: operation.method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(bytes === undefined ? {} : { 'Content-Type': bytes.mediaType }),
      ...sent,
      ...headers,
    },
    ...(bytes === undefined ? {} : { body: Buffer.from(bytes.base64, 'base64') }),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** `path` names the group or season of a buyer's session. */
export async function credentialsFor(
  shop: Shop,
  { described }: Operation,
  path: Record<string, string>,
): Promise<Record<string, string>> {
  const scheme = Object.keys(described.security[0] ?? {})[0];
  switch (scheme) {
    case 'secretKey':
      return { Authorization: `Bearer ${shop.token}` };
    case 'dashboardSession':
      return (await shop.logIn(await shop.user())).write;
    case 'rootToken':
      return { Authorization: `Bearer ${shop.rootToken}` };
    case 'publishableKey':
      return { Authorization: `Bearer ${shop.own.publishable.secret}`, Origin: origin };
    case 'groupBuyerSession':
    case 'seasonBuyerSession':
      return { Authorization: `Bearer ${buyersTokens.get(path.key!)}`, Origin: origin };
    case 'designerSession':
      return onPage((await sessions.designer(shop, path.id ?? shop.chart.id)).token);
    case undefined:
      return {};
    default:
      throw new Error(`no credential for ${scheme}`);
  }
}

/** Announces a body of `bytes` bytes and sends none of it. */
export async function announce(shop: Shop, operation: Operation, path: Json, bytes: number): Promise<Received> {
  const credentials = await credentialsFor(shop, operation, path);
  const address = operation.path.replace(/\{(\w+)\}/g, (_, name) => path[name]!);
  return new Promise((resolve, reject) => {
    const headers = {
      ...credentials,
      'Content-Type': 'application/json',
      'Content-Length': String(bytes),
    };
    const call = request(`${shop.url}${address}`, { method: operation.method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        call.destroy();
        resolve({
          status: response.statusCode!,
          headers: new Headers(response.headers as Record<string, string>),
          mediaType: (response.headers['content-type'] ?? '').split(';')[0]!,
          text,
        });
      });
    });
    call.on('error', reject);
    call.flushHeaders();
  });
}

/** As `pathAlone`. A buyer's session opens only its own group or season, which must exist. */
export async function pathOf(world: World, operation: Operation): Promise<{ path: Record<string, string> }> {
  const { path } = pathAlone(operation);
  return /^\/pub\/(performance-groups|seasons)\//.test(operation.path) ? world.fill({ path }) : { path };
}

/** Path parameters from the description's own examples, which need not exist. */
export function pathAlone(operation: Operation): { path: Record<string, string> } {
  const parameters: Json[] = operation.described.parameters ?? [];
  const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const exampleOf = (name: string) => parameters.find((one) => one.in === 'path' && one.name === name)?.example ?? 'x';
  return { path: Object.fromEntries(named.map((name) => [name, exampleOf(name)])) };
}

/** An example with the world's values in place of its stand-ins. */
export async function filled(world: World, operation: Operation, example: Example): Promise<Sending> {
  const { path, query, headers, body, bytes } = example;
  return world.fill({
    path: { ...pathAlone(operation).path, ...path },
    ...(query && { query }),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(bytes !== undefined && { bytes }),
  });
}
