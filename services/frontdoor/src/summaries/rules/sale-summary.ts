/**
 * The facts of an event that a page shows before it opens the map: whether there is something to buy, and the lowest
 * price. Pure.
 */

import type { Category, Tier } from '@parterre/shared/charts/document';
import type { ReleaseView } from '@parterre/shared/protocol/answers';
import {
  type Fee,
  feesAt,
  feesFor,
  inMinorUnits,
  type PriceUnit,
  priceWithFees,
} from '@parterre/shared/protocol/money';
import type { Supply } from '../supply.ts';
import { fits, type Pricing, priceRange } from './price-range.ts';
import { usualPrice, usualTier } from './usual-price.ts';

/** The share of sellable units below which supply is low. */
const LOW_BELOW = 0.1;

/** The times of the sale to a reach, as an answer tells them. */
export type SaleTimes = {
  salesStartAt: number | null;
  salesEndAt: number | null;
  /** From then on, companions' places of sold wheelchair places are for all. */
  companionsUntil: number | null;
};

type Stage = 'not_started' | 'begun' | 'ended';

/** The stage of a sale, and the time at which it ends. */
export function stageOf(
  { salesStartAt, salesEndAt }: Omit<SaleTimes, 'companionsUntil'>,
  now: number,
): { name: Stage; until: number } {
  if (salesEndAt !== null && salesEndAt <= now) return { name: 'ended', until: Number.POSITIVE_INFINITY };
  if (salesStartAt !== null && now < salesStartAt) return { name: 'not_started', until: salesStartAt };
  return { name: 'begun', until: salesEndAt ?? Number.POSITIVE_INFINITY };
}

/** The reason why nothing is sold to the reach at present: the event, its sales, or every channel in reach. */
export type Stopped = 'event_closed' | 'sales_paused' | 'channel_paused';

export type SaleFacts = SaleTimes & {
  currency: string;
  priceUnit: PriceUnit;
  /** The earliest known time at which units come on sale, by a timed rule or the end of a block. [none] */
  opensAt?: number | undefined;
  stopped: Stopped | null;
  stage: Stage;
  supply: readonly Supply[];
  releases: readonly ReleaseView[];
  /** The channels in reach; null if only public sale is in reach. */
  channels: {
    assignmentVersion: number;
    pricing: readonly Pricing[];
    objects: readonly { label: string; channelId: string }[];
  } | null;
};

export type SaleSummary = ReturnType<typeof saleSummary>;

export function saleSummary(facts: SaleFacts) {
  const { currency, priceUnit, releases, supply, channels } = facts;
  const selling = releases.filter(isSelling);
  const offers = [...new Set(supply.map(({ category }) => category))].map((category) => offerOf(category, selling));
  const isStopped = facts.stopped !== null || facts.stage === 'ended';
  const cheapest = !isStopped ? cheapestOf(facts, offers) : null;
  const upcoming = nextOf(releases);
  const state = stateOf(facts);
  const waiting = waitingOf(facts, state, upcoming);
  return {
    state,
    opensAt: waiting?.opensAt ?? null,
    salesStartAt: facts.salesStartAt,
    salesEndAt: facts.salesEndAt,
    companionsUntil: facts.companionsUntil,
    waiting,
    fromPrice: cheapest && inMinorUnits(cheapest.price, currency, priceUnit),
    fromTotal: cheapest && inMinorUnits(cheapest.total, currency, priceUnit),
    previousPrice: cheapest?.previousPrice == null ? null : inMinorUnits(cheapest.previousPrice, currency, priceUnit),
    currency,
    priceUnit,
    release: windowOf(selling[0], releases),
    upcoming: windowOf(upcoming, releases),
    offers: selling.map(({ price, previousPrice, categoryKey, remaining, startsAt, endsAt, id, name }) => {
      return { offerId: id, offerName: name, categoryKey, price, previousPrice, remaining, startsAt, endsAt };
    }),
    linkedOffers: isStopped ? [] : linkedOf(facts),
    prices: offers.map(({ category, release, ...told }) => {
      const its = supply.filter((each) => each.category === category);
      const range = priceRange(category, its, channels?.pricing ?? [], selling);
      return { ...told, ...(release ? offered(release) : {}), free: sumOf(its, 'free'), ...range };
    }),
    channelPricing: channels && {
      assignmentVersion: channels.assignmentVersion,
      channels: channels.pricing,
      objects: channels.objects,
    },
  };
}

type State = 'on-sale' | 'low' | 'sold-out' | 'presale' | 'closed';

/**
 * closed: the event, or every channel in reach, is closed for sale, or the sale has ended. presale: the sale has not
 * begun, nothing is for sale yet, or every category with free units has ticket releases, and all of them are upcoming.
 * sold-out: units are for sale, and each is held or booked. low: less than a tenth of the sellable units is free.
 */
function stateOf({ stopped, stage, supply, releases }: SaleFacts): State {
  if (stopped !== null || stage === 'ended') return 'closed';
  if (stage === 'not_started') return 'presale';
  const left = supply.filter(({ free }) => free > 0);
  if (left.length === 0) return supply.length === 0 ? 'presale' : 'sold-out';
  if (left.every(({ category }) => isAwaited(category, releases))) return 'presale';
  const free = sumOf(left, 'free');
  const total = sumOf(supply, 'total');
  return free < total * LOW_BELOW ? 'low' : 'on-sale';
}

