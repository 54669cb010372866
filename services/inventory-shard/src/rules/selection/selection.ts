/**
 * Opens the room of selection: turns a caller's selections (labels, tiers, an area with a quantity) into lines, which
 * are units with a frozen price. A line is made only for a unit that the caller may take: a unit that is free, offered
 * for resale, or in the caller's own hold (I1).
 */
import { isCompanionsPlace } from '@parterre/shared/charts/companions';
import { nameOfLabel, placeTextsIn } from '@parterre/shared/charts/place-names';
import { labelsOf, objectOf, type PlanObject } from '@parterre/shared/charts/plan';
import type { Caller, Selection } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { unitsPerSaleMax } from '@parterre/shared/protocol/limits';
import { type Line, unitStatus } from '@parterre/shared/protocol/records';
import { isHiddenFrom, isWithdrawn } from '../availability/availability.ts';
import { channelPrices, checkSoldUnder, releasesFor } from '../pricing/pricing.ts';
import { isIn, type ReachMask } from '../reach/masks.ts';
import { maskOf, masksForPlaces, nothingLeftOf } from '../reach/reach.ts';
import { type Hold, hasUnit, isInCheckout, leftBehind, type ReadState } from '../state/state.ts';
import { AreaPlaces } from './area-places.ts';
import { barredFrom, barredFromAreas } from './barred.ts';
import { areCompanionsPlacesForAll, isReleasedCompanions, unpairedCompanions } from './companions.ts';
import { areaConflict, conflictWith, listingIsWhole, offeredStatusOf } from './conflicts.ts';
import { areaNamed, unknownLabels } from './labels.ts';
import { keepSources, linesOf, notApplicable } from './priced-lines.ts';
import { type Fault, type Findings, faultCodes, type MayTake, type Terms } from './terms.ts';

export { firstFreeOf, nextFreeIn } from './area-places.ts';
export { areCompanionsPlacesForAll, isCompanion, isReleasedCompanions } from './companions.ts';
export {
  areaConflict,
  type Conflict,
  type ConflictReason,
  conflictOver,
  conflictsOf,
  conflictWith,
  listingIsWhole,
} from './conflicts.ts';
export {
  areaNamed,
  eachOnce,
  everyPlace,
  labelsPerStep,
  type NamedUnits as Named,
  oneByOne,
  placesAmong,
  unitsByObject,
  unitsNamed,
  unitsNamedInSteps,
  unknownLabels,
} from './labels.ts';
export { groupPlaces } from './priced-lines.ts';
export type { MayTake, Terms } from './terms.ts';

/**
 * Lines for every selection, or the first refusal that applies, with every label concerned: `unknown_labels`; channels
 * outside the caller's reach; `conflict` if units are hidden from the caller; a label named twice; quantities;
 * categories not for sale; tiers; companions; then `conflict`.
 */
export function linesFor(state: ReadState, selections: Selection[], mayTake: MayTake, terms: Terms): Outcome<Line[]> {
  const { caller } = terms;
  const { plan } = state;
  const unknown = selections.filter(({ label }) => objectNamed(state, label) === undefined).map(({ label }) => label);
  if (unknown.length > 0) return unknownLabels(unknown);
  const within = maskOf(state, caller);
  if (!within.ok) return within;
  const mask = within.value;
  const visible = selections.filter(({ label }) => isVisible(state, label, terms));
  const barred = mask && barredFrom(state, visible, mask, terms);
  if (barred) return barred;
  const found: Findings = { caller, mask, faults: [], conflicts: [] };
  const takes = offeredTo(found, state, mayTake);
  if (visible.length < selections.length) return refuseHidden(state, selections, new Set(visible), takes, found);
  const nextRelease = releasesFor(state, terms);
  if (!nextRelease.ok) return nextRelease;
  const chosen = choose(state, selections, takes, terms, found);
  if (!chosen.ok) return chosen;
  const lines: Line[] = [];
  const { releaseId } = terms;
  const needsPrice = caller.source === 'buyer' && plan.refusesMissingPrices;
  const pricing = { releaseId, nextRelease: nextRelease.value, priceIn: channelPrices(), needsPrice };
  for (const [i, units] of chosen.value.entries()) {
    for (const line of linesOf(state, selections[i]!, units, pricing, found.faults)) lines.push(line);
  }
  if (found.faults.length > 0) return refuseFaults(state, caller, found.faults);
  const unpaired = companionsAlone(state, lines, terms);
  if (unpaired.length > 0) {
    const why =
      'A companion place is sold only with its wheelchair place. Take both in one call, or book it under the ' +
      'bookingRef of the wheelchair place.';
    return refuse('companion_pair_required', why, { details: { labels: labelsOf(plan, unpaired) } });
  }
  if (found.conflicts.length > 0) {
    return barredFromAreas(state, found) ?? refuseConflicts(state, found, lines.length);
  }
  if (mask && terms.replaced) keepSources(lines, terms.replaced, found);
  if (state.listings.size > 0) {
    const left = leftBehind(
      state,
      lines.map(({ unit }) => unit),
    );
    if (left.length > 0) return listingIsWhole(state, left, caller, (unit) => !isIn(mask, unit));
  }
  return releaseId === undefined ? done(lines) : checkSoldUnder(state, lines, releaseId);
}

