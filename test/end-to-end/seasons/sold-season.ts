/** A season on sale, as its tests see it. */
import { makeEvents } from '../groups/run.ts';
import { type Answer, type Json, origin, type Shop } from '../shop.ts';

export const seasons = '/v1/seasons';
export type SoldSeason = Awaited<ReturnType<typeof sellSeason>>;

/** An active season of `count` events whose sales are open, with one published plan of all of them. */
export async function sellSeason(shop: Shop, count = 3, isOpen = true) {
  const { token } = shop;
  const eventKeys = await makeEvents(shop, count, { venue: 'Park' });
  const call = async (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    shop.call(method, path, { token, headers, ...(body === undefined ? {} : { body }) });
  const { season } = (await call('POST', seasons, { name: 'Subscription', eventKeys })).body;
  const path = `${seasons}/${season.key}`;
  const key: string = season.key;
  const step = async (what: string, body: object = {}): Promise<Json> => {
    const { revision } = (await call('GET', path)).body.season;
    const answer = await call('POST', path + what, { expectedRevision: revision, ...body });
    if (answer.status >= 300) throw new Error(`${what}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const publish = async (name: string, keys = eventKeys): Promise<string> => {
    const { plan } = (await call('POST', `${path}/plans`, { name, eventKeys: keys })).body;
    return (await step(`/plans/${plan.key}/publish`)).plan.activationId;
  };
  await step('/activate');
  const planActivationId = await publish('Full pass');
  if (isOpen) await step('/sales/open');
  const mint = (body: object = {}) =>
    call('POST', `${path}/buyer-access-sessions`, { includePublic: true, allowedOrigin: origin, ...body });
  return {
    key,
    path,
    eventKeys,
    planActivationId,
    call,
    step,
    publish,
    mint,
    get: (what = '') => call('GET', path + what),
    post: (what: string, body: unknown = {}) => call('POST', path + what, body),
    book: (operationId: string, bookActionId: string, bookingRef: string) =>
      call('POST', `${path}/holds/${operationId}/book`, { bookActionId, bookingRef }),
    /** A page with a fresh session. */
    async page(body: object = {}) {
      return seasonPage(shop, key, (await mint(body)).body.token);
    },
    /** The true statuses of a seat, by event. */
    async statuses(label: string): Promise<string[]> {
      const read = eventKeys.map((each) => call('GET', `/v1/events/${each}/objects`));
      return (await Promise.all(read)).map(({ body }) => body.seats[label] ?? 'free');
    },
  };
}

export function seasonPage(shop: Shop, key: string, token: string, from = origin) {
  const at = `/pub/seasons/${key}`;
  const by = { Authorization: `Bearer ${token}`, Origin: from };
  const page = {
    token,
    get: (what: string, headers = {}): Promise<Answer> =>
      shop.call('GET', at + what, { headers: { ...by, ...headers } }),
    post: (what: string, body: unknown = {}): Promise<Answer> => shop.call('POST', at + what, { headers: by, body }),
    hold: (operationId: string, labels: string[]) => page.post('/holds', { operationId, labels }),
    release: (id: string, releaseActionId = 'release-1') => page.post(`/holds/${id}/release`, { releaseActionId }),
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
