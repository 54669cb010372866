/**
 * From a journal group to its occurrences and their bodies. The occurrence id is a function of the event's link behind
 * the group and of the record's index, so reading the group again gives the same ids (I5). A link names the event's
 * whole history: where a journal has lost a record, and another record comes to its place, that record has an id of its
 * own (I9). A lost part that the operator restores keeps the ids that it had. The OpenAPI description has every body's
 * schema.
 *
 * A body has the place of its occurrence in the event's history: `sequence` is the number of its act in the event's log
 * (`entryId`), and `index` counts the bodies of the act. An act is the consecutive records of one call. Example: a
 * replaced hold is `hold.released`, perhaps `seat.released`, then `hold.created`, with one sequence. A restored part
 * keeps the sequence that it had, too. Sequences of an event never go back: a shard that opens an event behind lost
 * records goes on above every known sequence.
 *
 * A body never carries a token or a session id: `by` and `source` name the role of the actor, not the actor.
 */

import type { Plan } from '../../charts/plan.ts';
import type { OccurrencePlace } from '../catalog/deliveries.ts';
import type { EventRecord } from '../catalog/events.ts';
import { entryId } from '../catalog/history.ts';
import { eventMeta } from '../event-meta.ts';
import { derivedId } from '../ids.ts';
import { type Link, textOfLink } from '../journal/links.ts';
import { addWordsOf, itemTermsOf, lineItemsOf, type WordedItem } from '../line-items.ts';
import { type PriceUnit, totalOfItems, unitOf } from '../money.ts';
import type { OperationTag } from '../operations/operation.ts';
import type { EventConfig, EventGroup, EventStatus, FreedLines, JournalRecord } from '../records.ts';
import type { eventOccurrences } from '../vocabulary.ts';

export type OccurrenceName = (typeof eventOccurrences)[number];

/**
 * An occurrence, ready to be sent. Every subscription gets `body` byte for byte. `ref` is a booking's reference, a
 * hold's id or an event's key; null for blocks, which have no name.
 */
export type Occurrence = {
  id: string;
  name: OccurrenceName;
  ref: string | null;
  place: OccurrencePlace;
  /** Of the group, epoch milliseconds. */
  at: number;
  body: string;
};

/** The place of a group in the journal. */
export type JournalPlace = { partition: number; sequence: number };

/** A group, and the event's link behind it (`linkAfter`). */
export type LinkedFacts = { group: EventGroup; link: Link };

/** The input of an occurrence's data. `plan` is null where no occurrence needs it, see `needsPlan`. */
type Facts = LinkedFacts & { event: EventRecord; plan: Plan | null };

type Attributed = Pick<OperationTag, 'owner'> & { operationId?: string };

/** An occurrence of a record. Its data is made only where a subscription matches. */
type OccurrenceDraft = {
  name: OccurrenceName;
  ref: string | null;
  /** The operation over several events that the record is a part of, or the season that reserves. */
  operation?: Attributed;
  data: (facts: Facts) => Record<string, unknown>;
};

/** The names of the group's occurrences. Without a subscription to any of them, neither plan nor bodies are needed. */
export function occurrenceNamesOf(group: EventGroup): Set<OccurrenceName> {
  return new Set(group.records.flatMap((_, index) => draftsAt(group, index).map(({ name }) => name)));
}

/** Whether the group has an occurrence. The first record of a sale has one, so a sale costs one look. */
export function hasOccurrence(group: EventGroup): boolean {
  return group.records.some((_, index) => draftsAt(group, index).length > 0);
}

/** Whether an occurrence among `names` has places, so that its body needs the plan. */
export function needsPlan(names: Iterable<string>): boolean {
  return [...names].some((name) => !isOfEvent(name));
}

/** Whether the occurrence is about an event as a whole. */
function isOfEvent(name: string): boolean {
  return name.startsWith('event.');
}

/**
 * The occurrences of `group` in order; only those of `wanted` where it is given. `event` is the catalog's record.
 * `plan` is the group's plan and may be null unless `needsPlan`.
 */
export function occurrencesOf(
  { group, link }: LinkedFacts,
  place: JournalPlace,
  event: EventRecord,
  plan: Plan | null,
  wanted?: ReadonlySet<string>,
): Occurrence[] {
  const { partition, sequence } = place;
  return group.records.flatMap((_, index) =>
    draftsAt(group, index)
      .filter(({ name }) => !wanted || wanted.has(name))
      .map((draft) => occurrenceOf(draft, { partition, sequence, index }, { group, link, event, plan })),
  );
}

