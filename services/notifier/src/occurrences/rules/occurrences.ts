/**
 * From one journal group to what webhooks say of it (wire contract 9). The occurrence id is a function of the record's
 * place in the journal, so that reading the group again names the same occurrences (I5).
 *
 * A body never carries a token or a session id: `by` and `source` say in which role somebody acted, not who.
 */
import type { OccurrencePlace } from '@parterre/shared/catalog/deliveries';
import type { EventRecord } from '@parterre/shared/catalog/events';
import type { Plan } from '@parterre/shared/chart/plan';
import { eventMeta } from '@parterre/shared/event-meta';
import { derivedId } from '@parterre/shared/ids';
import { lineItemsOf } from '@parterre/shared/line-items';
import type { EventConfig, Group, JournalRecord } from '@parterre/shared/records';

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

/**
 * One thing that happened, ready to be sent: `body` is what every subscription gets, byte for byte. `ref` names what it is
 * about: a booking's reference, a hold's id, an event's key; null of blocks, which have no name.
 */
export type Occurrence = { id: string; name: OccurrenceName; ref: string | null; place: OccurrencePlace; body: string };

/** Where a group stands in the journal. */
export type Place = { partition: number; sequence: number };

/** What its data is made of. The plan is null where nothing needs it, see `needsPlan`. */
type Facts = { at: number; event: EventRecord; plan: Plan | null };

/** What a record comes to; its data is made only for those who hear of it. */
type OccurrenceDraft = { name: OccurrenceName; ref: string | null; data: (facts: Facts) => Record<string, unknown> };

/** The names a group would give rise to; with none of them subscribed to, neither plan nor bodies are needed. */
export function namesOf(group: Group): Set<OccurrenceName> {
  return new Set(group.records.flatMap((record) => draftsOf(record).map(({ name }) => name)));
}

/** Whether any of `names` tells of places, so that its bodies cannot be made without the plan. */
export function needsPlan(names: Iterable<string>): boolean {
  return [...names].some((name) => !isOfEvent(name));
}

/** Whether it is about an event as a whole. */
function isOfEvent(name: string): boolean {
  return name === 'event.created' || name === 'event.soldout';
}

/**
 * The occurrences of `group` in order, those of `wanted` alone where it is given. `event` is the catalog's record, `plan` the
 * one that the group names, which may be null unless `needsPlan`.
 */
export function occurrencesOf(
  group: Group,
  place: Place,
  event: EventRecord,
  plan: Plan | null,
  wanted?: ReadonlySet<string>,
): Occurrence[] {
  return group.records.flatMap((record, index) =>
    draftsOf(record)
      .filter(({ name }) => !wanted || wanted.has(name))
      .map((draft) =>
        told(draft, { partition: place.partition, sequence: place.sequence, index }, { at: group.at, event, plan }),
      ),
  );
}

/**
 * The occurrence of `name` at `place` once more, with the same id; null where the group has none there. Its body is the same
 * byte for byte as far as the journal says it; what stands in the event's record alone (its name, externalRef,
 * currency) is told as it is now.
 */
export function occurrenceAt(
  group: Group,
  place: OccurrencePlace,
  name: string,
  event: EventRecord,
  plan: Plan | null,
): Occurrence | null {
  const record = group.records[place.index];
  const draft = record && draftsOf(record).find((each) => each.name === name);
  return draft ? told(draft, place, { at: group.at, event, plan }) : null;
}

/** What a person sends a subscription to try it. It stands in no journal, so that its id is the caller's. */
export function pingBody(ping: { id: string; at: number; livemode: boolean; workspaceId: string | null }): string {
  const { id: occurrenceId, at, livemode, workspaceId } = ping;
  const body = { occurrenceId, event: 'ping', type: 'ping', at, livemode };
  return JSON.stringify({ ...body, ...(workspaceId !== null && { workspaceId }), test: true, data: {} });
}

function told({ name, ref, data }: OccurrenceDraft, place: OccurrencePlace, facts: Facts): Occurrence {
  const { partition, sequence, index } = place;
  const id = derivedId('occ', String(partition), String(sequence), `${index}.${name}`);
  const body = JSON.stringify({ ...envelopeOf(id, name, facts), data: data(facts) });
  return { id, name, ref: isOfEvent(name) ? facts.event.key : ref, place, body };
}

