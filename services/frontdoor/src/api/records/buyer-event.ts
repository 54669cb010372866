/** The part of an event's record that a buyer's browser gets, with fresher facts from the event's actor. Pure. */
import type { EventRecord } from '@parterre/shared/catalog/events';
import { inventoryModelVersion, posterUrlOf } from '@parterre/shared/event-meta';

type LiveFacts = Pick<EventRecord, 'status' | 'salesPaused'>;

export function buyerEventOf(record: EventRecord, { status, salesPaused }: LiveFacts = record) {
  return {
    key: record.key,
    name: record.name,
    // A deleted event has no readers: admission refuses its key.
    status: status as Exclude<typeof status, 'deleted'>,
    salesClosed: status !== 'active' || salesPaused,
    venue: record.venue,
    startsAt: record.startsAt,
    endsAt: record.endsAt,
    timezone: record.timezone,
    locale: record.locale,
    posterUrl: posterUrlOf(record),
    currency: record.currency,
    mode: record.mode,
    inventoryModelVersion,
    selectionRules: record.selectionRules ?? null,
  };
}