/**
 * The companion places that may not be sold alone. An operator sells them with a reason. Without any other ordinary
 * place they are for everybody, and so are places whose time has passed. A companion tier never is.
 */
function companionsAlone(
  state: ReadState,
  lines: readonly Line[],
  { caller, had, replaced, now, taken: others }: Terms,
): number[] {
  const { plan } = state;
  const alone = unpairedCompanions(plan, lines, had);
  if (alone.length === 0 || caller.reason !== undefined) return [];
  const unpaired = alone.filter((unit) => !isCompanionsPlace(plan, unit) || !isReleasedCompanions(state, unit, now));
  const places = unpaired.filter((unit) => isCompanionsPlace(plan, unit));
  if (places.length === 0) return unpaired;
  const taken = new Set([...lines.map(({ unit }) => unit), ...(others ?? [])]);
  const back = new Set(replaced?.lines.filter(({ unit }) => hasUnit(state, replaced, unit)).map(({ unit }) => unit));
  if (!areCompanionsPlacesForAll(state, taken, back)) return unpaired;
  return unpaired.filter((unit) => !isCompanionsPlace(plan, unit));
}

/**
 * As `companionsAlone`, for lines that a hold has. None if the hold got companions without their wheelchair places:
 * with a reason, as the last places of the house, or because a change of chart parted the pair.
 */
export function companionsOfHoldAlone(
  state: ReadState,
  hold: Readonly<Hold>,
  lines: readonly Line[],
  terms: Pick<Terms, 'caller' | 'had' | 'now'>,
): number[] {
  const alone = companionsAlone(state, lines, terms);
  return alone.length > 0 && unpairedCompanions(state.plan, hold.lines).length > 0 ? [] : alone;
}

/** A buyer cannot take units that are hidden, closed or out of reach, but keeps the units in the buyer's hold. */
function offeredTo({ caller, mask }: Findings, state: ReadState, mayTake: MayTake): MayTake {
  if (caller.source !== 'buyer' || (state.divisions.byObject === null && mask === null)) return mayTake;
  return (unit) => mayTake(unit) && (isHeldByCaller(state, unit) || (!isWithdrawn(state, unit) && isIn(mask, unit)));
}

/**
 * Whether the unit is held, or listed and in checkout. A caller may take such a unit only from the caller's own hold.
 */
function isHeldByCaller(state: ReadState, unit: number): boolean {
  return state.statuses[unit] === unitStatus.held || isInCheckout(state, unit);
}

/** The units of each selection, in order. */
function choose(
  state: ReadState,
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
    if (area) areas ??= areasFor(state, selections, terms, found.mask, taken);
    const units = area ? placesOf(selection, area, areas!, most, found) : unitOf(state, selection, mayTake, found);
    if (units.length > most) {
      const why = `would make more than ${unitsPerSaleMax} places in one call`;
      return refuseFaults(state, terms.caller, [{ code: 'invalid_quantity', label: selection.label, why }]);
    }
    for (const unit of units) {
      if (taken.has(unit)) return namedTwice(state, terms.caller, selection.label);
      taken.add(unit);
    }
    chosen.push(units);
  }
  return done(chosen);
}

/** An area gives no place that the call names itself. */
function areasFor(
  state: ReadState,
  selections: Selection[],
  terms: Terms,
  mask: ReachMask | null,
  taken: ReadonlySet<number>,
): AreaPlaces {
  const named = new Set(selections.map(({ label }) => state.plan.labels.unitOf(label)));
  const masks = masksForPlaces(state, terms.caller, mask);
  return new AreaPlaces(state, terms, masks, (unit) => taken.has(unit) || named.has(unit));
}

