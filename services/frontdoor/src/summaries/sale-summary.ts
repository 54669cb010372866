/**
 * The facts of an event that a page shows before it opens the map: whether there is something to buy, and the lowest
 * price. Pure.
 */
import type { ReleaseView } from '@parterre/shared/answers';
import type { Category } from '@parterre/shared/chart/document';
import type { Plan } from '@parterre/shared/chart/plan';
import { type Channel, unitStatus } from '@parterre/shared/records';
import { stripped } from '../pictures/pictures.ts';
import { inMinorUnits } from './minor-units.ts';
import { usualPrice, usualTier } from './usual-price.ts';

/** The share of sellable units below which supply is low. */
const LOW_BELOW = 0.1;

/**
 * The units of a category and a channel (null: public sale) that buyers of a reach may have: in total, and free now.
 */
export type Supply = { category: Category; channelId: string | null; total: number; free: number };

export type Pricing = Pick<Channel, 'pricingVersion' | 'priceOverrides'> & { channelId: string };

export type SaleFacts = {
  currency: string;
  /** The event is active, its sales are not paused, and the reach has public sale or an active channel. */
  onSale: boolean;
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
  const { currency, releases, supply, channels } = facts;
  const selling = releases.filter(isSelling);
  const offers = [...new Set(supply.map(({ category }) => category))].map((category) => offerOf(category, selling));
  const cheapest = facts.onSale ? cheapestOf(facts, offers) : null;
  return {
    state: stateOf(facts),
    fromPrice: cheapest && inMinorUnits(cheapest.price, currency),
    previousPrice: cheapest?.previousPrice == null ? null : inMinorUnits(cheapest.previousPrice, currency),
    currency,
    release: windowOf(selling[0], releases),
    upcoming: windowOf(nextOf(releases), releases),
    prices: offers.map(({ category, release, ...told }) => ({ ...told, ...(release ? offered(release) : {}) })),
    channelPricing: channels && {
      assignmentVersion: channels.assignmentVersion,
      channels: channels.pricing,
      objects: channels.objects,
    },
  };
}

/**
 * closed: the event, or every channel in reach, is closed for sale. sold-out: no unit is free. presale: every category
 * with free units has ticket releases, and all of them are upcoming. low: less than a tenth of the sellable units is
 * free.
 */
function stateOf({ onSale, supply, releases }: SaleFacts): 'on-sale' | 'low' | 'sold-out' | 'presale' | 'closed' {
  if (!onSale) return 'closed';
  const left = supply.filter(({ free }) => free > 0);
  if (left.length === 0) return 'sold-out';
  if (left.every(({ category }) => isAwaited(category, releases))) return 'presale';
  const [free, total] = [sumOf(left, 'free'), sumOf(supply, 'total')];
  return free < total * LOW_BELOW ? 'low' : 'on-sale';
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

function fits({ categoryKey }: ReleaseView, { key, tiers = [] }: Category): boolean {
  return tiers.length === 0 && (categoryKey === null || categoryKey === key);
}

type Offer = {
  category: Category;
  release: ReleaseView | undefined;
  categoryKey: string;
  price: number;
  previousPrice: number | null;
};

/** The price of a category's next seat on public sale. */
function offerOf(category: Category, selling: readonly ReleaseView[]): Offer {
  const release = selling.find((each) => fits(each, category));
  const price = release?.price ?? usualPrice(category);
  return { category, release, categoryKey: category.key, price, previousPrice: release?.previousPrice ?? null };
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

type Price = Pick<Offer, 'price' | 'previousPrice'>;

/** The lowest price of all free units. A channel's own price takes precedence over the price of a ticket release. */
function cheapestOf({ supply, channels }: SaleFacts, offers: readonly Offer[]): Price | null {
  let least: Price | null = null;
  for (const { category, channelId, free } of supply) {
    if (free === 0) continue;
    const pricing = channels?.pricing.find((one) => one.channelId === channelId);
    const price = overrideOf(category, pricing) ?? offers.find((offer) => offer.category === category)!;
    if (least === null || price.price < least.price) least = price;
  }
  return least;
}

function overrideOf(category: Category, pricing: Pricing | undefined): Price | null {
  const tierId = usualTier(category)?.id ?? null;
  const override = pricing?.priceOverrides.find((one) => one.categoryKey === category.key && one.tierId === tierId);
  return override ? { price: override.price, previousPrice: null } : null;
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

/**
 * `shown` is the status that buyers of a reach see of each unit, `channels.of` the channel number of each unit. Units
 * that are not for sale to these buyers do not count. Categories come in the plan's order, each with public sale first.
 */
export function supplyOf(
  plan: Plan,
  shown: Uint8Array,
  channels: { of: Uint16Array | null; ids: readonly string[] },
): Supply[] {
  const size = channels.ids.length + 1;
  const total = new Uint32Array(plan.categories.length * size);
  const free = new Uint32Array(total.length);
  for (let unit = 0; unit < shown.length; unit++) {
    const status = shown[unit]!;
    if (status === unitStatus.blocked || status === stripped) continue;
    const at = plan.categoryOfUnit[unit]! * size + (channels.of === null ? 0 : channels.of[unit]!);
    total[at]!++;
    if (status === unitStatus.free) free[at]!++;
  }
  const supply: Supply[] = [];
  for (const [at, count] of total.entries()) {
    if (count === 0) continue;
    const category = plan.categories[Math.floor(at / size)]!;
    supply.push({ category, channelId: channels.ids[(at % size) - 1] ?? null, total: count, free: free[at]! });
  }
  return supply;
}
