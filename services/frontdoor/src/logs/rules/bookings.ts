/**
 * Bookings as callers read them. The units of a journal record become labels and line items through the plan that the
 * record's entry names, since a change of chart changes the meaning of unit numbers. Pure.
 */

import { labelsOf, objectOf, type Plan, ungroupedSection } from '@parterre/shared/charts/plan';
import type { LineItem } from '@parterre/shared/protocol/answers';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { JournalEntry, KeptBooking } from '@parterre/shared/protocol/catalog/history';
import { addWordsOf, itemTermsOf, lineItemsOf } from '@parterre/shared/protocol/line-items';
import { unitOf } from '@parterre/shared/protocol/money';
import type { JournalRecord, Line } from '@parterre/shared/protocol/records';

/** Plans by hash: all plans that the entries name, and the event's present plan. */
export type Plans = ReadonlyMap<string, Plan>;

/** The hashes of the plans that an entry needs. */
export function planHashesOf({ plan, record }: JournalEntry): string[] {
  if (record.type !== 'chart-updated') return [plan];
  return record.unblocked || record.droppedAssignments ? [plan, record.from] : [plan];
}

type ExchangedRecord = JournalRecord & { type: 'exchanged' | 'exchanged-with' };

function isExchange(record: JournalRecord): record is ExchangedRecord {
  return record.type === 'exchanged' || record.type === 'exchanged-with';
}

/** Of an exchange, the units that were given up come first. */
export function unitsOf(record: JournalRecord): number[] {
  if (isExchange(record)) return [...record.units, ...record.lines.map(({ unit }) => unit)];
  if ('lines' in record) return record.lines.map(({ unit }) => unit);
  return 'units' in record ? record.units : [];
}

/** The actor, for the event's operators; null for a buyer. Only the list of sessions names a buyer's session. */
export function actorOf({ source, actor }: JournalRecord['by']): string | null {
  return source === 'buyer' ? null : actor;
}

type Booked = JournalRecord & { type: 'booked' | 'exchanged' | 'exchanged-with' | 'renumbered' };

/** One booked line, the time of its cancellation, and the booking or the exchange that it went to. */
type BookedLine = {
  line: Line;
  entry: JournalEntry & { record: Booked };
  cancelledAt: number | null;
  resoldTo: string | null;
  exchangeId: string | null;
};

/** The most entries of activity that a booking shows. */
export const activityMax = 200;

type Activity = {
  id: number;
  /** `reconcile` is an exchange. */
  action: 'book' | 'partial_cancel' | 'cancel' | 'reconcile';
  at: number;
  labels: string[];
  actor: string | null;
  source: string;
  /** The note of a sale at a counter, else the caller's reason. */
  reason?: string;
  /** The sales between bookings, for units that were cancelled or booked by a resale. */
  resales?: Resale[];
  exchange?: Exchange;
};

/**
 * The two sides of an exchange. Labels of another event stand beside its key. The price difference is told where the
 * record has it, the charges where there are some.
 */
export type Exchange = {
  exchangeId: string;
  from: string[];
  to: string[];
  fromEventKey?: string;
  toEventKey?: string;
  swappedWith?: string;
  priceDifference?: number;
  fee?: number;
  waivedDifference?: { amount: number; reason: string };
};

export function exchangeIn(record: JournalRecord, labels: (units: readonly number[]) => string[]): Exchange | null {
  if (record.type === 'renumbered') {
    return { exchangeId: record.exchangeId, from: record.labels, to: labels(record.lines.map(({ unit }) => unit)) };
  }
  if (!isExchange(record)) return null;
  const { exchangeId, units, lines } = record;
  const own = { exchangeId, from: labels(units), to: labels(lines.map(({ unit }) => unit)) };
  if (record.type === 'exchanged') return own;
  const { swappedWith, other, fee, waived } = record;
  return {
    ...own,
    ...(other?.side === 'from' && { from: other.labels, fromEventKey: other.eventKey }),
    ...(other?.side === 'to' && { to: other.labels, toEventKey: other.eventKey }),
    ...(other && { priceDifference: other.priceDifference }),
    ...(swappedWith !== undefined && { swappedWith }),
    ...(fee !== undefined && { fee }),
    ...(waived && { waivedDifference: waived }),
  };
}

type Resale = { listingId: string; fromBookingRef: string; toBookingRef: string; labels: string[] };

