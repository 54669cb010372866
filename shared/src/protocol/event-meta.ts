/** EventMeta for callers and webhooks, made from the catalog's record and the answers of the event's actor. */
import type { Counts } from './answers.ts';
import type { EventRecord } from './catalog/events.ts';
import { unitOf } from './money.ts';
import type { EventStatus } from './records.ts';

export const inventoryModelVersion = 2 as const;

/** Facts of the actor, newer than the catalog's projections. */
export type LiveFacts = { status?: EventStatus; salesPaused?: boolean; counts?: Counts };

export function eventMeta(record: EventRecord, live: LiveFacts = {}) {
  return {
    id: record.id,
    key: record.key,
    slug: record.slug,
    name: record.name,
    chartId: record.chartId,
    status: live.status ?? record.status,
    salesPaused: live.salesPaused ?? record.salesPaused,
    seatTotal: live.counts ? unitsIn(live.counts) : record.seatTotal,
    mode: record.mode,
    workspaceId: record.workspaceId,
    externalRef: record.externalRef,
    currency: record.currency,
    priceUnit: unitOf(record),
    region: record.region,
    ownership: record.ownership,
    sold: live.counts?.booked ?? record.sold,
    inventoryModelVersion,
    startsAt: record.startsAt,
    endsAt: record.endsAt,
    venue: record.venue,
    description: record.description,
    timezone: record.timezone,
    locale: record.locale,
    posterAssetId: record.posterAssetId,
    posterUrl: posterUrlOf(record),
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}

function unitsIn({ free, held, booked, blocked }: Counts): number {
  return free + held + booked + blocked;
}

export function posterUrlOf({ posterAssetId }: EventRecord): string | null {
  return posterAssetId === null ? null : `/pub/assets/${posterAssetId}`;
}
