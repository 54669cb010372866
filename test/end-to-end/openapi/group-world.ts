/** The data behind the examples of performance groups: an active group with a hold and a booking, and a draft. */
import { type Json, origin, type Shop } from '../shop.ts';

export type GroupWorld = {
  key: string;
  eventKeys: string[];
  step: string;
  sessionId: string;
  token: string;
};

/** The token of a buyer's session to each active group, and to each season on sale. */
export const buyersTokens = new Map<string, string>();

type Post = (path: string, body?: unknown) => Promise<Json>;

export async function makeDraftGroup(post: Post, chartId: string): Promise<{ key: string; eventKeys: string[] }> {
  const eventKeys: string[] = [];
  for (const startsAt of [1_900_000_000_000, 1_900_086_400_000]) {
    eventKeys.push((await post('/v1/events', { chartId, startsAt })).meta.key);
  }
  const { performanceGroup } = await post('/v1/performance-groups', { name: 'Spring run', eventKeys });
  return { key: performanceGroup.key, eventKeys };
}

/** `pghop_order-2001` holds A-1, and `book-2000` has booked A-19. */
export async function makeActiveGroup(shop: Shop, post: Post, chartId: string): Promise<GroupWorld> {
  const { key, eventKeys } = await makeDraftGroup(post, chartId);
  const at = `/v1/performance-groups/${key}`;
  const { lifecycleOperation } = await post(`${at}/activate`, { expectedRevision: 1 });
  const { token, sessionId } = await post(`${at}/buyer-access-sessions`, {
    includePublic: true,
    allowedOrigin: origin,
  });
  const headers = { Authorization: `Bearer ${token}`, Origin: origin };
  const hold = async (operationId: string, labels: string[]) => {
    const answer = await shop.call('POST', `/pub/performance-groups/${key}/hold`, {
      headers,
      body: { operationId, labels },
    });
    if (answer.status !== 201) throw new Error(`hold: ${JSON.stringify(answer.body)}`);
  };
  buyersTokens.set(key, token);
  await hold('pghop_order-2001', ['A-1']);
  await hold('pghop_order-2000', ['A-19']);
  await post(`${at}/holds/pghop_order-2000/book`, { bookActionId: 'book-2000', bookingRef: 'order-2000' });
  return { key, eventKeys, step: lifecycleOperation.operationId, sessionId, token };
}
