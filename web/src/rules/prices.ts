/**
 * The price of a place and its fees, as far as a page knows them before the server answers: a hold's line items are the
 * truth. Amounts are in the unit of the event. Pure.
 */

import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { Tier } from '@parterre/shared/charts/document';
import { gaLabels } from '@parterre/shared/charts/numbering';
import { type Fee, feesAt, feesFor, feesOnTop, noFees, type PriceFees } from '@parterre/shared/protocol/money';
import { COMPANION, type Hall, WHEELCHAIR } from './hall.ts';
import type { Statuses } from './statuses.ts';

/**
 * A ticket release that sells now. A null `categoryKey` covers every category without tiers. A null `remaining` means
 * no quota.
 */
export type Release = {
  offerId: string;
  offerName: string;
  categoryKey: string | null;
  price: number;
  previousPrice: number | null;
  remaining: number | null;
};

/** A ticket release that is asked for on a page of its own. */
export type LinkedOffer = {
  offerId: string;
  offerName: string;
  action: 'apply' | 'invoice';
  actionUrl: string;
  price: number;
  previousPrice?: number | null;
};

/** The prices of a category's free places; null without any. */
type Span = { categoryKey: string; lowestPrice?: number | null; highestPrice?: number | null };

/** The part of `GET availability` that prices places. Any other place costs the chart's price. */
export type Offers = {
  /** The server has told them: `prices` has each category with places for this buyer. */
  isTold?: true;
  prices: Span[];
  /** In the order in which they price. */
  releases: Release[];
  linked?: readonly LinkedOffer[];
  channels: { channelId: string; priceOverrides: { categoryKey: string; tierId: string | null; price: number }[] }[];
  channelOf: Map<string, string>;
};

/** Every place costs the chart's price. */
export const bareOffers: Offers = { prices: [], releases: [], channels: [], channelOf: new Map() };

/** The tiers of a place, the default tier first. */
export function tiersFor(hall: Hall, category: number, label: string, accessibility: number): Tier[] {
  const applying = (hall.categories[category]?.tiers ?? []).filter(({ applicability }) => {
    const { seatLabels = [], accessibility: kinds = [] } = applicability ?? {};
    if (seatLabels.length > 0 && !setOf(seatLabels).has(label)) return false;
    return kinds.length === 0 || kinds.some((kind) => accessibility & (1 << accessibilityKinds.indexOf(kind)));
  });
  if (accessibility & COMPANION) return applying;
  const usual = applying.find(({ restriction }) => restriction !== 'companion');
  return usual ? [usual, ...applying.filter((tier) => tier !== usual)] : applying;
}

/** A list may name thousands of seats, and each seat of its category asks. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function setOf(labels: readonly string[]): ReadonlySet<string> {
  return once(sets, labels, () => new Set(labels));
}

/** A companion sits beside a wheelchair place of the same row or table, so a companion's tier sells nowhere else. */
export function hasWheelchairBeside({ objectOf, indexOf, accessibilityOf }: Hall, spot: number): boolean {
  return [spot - 1, spot + 1].some(
    (other) =>
      objectOf[other] === objectOf[spot] &&
      Math.abs(indexOf[other]! - indexOf[spot]!) === 1 &&
      (accessibilityOf[other]! & WHEELCHAIR) !== 0,
  );
}

/** For one guest: the sum over the events that are sold together. */
export function priceOf(
  hall: Hall,
  offers: readonly Offers[],
  category: number,
  label: string,
  tier: Tier | null,
): number {
  return offers.reduce((sum, each) => sum + priceIn(hall, each, category, label, tier).price, 0);
}

/** For one guest, over the events that are sold together. `previous` is a higher price of before; null without one. */
export type Price = { price: number; previous: number | null; fees: PriceFees };

