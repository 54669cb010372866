/** EventMeta of the wire contract (4), as it was when the event was created: nothing sold, open. */
import type { EventRecord } from '@parterre/shared/catalog-api';

const inventoryModelVersion = 2;

export function eventMetaOf(event: EventRecord): Record<string, unknown> {
  const { organisationId: _organisationId, planHash: _planHash, chartVersion: _chartVersion, ...rest } = event;
  const { holdTtlMs: _holdTtlMs, ...meta } = rest;
  return {
    ...meta,
    status: 'active',
    salesPaused: false,
    sold: 0,
    inventoryModelVersion,
    posterUrl: event.posterAssetId === null ? null : `/pub/assets/${event.posterAssetId}`,
  };
}
