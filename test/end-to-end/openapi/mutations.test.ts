/**
 * Bodies that are almost right: the examples' bodies with one value replaced. Every answer fits the description, none
 * is a server fault, and the server refuses each body that the description refuses.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describedApi } from '../../../services/frontdoor/src/api/api.ts';
import type { Example } from '../../../services/frontdoor/src/openapi/description.ts';
import { createJudge, type Json, operationsOf } from '../../support/openapi.ts';
import { inTier } from '../../support/runner/tier.ts';
import type { Shop } from '../shop.ts';
import { filled, send } from './send.ts';
import { createWorld, openLargeShop } from './world.ts';

const document: Json = JSON.parse(JSON.stringify(describedApi()));
const judge = createJudge(document);
const MUTATIONS_PER_EXAMPLE = inTier(5, 20);

let shop: Shop;
beforeAll(async () => {
  shop = await openLargeShop();
}, 120_000);
afterAll(() => shop?.stop());

const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    -1,
    0,
    1e308,
    1.5,
    true,
    [],
    {},
  ),
  fc.constantFrom<unknown>(2 ** 53, -(2 ** 53), '😀'.repeat(200), 'x'.repeat(5_000), [[]], [null], {
    constructor: null,
  }),
  fc.jsonValue({ maxDepth: 2 }),
);

for (const operation of operationsOf(document)) {
  const examples: Example[] = operation.described['x-examples'] ?? [];
  const taken = examples.filter(({ body, answers }) => body !== undefined && answers === undefined);
  if (taken.length === 0) continue;
  it(`${operation.method} ${operation.path}`, { timeout: 60_000 }, async () => {
    for (const example of taken) {
      const sending = await filled(createWorld(shop), operation, example);
      const places = placesIn(sending.body);
      const mutation = fc.tuple(fc.constantFrom(...places), oddValue);
      const run = fc.asyncProperty(mutation, async ([place, value]) => {
        const body = replaced(sending.body, place, value);
        const answer = await send(shop, operation, { ...sending, body: JSON.stringify(body) });
        expect(judge.answer(operation, answer)).toEqual([]);
        expect(answer.status).toBeLessThan(500);
        if (judge.body(operation, body).length > 0) expect(answer.status).toBeGreaterThanOrEqual(400);
      });
      await fc.assert(run, { numRuns: MUTATIONS_PER_EXAMPLE, endOnFailure: true });
    }
  });
}

type JsonPath = readonly string[];

/** The value itself and every field and element in it, but only the first two elements of a list. */
function placesIn(value: Json, at: JsonPath = []): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [at];
  const keys = Array.isArray(value) ? Object.keys(value).slice(0, 2) : Object.keys(value);
  return [at, ...keys.flatMap((key) => placesIn(value[key], [...at, key]))];
}

function replaced(value: Json, [key, ...rest]: JsonPath, by: unknown): Json {
  if (key === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}
