/**
 * The places of a contract behind exchanges. Each night's journal tells where the places of the booking are now. A
 * contract has places of all nights, so one exchanged night does not move it:
 *
 *   all nights agree → (some nights are exchanged) the labels stay, and `exchanged` tells these nights → (the other
 *   nights are exchanged alike, or these nights back) all nights agree: the labels are those of the nights
 *
 * A night agrees with what it still has: a place that was given back, resold, or exchanged to another event has no say,
 * unless no night has it any more. Places that came from another event are none of the contract's. Pure.
 */
import { labelsOf, objectOf, type Plan } from '@parterre/shared/charts/plan';
import type { KeptBooking } from '@parterre/shared/protocol/catalog/history';
import type { Contract } from '@parterre/shared/protocol/catalog/rights';
import { bookingCallOf } from '@parterre/shared/protocol/operations/operation';
import type { JournalRecord, Line } from '@parterre/shared/protocol/records';

type Booked = JournalRecord & { type: 'booked' };

/** A place as one unit of a booking has it. */
type BookedPlace = {
  /** The label of the unit, and the label in a contract: places of an area have the area's. */
  unitLabel: string;
  label: string;
  /** The labels that the place had, this label included. */
  had: string[];
  /** The sale of the first place; null for a place that came from another event. */
  sale: Booked | null;
  isExchanged: boolean;
  /** False once the place was given up without another place of this event. */
  isActive: boolean;
};

type Night = { eventKey: string; places: readonly BookedPlace[] };

export function nightOf(
  contract: Contract,
  eventKey: string,
  booking: KeptBooking,
  plans: ReadonlyMap<string, Plan>,
): Night {
  return { eventKey, places: placesOf(booking, plans).filter((place) => isOfContract(contract, place)) };
}

/** `contract` itself where it has the places of its nights already. */
export function followedContract(contract: Contract, nights: readonly Night[]): Contract {
  if (!nights.some(({ places }) => places.some(({ isExchanged }) => isExchanged))) return contract;
  const { exchanged: before = [], ...rest } = contract;
  const labels = agreedLabels(nights) ?? contract.labels;
  const exchanged = nights.flatMap(({ eventKey, places }) => {
    const active = places.filter(({ isActive }) => isActive);
    const standing = distinctLabels(active);
    const isApart = active.some((place) => place.isExchanged) && !isWithin(standing, labels);
    return isApart ? [{ eventKey, labels: standing }] : [];
  });
  if (isSame(labels, contract.labels) && JSON.stringify(exchanged) === JSON.stringify(before)) return contract;
  return { ...rest, labels, ...(exchanged.length > 0 && { exchanged }) };
}

/**
 * The labels in which all nights agree. A night without places of the contract is not counted yet, or was never sold.
 */
function agreedLabels(nights: readonly Night[]): string[] | null {
  if (nights.some(({ places }) => places.length === 0)) return null;
  const standing = nights.filter(({ places }) => places.some(({ isActive }) => isActive));
  const whole = standing.filter(({ places }) => places.every(({ isActive }) => isActive));
  const [labels, ...others] = (whole.length > 0 ? whole : standing).map(({ places }) => distinctLabels(places));
  if (!labels || !others.every((other) => isSame(labels, other))) return null;
  const active = standing.map(({ places }) => distinctLabels(places.filter(({ isActive }) => isActive)));
  return active.every((some) => isWithin(some, labels)) ? labels : null;
}

function distinctLabels(places: readonly BookedPlace[]): string[] {
  return [...new Set(places.map(({ label }) => label))];
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.every((label) => all.includes(label));
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && isWithin(one, other);
}

/** An import names the booking of its places, and no sale. */
function isOfContract({ operationId, offerId, seasonKey, labels }: Contract, { sale, had }: BookedPlace): boolean {
  if (operationId !== null) {
    const operation = sale?.operation;
    return operation?.operationId === operationId && operation.owner.key === seasonKey;
  }
  if (offerId !== null) return sale?.callId === bookingCallOf(offerId);
  return had.some((label) => labels.includes(label));
}

function placesOf({ bookingRef, entries }: KeptBooking, plans: ReadonlyMap<string, Plan>): BookedPlace[] {
  let places: BookedPlace[] = [];
  for (const { plan: hash, record } of entries) {
    const plan = plans.get(hash)!;
    switch (record.type) {
      case 'booked':
        places.push(...record.lines.map((line) => newPlace(plan, line, record)));
        break;
      case 'exchanged':
        places = exchangedPlaces(places, labelsOf(plan, record.units), unitsIn(plan, record.lines));
        break;
      case 'exchanged-with':
        if (record.other?.side === 'from') places.push(...record.lines.map((line) => newPlace(plan, line, null)));
        else if (record.other) places = withoutPlaces(places, labelsOf(plan, record.units));
        else places = exchangedPlaces(places, labelsOf(plan, record.units), unitsIn(plan, record.lines));
        break;
      case 'renumbered':
        places = exchangedPlaces(places, record.labels, unitsIn(plan, record.lines));
        break;
      case 'unbooked':
        // The places of a resale may come from another booking.
        if (record.bookingRef === bookingRef) places = withoutPlaces(places, labelsOf(plan, record.units));
        break;
      default:
    }
  }
  return places;
}

type UnitLabels = Pick<BookedPlace, 'unitLabel' | 'label'>;

/** As a line item has the labels: places of an area that were sold by its label have the area's label. */
function unitsIn(plan: Plan, lines: readonly Line[]): UnitLabels[] {
  return lines.map(({ unit, group }) => {
    const unitLabel = plan.labels.at(unit);
    return { unitLabel, label: group === undefined ? unitLabel : objectOf(plan, unit).label };
  });
}

function newPlace(plan: Plan, line: Line, sale: Booked | null): BookedPlace {
  const [labels] = unitsIn(plan, [line]) as [UnitLabels];
  return { ...labels, had: [labels.label], sale, isExchanged: false, isActive: true };
}

/**
 * As many units follow one by one, in the order of the exchange. Where a table is sold as a whole on one side only, all
 * new units follow the first of the old ones.
 */
function exchangedPlaces(places: BookedPlace[], from: readonly string[], to: readonly UnitLabels[]): BookedPlace[] {
  const given = from.map((unitLabel) => places.find((place) => place.isActive && place.unitLabel === unitLabel));
  const first = given.find((place) => place !== undefined);
  if (!first) return places;
  return places.flatMap((place) => {
    if (!given.includes(place)) return [place];
    if (from.length === to.length) return [movedPlace(place, to[given.indexOf(place)]!)];
    return place === first ? to.map((labels) => movedPlace(place, labels)) : [];
  });
}

function movedPlace(place: BookedPlace, labels: UnitLabels): BookedPlace {
  return { ...place, ...labels, had: [...place.had, labels.label], isExchanged: true };
}

function withoutPlaces(places: BookedPlace[], unitLabels: readonly string[]): BookedPlace[] {
  const gone = new Set(unitLabels);
  return places.map((place) => (gone.has(place.unitLabel) ? { ...place, isActive: false } : place));
}