/** The booking that is folded from its journal entries. A unit that was cancelled and booked again appears twice. */
export function bookingOf(plans: Plans, kept: KeptBooking, event: EventRecord) {
  const { places, activity } = foldBooking(plans, kept);
  const objects = objectsOf(plans, places, event);
  const active = objects.filter(({ state }) => state === 'booked');
  const first = kept.entries[0]?.record.by;
  const last = kept.entries.at(-1)?.record.by;
  const booking = {
    eventKey: event.key,
    eventMode: event.mode,
    bookingRef: kept.bookingRef,
    state: kept.state,
    bookedAt: kept.bookedAt,
    updatedAt: kept.updatedAt,
    cancelledAt: kept.cancelledAt,
    source: first?.source ?? 'server',
    bookedBy: first ? actorOf(first) : null,
    lastActor: last ? actorOf(last) : null,
    lastSource: last?.source ?? 'server',
    buyerRef: buyerOf(kept.entries),
    labels: [...new Set(places.map((place) => labelOf(plans, place)))],
    activeLabels: places.flatMap((place) => (place.cancelledAt === null ? [labelOf(plans, place)] : [])),
    objects,
    quantity: sumOf(objects, quantityOf),
    activeQuantity: sumOf(active, quantityOf),
    configuredValue: sumOf(objects, (object) => object.configuredValue),
    activeConfiguredValue: sumOf(active, (object) => object.configuredValue),
    total: sumOf(objects, ({ total }) => total),
    activeTotal: sumOf(active, ({ total }) => total),
    currency: event.currency,
    priceUnit: unitOf(event),
  };
  return {
    booking,
    activity: activity.slice(-activityMax).reverse(),
    activityTruncated: activity.length > activityMax,
  };
}

/** The buyer that the latest sale named. */
function buyerOf(entries: readonly JournalEntry[]): string | null {
  return entries.reduce<string | null>((known, { record }) => {
    return record.type === 'booked' ? (record.buyerRef ?? known) : known;
  }, null);
}

/** The booked lines in order, and the activity. */
function foldBooking(
  plans: Plans,
  { bookingRef, entries }: KeptBooking,
): { places: BookedLine[]; activity: Activity[] } {
  const places: BookedLine[] = [];
  const active = new Map<string, BookedLine>();
  const activity: Activity[] = [];
  let bought: Resale[] = [];
  const add = (entry: BookedLine['entry'], labels: string[]): void => {
    for (const [nth, line] of entry.record.lines.entries()) {
      const place = { line, entry, cancelledAt: null, resoldTo: null, exchangeId: null };
      places.push(place);
      active.set(labels[nth]!, place);
    }
  };
  const drop = (labels: string[], end: Partial<BookedLine>): void => {
    for (const label of labels) {
      const place = active.get(label);
      if (place) Object.assign(place, end);
      active.delete(label);
    }
  };
  for (const { id, at, plan, record } of entries) {
    const labels = labelsOf(plans.get(plan)!, unitsOf(record));
    const { source } = record.by;
    const actor = actorOf(record.by);
    const resale = record.type === 'unbooked' ? resaleOf(record, labels) : null;
    const exchange = exchangeIn(record, (units) => labelsOf(plans.get(plan)!, units));
    if (isExchange(record)) {
      const { exchangeId } = record;
      drop(labels.slice(0, record.units.length), { cancelledAt: at, exchangeId });
      add({ id, at, plan, record }, labels.slice(record.units.length));
      const { reason } = record;
      activity.push({
        id,
        action: 'reconcile',
        at,
        labels,
        actor,
        source,
        ...(reason && { reason }),
        exchange: exchange!,
      });
    } else if (record.type === 'renumbered') {
      const { exchangeId, from, to } = exchange!;
      drop(from, { cancelledAt: at, exchangeId });
      add({ id, at, plan, record }, to);
      activity.push({ id, action: 'reconcile', at, labels, actor, source, exchange: exchange! });
    } else if (record.type === 'booked') {
      add({ id, at, plan, record }, labels);
      const resales = bought.length === 0 ? {} : { resales: bought };
      const reason = record.note ?? record.reason;
      activity.push({ id, action: 'book', at, labels, actor, source, ...(reason && { reason }), ...resales });
      bought = [];
    } else if (resale?.toBookingRef === bookingRef) {
      bought.push(resale);
    } else {
      drop(labels, { cancelledAt: at, resoldTo: resale?.toBookingRef ?? null });
      const action = active.size === 0 ? 'cancel' : 'partial_cancel';
      activity.push({ id, action, at, labels, actor, source, ...(resale && { resales: [resale] }) });
    }
  }
  return { places, activity };
}

function resaleOf({ bookingRef, resale }: JournalRecord & { type: 'unbooked' }, labels: string[]): Resale | null {
  return resale
    ? { listingId: resale.listingId, fromBookingRef: bookingRef, toBookingRef: resale.toBookingRef, labels }
    : null;
}

function labelOf(plans: Plans, { line, entry }: BookedLine): string {
  return plans.get(entry.plan)!.labels.at(line.unit);
}

