/**
 * The stored health of a subscription: its counts, its pause, and the end of its history. Each subscription has a
 * document of its own beside the organisation's book. Thousands of counts therefore never block a change of the book.
 */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import type { PausedReason } from '@parterre/shared/protocol/catalog/webhooks';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { deliveries, deliveryBatches, webhookBooks, webhookHealth } from '../store/collections.ts';
import { change, type Ports } from '../store/operations.ts';
import { batchesReadMax, deliveriesDeletedAtOnce, deliveriesKept, deliveryHistoryMs } from '../store/rules/bounds.ts';
import {
  type DeliveryRow,
  type KeptSub,
  type SubHealth,
  type WebhookHealth,
  withPaused,
} from '../store/rules/webhook-records.ts';
import type { Store, Stored } from '../store/store.ts';
import { tellPaused } from './paused-notes.ts';
import { oldestWithin } from './rules/delivery-batch.ts';
import { enabled, freshHealth, hasFailedForLong, uptimeOf } from './rules/subscription-health.ts';
import { webhookUnknown } from './rules/subscription-state.ts';

/** The health of those subscriptions that have had attempts. */
export async function healthOf(store: Store, subIds: readonly string[], now: number): Promise<Map<string, SubHealth>> {
  const found = subIds.length === 0 ? [] : await store.getMany(webhookHealth, subIds);
  return new Map(
    found.map(({ id, value }) => {
      const { lastStatus, lastAt, droppedAt: lastDroppedAt = null } = value;
      return [id, { lastStatus, lastAt, uptime7d: uptimeOf(value, now), lastDroppedAt }];
    }),
  );
}

/** The subscription is active again. The five days of failures begin again. */
export async function noteEnabled({ store, clock }: Pick<Ports, 'store' | 'clock'>, subId: string): Promise<void> {
  await change(
    store,
    webhookHealth,
    subId,
    () => refuse('not_found', 'Nothing was posted to it yet.'),
    (health) => done(enabled(health, clock.now())),
  );
}

/**
 * The subscription is deleted. Its later reports are dropped. Its history goes bit by bit (`deleteHistory`), and no
 * caller waits for the end. A catalog that dies meanwhile leaves rows that nobody can read, and that expire.
 */
export async function forgetHealth({ store, clock }: Pick<Ports, 'store' | 'clock'>, subId: string): Promise<void> {
  const forgotten: WebhookHealth = { ...freshHealth, expiresAt: clock.now() + deliveryHistoryMs };
  await store.insert(webhookHealth, subId, forgotten);
  await change(
    store,
    webhookHealth,
    subId,
    () => refuse('not_found', 'It has expired.'),
    () => done(forgotten),
  );
}

export async function deleteHistory(store: Store, subId: string): Promise<void> {
  while ((await deleteOldest(store, subId, Number.POSITIVE_INFINITY)) > 0);
}

/** Keeps the newest `deliveriesKept`, and the whole of the batch that has the oldest of them. */
export async function trimHistory(store: Store, subId: string): Promise<void> {
  for (let surplus = (await historySize(store, subId)) - deliveriesKept; surplus > 0; ) {
    const deleted = await deleteOldest(store, subId, surplus);
    // Another catalog is deleting too, and deletes the rest. Or the oldest batch is larger than the surplus.
    if (deleted === 0) return;
    surplus -= deleted;
  }
}

const outcomes = [true, false] as const;
const oldestBatches = { index: 'bySubscription', limit: batchesReadMax };

/**
 * Deliveries that the history has, about. No batch is counted by itself: the oldest batches tell how many deliveries
 * came before them.
 */
