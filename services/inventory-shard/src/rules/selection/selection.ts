/** From what a caller names (labels, tiers, an area with a quantity) to lines: units with the price frozen now. */
import type { Category } from '@parterre/shared/chart/document';
import { categoryOf, labelsOf, objectOf, type PlanObject } from '@parterre/shared/chart/plan';
import type { Caller, Selection } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { unitsPerSaleMax } from '@parterre/shared/limits';
import { areSoldAlike } from '@parterre/shared/line-items';
import { type Channel, type Line, unitStatus } from '@parterre/shared/records';
import { isHiddenFrom, isWithdrawn } from '../availability/availability.ts';
import {
  type ChannelPrices,
  channelPrices,
  checkSoldUnder,
  type NextRelease,
  releasesFor,
} from '../pricing/release-prices.ts';
import { type NoTier, type Tier, tierOf } from '../pricing/tiers.ts';
import { channelOf, isIn, nothingLeftOf, type Pool, poolOf, poolsForPlaces } from '../reach/reach.ts';
import { isInCheckout, leftBehind } from '../state/listings.ts';
import { type EventState, type Hold, owns } from '../state/state.ts';
import { AreaPlaces } from './area-places.ts';
import { barredFrom, barredFromAreas } from './barred.ts';
import { unpairedCompanions } from './companions.ts';
import { areaConflict, type Conflict, conflictWith, listingIsWhole, offeredStatusOf } from './conflicts.ts';
import { areaNamed, unknownLabels } from './labels.ts';

/**
 * What decides on a price beside the chart: who buys when, the release that an operator chose, and the hold that gives way, whose
 * share of a quota is free. `had` are the lines that the caller's booking has of what the call names: a companion may sit beside one of them.
 */
export type Terms = {
  caller: Caller;
  now: number;
  releaseId?: string;
  replaced?: Hold | undefined;
  had?: readonly Line[];
};

/** Whether the caller may have this unit: free, or in his own hands already. */
export type MayTake = (unit: number) => boolean;

/** The kinds of refusal that name every label they are about, the first that applies before the others. */
const faultCodes = ['invalid_quantity', 'not_for_sale', 'unknown_tier', 'ticket_option_not_applicable'] as const;
type Fault = { code: (typeof faultCodes)[number]; label: string; why: string };

/** What is found on the way from selections to lines, for this caller. */
export type Findings = { caller: Caller; pool: Pool | null; faults: Fault[]; conflicts: Conflict[] };

/**
 * Lines for every selection, or the first kind of refusal that applies, with every label of that kind: `unknown_labels`, channels
 * that the caller may not have units of, a label named twice, quantities, categories that are not for sale, tiers, companions, then `conflict`.
 */
export function linesFor(state: EventState, selections: Selection[], mayTake: MayTake, terms: Terms): Outcome<Line[]> {
  const { caller } = terms;
  const { plan } = state;
  const unknown = selections.filter(({ label }) => !isKnown(state, label, terms)).map(({ label }) => label);
  if (unknown.length > 0) return unknownLabels(unknown);
  const within = poolOf(state, caller);
  if (!within.ok) return within;
  const pool = within.value;
  const barred = pool && barredFrom(state, selections, pool, terms);
  if (barred) return barred;
  const nextRelease = releasesFor(state, terms);
  if (!nextRelease.ok) return nextRelease;
  const found: Findings = { caller, pool, faults: [], conflicts: [] };
  const chosen = choose(state, selections, offeredTo(found, state, mayTake), terms, found);
  if (!chosen.ok) return chosen;
  const lines: Line[] = [];
  const { releaseId } = terms;
  const pricing = { releaseId, nextRelease: nextRelease.value, priceIn: channelPrices() };
  for (const [i, units] of chosen.value.entries()) {
    for (const line of linesOf(state, selections[i]!, units, pricing, found.faults)) lines.push(line);
  }
  if (found.faults.length > 0) return refuseFaults(found.faults);
  const unpaired = unpairedCompanions(plan, lines, terms.had);
  if (unpaired.length > 0) {
    const why = 'A companion is sold the place beside a wheelchair place of the same row, in one call with it.';
    return refuse('companion_pair_required', why, { details: { labels: labelsOf(plan, unpaired) } });
  }
  if (found.conflicts.length > 0) {
    return barredFromAreas(state, found) ?? refuseConflicts(state, found, lines.length);
  }
  if (pool && terms.replaced) keepSources(lines, terms.replaced, found);
  if (state.listings.size > 0) {
    const left = leftBehind(
      state,
      lines.map(({ unit }) => unit),
    );
    if (left.length > 0) return listingIsWhole(state, left, caller, (unit) => !isIn(pool, unit));
  }
  return releaseId === undefined ? done(lines) : checkSoldUnder(state, lines, releaseId);
}