/** The one reason why a buyer waits, null if there is something to buy at the prices that count. */
function waitingOf(facts: SaleFacts, state: State, upcoming: ReleaseView | undefined) {
  const { stopped, stage, salesStartAt, supply, opensAt } = facts;
  if (stopped !== null) return { reason: stopped, opensAt: null };
  if (stage === 'ended') return { reason: 'sales_ended' as const, opensAt: null };
  if (stage === 'not_started') {
    // Places that are revealed later than the start are on sale later.
    const suppliedAt = supply.length === 0 ? (opensAt ?? salesStartAt!) : salesStartAt!;
    return { reason: 'not_started' as const, opensAt: Math.max(salesStartAt!, suppliedAt) };
  }
  if (state === 'sold-out') return { reason: 'sold_out' as const, opensAt: opensAt ?? null };
  if (state !== 'presale') return null;
  const startsAt = upcoming?.startsAt ?? null;
  if (supply.length === 0) return { reason: 'nothing_for_sale' as const, opensAt: opensAt ?? startsAt };
  return { reason: 'presale' as const, opensAt: startsAt };
}

/** Whether the category has ticket releases, and all of them are upcoming. */
function isAwaited(category: Category, releases: readonly ReleaseView[]): boolean {
  const its = releases.filter((release) => release.action === 'buy' && fits(release, category));
  return its.length > 0 && its.every(({ status }) => status === 'upcoming');
}

function sumOf(supply: readonly Supply[], what: 'free' | 'total'): number {
  return supply.reduce((sum, one) => sum + one[what], 0);
}

/** Whether this ticket release sets prices now. */
function isSelling({ action, status, remaining }: ReleaseView): boolean {
  return action === 'buy' && status === 'active' && remaining !== 0;
}

/** The ticket releases that lead to a page of the organiser instead of a hold, of categories in reach. */
function linkedOf({ releases, supply }: SaleFacts) {
  return releases.flatMap(
    ({ action, actionUrl, status, categoryKey, price, previousPrice, startsAt, endsAt, id, name }) => {
      const isInReach = supply.some(({ category: { key } }) => categoryKey === null || categoryKey === key);
      if (action === 'buy' || actionUrl === null || status !== 'active' || !isInReach) return [];
      return [{ offerId: id, offerName: name, action, actionUrl, categoryKey, price, previousPrice, startsAt, endsAt }];
    },
  );
}

type Offer = {
  category: Category;
  release: ReleaseView | undefined;
  categoryKey: string;
  price: number;
  previousPrice: number | null;
  fees: readonly Fee[];
  allIn: boolean;
  /** With all fees. */
  total: number;
};

/** The price of a category's next seat on public sale. */
function offerOf(category: Category, selling: readonly ReleaseView[]): Offer {
  const release = selling.find((each) => fits(each, category));
  const price = release?.price ?? usualPrice(category);
  const tier = usualTier(category);
  const previousPrice = (release ?? tier ?? category).previousPrice ?? null;
  return { category, release, categoryKey: category.key, previousPrice, ...withFees(category, tier, price) };
}

function withFees(category: Category, tier: Tier | undefined, price: number) {
  const fees = feesAt(feesFor(category, tier), price);
  return { price, ...fees, total: priceWithFees(price, fees) };
}

function offered({ id, name, remaining, startsAt, endsAt }: ReleaseView) {
  return {
    offerId: id,
    offerName: name,
    ...(remaining === null ? {} : { remaining }),
    ...(startsAt === null ? {} : { startsAt }),
    ...(endsAt === null ? {} : { endsAt }),
  };
}

type Price = Pick<Offer, 'price' | 'previousPrice' | 'total'>;

/**
 * The lowest price of all free units, without the units with an accessibility kind while others are free. A channel's
 * own price takes precedence over the price of a ticket release. `total` is the lowest with all fees.
 */
function cheapestOf({ supply, channels }: SaleFacts, offers: readonly Offer[]): Price | null {
  const left = supply.some(({ plain }) => plain > 0) ? 'plain' : 'free';
  const prices = supply.flatMap(({ category, channelId, [left]: units }): Price[] => {
    if (units === 0) return [];
    const pricing = channels?.pricing.find((one) => one.channelId === channelId);
    return [overrideOf(category, pricing) ?? offers.find((offer) => offer.category === category)!];
  });
  if (prices.length === 0) return null;
  const cheapest = prices.reduce((least, price) => (price.price < least.price ? price : least));
  return { ...cheapest, total: Math.min(...prices.map(({ total }) => total)) };
}

function overrideOf(category: Category, pricing: Pricing | undefined): Price | null {
  const tier = usualTier(category);
  const tierId = tier?.id ?? null;
  const override = pricing?.priceOverrides.find((one) => one.categoryKey === category.key && one.tierId === tierId);
  return override ? { previousPrice: null, ...withFees(category, tier, override.price) } : null;
}

function nextOf(releases: readonly ReleaseView[]): ReleaseView | undefined {
  const awaited = releases.filter(({ action, status }) => action === 'buy' && status === 'upcoming');
  return awaited.sort((a, b) => a.startsAt! - b.startsAt!)[0];
}

function windowOf(release: ReleaseView | undefined, { length: count }: readonly ReleaseView[]) {
  if (!release) return null;
  const { position, remaining, id, name, categoryKey, startsAt, endsAt } = release;
  return { index: position + 1, count, remaining, id, name, categoryKey, startsAt, endsAt };
}