/**
 * Makes the occurrence of `name` at `place` again, with the same id; null where the group has no such occurrence there.
 * Its body is the same byte for byte as far as the journal has its data. Name, externalRef and currency come from the
 * event's record as it is now.
 */
export function occurrenceAt(
  { group, link }: LinkedFacts,
  place: OccurrencePlace,
  name: string,
  event: EventRecord,
  plan: Plan | null,
): Occurrence | null {
  const draft = draftsAt(group, place.index).find((each) => each.name === name);
  return draft ? occurrenceOf(draft, place, { group, link, event, plan }) : null;
}

/** The body of a test. A test is in no journal, so its id is the caller's. */
export function pingBody(ping: { id: string; at: number; livemode: boolean; workspaceId: string | null }): string {
  const { id: occurrenceId, at, livemode, workspaceId } = ping;
  const body = { occurrenceId, event: 'ping', type: 'ping', at, sequence: null, index: 0, livemode };
  return JSON.stringify({ ...body, ...(workspaceId !== null && { workspaceId }), test: true, data: {} });
}

function occurrenceOf(
  { name, ref, operation, data }: OccurrenceDraft,
  place: OccurrencePlace,
  facts: Facts,
): Occurrence {
  const id = derivedId('occ', ...identityOf(facts, place.index, name));
  const order = orderIn(facts.group, place, name);
  const body = JSON.stringify({ ...envelopeOf(id, name, order, facts), ...ownerOf(operation), data: data(facts) });
  return { id, name, ref: isOfEvent(name) ? facts.event.key : ref, place, at: facts.group.at, body };
}

/** A restored part has the link and the index of the lost part, so its occurrences keep their ids. */
function identityOf({ group, link }: Facts, index: number, name: string): [link: string, place: string] {
  const first = group.records[0];
  if (first?.type !== 'restored' || first.link === undefined) return [textOfLink(link), `${index}.${name}`];
  return [first.link, `${index - 1}.${name}`];
}

/** The place of a body in the event's history. */
type BodyOrder = { sequence: number; index: number };

function orderIn(group: EventGroup, { sequence, index }: OccurrencePlace, name: string): BodyOrder {
  const { records } = group;
  let first = index;
  while (first > 0 && isOneAct(records[first - 1]!, records[first]!)) first -= 1;
  let before = draftsAt(group, index).findIndex((draft) => draft.name === name);
  for (let at = first; at < index; at++) before += draftsAt(group, at).length;
  const [restored] = records;
  if (restored?.type !== 'restored') return { sequence: entryId(sequence, first), index: before };
  return { sequence: entryId(restored.sequence, first - 1), index: before };
}

function isOneAct(record: JournalRecord, next: JournalRecord): boolean {
  // A hold that another hold replaces.
  if (record.type === 'released' && record.callId === undefined) return next.type === 'held';
  const callId = 'callId' in record ? record.callId : undefined;
  return callId !== undefined && 'callId' in next && next.callId === callId;
}

function envelopeOf(
  id: string,
  name: OccurrenceName,
  { sequence, index }: BodyOrder,
  { group, event }: Facts,
): Record<string, unknown> {
  return {
    occurrenceId: id,
    event: name,
    type: name,
    at: group.at,
    sequence,
    index,
    livemode: event.mode === 'live',
    eventKey: event.key,
    eventId: event.id,
    ...(event.externalRef !== null && { externalRef: event.externalRef }),
    workspaceId: event.workspaceId,
  };
}

/** The group or season that sells the event with others, and the caller's name of the sale. */
function ownerOf(operation?: Attributed): Record<string, string> {
  if (!operation) return {};
  const { owner, operationId } = operation;
  const ownerKey = owner.kind === 'group' ? 'performanceGroupKey' : 'seasonKey';
  return { [ownerKey]: owner.key, ...(operationId !== undefined && { operationId }) };
}

function draftsAt({ records }: EventGroup, index: number): OccurrenceDraft[] {
  const record = records[index];
  if (!record) return [];
  const drafts = ownDraftsOf(record, records[index - 1], records[index + 1]);
  const operation = drafts.length > 0 ? attributedTo(record, records[index - 1]) : undefined;
  return operation ? drafts.map((draft) => ({ ...draft, operation })) : drafts;
}

