/**
 * The order of refusals, over all routes: a body without a fault of its own is judged after the object that the path
 * names. So an unknown object is 404, also for a body that would change nothing.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describedApi, routes } from '../../../services/frontdoor/src/api/api.ts';
import { type Json, operationsOf } from '../../support/openapi.ts';
import { openShop, type Shop } from '../shop.ts';
import { pathAlone, send } from './send.ts';

const document: Json = JSON.parse(JSON.stringify(describedApi()));
const operations = operationsOf(document).filter(
  ({ path, described }) => path.includes('{') && !described.responses[101],
);

let shop: Shop;
let event: Awaited<ReturnType<Shop['event']>>;
beforeAll(async () => {
  shop = await openShop();
  event = await shop.event();
}, 120_000);
afterAll(() => shop?.stop());

/** An empty body fits the route, or the route takes none. */
function takesNothing(method: string, path: string): boolean {
  const route = routes.find((each) => each.method === method && each.path === path)!;
  return !route.rawBody && (route.schema === null || route.schema.safeParse({}).success);
}

/** Access that is judged before the object, and a read whose query may not be empty. */
const otherwise = new Set([
  'POST /pub/events/{key}/bootstrap',
  'POST /pub/events/{key}/access-links/redeem',
  'GET /v1/seasons/{key}/support-lookups',
]);
/** A session to a group or season is judged first: no session is to an unknown one. */
const isOfOwnersBuyers = ({ described }: (typeof operations)[number]): boolean =>
  described.security?.some((each: Json) => 'groupBuyerSession' in each || 'seasonBuyerSession' in each) ?? false;

describe.each(
  operations
    .map((operation) => [`${operation.method} ${operation.path}`, operation] as const)
    .filter(([name, { method, path }]) => takesNothing(method, path) && !otherwise.has(name))
    .filter(([, operation]) => !isOfOwnersBuyers(operation)),
)('%s', (_, operation) => {
  it('is 404 for an unknown object, whatever the body would do', async () => {
    const { path } = pathAlone(operation);
    const unknown = Object.fromEntries(Object.keys(path).map((name) => [name, `${name}_unknown`]));
    const names = Object.keys(path);
    // The event is known where the path names a second object.
    if (operation.path.includes('/events/{key}/') && names.length > 1) unknown.key = event.key;
    const body = operation.method === 'GET' || operation.method === 'DELETE' ? undefined : {};
    const answer = await send(shop, operation, { path: unknown, body });
    const { code, message } = JSON.parse(answer.text);
    expect([answer.status, code]).toEqual([404, expect.stringMatching(/not_found$/)]);
    expect(message).toMatch(/^\p{Lu}.+\. \p{Lu}.+\.$/u);
  });
});
