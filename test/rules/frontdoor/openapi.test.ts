/** The description of the API is whole and valid, and covers exactly the existing routes. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { describedApi, endpoints, routes } from '../../../services/frontdoor/src/api/api.ts';
import { endpointsOf } from '../../../services/frontdoor/src/openapi/endpoints.ts';
import { createJudge, type Json, operationsOf } from '../../support/openapi.ts';

it('is a valid OpenAPI 3.1 document with the version of the API', async () => {
  const result = await new Validator().validate(describedApi());
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
});

it('describes every route, and only existing routes', () => {
  const signatures = routes.map(({ method, path }) => `${method} ${path}`);
  expect(endpoints.map(({ row }) => row.signature).sort()).toEqual(signatures.sort());
});

it('refuses to start with a route twice', () => {
  const [route] = routes;
  expect(endpointsOf([route!])).toEqual([{ row: route, description: route!.description }]);
  expect(() => endpointsOf([route!, route!])).toThrow(/two of each/);
});

it('gives every operation an id of its own, and an example that succeeds', () => {
  const all = endpoints.map(({ description }) => description);
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
  const without = all.filter(({ examples }) => examples.every(({ answers }) => answers !== undefined));
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

it('names every request budget of its routes, with its number and window', () => {
  const { 'x-budgets': description } = describedApi();
  for (const budget of new Set(routes.flatMap((route) => (route.budget ? [route.budget] : [])))) {
    const { name, limit, windowMs } = budget;
    const hours: Record<number, string> = { 86400000: '24 hours', 3600000: '1 hour' };
    const window = hours[windowMs] ?? `${windowMs / 1000} seconds`;
    const line = description.split('\n').find((each) => each.includes(`**${name}**`));
    expect(line).toContain(`${limit.toLocaleString('en')} requests in ${window}`);
    for (const route of routes) {
      expect(line!.includes(`\`${route.method} ${route.path}\``)).toBe(route.budget === budget);
    }
  }
});

describe('for generators of clients', () => {
  // As a generator reads it: JSON omits undefined fields.
  const document: Json = JSON.parse(JSON.stringify(describedApi()));
  const { schemas } = document.components;
  const operations = operationsOf(document);
  const nodes: Json[] = [];
  const collect = (node: Json): void => {
    if (typeof node !== 'object' || node === null) return;
    if (!Array.isArray(node)) nodes.push(node);
    for (const [name, child] of Object.entries(node)) if (!/example/.test(name)) collect(child);
  };
  collect(document);

  it('warns of personal data in every reference of a request that is kept for good', () => {
    const names = ['bookingRef', 'buyerRef', 'partnerRef', 'note'];
    const unwarned = new Set<string>();
    let warned = 0;
    const look = (node: Json, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      if (node.$ref) look(schemas[node.$ref.split('/').at(-1)], path);
      for (const name of names) {
        const field = node.properties?.[name];
        if (field === undefined) continue;
        if (JSON.stringify(field).includes('no personal data')) warned++;
        else unwarned.add(`${path} ${name}`);
      }
      for (const [name, child] of Object.entries(node)) if (!/example/.test(name)) look(child as Json, path);
    };
    for (const [path, methods] of Object.entries<Json>(document.paths)) {
      for (const operation of Object.values<Json>(methods)) look(operation.requestBody, path);
    }
    expect([...unwarned]).toEqual([]);
    expect(warned).toBeGreaterThan(10);
  });

  it('has a version that package managers take, and the date of the interface', () => {
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(document.info['x-interface-version']).toBe('2026-08-01');
    expect(document.info.description.length).toBeLessThan(600);
  });

  it('writes nothing beside a reference, which tools would not read', () => {
    expect(nodes.filter((node) => node.$ref && Object.keys(node).length > 1)).toEqual([]);
  });

  it('names every object, union and enum inside another schema, in at most 70 letters', () => {
    const unnamed = (node: Json): boolean =>
      node.type === 'object'
        ? node.properties !== undefined
        : (node.enum?.length ?? 0) > 1 ||
          (node.anyOf ?? node.oneOf ?? []).filter((each: Json) => each.type !== 'null').length > 1;
    const inside = (node: Json): Json[] =>
      Object.values({ ...node.properties, items: node.items, more: node.additionalProperties }).filter(Boolean);
    const own = Object.entries<Json>(schemas).filter(([, schema]) => !schema.allOf?.[0]?.$ref?.endsWith('/Error'));
    expect(own.flatMap(([name, schema]) => (inside(schema).some(unnamed) ? [name] : []))).toEqual([]);
    expect(Object.keys(schemas).filter((name) => name.length > 70)).toEqual([]);
  });

  it('tells the types of a union of objects apart by a property', () => {
    const unions = Object.entries<Json>(schemas).filter(([, { oneOf }]) => oneOf?.length > 1);
    expect(unions.length).toBeGreaterThan(3);
    expect(unions.filter(([, { discriminator }]) => !discriminator).map(([name]) => name)).toEqual([]);
  });

  it('calls whole numbers integers, and constant booleans booleans', () => {
    expect(nodes.filter(({ type, const: only }) => type === 'number' && Number.isInteger(only))).toEqual([]);
    expect(nodes.filter(({ type, const: only }) => type === 'boolean' && only !== undefined)).toEqual([]);
  });

  it('has a schema for every body and answer, those of bytes too', () => {
    const contents = nodes.flatMap(({ content }) => Object.values<Json>(content ?? {}));
    expect(contents.filter(({ schema }) => schema === undefined)).toEqual([]);
  });

  it('keeps the operations of webhooks apart from those of subscriptions', () => {
    const posts = Object.values<Json>(document.webhooks).map(({ post }) => post);
    expect(posts.map(({ tags, security }) => [tags, security])).toEqual(posts.map(() => [['Webhook events'], []]));
    expect(operations.filter(({ described }) => described.tags.includes('Webhook events'))).toEqual([]);
  });

  it('describes every operation, and shows an example of each answer that fits its schema', () => {
    expect(operations.filter(({ described }) => !described.description).map(({ path }) => path)).toEqual([]);
    const judge = createJudge(document);
    const faults = operations.flatMap((operation) =>
      Object.entries<Json>(operation.described.responses).flatMap(([status, { content = {} }]) => {
        const json = content['application/json'];
        if (!json || Number(status) >= 300) return [];
        if (json.example === undefined) return [`${operation.path} has no example`];
        return judge.example(operation, status, json.example).map((fault) => `${operation.path}: ${fault}`);
      }),
    );
    expect(faults).toEqual([]);
  });
});

it('describes no time span as a moment', () => {
  const spans = [...JSON.stringify(describedApi()).matchAll(/"\w+Ms":\{[^}]*\}/g)].map(([text]) => text);
  expect(spans.length).toBeGreaterThan(5);
  expect(spans.filter((text) => /epoch/i.test(text))).toEqual([]);
});