export function pricedAt(
  hall: Hall,
  offers: readonly Offers[],
  category: number,
  label: string,
  tier: Tier | null,
): Price {
  const its = offers.map((each) => priceIn(hall, each, category, label, tier));
  const price = its.reduce((sum, each) => sum + each.price, 0);
  const before = its.reduce((sum, each) => sum + (each.previous ?? each.price), 0);
  return { price, previous: before > price ? before : null, fees: summedFees(its.map(({ fees }) => fees)) };
}

/** Fees of one name are one fee. */
export function summedFees(all: readonly (PriceFees & { times?: number })[]): PriceFees {
  const some = all.filter(({ fees }) => fees.length > 0);
  if (some.length === 0) return noFees;
  const amounts = new Map<string, number>();
  for (const { fees, times = 1 } of some) {
    for (const { name, amount } of fees) amounts.set(name, (amounts.get(name) ?? 0) + amount * times);
  }
  const fees = [...amounts].map(([name, amount]): Fee => ({ name, amount }));
  return { fees, allIn: some.every(({ allIn }) => allIn) };
}

type GuestPrice = { price: number; previous: number | null; fees: PriceFees; release: Release | null };

/**
 * `used` are the units that other guests of the same hold take, by ticket release; `nth` counts the guests of an area.
 */
function priceIn(
  hall: Hall,
  offers: Offers,
  category: number,
  label: string,
  tier: Tier | null,
  used?: ReadonlyMap<string, number>,
  nth = 0,
): GuestPrice {
  const { key, price = 0, previousPrice = null } = hall.categories[category]!;
  const channelId = offers.channelOf.get(label) ?? channelsIn(hall, offers).get(label)?.[nth];
  const overrides = offers.channels.find((channel) => channel.channelId === channelId)?.priceOverrides ?? [];
  const override = overrides.find(({ categoryKey, tierId }) => categoryKey === key && tierId === (tier?.id ?? null));
  const priced = (amount: number, previous: number | null, release: Release | null = null): GuestPrice => {
    return { price: amount, previous, fees: feesAt(feesFor(hall.categories[category]!, tier), amount), release };
  };
  if (override) return priced(override.price, null);
  if (tier) return priced(tier.price, tier.previousPrice ?? null);
  const release = offers.releases.find(
    ({ categoryKey, offerId, remaining }) =>
      (categoryKey === null || categoryKey === key) && (remaining ?? Infinity) > (used?.get(offerId) ?? 0),
  );
  return release ? priced(release.price, release.previousPrice, release) : priced(price, previousPrice);
}

const inAreas = new WeakMap<Offers, { hall: Hall; channels: ReadonlyMap<string, string[]> }>();

/**
 * The channels of an area's places, by the area's label, the lowest place first: a channel's places are sold before
 * those of public sale. Places that are gone count too. So the server may know another price, and then refuses the
 * page's.
 */
export function channelsIn(hall: Hall, offers: Offers): ReadonlyMap<string, string[]> {
  const known = inAreas.get(offers);
  if (known?.hall === hall) return known.channels;
  const channels = new Map<string, string[]>();
  for (const { id, label, capacity, segments } of offers.channelOf.size > 0 ? hall.areas : []) {
    const places = gaLabels({ id, capacity, inventorySegments: segments });
    channels.set(
      label,
      places.flatMap((place) => offers.channelOf.get(place) ?? []),
    );
  }
  inAreas.set(offers, { hall, channels });
  return channels;
}

/** Guests of one place or area, at one tier. */
export type GuestLine = { label: string; category: number; tier: Tier | null; quantity: number };

/**
 * `total` has the fees on top. `parts` are the prices for one guest, the cheapest first: a ticket release may have too
 * few units left. `fees` are those of all guests.
 */
export type Cost = { total: number; parts: { price: number; quantity: number }[]; fees: PriceFees };

