/**
 * The places that the bounds of the price and the way leave to a query. A place has the price at which the event would
 * sell it now: of its channel, the next active ticket release, or its tier. Bounds therefore depend on the moment. The
 * places are kept beside the state under the answers to all prices, so that calls at the same prices share them.
 *
 * A quota may run out within one choice, and its later places have another price. choosing.ts looks at the prices of
 * the chosen lines.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { SeatQuery } from '@parterre/shared/protocol/commands';
import type { Line } from '@parterre/shared/protocol/records';
import { channelPrices, releasesFor, tierOf } from '../pricing/pricing.ts';
import type { Among } from '../seat-search/search.ts';
import { channelOf, type Lookup, lookupOf, placesAskedKept, type ReadState } from '../state/state.ts';

type Bounds = Pick<SeatQuery, 'minUnitPrice' | 'maxUnitPrice' | 'stepFree'>;

export function isInBounds({ minUnitPrice = 0, maxUnitPrice = Infinity }: Bounds, price: number): boolean {
  return price >= minUnitPrice && price <= maxUnitPrice;
}

/** Whether a line that is sold meets the bounds of a query. */
export function meetsTerms(plan: Plan, query: Bounds, { unit, price }: Pick<Line, 'unit' | 'price'>): boolean {
  return isInBounds(query, price) && (!query.stepFree || isStepFree(plan, unit));
}

export function hasPriceBounds({ minUnitPrice, maxUnitPrice }: Bounds): boolean {
  return minUnitPrice !== undefined || maxUnitPrice !== undefined;
}

const isStepFree = ({ wayOfUnit }: Plan, unit: number): boolean => wayOfUnit !== null && wayOfUnit[unit] !== 0;

/** The last used entry stands last. */
class PlacesAsked implements Lookup {
  readonly entries = new Map<string, Among>();

  /** Neither a price nor a way depends on statuses. */
  unitsChanged(): void {}

  get bytes(): number {
    return [...this.entries.values()].reduce((sum, { bits }) => sum + bits.byteLength, 0);
  }
}

const newPlacesAsked = (): PlacesAsked => new PlacesAsked();

/** Null if the query has neither bounds nor a way. */
export function placesAsked(state: ReadState, query: SeatQuery, now: number): Among | null {
  if (!hasPriceBounds(query) && !query.stepFree) return null;
  const costs = hasPriceBounds(query) ? pricesIn(state, query, now) : null;
  const key = JSON.stringify([query.stepFree === true, costs?.key]);
  const { entries } = lookupOf(state, newPlacesAsked);
  let among = entries.get(key);
  if (among) entries.delete(key);
  else if (entries.size === placesAskedKept) entries.delete(entries.keys().next().value!);
  among ??= { key, bits: bitsOf(state, query, costs) };
  entries.set(key, among);
  return among;
}

function bitsOf({ plan }: ReadState, { stepFree }: SeatQuery, costs: Costs | null): Uint8Array {
  const bits = new Uint8Array((plan.unitCount + 7) >> 3);
  for (let unit = 0; unit < plan.unitCount; unit++) {
    if (stepFree && !isStepFree(plan, unit)) continue;
    if (costs === null || costs.isInBounds(unit)) bits[unit >> 3]! |= 1 << (unit & 7);
  }
  return bits;
}

type Costs = { key: string; isInBounds(unit: number): boolean };

/**
 * `key` tells every price of the moment that decides: a place of the same category, tier and channel costs the same.
 */
function pricesIn(state: ReadState, query: SeatQuery, now: number): Costs {
  const { plan, channels } = state;
  const priceIn = channelPrices();
  const isBase = plan.categories.map((category) => {
    const releases = releasesFor(state, { now });
    const release = releases.ok ? releases.value(category) : null;
    const isIn = (price: number | undefined): boolean => price !== undefined && isInBounds(query, price);
    const prices = [release?.price ?? category.price, ...(category.tiers ?? []).map(({ price }) => price)];
    return prices.map(isIn);
  });
  const overrides = [...channels.byId.values()].filter(({ priceOverrides }) => priceOverrides.length > 0);
  const priced = overrides.flatMap(({ id, priceOverrides }) =>
    priceOverrides.map(({ categoryKey, tierId, price }) => [id, categoryKey, tierId, isInBounds(query, price)]),
  );
  const assigned = priced.length === 0 ? [] : [channels.version, priced];
  const tierIds = query.tickets ? [...new Set(query.tickets.map(({ tierId }) => tierId))] : [null];
  const costs = (unit: number, tierId: string | null): boolean => {
    const tier = tierOf(plan, unit, tierId);
    if (typeof tier === 'string') return false;
    const index = plan.categoryOfUnit[unit]!;
    const category = plan.categories[index]!;
    const channel = priced.length === 0 ? undefined : channelOf(state, unit);
    const own = channel && priceIn(channel, category.key, tier?.id ?? null);
    if (own !== undefined) return isInBounds(query, own);
    return isBase[index]![tier === null ? 0 : 1 + category.tiers!.indexOf(tier)]!;
  };
  return {
    key: JSON.stringify([tierIds, isBase.map((each) => each.map(Number).join('')), ...assigned]),
    isInBounds: (unit) => tierIds.some((tierId) => costs(unit, tierId)),
  };
}
