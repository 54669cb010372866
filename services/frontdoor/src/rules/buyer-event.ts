/** The part of an event's record that a buyer's browser gets. Pure. */
import type { EventRecord } from '@parterre/shared/catalog/events';
import { inventoryModelVersion, posterUrlOf } from '@parterre/shared/event-meta';

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
    posterUrl: posterUrlOf(record),
    currency: record.currency,
    mode: record.mode,
    inventoryModelVersion,
  };
}
