/**
 * From one journal group to what webhooks say of it (wire contract 9). The occurrence id is a function of the record's
 * place in the journal, so that reading the group again names the same occurrences (I5).
 *
 * A body never carries a token or a session id: `by` and `source` say in which role somebody acted, not who.
 */
import type { EventRecord } from '@parterre/shared/catalog/events';
import type { Plan } from '@parterre/shared/chart/plan';
import { eventMeta } from '@parterre/shared/event-meta';
import { derivedId } from '@parterre/shared/ids';
import { lineItemsOf } from '@parterre/shared/line-items';
import type { Group, JournalRecord } from '@parterre/shared/records';

export type OccurrenceName =
  | 'seat.booked'
  | 'seat.released'
  | 'seat.blocked'
  | 'hold.created'
  | 'hold.extended'
  | 'hold.expired'
  | 'event.created'
  | 'object.resale.sold'
  | 'event.soldout';

/** One thing that happened, ready to be sent: `body` is what every subscription gets, byte for byte. */
export type Occurrence = { id: string; name: OccurrenceName; body: string };

/** Where a group stands in the journal. */
export type Place = { partition: number; sequence: number };

/** What one record comes to, before it has an id. */
type Happening = { name: OccurrenceName; data: Record<string, unknown> };

/** The names a group would give rise to; with none of them subscribed to, neither plan nor bodies are needed. */
export function namesOf(group: Group): Set<OccurrenceName> {
  return new Set(group.records.flatMap(namesOfRecord));
}

/** The occurrences of `group` in order. `event` is the catalog's record, `plan` the one the group names. */
export function occurrencesOf(group: Group, place: Place, event: EventRecord, plan: Plan): Occurrence[] {
  return group.records.flatMap((record, index) =>
    happeningsOf(record, group.at, event, plan).map(({ name, data }) => {
      const id = derivedId('occ', String(place.partition), String(place.sequence), `${index}.${name}`);
      return { id, name, body: JSON.stringify({ ...envelopeOf(id, name, group.at, event), data }) };
    }),
  );
}

function envelopeOf(id: string, name: OccurrenceName, at: number, event: EventRecord): Record<string, unknown> {
  return {
    occurrenceId: id,
    event: name,
    type: name,
    at,
    livemode: event.mode === 'live',
    eventKey: event.key,
    eventId: event.id,
    ...(event.externalRef !== null && { externalRef: event.externalRef }),
    workspaceId: event.workspaceId,
  };
}

function namesOfRecord(record: JournalRecord): OccurrenceName[] {
  switch (record.type) {
    case 'created':
      return ['event.created'];
    case 'held':
      return ['hold.created'];
    case 'extended':
      return ['hold.extended'];
    case 'expired':
      return freedBy(record).length === 0 ? ['hold.expired'] : ['hold.expired', 'seat.released'];
    case 'booked':
      return ['seat.booked'];
    case 'released':
      return freedBy(record).length === 0 ? [] : ['seat.released'];
    case 'unbooked':
      return [record.resale ? 'object.resale.sold' : 'seat.released'];
    case 'unblocked':
      return record.units.length === 0 ? [] : ['seat.released'];
    case 'blocked':
      return ['seat.blocked'];
    case 'sold-out':
      return ['event.soldout'];
    case 'hold-ttl-set':
    case 'status-set':
    case 'configured':
    case 'section-states-set':
    case 'chart-updated':
    case 'releases-set':
    case 'release-closed':
    case 'availability-set':
    case 'revealed':
    case 'resale-listed':
    case 'resale-removed':
    case 'channel-created':
    case 'channel-changed':
    case 'channel-state-set':
    case 'channels-assigned':
    case 'channel-archived':
      return [];
    default:
      record satisfies never;
      // A newer shard may write kinds of records that this notifier does not know yet; they are nothing it tells of.
      return [];
  }
}