/** The costs of lines that are held together, in their order. Each guest takes a unit from a ticket release. */
export function costsOf(hall: Hall, offers: readonly Offers[], lines: readonly GuestLine[]): Cost[] {
  const used = offers.map(() => new Map<string, number>());
  return lines.map(({ label, category, tier, quantity }) => {
    const parts = new Map<number, number>();
    const all: PriceFees[] = [];
    for (let guest = 0; guest < quantity; guest++) {
      const price = offers.reduce((sum, each, event) => sum + nextPrice(each, used[event]!, guest), 0);
      parts.set(price, (parts.get(price) ?? 0) + 1);
    }
    const list = [...parts].map(([price, count]) => ({ price, quantity: count })).sort((a, b) => a.price - b.price);
    const fees = summedFees(all);
    return { total: list.reduce((sum, part) => sum + part.price * part.quantity, feesOnTop(fees)), parts: list, fees };

    function nextPrice(each: Offers, taken: Map<string, number>, guest: number): number {
      const { price, fees, release } = priceIn(hall, each, category, label, tier, taken, guest);
      if (release) taken.set(release.offerId, (taken.get(release.offerId) ?? 0) + 1);
      all.push(fees);
      return price;
    }
  });
}

/** All but `to` belongs to the lowest price. `ticket` is null where every ticket has it. */
export type PriceRange = {
  from: number;
  to: number;
  previous: number | null;
  fees: PriceFees;
  offer: string | null;
  ticket: string | null;
};

/**
 * Computed prices, by category. `lowest` has the lowest price of each spot, and NaN until the price is computed. Many
 * places cost alike: `alike` has the lowest price of all places with the same channels, category and kinds, so a
 * section of thousands of places computes the price once. Its outer key is the channels.
 */
type PriceCache = {
  offers: readonly Offers[];
  ranges: Map<number, PriceRange>;
  defaults: Map<number, readonly number[]>;
  cheapest: Map<number, Price | null>;
  lowest: Float64Array;
  alike: Map<string, Map<number, number>>;
};

/** By chart and offers, both of which are replaced as wholes. */
const known = new WeakMap<Hall, PriceCache>();

function keptFor(hall: Hall, offers: readonly Offers[]): PriceCache {
  let kept = known.get(hall);
  if (kept?.offers !== offers) {
    const lowest = new Float64Array(hall.labels.length).fill(NaN);
    kept = { offers, ranges: new Map(), defaults: new Map(), cheapest: new Map(), lowest, alike: new Map() };
    known.set(hall, kept);
  }
  return kept;
}

type KeyedCache<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown };

function once<Key, Value>(found: KeyedCache<Key, Value>, key: Key, find: () => Value): Value {
  let value = found.get(key);
  if (value === undefined) {
    value = find();
    found.set(key, value);
  }
  return value;
}

/**
 * The prices of a category, of the places that everybody may buy if there are any: a wheelchair place at €60 does not
 * make other seats cheaper.
 */
export function pricesOf(hall: Hall, offers: readonly Offers[], category: number): PriceRange {
  return once(keptFor(hall, offers).ranges, category, () => rangeOf(hall, offers, category));
}

function rangeOf(hall: Hall, offers: readonly Offers[], category: number): PriceRange {
  const { key, tiers = [] } = hall.categories[category]!;
  const told = offers.length === 1 ? offers[0]!.prices.find(({ categoryKey }) => categoryKey === key) : undefined;
  const release =
    offers.length === 1 && tiers.length === 0 ? priceIn(hall, offers[0]!, category, '', null).release : null;
  const { lowestPrice: low, highestPrice: high } = told ?? {};
  const { from, to } = low == null || high == null ? spanOf(hall, offers, category) : { from: low, to: high };
  const isOffered = release?.price === from;
  const lowest = placeAt(hall, offers, category, from);
  const known = lowest && pricedAt(hall, offers, category, lowest.label, lowest.tier);
  return {
    from,
    to,
    previous: isOffered ? release.previousPrice : (known?.previous ?? null),
    fees: known?.fees ?? noFees,
    offer: isOffered ? release.offerName : null,
    ticket: from < to && lowest?.isChoice ? lowest.tier!.name : null,
  };
}

