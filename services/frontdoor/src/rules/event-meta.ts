/** EventMeta as callers see it, from the catalog's record and what the event's actor says. Pure. */
import type { EventRecord } from '@parterre/shared/catalog-api';
import type { Counts } from '@parterre/shared/commands';
import type { EventStatus } from '@parterre/shared/records';

const INVENTORY_MODEL_VERSION = 2;

/** What the actor knows better than the catalog's projections. */
export type LiveFacts = { status?: EventStatus; counts?: Counts };

export function eventMeta(record: EventRecord, live: LiveFacts = {}) {
  return {
    id: record.id,
    key: record.key,
    slug: record.slug,
    name: record.name,
    chartId: record.chartId,
    status: live.status ?? record.status,
    salesPaused: record.salesPaused,
    seatTotal: record.seatTotal,
    mode: record.mode,
    workspaceId: record.workspaceId,
    externalRef: record.externalRef,
    currency: record.currency,
    region: record.region,
    ownership: record.ownership,
    sold: live.counts?.booked ?? record.sold,
    inventoryModelVersion: INVENTORY_MODEL_VERSION,
    startsAt: record.startsAt,
    endsAt: record.endsAt,
    venue: record.venue,
    description: record.description,
    timezone: record.timezone,
    locale: record.locale,
    posterAssetId: record.posterAssetId,
    posterUrl: record.posterAssetId === null ? null : `/pub/assets/${record.posterAssetId}`,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}

/** The part of it that a buyer's browser gets. */
export function buyerEvent(record: EventRecord) {
  return {
    key: record.key,
    name: record.name,
    status: record.status,
    salesClosed: record.status !== 'active' || record.salesPaused,
    venue: record.venue,
    startsAt: record.startsAt,
    endsAt: record.endsAt,
    timezone: record.timezone,
    locale: record.locale,
    posterUrl: record.posterAssetId === null ? null : `/pub/assets/${record.posterAssetId}`,
    currency: record.currency,
    mode: record.mode,
    inventoryModelVersion: INVENTORY_MODEL_VERSION,
  };
}
