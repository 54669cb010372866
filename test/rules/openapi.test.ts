/** The description of the API is whole and valid, and covers exactly the existing routes. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { descriptions } from '../../services/frontdoor/src/api/descriptions.ts';
import { routes } from '../../services/frontdoor/src/api/routes.ts';
import { describeApi } from '../../services/frontdoor/src/openapi/document.ts';

it('is a valid OpenAPI 3.1 document with the version of the API', async () => {
  const result = await new Validator().validate(describeApi(routes));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
});

it('describes every route, and only existing routes', () => {
  const signatures = routes.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(descriptions).sort()).toEqual(signatures.sort());
});

it('gives every operation an id of its own, and an example that succeeds', () => {
  const all = Object.values(descriptions);
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
  const without = all.filter(({ examples }) => examples.every(({ answers }) => answers !== undefined));
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

it('names every request budget of its routes, with its number and window', () => {
  const { description } = describeApi(routes).info as { description: string };
  for (const budget of new Set(routes.flatMap((route) => (route.budget ? [route.budget] : [])))) {
    const { name, limit, windowMs } = budget;
    const window = windowMs === 86_400_000 ? '24 hours' : `${windowMs / 1000} seconds`;
    const line = description.split('\n').find((each) => each.includes(`**${name}**`));
    expect(line).toContain(`${limit.toLocaleString('en')} requests in ${window}`);
    for (const route of routes) {
      expect(line!.includes(`\`${route.method} ${route.path}\``)).toBe(route.budget === budget);
    }
  }
});

it('describes no time span as a moment', () => {
  const spans = [...JSON.stringify(describeApi(routes)).matchAll(/"\w+Ms":\{[^}]*\}/g)].map(([text]) => text);
  expect(spans.length).toBeGreaterThan(5);
  expect(spans.filter((text) => /epoch/i.test(text))).toEqual([]);
});