/**
 * Buyers get the same status for every unit that is not sold to them, so that they cannot tell hidden or assigned units
 * from blocked ones.
 */
function statusFor({ caller, mask }: Findings, state: ReadState, unit: number): string {
  const isOff = state.statuses[unit] === unitStatus.blocked || isWithdrawn(state, unit) || !isIn(mask, unit);
  return caller.source === 'buyer' && isOff ? 'not_for_sale' : offeredStatusOf(state, unit);
}

/** The object that has a unit of this label, or is an area of this label. Undefined if the chart lacks the label. */
function objectNamed({ plan: { labels, areaByLabel, objectOfUnit } }: ReadState, label: string): number | undefined {
  const unit = labels.unitOf(label);
  return unit === undefined ? areaByLabel.get(label) : objectOfUnit[unit];
}

/** A hidden unit is visible to a buyer only if the replaced hold has it. The label is one of the chart. */
function isVisible(state: ReadState, label: string, { caller, replaced }: Terms): boolean {
  const { labels, objectOfUnit } = state.plan;
  const unit = labels.unitOf(label);
  const object = objectNamed(state, label)!;
  if (!isHiddenFrom(caller, state, object)) return true;
  const isNamed = (line: Line): boolean =>
    unit === undefined ? objectOfUnit[line.unit] === object : line.unit === unit;
  return replaced?.lines.some((line) => isNamed(line) && hasUnit(state, replaced, line.unit)) === true;
}

/**
 * A buyer learns of a hidden unit only that it is not for sale: no quantity and no tier of the call is looked at. The
 * conflict also names the other units in the way, so that a page lets go of all of them.
 */
function refuseHidden(
  state: ReadState,
  selections: readonly Selection[],
  visible: ReadonlySet<Selection>,
  takes: MayTake,
  found: Findings,
): Outcome<never> {
  const inTheWay = new Map<string, string>();
  for (const selection of selections) {
    const { label } = selection;
    const unit = state.plan.labels.unitOf(label);
    if (!visible.has(selection)) inTheWay.set(label, 'not_for_sale');
    else if (unit !== undefined && !takes(unit)) inTheWay.set(label, statusFor(found, state, unit));
  }
  return { ok: false, refusal: conflictWith([...inTheWay].map(([label, status]) => ({ label, status }))) };
}

function unitOf(
  state: ReadState,
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

/**
 * The lowest spare places of an area to which the selection's tier applies. Returns one more than `most` if the
 * quantity is too large.
 */
function placesOf(
  { label, quantity = 1, tierId = null }: Selection,
  area: PlanObject,
  areas: AreaPlaces,
  most: number,
  { faults, conflicts }: Findings,
): readonly number[] {
  if (quantity < 1) {
    faults.push({ code: 'invalid_quantity', label, why: `is sold by places and takes 1 or more, not ${quantity}` });
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

/** A buyer whose reach is channels alone learns that the channels have nothing left, if no area has a place. */
function refuseConflicts(state: ReadState, { caller, conflicts }: Findings, lineCount: number): Outcome<never> {
  const isNone = lineCount === 0 && conflicts.every(({ available }) => available === 0);
  const nothing = isNone && caller.source === 'buyer' ? nothingLeftOf(state, caller) : null;
  return nothing ?? { ok: false, refusal: conflictWith(conflicts) };
}

function refuseFaults({ plan }: ReadState, { locale }: Caller, faults: readonly Fault[]): Outcome<never> {
  const code = faultCodes.find((each) => faults.some((fault) => fault.code === each))!;
  const ofCode = faults.filter((fault) => fault.code === code);
  const more = ofCode.length > 1 ? ` (and ${ofCode.length - 1} more)` : '';
  const { label, why } = ofCode[0]!;
  const message = `${nameOfLabel(plan, label, placeTextsIn(locale))} ${why}${more}.`;
  const labels = ofCode.map((fault) => fault.label);
  if (code !== 'invalid_request') return refuse(code, message, { details: { labels } });
  const issues = ofCode.map((fault) => ({ path: 'selections', message: `${fault.label} ${fault.why}.` }));
  return refuse(code, message, { details: { labels, issues } });
}

function namedTwice({ plan }: ReadState, { locale }: Caller, label: string): Outcome<never> {
  const name = nameOfLabel(plan, label, placeTextsIn(locale));
  return refuse('invalid_request', `${name} is named twice in one call. Name it once.`, {
    details: { issues: [{ path: 'selections', message: `${label} is named twice. Name it once.` }] },
  });
}