/** A buyer takes nothing that is hidden, closed or out of his reach, but keeps what he holds. */
function offeredTo({ caller, pool }: Findings, state: EventState, mayTake: MayTake): MayTake {
  if (caller.source !== 'buyer' || (state.scopes.byObject === null && pool === null)) return mayTake;
  return (unit) => mayTake(unit) && (isTaken(state, unit) || (!isWithdrawn(state, unit) && isIn(pool, unit)));
}

/** Held, or listed for resale and in checkout; what is so and may be taken is in the caller's own hold. */
function isTaken(state: EventState, unit: number): boolean {
  return state.statuses[unit] === unitStatus.held || isInCheckout(state, unit);
}

/** The units of each selection, in their order. */
function choose(
  state: EventState,
  selections: Selection[],
  mayTake: MayTake,
  terms: Terms,
  found: Findings,
): Outcome<(readonly number[])[]> {
  const taken = new Set<number>();
  let areas: AreaPlaces | null = null;
  const chosen: (readonly number[])[] = [];
  for (const selection of selections) {
    const area = areaNamed(state.plan, selection.label);
    const most = unitsPerSaleMax - taken.size;
    if (area) areas ??= areasFor(state, selections, terms, found.pool, taken);
    const units = area ? placesOf(selection, area, areas!, most, found) : unitOf(state, selection, mayTake, found);
    if (units.length > most) {
      const why = `would make more than ${unitsPerSaleMax} places in one call`;
      return refuseFaults([{ code: 'invalid_quantity', label: selection.label, why }]);
    }
    for (const unit of units) {
      if (taken.has(unit)) return namedTwice(selection.label);
      taken.add(unit);
    }
    chosen.push(units);
  }
  return done(chosen);
}

/** An area gives no place that the call itself names. */
function areasFor(
  state: EventState,
  selections: Selection[],
  terms: Terms,
  pool: Pool | null,
  taken: ReadonlySet<number>,
): AreaPlaces {
  const named = new Set(selections.map(({ label }) => state.plan.labels.unitOf(label)));
  const pools = poolsForPlaces(state, terms.caller, pool);
  return new AreaPlaces(state, terms, pools, (unit) => taken.has(unit) || named.has(unit));
}

/** Buyers hear one word for all that is not sold to them, so that they cannot tell what is hidden or a channel's from what is blocked. */
function statusFor({ caller, pool }: Findings, state: EventState, unit: number): string {
  const isOff = state.statuses[unit] === unitStatus.blocked || isWithdrawn(state, unit) || !isIn(pool, unit);
  return caller.source === 'buyer' && isOff ? 'not_for_sale' : offeredStatusOf(state, unit);
}

/** Of what is hidden a buyer is told as of what the chart lacks, but for what the hold that gives way has there. */
function isKnown(state: EventState, label: string, { caller, replaced }: Terms): boolean {
  const { labels, areaByLabel, objectOfUnit } = state.plan;
  const unit = labels.unitOf(label);
  const object = unit === undefined ? areaByLabel.get(label) : objectOfUnit[unit];
  if (object === undefined) return false;
  if (!isHiddenFrom(caller, state, object)) return true;
  const isNamed = (line: Line): boolean =>
    unit === undefined ? objectOfUnit[line.unit] === object : line.unit === unit;
  return replaced?.lines.some((line) => isNamed(line) && owns(state, replaced, line.unit)) === true;
}

function unitOf(
  state: EventState,
  { label, quantity }: Selection,
  mayTake: MayTake,
  found: Findings,
): readonly number[] {
  const unit = state.plan.labels.unitOf(label)!;
  const object = objectOf(state.plan, unit);
  const guests = quantity ?? object.maxOccupancy;
  const [least, most] = object.bookingMode === 'individual' ? [1, 1] : [object.minOccupancy, object.maxOccupancy];
  if (guests < least || guests > most) {
    const why = `takes ${least === most ? least : `${least} to ${most}`}, not ${guests}`;
    found.faults.push({ code: 'invalid_quantity', label, why });
  }
  if (!mayTake(unit)) found.conflicts.push({ label, status: statusFor(found, state, unit) });
  return [unit];
}

