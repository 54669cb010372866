/**
 * The line items of a hold or booking, made from its journal lines. The actor's answers and the webhooks' bodies both
 * use this file, so a buyer and a back end read the same about the same seats.
 */

import type { Category } from '../charts/document.ts';
import { type PlaceTexts, type PlaceWords, placeTextsIn, wordsOfLabel, wordsOfSeat } from '../charts/place-names.ts';
import { categoryOf, objectIdOf, objectOf, type Plan, type PlanObject } from '../charts/plan.ts';
import type { LineItem } from './answers.ts';
import type { EventRecord } from './catalog/events.ts';
import { type Fee, type PriceUnit, thawedFees, totalOfItem, unitOf } from './money.ts';
import type { AccessSource, Line } from './records.ts';

/** The words of a line item: what a ticket prints. */
export type ItemWords = {
  place: PlaceWords;
  categoryLabel: string;
  /** Null for an item without a tier, and where the chart no longer has the tier. */
  tierName: string | null;
};

/** The money of a line item, complete. */
export type ItemMoney = {
  priceUnit: PriceUnit;
  fees: Fee[];
  allIn: boolean;
  /** The price of the item with all fees, for all its places or guests. */
  total: number;
};

export type WordedItem = LineItem & ItemWords & ItemMoney;

/** The same answer with the words and the money of its items. */
export type Worded<T> = T extends { items: LineItem[] }
  ? Omit<T, 'items'> & { items: WordedItem[] }
  : 'items' extends keyof T
    ? T extends { items?: LineItem[] }
      ? Omit<T, 'items'> & { items?: WordedItem[] }
      : T
    : T;

/** The facts that all lines of a hold or booking share. */
export type LineFacts = { currency: string; accessSource: AccessSource };

/**
 * One item a line, in the lines' order. GA lines that share `group` and were sold alike become one item at the place of
 * the first line, with the area's label and the number of its places. A group is named by a unit that may have been
 * freed and sold again, so two groups of a booking may share a name. `lines` must be of `plan`.
 */
export function lineItemsOf(plan: Plan, lines: Line[], facts: LineFacts): LineItem[] {
  const items: LineItem[] = [];
  const folds = new Map<number, { first: Line; item: LineItem }[]>();
  for (const line of lines) {
    if (line.group === undefined) {
      items.push(itemOf(plan, line, facts));
      continue;
    }
    const ofGroup = folds.get(line.group) ?? [];
    const folded = ofGroup.find(({ first }) => isOneItem(plan, first, line))?.item;
    if (folded) {
      folded.labels!.push(plan.labels.at(line.unit));
      folded.quantity! += 1;
      continue;
    }
    const item = groupItemOf(plan, line, facts);
    ofGroup.push({ first: line, item });
    folds.set(line.group, ofGroup);
    items.push(item);
  }
  return items;
}

/** Another chart may have split the places of one area into two areas. */
function isOneItem(plan: Plan, one: Line, other: Line): boolean {
  return areSoldAlike(one, other) && plan.objectOfUnit[one.unit] === plan.objectOfUnit[other.unit];
}

/** True when two lines agree in everything but the unit, so that they can share a line item. */
export function areSoldAlike(one: Line, other: Line): boolean {
  return (
    one.price === other.price &&
    one.tierId === other.tierId &&
    one.releaseId === other.releaseId &&
    one.channelId === other.channelId &&
    one.accessSource === other.accessSource &&
    one.fees === other.fees
  );
}

function itemOf(plan: Plan, line: Line, facts: LineFacts): LineItem {
  const object = objectOf(plan, line.unit);
  const item = plainItem(plan, line, facts, object);
  if (object.bookingMode === 'individual') return item;
  return {
    ...item,
    quantity: line.quantity ?? 1,
    capacity: object.capacity,
    minOccupancy: object.minOccupancy,
    maxOccupancy: object.maxOccupancy,
  };
}

function groupItemOf(plan: Plan, line: Line, facts: LineFacts): LineItem {
  const object = objectOf(plan, line.unit);
  return {
    ...plainItem(plan, line, facts, object),
    label: object.label,
    quantity: 1,
    labels: [plan.labels.at(line.unit)],
  };
}

function plainItem(plan: Plan, line: Line, facts: LineFacts, object: PlanObject): LineItem {
  const item: LineItem = {
    label: plan.labels.at(line.unit),
    objectId: objectIdOf(plan, line.unit),
    objectType: objectTypeOf(object),
    categoryKey: categoryOf(plan, line.unit).key,
    tierId: line.tierId ?? null,
    unitPrice: line.price,
    currency: facts.currency,
    bookingMode: object.bookingMode,
    channelId: line.channelId ?? null,
    // A unit without a channel belongs to public sale.
    accessSource: line.channelId === undefined ? 'public' : (line.accessSource ?? facts.accessSource),
    releaseId: line.releaseId ?? null,
  };
  if (line.fees !== undefined) Object.assign(item, thawedFees(line.fees));
  return item;
}

/** The chairs of a table sold one by one are seats; only a table sold as one unit is a table. */
export function objectTypeOf(object: PlanObject): LineItem['objectType'] {
  switch (object.type) {
    case 'row':
      return 'seat';
    case 'table':
      return object.bookingMode === 'individual' ? 'seat' : 'table';
    case 'booth':
      return 'booth';
    case 'gaArea':
      return 'ga';
  }
}

/** `object` is undefined where the plan does not have the place, `category` likewise. */
export type WordSource = { object: PlanObject | undefined; ownName: string; category: Category | undefined };

/** All items of an event share the language of its words and the unit of its money. */
export type ItemTerms = { texts: PlaceTexts; priceUnit: PriceUnit };

export const itemTermsOf = (event: Pick<EventRecord, 'locale' | 'priceUnit'>): ItemTerms => {
  return { texts: placeTextsIn(event.locale), priceUnit: unitOf(event) };
};

/** Adds its words and the whole of its money to an item that is the caller's own. */
export function addWords(item: LineItem, { object, ownName, category }: WordSource, terms: ItemTerms): WordedItem {
  const { label, tierId } = item;
  const worded = item as WordedItem;
  const { texts } = terms;
  worded.priceUnit = terms.priceUnit;
  worded.fees ??= [];
  worded.allIn ??= false;
  worded.total = totalOfItem(worded);
  worded.place = object === undefined ? wordsOfLabel(label) : wordsOfSeat(object, label, ownName, texts);
  worded.categoryLabel = category?.label ?? item.categoryKey;
  worded.tierName = tierId === null ? null : (category?.tiers?.find(({ id }) => id === tierId)?.name ?? null);
  return worded;
}

/** Adds the words of a plan, which may lack the place. */
export function addWordsOf(plan: Plan, item: LineItem, terms: ItemTerms): WordedItem {
  const unit = plan.labels.unitOf(item.labels?.[0] ?? item.label);
  const category = plan.categories.find(({ key }) => key === item.categoryKey);
  if (unit === undefined) return addWords(item, { object: undefined, ownName: '', category }, terms);
  return addWords(item, { object: objectOf(plan, unit), ownName: plan.seatNames?.at(unit) ?? '', category }, terms);
}

const noWords: WordSource = { object: undefined, ownName: '', category: undefined };

/** Items of several events in one unit. Answers of events have added their words and money; stored items have none. */
export function wordedItems(items: readonly LineItem[], priceUnit: PriceUnit = 'major'): WordedItem[] {
  const terms = { texts: placeTextsIn(null), priceUnit };
  return items.map((item) => ('place' in item ? (item as WordedItem) : addWords({ ...item }, noWords, terms)));
}
