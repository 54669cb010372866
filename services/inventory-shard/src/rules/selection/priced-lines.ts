/** Prices the units of a selection: each unit becomes a line with its tier and its frozen price. */
import type { Category, Tier } from '@parterre/shared/charts/document';
import { categoryOf, objectOf } from '@parterre/shared/charts/plan';
import type { Selection } from '@parterre/shared/protocol/commands';
import { areSoldAlike } from '@parterre/shared/protocol/line-items';
import { feesFor, frozenFees, priceMaxIn, unitOf } from '@parterre/shared/protocol/money';
import type { Channel, Line } from '@parterre/shared/protocol/records';
import { type ChannelPrices, type NextTicketRelease, type NoTier, tierOf } from '../pricing/pricing.ts';
import { isIn } from '../reach/masks.ts';
import { channelOf, type Hold, type ReadState } from '../state/state.ts';
import { areaNamed } from './labels.ts';
import type { Fault, Findings } from './terms.ts';

/**
 * `needsPrice`: a place without a price is refused. A buyer needs one. A server or an operator names one, else the
 * place costs 0, as it did before missing prices were refused.
 */
export type Pricing = {
  releaseId: string | undefined;
  nextRelease: NextTicketRelease;
  priceIn: ChannelPrices;
  needsPrice: boolean;
};

/** The tier is checked first, then the price is set. */
export function linesOf(
  state: ReadState,
  selection: Selection,
  units: readonly number[],
  terms: Pricing,
  faults: Fault[],
): Line[] {
  const { plan } = state;
  const { label, tierId = null, quantity } = selection;
  const lines: Line[] = [];
  for (const unit of units) {
    const category = categoryOf(plan, unit);
    const named = tierOf(plan, unit, tierId);
    const fault = faultOf(category, named, label, tierId);
    if (fault) {
      faults.push(fault);
      return lines;
    }
    const tier = named as Tier | null;
    const line = lineOf(category, unit, tier, terms, channelOf(state, unit));
    const missing = priceFault(state, line, selection, terms);
    if (missing) {
      faults.push(missing);
      return lines;
    }
    if (category.fees !== undefined || tier?.fees !== undefined) addFees(line as Line, category, tier);
    if (objectOf(plan, unit).bookingMode !== 'individual')
      line.quantity = quantity ?? objectOf(plan, unit).maxOccupancy;
    lines.push(line as Line);
  }
  if (quantity !== undefined && areaNamed(plan, label)) groupAlike(lines);
  return lines;
}

function faultOf(category: Category, tier: Tier | null | NoTier, label: string, tierId: string | null): Fault | null {
  if (category.notForSale) return { code: 'not_for_sale', label, why: 'is in a category that is not for sale' };
  if (tier === 'unknown_tier') return { code: tier, label, why: `has no tier ${tierId}` };
  if (tier === 'ticket_option_not_applicable') return notApplicable(label, tierId);
  return null;
}

export function notApplicable(label: string, tierId: string | null): Fault {
  const why = tierId === null ? 'has no tier that applies to it' : `cannot be sold at tier ${tierId}`;
  return { code: 'ticket_option_not_applicable', label, why };
}

/** Gives the line of a place without a price the price that the call names, or says what is wrong. */
function priceFault(
  { config }: ReadState,
  line: UnpricedLine,
  { label, price }: Selection,
  { needsPrice }: Pricing,
): Fault | null {
  if (line.price !== undefined) {
    if (price === undefined) return null;
    return { code: 'invalid_request', label, why: 'has a price. Name a price only for a place without one' };
  }
  const max = priceMaxIn(unitOf(config));
  if (price !== undefined && price > max)
    return { code: 'invalid_request', label, why: `cannot cost more than ${max}` };
  line.price = price ?? (needsPrice ? undefined : 0);
  if (line.price !== undefined) return null;
  const why = 'has no price, so that buyers cannot have it. The seller gives its category a price; 0 is free';
  return { code: 'price_missing', label, why };
}

/** A line whose price may still be missing. */
type UnpricedLine = Omit<Line, 'price'> & { price: number | undefined };

function lineOf(
  category: Category,
  unit: number,
  tier: Tier | null,
  { releaseId, nextRelease, priceIn }: Pricing,
  channel: Channel | undefined,
): UnpricedLine {
  const isChosen = releaseId !== undefined;
  const asked = channel && !isChosen ? priceIn(channel, category.key, tier?.id ?? null) : undefined;
  const release = asked === undefined ? nextRelease(category) : null;
  const line: UnpricedLine = { unit, price: asked ?? release?.price ?? tier?.price ?? category.price };
  if (tier) line.tierId = tier.id;
  if (channel) line.channelId = channel.id;
  if (release) line.releaseId = release.id;
  return line;
}

/** The fees of the category or tier belong to the place at any price. */
function addFees(line: Line, category: Category, tier: Tier | null): void {
  const fees = frozenFees(feesFor(category, tier), line.price);
  if (fees !== undefined) line.fees = fees;
}

/** Places of an area that are sold alike form one line item, which is named by the lowest of them. */
function groupAlike(lines: Line[]): void {
  const groups = new Map<string, number>();
  let before: Line | undefined;
  for (const line of lines) {
    if (before && areSoldAlike(before, line)) {
      line.group = before.group!;
    } else {
      const { price, tierId, releaseId, channelId, fees } = line;
      const key = `${price} ${tierId} ${releaseId} ${channelId} ${fees}`;
      line.group = groups.get(key) ?? line.unit;
      groups.set(key, line.group);
    }
    before = line;
  }
}

/** Units of the replaced hold that the caller could not have taken keep the access source that they were sold with. */
export function keepSources(lines: Line[], replaced: Readonly<Hold>, { caller, mask }: Findings): void {
  for (const line of lines) {
    if (line.channelId === undefined || isIn(mask, line.unit)) continue;
    const source = replaced.lines.find(({ unit }) => unit === line.unit)?.accessSource ?? replaced.accessSource;
    if (source !== caller.accessSource) line.accessSource = source;
  }
}