type PlaceAtPrice = { label: string; tier: Tier | null; isChoice: boolean };

/** A place and ticket of this price: of a place with a choice of tickets, if there is one. */
function placeAt(hall: Hall, offers: readonly Offers[], category: number, price: number): PlaceAtPrice | null {
  let only: PlaceAtPrice | null = null;
  for (const [label, accessibility] of pricedPlaces(hall, offers, category)) {
    const tiers = openTiers(hall, category, label, accessibility);
    const isChoice = tiers.length > 1;
    if (only && !isChoice) continue;
    const sold: (Tier | null)[] = tiers.length > 0 ? tiers : [null];
    const tier = sold.find((each) => priceOf(hall, offers, category, label, each) === price);
    if (tier !== undefined && isChoice) return { label, tier, isChoice };
    if (tier !== undefined) only ??= { label, tier, isChoice };
  }
  return only;
}

function spanOf(hall: Hall, offers: readonly Offers[], category: number): { from: number; to: number } {
  let from = Infinity;
  let to = -Infinity;
  for (const [label, accessibility] of pricedPlaces(hall, offers, category)) {
    for (const price of pricesAt(hall, offers, category, label, accessibility))
      [from, to] = [Math.min(from, price), Math.max(to, price)];
  }
  return { from, to };
}

/** The prices of one place, at every ticket but a companion's. */
function pricesAt(
  hall: Hall,
  offers: readonly Offers[],
  category: number,
  label: string,
  accessibility: number,
): number[] {
  const tiers = openTiers(hall, category, label, accessibility);
  const sold: (Tier | null)[] = tiers.length > 0 ? tiers : [null];
  return sold.map((tier) => priceOf(hall, offers, category, label, tier));
}

/** Without a companion's ticket, unless there is no other. */
function openTiers(hall: Hall, category: number, label: string, accessibility: number): Tier[] {
  const its = tiersFor(hall, category, label, accessibility);
  const open = its.filter(({ restriction }) => restriction !== 'companion');
  return open.length > 0 ? open : its;
}

type PricedPlace = readonly [label: string, accessibility: number];

/** Places that have all prices of a category: one for a category whose places cost alike. */
function pricedPlaces(hall: Hall, offers: readonly Offers[], category: number): readonly PricedPlace[] {
  return isAlike(hall, offers, category) ? [['', 0]] : placesIn(hall, category);
}

function isAlike(hall: Hall, offers: readonly Offers[], category: number): boolean {
  const { key, tiers = [] } = hall.categories[category]!;
  const overrides = offers.flatMap(({ channels }) => channels.flatMap(({ priceOverrides }) => priceOverrides));
  return !tiers.some(({ applicability }) => applicability) && !overrides.some(({ categoryKey }) => categoryKey === key);
}

/** The labels and kinds of a category's plain places; of all of its places if none is plain. */
function placesIn(hall: Hall, category: number): PricedPlace[] {
  const areas = hall.areas.filter((area) => area.category === category).map(({ label }) => [label, 0] as const);
  const places: PricedPlace[] = [...areas];
  const special: PricedPlace[] = [];
  for (const [spot, label] of hall.labels.entries()) {
    if (hall.categoryOf[spot] !== category) continue;
    const accessibility = hall.accessibilityOf[spot]!;
    (isForSome(accessibility) ? special : places).push([label, accessibility]);
  }
  if (places.length > 0) return places;
  return special.length > 0 ? special : [['', 0]];
}

const isForSome = (accessibility: number): boolean => (accessibility & (WHEELCHAIR | COMPANION)) !== 0;

/** The price of a place at its default tier, the ticket that a choice begins with. */
export function defaultPriceOf(
  hall: Hall,
  offers: readonly Offers[],
  category: number,
  label: string,
  accessibility: number,
): number {
  return priceOf(hall, offers, category, label, tiersFor(hall, category, label, accessibility)[0] ?? null);
}

