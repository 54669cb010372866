/** Reads the batches of the history: see rules/delivery-batch.ts. */
import { deliveryBatches } from '../store/collections.ts';
import { batchesReadMax, batchSpanMicros } from '../store/rules/bounds.ts';
import type { Position } from '../store/rules/paging.ts';
import type { DeliveryBatch, DeliveryRow } from '../store/rules/webhook-records.ts';
import type { Store, Stored } from '../store/store.ts';
import { rowsOf } from './rules/delivery-batch.ts';
import { newerFirst, type ShownDelivery } from './rules/delivery-pages.ts';

/** The rows of those deliveries that are in a batch. */
export async function arrivedRows(store: Store, ids: readonly string[]): Promise<Map<string, DeliveryRow>> {
  const rows = new Map<string, DeliveryRow>();
  if (ids.length === 0) return rows;
  const asked = new Set(ids);
  for (const { value } of await store.findMany(deliveryBatches, 'byDelivery', ids)) {
    const rowAt = rowsOf(value);
    for (const [at, id] of value.deliveryIds.entries()) if (asked.has(id)) rows.set(id, rowAt(at));
  }
  return rows;
}

/** A delivery at its place in a batch. */
type DeliveryPlace = { id: string; order: number; row: () => DeliveryRow };

type BatchPage = { documents: Stored<DeliveryBatch>[]; next: Position | null };

const newestBatches = { index: 'bySubscription', limit: batchesReadMax, descending: true };

/** The newest deliveries of a subscription whose orders are below `below`, the newest first. */
export async function arrivedPage(
  store: Store,
  subId: string,
  { limit, below }: { limit: number; below: number },
): Promise<ShownDelivery[]> {
  let newest: DeliveryPlace[] = [];
  let after: Position | undefined = { order: below, id: '' };
  while (after !== undefined) {
    const page: BatchPage = await store.page(deliveryBatches, { ...newestBatches, equal: [subId], after });
    const places = page.documents.flatMap(({ value }) => placesBelow(value, below));
    newest = [...newest, ...places].sort(newerFirst).slice(0, limit);
    after = page.next ?? undefined;
    // Every batch that is left begins before this place, and has no delivery that is newer by more than a span.
    const least = newest.length === limit ? newest.at(-1)!.order : Number.NEGATIVE_INFINITY;
    if (after !== undefined && Number(after.order) + batchSpanMicros < least) break;
  }
  return newest.map(({ id, row }) => ({ id, value: row() }));
}

function placesBelow(batch: DeliveryBatch, below: number): DeliveryPlace[] {
  const rowAt = rowsOf(batch);
  const places: DeliveryPlace[] = [];
  for (const [at, order] of batch.orders.entries()) {
    if (order < below) places.push({ id: batch.deliveryIds[at]!, order, row: () => rowAt(at) });
  }
  return places;
}
