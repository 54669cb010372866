/** The data behind the examples of seasons: a draft, and active seasons whose sales are closed, open, paused or over. */
import type { Json } from '../../support/openapi.ts';

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
  return {
    importId: made.import.importId as string,
    contractId: made.import.rows[0].contractId as string,
    offerId: offers[0].offerId as string,
  };
}
