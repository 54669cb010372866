/** Every answer, refusal and webhook with money says the unit of the money, and its currency. */
import { expect, it } from 'vitest';
import { describedApi } from '../../../services/frontdoor/src/api/api.ts';
import type { Json } from '../../support/openapi.ts';

const document: Json = JSON.parse(JSON.stringify(describedApi()));

/** Names of fields that are money wherever they stand. `total` is money beside these, and a count elsewhere. */
const money =
  /^(price|unitPrice|(from|previous|lowest|highest)Price|fromTotal|configuredValue|activeConfiguredValue|activeTotal|bookedValue|bookedFees|bookedTotal|revenue|gross|priceDifference|expectedTotal|fees)$/;

/** A chart has no currency before an event sells it. */
const withoutCurrency = /ChartDocument|ChartMeta/;

it('names the unit beside or above each field of money, in every answer and webhook', () => {
  const missing = new Map<string, string>();
  const paths = [...Object.entries(document.paths), ...Object.entries(document.webhooks)] as [string, Json][];
  let places = 0;
  for (const [path, methods] of paths) {
    for (const [method, operation] of Object.entries(methods) as [string, Json][]) {
      for (const [what, schema] of bodiesOf(operation, path in document.webhooks)) {
        walk(schema, [], { unit: false, currency: false }, (field, known) => {
          places++;
          if (!known.unit) missing.set(`${method} ${path} ${what}`, `no priceUnit at ${field}`);
          else if (!known.currency) missing.set(`${method} ${path} ${what}`, `no currency at ${field}`);
        });
      }
    }
  }
  expect(places).toBeGreaterThan(100);
  expect([...missing].map((each) => each.join(': '))).toEqual([]);
});

function bodiesOf(operation: Json, isWebhook: boolean): [string, Json][] {
  const contents: [string, Json][] = isWebhook
    ? [['body', operation.requestBody]]
    : Object.entries(operation.responses ?? {});
  const bodies = contents.flatMap(([status, { content = {} }]): [string, Json][] =>
    Object.values<Json>(content).flatMap(({ schema }): [string, Json][] => (schema ? [[status, schema]] : [])),
  );
  const messages: [string, Json][] = Object.entries<Json>(operation['x-messages'] ?? {});
  return [...bodies, ...messages];
}

type Spoken = { unit: boolean; currency: boolean };

function walk(
  schema: Json,
  seen: readonly string[],
  known: Spoken,
  found: (field: string, known: Spoken) => void,
  at = '',
): void {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1);
    if (seen.includes(name)) return;
    const exempt = withoutCurrency.test(name) ? { ...known, currency: true } : known;
    walk(document.components.schemas[name], [...seen, name], exempt, found, at);
    return;
  }
  for (const each of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    walk(each, seen, known, found, at);
  }
  const { properties = {}, items, additionalProperties, prefixItems = [] } = schema;
  const here = { unit: known.unit || 'priceUnit' in properties, currency: known.currency || 'currency' in properties };
  for (const [name, property] of Object.entries<Json>(properties)) {
    if (money.test(name)) found(`${at}.${name}`, here);
    walk(property, seen, here, found, `${at}.${name}`);
  }
  for (const each of [items, additionalProperties, ...prefixItems]) {
    if (each && typeof each === 'object') walk(each, seen, here, found, `${at}[]`);
  }
}
