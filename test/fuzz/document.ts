/**
 * The description as Schemathesis gets it: with real objects of a tenant in place of the stand-ins, and without
 * credentials, because each run sends one credential of its own to every operation.
 */
import { describedApi } from '../../services/frontdoor/src/api/api.ts';
import type { World } from '../end-to-end/openapi/world.ts';
import type { Json } from '../support/openapi.ts';

/** No process listens there: a subscription with a made-up address would post to a stranger. */
const HOOK = 'http://127.0.0.1:9/';

/** Operation ids, by the treatment that a run gives them. */
export type Operations = {
  /** Operations that take the credential. */
  taking: string[];
  /** Operations among them that take objects or credentials from the operations after them. */
  ending: string[];
  /** The operation that ends the credential itself. */
  leaving: string[];
  /** Operations that refuse the credential. */
  refusing: string[];
};

/** `scheme` names a security scheme of the description; null for no credential and for unknown credentials. */
export function operationsFor(scheme: string | null): Operations {
  const sorted: Operations = { taking: [], ending: [], leaving: [], refusing: [] };
  for (const [path, item] of Object.entries<Json>(describedApi().paths)) {
    for (const [method, { operationId, security }] of Object.entries<Json>(item)) {
      // An open event stream never ends.
      const isEndless = path.endsWith('/feed');
      const takes = scheme === null ? security.length === 0 : security.some((way: Json) => way[scheme]);
      const ends = method === 'delete' || /\/(archive|close)$/.test(path);
      if (!takes) sorted.refusing.push(operationId);
      else if (path.endsWith('/logout')) sorted.leaving.push(operationId);
      else if (!isEndless) (ends ? sorted.ending : sorted.taking).push(operationId);
    }
  }
  return sorted;
}

/** `home` has the objects that a session is bound to, by the names of path parameters. */
export async function documentFor(world: World, home: Record<string, string>): Promise<Json> {
  const document: Json = await world.fill(JSON.parse(JSON.stringify(describedApi())));
  for (const [path, item] of Object.entries<Json>(document.paths)) {
    for (const described of Object.values<Json>(item)) prepare(path, described, home);
  }
  const { CreateWebhookBody: created, UpdateWebhookBody: updated } = document.components.schemas;
  for (const { properties } of [created, updated]) properties.url = { type: 'string', enum: [HOOK] };
  // A secret key's own mode and environment win, so these fields may have any value.
  for (const name of ['mode', 'environment']) created.properties[name] = {};
  delete document.webhooks;
  return document;
}

function prepare(path: string, described: Json, home: Record<string, string>): void {
  delete described.security;
  // The server library answers a head that is too large by itself.
  described.responses[431] = { description: 'The head of the request is too large.' };
  for (const parameter of described.parameters ?? []) {
    if (parameter.in === 'path') {
      parameter.schema = { type: 'string', enum: valuesOf(path, parameter, described['x-examples'] ?? [], home) };
    }
    // Reads are lenient: a number is clamped, and an unreadable cursor starts anew. So any text is valid.
    if (parameter.in === 'query') parameter.schema = { anyOf: [parameter.schema, { type: 'string' }] };
    // HTTP cuts blanks around a value.
    if (parameter.name === 'Idempotency-Key') parameter.schema.pattern = blanksAround(parameter.schema.pattern);
  }
}

function blanksAround(pattern: string): string {
  return `^[ \\t]*${pattern.slice(1, -1)}[ \\t]*$`;
}

function valuesOf(path: string, { name, example }: Json, examples: Json[], home: Record<string, string>): string[] {
  const isBound = path.includes(name === 'key' ? '/events/{key}' : '/charts/{id}');
  const named = examples.flatMap(({ path: values }) => (values?.[name] === undefined ? [] : [values[name]]));
  const bound = isBound && home[name] !== undefined ? [home[name]] : [];
  return [...new Set([...bound, example, ...named])];
}