/** The prices of a category at the default tier, each once, the lowest first. */
export function defaultPricesOf(hall: Hall, offers: readonly Offers[], category: number): readonly number[] {
  return once(keptFor(hall, offers).defaults, category, () => {
    const { from, to } = pricesOf(hall, offers, category);
    const isTiered = (hall.categories[category]!.tiers ?? []).length > 0;
    const prices = isTiered
      ? pricedPlaces(hall, offers, category).map(([label, kinds]) =>
          defaultPriceOf(hall, offers, category, label, kinds),
        )
      : [from, to];
    return [...new Set(prices)].sort((a, b) => a - b);
  });
}

/** The lowest price of a category at the default tier; null without a price. */
export function cheapestOf(hall: Hall, offers: readonly Offers[], category: number): Price | null {
  return once(keptFor(hall, offers).cheapest, category, () => {
    const [lowest] = defaultPricesOf(hall, offers, category);
    for (const [label, kinds] of pricedPlaces(hall, offers, category)) {
      const price = defaultAt(hall, offers, category, label, kinds);
      if (price.price === lowest) return price;
    }
    // The server knows a price that the page does not.
    const isPriced = lowest !== undefined && Number.isFinite(lowest);
    return isPriced
      ? { price: lowest, previous: null, fees: feesAt(feesFor(hall.categories[category]!), lowest) }
      : null;
  });
}

/** The price of a place at its default tier, with its fees. */
export function defaultAt(
  hall: Hall,
  offers: readonly Offers[],
  category: number,
  label: string,
  accessibility: number,
): Price {
  return pricedAt(hall, offers, category, label, tiersFor(hall, category, label, accessibility)[0] ?? null);
}

/**
 * The lowest price of a block's free places at the ticket that a choice begins with, of the places for everybody if one
 * is free; null without a free place.
 */
export function fromPriceOf(hall: Hall, offers: readonly Offers[], statuses: Statuses, block: number): Price | null {
  if (statuses.freeInBlock[block] === 0) return null;
  const kept = keptFor(hall, offers);
  const { lowest } = kept;
  let plain = { price: Infinity, spot: 0 };
  let special = { price: Infinity, spot: 0 };
  for (const spot of hall.blocks[block]!.spots) {
    if (statuses.of[spot] !== 0) continue;
    if (Number.isNaN(lowest[spot])) lowest[spot] = lowestAt(hall, kept, spot);
    const price = lowest[spot]!;
    if (isForSome(hall.accessibilityOf[spot]!)) {
      if (price < special.price) special = { price, spot };
    } else if (price < plain.price) plain = { price, spot };
  }
  const { spot } = plain.price < Infinity ? plain : special;
  return defaultAt(hall, offers, hall.categoryOf[spot]!, hall.labels[spot]!, hall.accessibilityOf[spot]!);
}

function lowestAt(hall: Hall, kept: PriceCache, spot: number): number {
  const { offers } = kept;
  const category = hall.categoryOf[spot]!;
  const label = hall.labels[spot]!;
  const kinds = hall.accessibilityOf[spot]!;
  const isNamed = hall.categories[category]!.tiers?.some(({ applicability }) => applicability?.seatLabels?.length);
  const like = once(kept.alike, isNamed ? label : channelsOf(offers, label), () => new Map());
  return once(like, category * KINDS_BOUND + kinds, () => defaultPriceOf(hall, offers, category, label, kinds));
}

const KINDS_BOUND = 1 << accessibilityKinds.length;

const channelsOf = (offers: readonly Offers[], label: string): string =>
  offers.length === 1
    ? (offers[0]!.channelOf.get(label) ?? '')
    : offers.map(({ channelOf }) => channelOf.get(label) ?? '').join(' ');
