/**
 * The data behind the examples of seasons: a draft, and active seasons whose sales are closed, open, paused or over.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openReceiver } from '../../support/notifier/receiver.ts';
import type { Json } from '../../support/openapi.ts';
import { origin, type Shop } from '../shop.ts';
import { buyersTokens } from './group-world.ts';

type Post = (path: string, body?: unknown) => Promise<Json>;

/** The latest season that each step leads to, and the revision at which the step is taken. */
const steps = {
  open: [['sales/open', 6]],
  paused: [
    ['sales/open', 6],
    ['sales/pause', 7],
  ],
  closed: [['close', 6]],
} as const;

export async function makeDraftSeason(post: Post, chartId: string): Promise<{ key: string; eventKeys: string[] }> {
  const eventKeys: string[] = [];
  for (const startsAt of [1_900_000_000_000, 1_900_086_400_000]) {
    const endsAt = startsAt + 7_200_000;
    eventKeys.push((await post('/v1/events', { chartId, startsAt, endsAt })).meta.key);
  }
  const { season } = await post('/v1/seasons', { name: 'Subscription', edition: '2027', eventKeys });
  return { key: season.key, eventKeys };
}

/** An active season at revision 6, with a published plan and a draft; then the steps to `then`. */
export async function makeSeason(post: Post, chartId: string, then?: keyof typeof steps) {
  const { key, eventKeys } = await makeDraftSeason(post, chartId);
  const at = `/v1/seasons/${key}`;
  const published = (await post(`${at}/plans`, { name: 'Full pass' })).plan.key as string;
  const draft = (await post(`${at}/plans`, { name: 'Opening', eventKeys: [eventKeys[0]] })).plan.key as string;
  const { lifecycleOperation } = await post(`${at}/activate`, { expectedRevision: 3 });
  const { plan } = await post(`${at}/plans/${published}/publish`, { expectedRevision: 5 });
  for (const [step, expectedRevision] of then ? steps[then] : []) await post(`${at}/${step}`, { expectedRevision });
  const activation = plan.activationId as string;
  return { key, eventKeys, published, activation, draft, step: lifecycleOperation.operationId as string };
}

/** A holder of, with an open offer. */
export async function makeHolder(post: Post, { key, activation }: { key: string; activation: string }) {
  const row = { rowId: '1', holderRef: 'member-1', priorPlanActivationId: 'before', priorContractRef: 'sub-1' };
  const rows = [{ ...row, labels: ['A-3', 'A-4'] }];
  const made = await post(`/v1/seasons/${key}/imports`, { successorPlanActivationId: activation, rows });
  const { offers } = await post(`/v1/seasons/${key}/renewal-offers`, { deadlineAt: 4_000_000_000_000 });
  return { importId: made.import.importId as string, offerId: offers[0].offerId as string };
}

/** A season on sale: `sop_order-3001` holds A-1, and `book-3000` has booked A-19. */
export async function makeSoldSeason(shop: Shop, post: Post, chartId: string) {
  const { key } = await makeSeason(post, chartId, 'open');
  const at = `/v1/seasons/${key}`;
  const minted = await post(`${at}/buyer-access-sessions`, { includePublic: true, allowedOrigin: origin });
  const headers = { Authorization: `Bearer ${minted.token}`, Origin: origin };
  for (const [operationId, label] of [
    ['sop_order-3001', 'A-1'],
    ['sop_order-3000', 'A-19'],
  ]) {
    const body = { operationId, labels: [label] };
    const answer = await shop.call('POST', `/pub/seasons/${key}/holds`, { headers, body });
    if (answer.status !== 201) throw new Error(`hold: ${JSON.stringify(answer.body)}`);
  }
  buyersTokens.set(key, minted.token);
  await post(`${at}/holds/sop_order-3000/book`, { bookActionId: 'book-3000', bookingRef: 'order-3000' });
  return { key, sessionId: minted.sessionId as string, activation: minted.planActivationId as string };
}

const REHEARSAL_LOOKS = 200;
const REHEARSAL_LOOK_MS = 100;

/** The key of a season on sale whose cancelled booking a receiver has heard of from its hold on. */
export async function makeRehearsedSeason(shop: Shop, post: Post, chartId: string): Promise<string> {
  const receiver = await openReceiver();
  const { sub } = await post('/v1/webhooks', { url: receiver.url, events: ['season.*'] });
  const { key, activation } = await makeSoldSeason(shop, post, chartId);
  const cancel = { cancelActionId: 'cancel-3000', bookingRef: 'order-3000', rightDisposition: 'release' };
  const at = `/v1/seasons/${key}`;
  await post(`${at}/bookings/book-3000/cancel`, { ...cancel, planActivationId: activation });
  for (let look = 0; look < REHEARSAL_LOOKS; look++) {
    const { outbox } = (await shop.call('GET', `${at}/outbox`, { token: shop.token })).body;
    const sale = outbox.filter(({ payload }: Json) => payload.data.operationId === 'sop_order-3000');
    if (sale.length === 3 && sale.every(({ deliveredAt }: Json) => deliveredAt !== null)) break;
    await pause(REHEARSAL_LOOK_MS);
  }
  await shop.call('DELETE', `/v1/webhooks/${sub.id}`, { token: shop.token });
  receiver.close();
  return key;
}