async function historySize(store: Store, subId: string): Promise<number> {
  const of = { equal: [subId], above: 0 };
  const [delivered, failed, batches, health, oldest] = await Promise.all([
    store.count(deliveries, { ...of, index: 'byOutcome', equal: [subId, true] }),
    store.count(deliveries, { ...of, index: 'byOutcome', equal: [subId, false] }),
    store.count(deliveryBatches, { ...of, index: 'bySubscription' }),
    store.get(webhookHealth, subId),
    store.page(deliveryBatches, { ...oldestBatches, equal: [subId] }),
  ]);
  const arrivedUpTo = health?.value.arrived ?? 0;
  const arrivedBefore = oldest.documents.map(({ value }) => value.arrivedUpTo - value.orders.length);
  const arrived = batches === 0 ? 0 : Math.max(batches, arrivedUpTo - Math.min(...arrivedBefore));
  return delivered + failed + arrived;
}

/** Resolves with the number of deleted deliveries, at most `limit`. */
async function deleteOldest(store: Store, subId: string, limit: number): Promise<number> {
  const [rows, { documents: batches }] = await Promise.all([
    mergedPage(store, subId, outcomes, { limit: Math.min(limit, deliveriesDeletedAtOnce) }),
    store.page(deliveryBatches, { ...oldestBatches, equal: [subId] }),
  ]);
  const oldest = oldestWithin(rows, batches, limit);
  const deleted = await store.deleteMany(deliveries, oldest.rows);
  const deletedBatches = await store.deleteMany(deliveryBatches, oldest.batches);
  return deleted + (deletedBatches === 0 ? 0 : oldest.batched);
}

type DeliveryPageQuery = { limit: number; descending?: boolean; after?: { order: number; id: string } };

/** One page, in the common order of all these outcomes. */
export async function mergedPage(
  store: Store,
  subId: string,
  of: readonly boolean[],
  { limit, descending = false, after }: DeliveryPageQuery,
): Promise<Stored<DeliveryRow>[]> {
  const query = { index: 'byOutcome', limit, descending, after };
  const pages = await Promise.all(of.map((outcome) => store.page(deliveries, { ...query, equal: [subId, outcome] })));
  const sign = descending ? -1 : 1;
  return pages
    .flatMap(({ documents }) => documents)
    .sort((one, other) => sign * (one.value.order - other.value.order || (one.id < other.id ? -1 : 1)))
    .slice(0, limit);
}

/**
 * Pauses subscriptions whose receiver is gone or has failed for too long. Runs before the attempts are recorded: where
 * it fails, they are reported again, and the pause is tried again with them.
 */
export async function pauseFailing(
  ports: Ports,
  reports: readonly AttemptReport[],
  healths: ReadonlyMap<string, WebhookHealth>,
): Promise<void> {
  const pauses = new Map<string, { organisationId: string; reason: PausedReason }>();
  for (const report of reports) {
    const health = healths.get(report.subId);
    const reason = health && reasonToPause(report, health);
    if (reason) pauses.set(report.subId, { organisationId: report.organisationId, reason });
  }
  for (const [subId, { organisationId, reason }] of pauses) await pause(ports, organisationId, subId, reason);
}

function reasonToPause({ status, at, retryState }: AttemptReport, health: WebhookHealth): PausedReason | null {
  if (retryState === 'delivered' || at <= health.soundAt) return null;
  if (status === 410) return 'gone';
  return hasFailedForLong(health, at) ? 'failing' : null;
}

async function pause(
  { store, clock, announce, log }: Ports,
  organisationId: string,
  subId: string,
  reason: PausedReason,
): Promise<void> {
  let active: KeptSub | undefined;
  const changed = await change(store, webhookBooks, organisationId, webhookUnknown, (book) => {
    active = book.subs.find(({ sub }) => sub.id === subId && !sub.disabled)?.sub;
    return done(withPaused(book, subId, reason, clock.now()));
  });
  if (!changed.ok || !active) return;
  announce({ kind: 'webhooks', organisationId });
  await tellPaused({ store, clock }, organisationId, active, reason);
  log.warn({ subId, organisationId, reason }, 'a webhook subscription was paused');
}