/** An offer gives its seats up in the record before their booking. */
function attributedTo(record: JournalRecord, before: JournalRecord | undefined): Attributed | undefined {
  if (record.type === 'reserved') return record;
  const end = record.type === 'booked' ? before : record;
  if (end?.type === 'unreserved') return end.owner && { owner: end.owner };
  return 'operation' in record ? record.operation : undefined;
}

function ownDraftsOf(
  record: JournalRecord,
  before: JournalRecord | undefined,
  next: JournalRecord | undefined,
): OccurrenceDraft[] {
  switch (record.type) {
    case 'held':
      return [holdDraft('hold.created', record, lineUnits(record))];
    case 'extended':
      return [holdDraft('hold.extended', record, record.units)];
    case 'expired':
      // An expiry is two occurrences: one of the hold and one of its seats.
      return [
        holdDraft('hold.expired', record, record.units),
        ...freedDrafts('hold_expired', freedBy(record), { holdId: record.holdId }, record.freed),
      ];
    case 'released':
      return [
        releasedDraft(record, next?.type === 'held' && isOneAct(record, next) ? next.holdId : null),
        ...freedDrafts(
          record.reason === undefined ? 'released' : 'operator',
          freedBy(record),
          { holdId: record.holdId },
          record.freed,
        ),
      ];
    case 'booked':
      return record.imported ? [] : [bookedDraft(record, isResale(record, before))];
    case 'unbooked':
      if (record.resale) return [resoldDraft(record, record.resale.toBookingRef)];
      return freedDrafts('unbooked', record.units, { bookingRef: record.bookingRef }, record.freed);
    case 'exchanged': {
      const { bookingRef, exchangeId } = record;
      // The new units are told first: they are booked before the old ones are free.
      return [
        bookedDraft(record, false),
        ...freedDrafts('exchanged', record.units, { bookingRef, exchangeId }, record.freed),
      ];
    }
    case 'exchanged-with':
      return exchangedDrafts(record);
    case 'renumbered':
      return [bookedDraft(record, false), formerPlacesDraft(record)];
    case 'unblocked':
      return freedDrafts('unblocked', record.units, {});
    case 'blocked':
      // A batch takes back a call that has blocked nothing.
      if (record.units.length === 0) return [];
      return [{ name: 'seat.blocked', ref: null, data: (facts) => blockedData(record, facts) }];
    case 'reserved':
      return [{ name: 'seat.blocked', ref: null, data: (facts) => reservedData(record, facts) }];
    case 'unreserved':
      return record.bookingRef === undefined ? freedDrafts('unblocked', record.units, {}) : [];
    case 'reservation-made':
    case 'reservation-changed':
      return reservedDrafts(record);
    case 'reservation-ended':
      return freedDrafts('unblocked', record.units, { reservationId: record.reservationId });
    // The record of the booking follows.
    case 'reservation-booked':
      return [];
    case 'resale-listed':
      return [listedDraft('resale.listed', record)];
    case 'resale-removed':
      return [listedDraft('resale.removed', record)];
    default:
      return eventDraftsOf(record, next);
  }
}

/**
 * Of a swap, the units of a booking go to the other booking: they leave before they are told under their new booking.
 * Of an exchange over events, one side is this event's.
 */
function exchangedDrafts(record: RecordOf<'exchanged-with'>): OccurrenceDraft[] {
  const { bookingRef, exchangeId, units, lines, freed, swappedWith } = record;
  const booked = lines.length > 0 ? [bookedDraft(record, false)] : [];
  const names = { bookingRef, exchangeId, ...exchangeTerms(record) };
  const released = freedDrafts('exchanged', units, names, freed);
  return swappedWith === undefined ? [...booked, ...released] : [...released, ...booked];
}

/** The other side of the exchange, and what it asks for. */
function exchangeTerms({ swappedWith, other, fee, waived }: RecordOf<'exchanged-with'>): object {
  return {
    ...(swappedWith !== undefined && { swappedWith }),
    ...(other?.side === 'from' && { fromEventKey: other.eventKey, fromLabels: other.labels }),
    ...(other?.side === 'to' && { toEventKey: other.eventKey, toLabels: other.labels }),
    ...(other && { priceDifference: other.priceDifference }),
    ...(fee !== undefined && { fee }),
    ...(waived && { waivedDifference: waived }),
  };
}

