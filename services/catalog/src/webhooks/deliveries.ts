/** The history of webhook deliveries: reports of attempts, lists, and the stored delivery for a manual retry. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { deliveries, webhookBooks } from '../store/collections.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import type { Store } from '../store/store.ts';
import { arrivedPage, arrivedRows } from './delivery-batches.ts';
import { createRecordReports } from './delivery-reports.ts';
import { mergedPage } from './health-store.ts';
import { noteOutboxAttempts } from './outbox-attempts.ts';
import { cutDeliveries, deliveryLimit, newestFirst, orderBefore, tiesLookedAt } from './rules/delivery-pages.ts';
import { deliveryOf, keptDeliveryOf } from './rules/delivery-row.ts';
import { findSub, webhookUnknown } from './rules/subscription-state.ts';

type DeliveryOperation = 'deliveries.record' | 'deliveries.list' | 'deliveries.get';

export function createDeliveryOperations(ports: Ports): OperationTable<DeliveryOperation> {
  const { store } = ports;
  const record = createRecordReports(ports);
  return {
    async 'deliveries.record'({ reports }) {
      await record(reports);
      await noteOutboxAttempts(store, reports);
      return done({ ok: true });
    },

    async 'deliveries.list'({ scope, subId, limit: asked, status, before }) {
      if (!(await subscriptionExists(store, scope, subId))) return webhookUnknown();
      const limit = deliveryLimit(asked);
      const outcomes = status === undefined ? [true, false] : [status === 'ok'];
      const below = before === undefined ? Number.MAX_SAFE_INTEGER : orderBefore(before);
      const looked = limit + tiesLookedAt;
      const [rows, arrived] = await Promise.all([
        // Before every id of a delivery with exactly this order.
        mergedPage(store, subId, outcomes, { limit: looked, descending: true, after: { order: below, id: '' } }),
        status === 'failed' ? [] : arrivedPage(store, subId, { limit: looked, below }),
      ]);
      const found = newestFirst(rows, arrived).slice(0, looked);
      const orders = found.map(({ value }) => value.order);
      const { count, nextBefore } = cutDeliveries(orders, limit);
      return done({ deliveries: found.slice(0, count).map(({ id, value }) => deliveryOf(id, value)), nextBefore });
    },

    async 'deliveries.get'({ scope, subId, deliveryId }) {
      if (scope && !(await subscriptionExists(store, scope, subId))) return webhookUnknown();
      const found = await store.get(deliveries, deliveryId);
      const row = found?.value ?? (await arrivedRows(store, [deliveryId])).get(deliveryId);
      if (row?.subId !== subId)
        return refuse(
          'not_found',
          'There is no such delivery, or it is no longer stored. GET the deliveries to read their ids.',
        );
      return done({ kept: keptDeliveryOf(deliveryId, row), delivery: deliveryOf(deliveryId, row) });
    },
  };
}

async function subscriptionExists(store: Store, scope: Scope, subId: string): Promise<boolean> {
  const book = await store.get(webhookBooks, scope.organisationId);
  return book !== null && findSub(book.value, scope, subId) !== undefined;
}