/**
 * Line items of lines that were booked together and, if cancelled, cancelled together. The words of a place are those
 * of the event's present plan: a ticket that is printed today shows the names of today. A place that this plan lacks
 * keeps the words of its booking.
 */
function objectsOf(plans: Plans, places: readonly BookedLine[], event: EventRecord) {
  const { currency } = event;
  const terms = itemTermsOf(event);
  const present = plans.get(event.planHash);
  const together = new Map<string, BookedLine[]>();
  for (const place of places) {
    const key = `${place.entry.id} ${place.cancelledAt} ${place.resoldTo} ${place.exchangeId}`;
    const others = together.get(key);
    if (others) others.push(place);
    else together.set(key, [place]);
  }
  return [...together.values()].flatMap((some) => {
    const { entry, cancelledAt, resoldTo, exchangeId } = some[0]!;
    const plan = plans.get(entry.plan)!;
    const lines = some.map(({ line }) => line);
    const items = lineItemsOf(plan, lines, { currency, accessSource: entry.record.accessSource });
    return items.map((item) => ({
      ...addWordsOf(present && hasPlace(present, item) ? present : plan, item, terms),
      ...placeOf(plan, item),
      configuredValue: item.unitPrice * quantityOf(item),
      channelExternalRef: channelRefOf(entry.record, item.channelId),
      source: entry.record.by.source,
      state: cancelledAt === null ? ('booked' as const) : ('cancelled' as const),
      bookedAt: entry.at,
      cancelledAt,
      ...(resoldTo === null ? {} : { resoldTo }),
      ...(exchangeId === null ? {} : { exchangeId }),
    }));
  });
}

function hasPlace({ labels }: Plan, item: LineItem): boolean {
  return labels.has(item.labels?.[0] ?? item.label);
}

/** The reference at the time of the booking. */
function channelRefOf({ channelRefs }: Booked, channelId: string | null): string | null {
  return (channelId !== null && channelRefs?.[channelId]) || null;
}

function placeOf(
  plan: Plan,
  item: LineItem,
): { sectionId: string | null; sectionLabel: string | null; zoneId: string | null } {
  const { section, zoneId } = objectOf(plan, plan.labels.unitOf(item.labels?.[0] ?? item.label)!);
  const { id, label } = plan.sections[section]!;
  const grouped = id !== ungroupedSection;
  return { sectionId: grouped ? id : null, sectionLabel: grouped ? label : null, zoneId };
}

function quantityOf({ quantity = 1 }: { quantity?: number }): number {
  return quantity;
}

function sumOf<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0);
}

/** The units of an operation over several events in one event's booking. */
export type ShareOfOperation = {
  /** The labels that nobody has cancelled since. Units that came by an exchange are the operation's too. */
  labels: string[];
  /** Whether some of its units were cancelled. */
  isReduced: boolean;
  /** The labels of the areas of the chart, with the operation's places in each. */
  placesOf: ReadonlyMap<string, string[]>;
};

function isOfOneEvent({ fromEventKey, toEventKey }: Exchange): boolean {
  return fromEventKey === undefined && toEventKey === undefined;
}

export function shareOfOperation(plans: Plans, kept: KeptBooking, operationId: string): ShareOfOperation {
  const holders = new Map<string, string | undefined>();
  const areas = new Map<string, string>();
  let isReduced = false;
  for (const { plan: hash, record } of kept.entries) {
    const plan = plans.get(hash)!;
    const labels = labelsOf(plan, unitsOf(record));
    for (const unit of unitsOf(record)) {
      const { type, label } = objectOf(plan, unit);
      if (type === 'gaArea') areas.set(plan.labels.at(unit), label);
    }
    const exchange = exchangeIn(record, (units) => labelsOf(plan, units));
    if (exchange && isOfOneEvent(exchange)) {
      const holder = exchange.from.map((label) => holders.get(label)).find((each) => each !== undefined);
      for (const label of exchange.from) holders.delete(label);
      for (const label of exchange.to) holders.set(label, holder);
    } else if (isExchange(record)) {
      // Units that left for another event are no more the operation's.
      for (const label of labels.slice(0, record.units.length)) holders.delete(label);
    } else if (record.type === 'booked') for (const label of labels) holders.set(label, record.operation?.id);
    // Units that were bought from another booking are of that booking's.
    else if (record.type === 'unbooked' && record.bookingRef === kept.bookingRef) {
      isReduced ||= labels.some((label) => holders.get(label) === operationId);
      for (const label of labels) holders.delete(label);
    }
  }
  const labels = [...holders].flatMap(([label, holder]) => (holder === operationId ? [label] : []));
  const placesOf = new Map<string, string[]>();
  for (const label of labels) {
    const area = areas.get(label);
    if (area !== undefined) placesOf.set(area, [...(placesOf.get(area) ?? []), label]);
  }
  return { labels, isReduced, placesOf };
}