type SaleType =
  | 'held'
  | 'extended'
  | 'expired'
  | 'released'
  | 'booked'
  | 'unbooked'
  | 'exchanged'
  | 'exchanged-with'
  | 'renumbered'
  | 'unblocked'
  | 'blocked'
  | 'reserved'
  | 'unreserved'
  | 'reservation-made'
  | 'reservation-changed'
  | 'reservation-ended'
  | 'reservation-booked'
  | 'resale-listed'
  | 'resale-removed';

/** Of records about the event as a whole, and of those without an occurrence. */
function eventDraftsOf(
  record: Exclude<JournalRecord, { type: SaleType }>,
  next: JournalRecord | undefined,
): OccurrenceDraft[] {
  switch (record.type) {
    case 'created':
      return [createdDraft(record.config)];
    case 'sold-out':
      return [soldOutDraft(record.seatTotal)];
    case 'status-set':
      return [movedDraft(record)];
    // A change of chart ends the blocks of removed places with these places. Nothing becomes free.
    case 'chart-updated': {
      const { chartId } = next?.type === 'chart-set' ? next : {};
      return [updatedDraft(chartId ? ['chart', 'chartId'] : ['chart'], chartId ? { chartId } : {})];
    }
    case 'hold-ttl-set':
      return [updatedDraft(['holdTtlMs'])];
    case 'configured':
    case 'event-configured':
      return configuredDrafts(record);
    case 'public-sale-set':
      return [updatedDraft(['publicSale'])];
    case 'sale-settings-set':
      return [updatedDraft(Object.keys(record.settings))];
    case 'releases-set':
    case 'release-closed':
      return [updatedDraft(['releases'])];
    case 'availability-set':
    case 'revealed':
      return [updatedDraft(['availability'])];
    case 'channel-created':
    case 'channel-changed':
    case 'channel-state-set':
    case 'channels-assigned':
    case 'channel-archived':
    case 'clock-set':
    case 'hold-kept':
    case 'part-held':
    case 'part-pinned':
    case 'part-unpinned':
    case 'operation-aborted':
    case 'action-refused':
    case 'locked':
    case 'lock-drained':
    case 'unlocked':
    case 'call-named':
    case 'holds-ended':
    case 'exchange-pinned':
    case 'exchange-unpinned':
    case 'exchange-refused':
    case 'accepted':
    case 'restored':
    // The record before tells the chart.
    case 'chart-set':
      return [];
    default:
      record satisfies never;
      // A newer shard may write records of a kind that this notifier does not know. They give no occurrence.
      return [];
  }
}

/** A change of chart that renumbers places of an area is an exchange to the ticket system: the old labels are void. */
function formerPlacesDraft(record: RecordOf<'renumbered'>): OccurrenceDraft {
  const { bookingRef, exchangeId, labels } = record;
  const data = (facts: Facts) => {
    const items = formerItems(record, facts);
    return { labels, items, reason: 'exchanged', bookingRef, exchangeId, ...moneyIn(facts) };
  };
  return { name: 'seat.released', ref: bookingRef, data };
}

/** The items of the new places, under the labels before. */
function formerItems({ labels: before, ...sale }: RecordOf<'renumbered'>, facts: Facts): object[] {
  const { labels } = planOf(facts);
  const formerOf = new Map(sale.lines.map(({ unit }, nth) => [labels.at(unit), before[nth]!]));
  const former = (label: string): string => formerOf.get(label) ?? label;
  return freedItems(sale, facts).map((item) => ({
    ...item,
    label: former(item.label),
    ...(item.labels && { labels: item.labels.map(former) }),
  }));
}

function bookedDraft(record: SaleRecord, resale: boolean): OccurrenceDraft {
  return { name: 'seat.booked', ref: record.bookingRef, data: (facts) => bookedData(record, resale, facts) };
}

/** Whether the booking has units of another booking, whose record stands before. */
function isResale({ bookingRef }: RecordOf<'booked'>, before: JournalRecord | undefined): boolean {
  return before?.type === 'unbooked' && before.resale?.toBookingRef === bookingRef;
}

