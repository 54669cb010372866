/** The description of the API is whole and valid, and covers exactly the existing routes. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { describedApi, endpoints, routes } from '../../../services/frontdoor/src/api/api.ts';
import { endpointsOf } from '../../../services/frontdoor/src/openapi/endpoints.ts';

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
  const { description } = describedApi().info as { description: string };
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

it('describes no time span as a moment', () => {
  const spans = [...JSON.stringify(describedApi()).matchAll(/"\w+Ms":\{[^}]*\}/g)].map(([text]) => text);
  expect(spans.length).toBeGreaterThan(5);
  expect(spans.filter((text) => /epoch/i.test(text))).toEqual([]);
});