function happeningsOf(record: JournalRecord, at: number, event: EventRecord, plan: Plan): Happening[] {
  const labels = (units: number[]) => units.map((unit) => plan.labels.at(unit));
  switch (record.type) {
    case 'created':
      return [{ name: 'event.created', data: { event: asCreated(event) } }];
    case 'held':
      return [{ name: 'hold.created', data: holdData(record, labels(unitsOf(record))) }];
    case 'extended':
      return [{ name: 'hold.extended', data: holdData(record, labels(record.units)) }];
    case 'expired':
      // An expiry is told twice, once of the hold and once of its seats.
      return [
        { name: 'hold.expired', data: holdData(record, labels(record.units)) },
        ...released('hold_expired', labels(freedBy(record)), { holdId: record.holdId }),
      ];
    case 'released':
      return released('released', labels(freedBy(record)), { holdId: record.holdId });
    case 'booked':
      return [{ name: 'seat.booked', data: bookedData(record, event, plan) }];
    case 'unbooked': {
      const { bookingRef, resale } = record;
      if (!resale) return released('unbooked', labels(record.units), { bookingRef });
      const data = { labels: labels(record.units), fromBookingRef: bookingRef, toBookingRef: resale.toBookingRef };
      return [{ name: 'object.resale.sold', data }];
    }
    case 'unblocked':
      return released('unblocked', labels(record.units), {});
    case 'blocked': {
      const { releaseAt, reason, by } = record;
      return [{ name: 'seat.blocked', data: { labels: labels(record.units), releaseAt, reason, by: by.source } }];
    }
    case 'sold-out':
      return [{ name: 'event.soldout', data: { at, seatTotal: record.seatTotal } }];
    default:
      return [];
  }
}

/** EventMeta as it was when the event was created, whatever has become of it since. */
function asCreated(event: EventRecord): ReturnType<typeof eventMeta> {
  return eventMeta({ ...event, salesPaused: false, sold: 0, status: 'active' });
}

type RecordOf<T extends JournalRecord['type']> = Extract<JournalRecord, { type: T }>;

function unitsOf(record: RecordOf<'held' | 'booked'>): number[] {
  return record.lines.map((line) => line.unit);
}

function holdData(record: RecordOf<'held' | 'extended' | 'expired'>, labels: string[]): Record<string, unknown> {
  return { holdId: record.holdId, labels, expiresAt: record.expiresAt, source: record.by.source };
}

/** What becomes free when a hold lets go of its units. */
function freedBy({ units, kept }: RecordOf<'released' | 'expired'>): number[] {
  if (!kept) return units;
  const taken = new Set(kept);
  return units.filter((unit) => !taken.has(unit));
}

/** Nothing where no unit became free. */
function released(
  reason: 'unbooked' | 'released' | 'hold_expired' | 'unblocked',
  labels: string[],
  of: { bookingRef?: string; holdId?: string },
): Happening[] {
  return labels.length === 0 ? [] : [{ name: 'seat.released', data: { labels, reason, ...of } }];
}

/** `quantity` counts guests at tables sold as a whole; `configuredValue` is the sum of unitPrice × quantity. */
function bookedData(record: RecordOf<'booked'>, event: EventRecord, plan: Plan): Record<string, unknown> {
  const { channelRefs, partnerRef = null } = record;
  const refOf = (channelId: string | null) => (channelId !== null && channelRefs?.[channelId]) || null;
  const items = lineItemsOf(plan, record.lines, { currency: event.currency, accessSource: record.accessSource });
  return {
    bookingRef: record.bookingRef,
    items: items.map((item) => ({ ...item, channelExternalRef: refOf(item.channelId), partnerRef })),
    labels: unitsOf(record).map((unit) => plan.labels.at(unit)),
    quantity: items.reduce((sum, item) => sum + (item.quantity ?? 1), 0),
    currency: event.currency,
    configuredValue: items.reduce((sum, item) => sum + item.unitPrice * (item.quantity ?? 1), 0),
    source: record.by.source,
  };
}