/** `changed` has names of the API. */
function updatedDraft(changed: string[], facts: Partial<EventRecord> = {}): OccurrenceDraft {
  const data = ({ event }: Facts) => ({ changed, event: eventMeta({ ...event, ...facts }) });
  return { name: 'event.updated', ref: null, data };
}

/** An earlier shard writes no facts of the catalog. */
function configuredDrafts(record: RecordOf<'configured' | 'event-configured'>): OccurrenceDraft[] {
  const { currency, sectionStates } = record;
  const facts = record.type === 'configured' ? (record.facts ?? {}) : {};
  const changed = [
    ...Object.keys(facts),
    ...(currency === undefined ? [] : ['currency']),
    ...(sectionStates === undefined ? [] : ['sectionStates']),
    ...(record.type === 'event-configured' ? ['selectionRules'] : []),
  ];
  return changed.length === 0 ? [] : [updatedDraft(changed, { ...facts, ...(currency !== undefined && { currency }) })];
}

const moves = {
  active: 'event.reopened',
  closed: 'event.closed',
  archived: 'event.archived',
  deleted: 'event.deleted',
} as const satisfies Record<EventStatus, OccurrenceName>;

/** An event that leaves the archive is active with paused sales: it is changed, and not open yet. */
function movedDraft({ status, salesPaused = false }: RecordOf<'status-set'>): OccurrenceDraft {
  if (status === 'active' && salesPaused) return updatedDraft(['status', 'salesPaused'], { status, salesPaused });
  const data = ({ event }: Facts) => ({ event: eventMeta(event, { status, salesPaused }) });
  return { name: moves[status], ref: null, data };
}

function listedDraft(
  name: 'resale.listed' | 'resale.removed',
  record: RecordOf<'resale-listed' | 'resale-removed'>,
): OccurrenceDraft {
  const { listingId, units } = record;
  const bookingRef = record.bookingRef ?? null;
  const data = (facts: Facts) => ({ listingId, bookingRef, labels: labelsOf(units, facts) });
  return { name, ref: bookingRef, data };
}

function releasedDraft({ holdId, units }: RecordOf<'released'>, replacedBy: string | null): OccurrenceDraft {
  const data = (facts: Facts) => ({ holdId, labels: labelsOf(units, facts), replacedBy });
  return { name: 'hold.released', ref: holdId, data };
}

function soldOutDraft(seatTotal: number): OccurrenceDraft {
  return { name: 'event.soldout', ref: null, data: ({ group }) => ({ at: group.at, seatTotal }) };
}

function createdDraft(config: EventConfig): OccurrenceDraft {
  return { name: 'event.created', ref: null, data: ({ event }) => ({ event: asCreated(event, config) }) };
}

/** The event's meta as it was at its creation, as far as the journal has it. */
function asCreated(event: EventRecord, { currency, externalRef }: EventConfig): ReturnType<typeof eventMeta> {
  const { createdAt: updatedAt } = event;
  return eventMeta({ ...event, currency, externalRef, updatedAt, salesPaused: false, sold: 0, status: 'active' });
}

type RecordOf<T extends JournalRecord['type']> = Extract<JournalRecord, { type: T }>;
type SaleRecord = RecordOf<'booked' | 'exchanged' | 'exchanged-with' | 'renumbered'>;

function lineUnits(record: SaleRecord | RecordOf<'held' | 'reserved'>): number[] {
  return record.lines.map((line) => line.unit);
}

function holdDraft(
  name: 'hold.created' | 'hold.extended' | 'hold.expired',
  { holdId, expiresAt, by }: RecordOf<'held' | 'extended' | 'expired'>,
  units: number[],
): OccurrenceDraft {
  const data = (facts: Facts) => ({ holdId, labels: labelsOf(units, facts), expiresAt, source: by.source });
  return { name, ref: holdId, data };
}

/** The units that become free when a hold ends. */
function freedBy({ units, kept }: RecordOf<'released' | 'expired'>): number[] {
  if (!kept) return units;
  const taken = new Set(kept);
  return units.filter((unit) => !taken.has(unit));
}