/** The lowest spare places of a GA area that the selection's tier applies to; one more than `most` where they are too many. */
function placesOf(
  { label, quantity = 1, tierId = null }: Selection,
  area: PlanObject,
  areas: AreaPlaces,
  most: number,
  { faults, conflicts }: Findings,
): readonly number[] {
  if (quantity < 1) {
    faults.push({ code: 'invalid_quantity', label, why: `is sold by places, not ${quantity}` });
    return [];
  }
  const wanted = Math.min(quantity, most + 1);
  const units = areas.take(area, tierId, wanted);
  if (units.length === 0 && !areas.hasTier(area, tierId)) faults.push(notApplicable(label, tierId));
  if (units.length < wanted) {
    conflicts.push(areaConflict(label, units.length));
  }
  return units;
}

type Pricing = { releaseId: string | undefined; nextRelease: NextRelease; priceIn: ChannelPrices };

/** Tier first, then the price. */
function linesOf(
  state: EventState,
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
    const tier = tierOf(plan, unit, tierId);
    const fault = faultOf(category, tier, label, tierId);
    if (fault) {
      faults.push(fault);
      return lines;
    }
    const line = lineOf(category, unit, tier as Tier | null, terms, channelOf(state, unit));
    if (objectOf(plan, unit).bookingMode !== 'individual')
      line.quantity = quantity ?? objectOf(plan, unit).maxOccupancy;
    lines.push(line);
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

function notApplicable(label: string, tierId: string | null): Fault {
  const why = tierId === null ? 'has no tier that applies to it' : `cannot be sold at tier ${tierId}`;
  return { code: 'ticket_option_not_applicable', label, why };
}

function lineOf(
  category: Category,
  unit: number,
  tier: Tier | null,
  { releaseId, nextRelease, priceIn }: Pricing,
  channel: Channel | undefined,
): Line {
  const isChosen = releaseId !== undefined;
  const asked = channel && !isChosen ? priceIn(channel, category.key, tier?.id ?? null) : undefined;
  const release = asked === undefined ? nextRelease(category) : null;
  const line: Line = { unit, price: asked ?? release?.price ?? tier?.price ?? category.price ?? 0 };
  if (tier) line.tierId = tier.id;
  if (channel) line.channelId = channel.id;
  if (release) line.releaseId = release.id;
  return line;
}

/** Places of an area that are sold alike are one line item, named by the lowest of them. */
function groupAlike(lines: Line[]): void {
  const groups = new Map<string, number>();
  let before: Line | undefined;
  for (const line of lines) {
    if (before && areSoldAlike(before, line)) {
      line.group = before.group!;
    } else {
      const { price, tierId, releaseId, channelId } = line;
      const key = `${price} ${tierId} ${releaseId} ${channelId}`;
      line.group = groups.get(key) ?? line.unit;
      groups.set(key, line.group);
    }
    before = line;
  }
}

/** Units of the hold that gives way which the caller could not have taken himself stay what they were sold as. */
function keepSources(lines: Line[], replaced: Hold, { caller, pool }: Findings): void {
  for (const line of lines) {
    if (line.channelId === undefined || isIn(pool, line.unit)) continue;
    const source = replaced.lines.find(({ unit }) => unit === line.unit)?.accessSource ?? replaced.accessSource;
    if (source !== caller.accessSource) line.accessSource = source;
  }
}

/** Whoever buys of channels alone is told that they have nothing left, where areas have no place for him. */
function refuseConflicts(state: EventState, { caller, conflicts }: Findings, lineCount: number): Outcome<never> {
  const isNone = lineCount === 0 && conflicts.every(({ available }) => available === 0);
  const nothing = isNone && caller.source === 'buyer' ? nothingLeftOf(state, caller) : null;
  return nothing ?? { ok: false, refusal: conflictWith(conflicts) };
}

function refuseFaults(faults: readonly Fault[]): Outcome<never> {
  const code = faultCodes.find((each) => faults.some((fault) => fault.code === each))!;
  const ofCode = faults.filter((fault) => fault.code === code);
  const more = ofCode.length > 1 ? ` (and ${ofCode.length - 1} more)` : '';
  const message = `${ofCode[0]!.label} ${ofCode[0]!.why}${more}.`;
  return refuse(code, message, { details: { labels: ofCode.map(({ label }) => label) } });
}

function namedTwice(label: string): Outcome<never> {
  return refuse('invalid_request', `${label} is named twice in one call.`, {
    details: { issues: [{ path: 'selections', message: `${label} is named twice` }] },
  });
}