function envelopeOf(id: string, name: OccurrenceName, { at, event }: Facts): Record<string, unknown> {
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

function draftsOf(record: JournalRecord): OccurrenceDraft[] {
  switch (record.type) {
    case 'created':
      return [created(record.config)];
    case 'held':
      return [ofHold('hold.created', record, unitsOf(record))];
    case 'extended':
      return [ofHold('hold.extended', record, record.units)];
    case 'expired':
      // An expiry is told twice, once of the hold and once of its seats.
      return [
        ofHold('hold.expired', record, record.units),
        ...released('hold_expired', freedBy(record), { holdId: record.holdId }),
      ];
    case 'released':
      return released('released', freedBy(record), { holdId: record.holdId });
    case 'booked':
      return [{ name: 'seat.booked', ref: record.bookingRef, data: (facts) => bookedData(record, facts) }];
    case 'unbooked':
      if (record.resale) return [resold(record, record.resale.toBookingRef)];
      return released('unbooked', record.units, { bookingRef: record.bookingRef });
    case 'unblocked':
      return released('unblocked', record.units, {});
    case 'blocked':
      return [{ name: 'seat.blocked', ref: null, data: (facts) => blockedData(record, facts) }];
    case 'sold-out': {
      const { seatTotal } = record;
      return [{ name: 'event.soldout', ref: null, data: ({ at }) => ({ at, seatTotal }) }];
    }
    // Blocks on places that the new chart has not end with them: nothing becomes free.
    case 'chart-updated':
    case 'hold-ttl-set':
    case 'status-set':
    case 'configured':
    case 'section-states-set':
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

function created(config: EventConfig): OccurrenceDraft {
  return { name: 'event.created', ref: null, data: ({ event }) => ({ event: asCreated(event, config) }) };
}

/** EventMeta as it was when the event was created, as far as the journal says it, whatever has become of it since. */
function asCreated(event: EventRecord, { currency, externalRef }: EventConfig): ReturnType<typeof eventMeta> {
  const { createdAt: updatedAt } = event;
  return eventMeta({ ...event, currency, externalRef, updatedAt, salesPaused: false, sold: 0, status: 'active' });
}

type RecordOf<T extends JournalRecord['type']> = Extract<JournalRecord, { type: T }>;

function unitsOf(record: RecordOf<'held' | 'booked'>): number[] {
  return record.lines.map((line) => line.unit);
}

function ofHold(
  name: 'hold.created' | 'hold.extended' | 'hold.expired',
  { holdId, expiresAt, by }: RecordOf<'held' | 'extended' | 'expired'>,
  units: number[],
): OccurrenceDraft {
  const data = (facts: Facts) => ({ holdId, labels: labelsOf(units, facts), expiresAt, source: by.source });
  return { name, ref: holdId, data };
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
  units: number[],
  of: { bookingRef?: string; holdId?: string },
): OccurrenceDraft[] {
  if (units.length === 0) return [];
  const data = (facts: Facts) => ({ labels: labelsOf(units, facts), reason, ...of });
  return [{ name: 'seat.released', ref: of.bookingRef ?? of.holdId ?? null, data }];
}

function resold({ units, bookingRef: fromBookingRef }: RecordOf<'unbooked'>, toBookingRef: string): OccurrenceDraft {
  const data = (facts: Facts) => ({ labels: labelsOf(units, facts), fromBookingRef, toBookingRef });
  return { name: 'object.resale.sold', ref: toBookingRef, data };
}

function blockedData({ units, releaseAt, reason, by }: RecordOf<'blocked'>, facts: Facts): Record<string, unknown> {
  return { labels: labelsOf(units, facts), releaseAt, reason, by: by.source };
}

/** `quantity` counts guests at tables sold as a whole; `configuredValue` is the sum of unitPrice × quantity. */
function bookedData(record: RecordOf<'booked'>, facts: Facts): Record<string, unknown> {
  const { currency } = facts.event;
  const { channelRefs, partnerRef = null } = record;
  const refOf = (channelId: string | null) => (channelId !== null && channelRefs?.[channelId]) || null;
  const items = lineItemsOf(planOf(facts), record.lines, { currency, accessSource: record.accessSource });
  return {
    bookingRef: record.bookingRef,
    items: items.map((item) => Object.assign(item, { channelExternalRef: refOf(item.channelId), partnerRef })),
    labels: labelsOf(unitsOf(record), facts),
    quantity: items.reduce((sum, item) => sum + (item.quantity ?? 1), 0),
    currency,
    configuredValue: items.reduce((sum, item) => sum + item.unitPrice * (item.quantity ?? 1), 0),
    source: record.by.source,
  };
}

function labelsOf(units: number[], facts: Facts): string[] {
  const { labels } = planOf(facts);
  return units.map((unit) => labels.at(unit));
}

function planOf({ plan }: Facts): Plan {
  if (!plan) throw new Error('places are told of by a plan');
  return plan;
}