/** No draft where no unit became free. Units that were off sale have no terms. */
function freedDrafts(
  reason: 'unbooked' | 'exchanged' | 'released' | 'operator' | 'hold_expired' | 'unblocked',
  units: number[],
  of: { bookingRef?: string; exchangeId?: string; holdId?: string; reservationId?: string } & object,
  freed?: FreedLines,
): OccurrenceDraft[] {
  if (units.length === 0) return [];
  const data = (facts: Facts) => {
    const items = freed ? freedItems(freed, facts) : null;
    return { labels: labelsOf(units, facts), items, reason, ...of, ...(reason === 'exchanged' && moneyIn(facts)) };
  };
  return [{ name: 'seat.released', ref: of.bookingRef ?? of.holdId ?? null, data }];
}

function moneyIn({ event }: Facts): { currency: string; priceUnit: PriceUnit } {
  return { currency: event.currency, priceUnit: unitOf(event) };
}

function freedItems({ accessSource, lines }: FreedLines, facts: Facts): WordedItem[] {
  const { currency } = facts.event;
  const plan = planOf(facts);
  const terms = itemTermsOf(facts.event);
  return lineItemsOf(plan, lines, { currency, accessSource }).map((item) => addWordsOf(plan, item, terms));
}

function resoldDraft(
  { units, bookingRef: fromBookingRef }: RecordOf<'unbooked'>,
  toBookingRef: string,
): OccurrenceDraft {
  const data = (facts: Facts) => ({ labels: labelsOf(units, facts), fromBookingRef, toBookingRef });
  return { name: 'object.resale.sold', ref: toBookingRef, data };
}

function blockedData({ units, releaseAt, reason, by }: RecordOf<'blocked'>, facts: Facts): Record<string, unknown> {
  return { labels: labelsOf(units, facts), releaseAt, reason, by: by.source };
}

/**
 * A seat of a reservation is off sale like a blocked one, until the reservation's end. A change tells all its seats.
 */
function reservedDrafts(record: RecordOf<'reservation-made' | 'reservation-changed'>): OccurrenceDraft[] {
  const { reservationId, name, until, units, by } = record;
  const givenUp = record.type === 'reservation-changed' ? record.givenUp : [];
  const data = (facts: Facts) => {
    return { labels: labelsOf(units, facts), releaseAt: until, reason: name, by: by.source, reservationId };
  };
  return [{ name: 'seat.blocked', ref: null, data }, ...freedDrafts('unblocked', givenUp, { reservationId })];
}

/** A reserved seat is off sale like a blocked one, until its offer ends. */
function reservedData(record: RecordOf<'reserved'>, facts: Facts): Record<string, unknown> {
  return { labels: labelsOf(lineUnits(record), facts), releaseAt: null, reason: null, by: record.by.source };
}

/**
 * `quantity` counts guests at tables that are sold as a whole. `configuredValue` is the sum of unitPrice × quantity,
 * and `total` has the fees on top too.
 */
function bookedData(record: SaleRecord, resale: boolean, facts: Facts): Record<string, unknown> {
  const { currency } = facts.event;
  const { channelRefs } = record;
  const { partnerRef = null, holdId } = record.type === 'renumbered' ? withoutHold : record;
  const refOf = (channelId: string | null) => (channelId !== null && channelRefs?.[channelId]) || null;
  const plan = planOf(facts);
  const terms = itemTermsOf(facts.event);
  const items = lineItemsOf(plan, record.lines, { currency, accessSource: record.accessSource }).map((item) =>
    addWordsOf(plan, item, terms),
  );
  return {
    bookingRef: record.bookingRef,
    holdId,
    resale,
    items: items.map((item) => Object.assign(item, { channelExternalRef: refOf(item.channelId), partnerRef })),
    labels: labelsOf(lineUnits(record), facts),
    quantity: items.reduce((sum, item) => sum + (item.quantity ?? 1), 0),
    currency,
    priceUnit: terms.priceUnit,
    configuredValue: items.reduce((sum, item) => sum + item.unitPrice * (item.quantity ?? 1), 0),
    total: totalOfItems(items),
    source: record.by.source,
    ...(record.type !== 'booked' && { reason: 'exchanged', exchangeId: record.exchangeId }),
    ...(record.type === 'exchanged-with' && exchangeTerms(record)),
  };
}

const withoutHold = { partnerRef: null, holdId: null };

function labelsOf(units: number[], facts: Facts): string[] {
  const { labels } = planOf(facts);
  return units.map((unit) => labels.at(unit));
}

function planOf({ plan }: Facts): Plan {
  if (!plan) throw new Error('an occurrence with places needs a plan');
  return plan;
}
