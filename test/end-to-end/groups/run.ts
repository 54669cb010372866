/** A run of performances that a shop sells as one group, as its tests see it. */
import { type Answer, type Json, origin, type Shop } from '../shop.ts';

export type Run = Awaited<ReturnType<typeof draftRun>>;
export type Page = ReturnType<typeof pageWith>;

export async function makeEvents(shop: Shop, count: number, more: object = {}): Promise<string[]> {
  const keys: string[] = [];
  for (let index = 0; index < count; index++) {
    const body = {
      chartId: shop.chart.id,
      name: `Evening ${index + 1}`,
      startsAt: 1_900_000_000_000 + index * 86_400_000,
    };
    const made = await shop.call('POST', '/v1/events', { token: shop.token, body: { ...body, ...more } });
    keys.push(made.body.meta.key);
  }
  return keys;
}

export const groups = '/v1/performance-groups';

/** An active group of `count` events. */
export async function openRun(shop: Shop, count = 3): Promise<Run> {
  const run = await draftRun(shop, count);
  const activated = await run.post('/activate', { expectedRevision: 1 });
  if (activated.body.performanceGroup?.state !== 'active') throw new Error(JSON.stringify(activated.body));
  return run;
}

/** A draft of a group of `count` events, with functions that call it. */
export async function draftRun(shop: Shop, count = 3) {
  const eventKeys = await makeEvents(shop, count);
  const { token } = shop;
  const { performanceGroup } = (await shop.call('POST', groups, { token, body: { name: 'Spring run', eventKeys } }))
    .body;
  const path = `${groups}/${performanceGroup.key}`;
  const key: string = performanceGroup.key;
  const mint = (body: object = {}) => {
    const asked = { includePublic: true, allowedOrigin: origin, ...body };
    return shop.call('POST', `${path}/buyer-access-sessions`, { token, body: asked });
  };
  return {
    key,
    eventKeys,
    path,
    get: (what = '') => shop.call('GET', path + what, { token }),
    post: (what: string, body: unknown = {}, headers = {}) => shop.call('POST', path + what, { token, body, headers }),
    mint,
    delete: (what: string) => shop.call('DELETE', path + what, { token }),
    /** A page with a fresh session. */
    async page(body: object = {}) {
      return pageWith(shop, key, (await mint(body)).body.token);
    },
    group: async (): Promise<Json> => (await shop.call('GET', path, { token })).body.performanceGroup,
    /** The true statuses of a seat, by event. */
    async statuses(label: string): Promise<string[]> {
      const read = eventKeys.map((each) => shop.call('GET', `/v1/events/${each}/objects`, { token }));
      return (await Promise.all(read)).map(({ body }) => body.seats[label] ?? 'free');
    },
  };
}

export function pageWith(shop: Shop, key: string, token: string, from = origin) {
  const at = `/pub/performance-groups/${key}`;
  const by = { Authorization: `Bearer ${token}`, Origin: from };
  const page = {
    token,
    get: (what: string, headers = {}): Promise<Answer> =>
      shop.call('GET', at + what, { headers: { ...by, ...headers } }),
    post: (what: string, body: unknown = {}): Promise<Answer> => shop.call('POST', at + what, { headers: by, body }),
    hold: (operationId: string, labels: string[], more: object = {}) =>
      page.post('/hold', { operationId, labels, ...more }),
    /** The operation once it is finished. */
    async settled(operationId: string): Promise<Json> {
      for (let look = 0; look < 100; look++) {
        const { body, headers } = await page.get(`/operations/${operationId}`);
        if (headers.get('retry-after') === null) return body.operation;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`${operationId} does not end`);
    },
  };
  return page;
}
