/** From what a caller names (labels, tiers, an area with a quantity) to lines: units with the price frozen now. */
import { categoryOf, objectOf, type Plan, type PlanObject, priceOf } from '@parterre/shared/chart/plan';
import type { Caller, Selection } from '@parterre/shared/commands';
import { done, type Outcome, type Refusal, refuse } from '@parterre/shared/errors';
import { unitsPerSaleMax } from '@parterre/shared/limits';
import { type Line, statusNames } from '@parterre/shared/records';
import type { EventState } from './state.ts';

export type Conflict = { label: string; status: string; available?: number };

/** What decides on a price beside the chart: who buys when, and the release that an operator chose. */
export type Terms = { caller: Caller; now: number; releaseId?: string };

/** Whether the caller may have this unit: free, or in his own hands already. */
export type MayTake = (unit: number) => boolean;

/**
 * Lines for every selection, or the first kind of refusal that applies: `unknown_labels` (all of them), a bad quantity,
 * tier or category, then `conflict` with every label in the way.
 */
export function linesFor(state: EventState, selections: Selection[], mayTake: MayTake, _terms: Terms): Outcome<Line[]> {
  const unknown = selections.filter(({ label }) => !isKnown(state.plan, label)).map(({ label }) => label);
  if (unknown.length > 0) {
    return refuse('unknown_labels', 'The chart of this event has no such labels.', { details: { labels: unknown } });
  }
  const lines: Line[] = [];
  const named = new Set(selections.map(({ label }) => state.plan.labels.unitOf(label)));
  const taken = new Set<number>();
  const conflicts: Conflict[] = [];
  for (const selection of selections) {
    // An area gives places that nobody has and that the call does not name itself.
    const isSpare = (unit: number): boolean => !taken.has(unit) && !named.has(unit) && mayTake(unit);
    const area = areaNamed(state.plan, selection.label);
    const units = area ? placesOf(selection, area, isSpare, conflicts) : unitOf(state, selection, mayTake, conflicts);
    if (!units.ok) return units;
    if (lines.length + units.value.length > unitsPerSaleMax) {
      return badQuantity(selection.label, `would make more than ${unitsPerSaleMax} places in one call`);
    }
    for (const unit of units.value) {
      if (taken.has(unit)) return namedTwice(selection.label);
      taken.add(unit);
    }
    const priced = priceLines(state.plan, selection, units.value);
    if (!priced.ok) return priced;
    for (const line of priced.value) lines.push(line);
  }
  if (conflicts.length > 0) return { ok: false, refusal: conflictWith(conflicts) };
  return done(lines);
}

function conflictWith(conflicts: Conflict[], reason?: string): Refusal {
  return {
    code: 'conflict',
    message: 'Some of the requested seats are not available; nothing was changed.',
    ...(reason ? { reason } : {}),
    details: { conflicts },
  };
}

/** The refusal that names these units and what they are now. */
export function conflictOver(state: EventState, units: readonly number[], reason?: string): Refusal {
  const conflicts = units.map((unit) => ({ label: state.plan.labels.at(unit), status: statusOf(state, unit) }));
  return conflictWith(conflicts, reason);
}

function statusOf(state: EventState, unit: number): string {
  return statusNames[state.statuses[unit]!]!;
}

export function labelsOf(plan: Plan, units: readonly number[]): string[] {
  return units.map((unit) => plan.labels.at(unit));
}

/** The units behind labels that name units (no areas); every label the chart lacks is told at once. */
export function unitsOf(plan: Plan, labels: readonly string[]): Outcome<number[]> {
  const unknown: string[] = [];
  const units = new Set<number>();
  for (const label of labels) {
    const unit = plan.labels.unitOf(label);
    if (unit === undefined) unknown.push(label);
    else units.add(unit);
  }
  if (unknown.length > 0) {
    return refuse('unknown_labels', 'The chart of this event has no such labels.', { details: { labels: unknown } });
  }
  return done([...units]);
}

function isKnown(plan: Plan, label: string): boolean {
  return plan.labels.has(label) || plan.areaByLabel.has(label);
}

/** The area of this label; a label that names a unit (a whole table's) is not an area's. */
function areaNamed(plan: Plan, label: string): PlanObject | null {
  if (plan.labels.has(label)) return null;
  return plan.objects[plan.areaByLabel.get(label)!]!;
}

function unitOf(state: EventState, selection: Selection, mayTake: MayTake, conflicts: Conflict[]): Outcome<number[]> {
  const unit = state.plan.labels.unitOf(selection.label)!;
  const object = objectOf(state.plan, unit);
  const guests = selection.quantity ?? object.maxOccupancy;
  const [least, most] = object.bookingMode === 'individual' ? [1, 1] : [object.minOccupancy, object.maxOccupancy];
  if (guests < least || guests > most) {
    return badQuantity(selection.label, `takes ${least === most ? least : `${least} to ${most}`}, not ${guests}`);
  }
  if (!mayTake(unit)) conflicts.push({ label: selection.label, status: statusOf(state, unit) });
  return done([unit]);
}

/** The lowest spare places of a GA area. */
function placesOf(
  { label, quantity }: Selection,
  area: PlanObject,
  isSpare: MayTake,
  conflicts: Conflict[],
): Outcome<number[]> {
  const wanted = quantity ?? 1;
  if (wanted < 1 || wanted > area.unitCount) return badQuantity(label, `has ${area.unitCount} places, not ${wanted}`);
  const units: number[] = [];
  for (let unit = area.firstUnit; unit < area.firstUnit + area.unitCount && units.length < wanted; unit++) {
    if (isSpare(unit)) units.push(unit);
  }
  if (units.length < wanted) {
    conflicts.push({ label, status: units.length === 0 ? 'sold_out' : 'not_enough', available: units.length });
  }
  return done(units);
}

function priceLines(plan: Plan, { label, tierId, quantity }: Selection, units: number[]): Outcome<Line[]> {
  const lines: Line[] = [];
  for (const unit of units) {
    const category = categoryOf(plan, unit);
    if (category.notForSale)
      return refuse('not_for_sale', `${label} is in a category that is not for sale.`, {
        details: { labels: [label] },
      });
    const priced = priceOf(category, tierId ?? null);
    if (!priced) return refuse('unknown_tier', `${label} has no tier ${tierId}.`, { details: { labels: [label] } });
    const line: Line = { unit, price: priced.price };
    if (priced.tierId !== null) line.tierId = priced.tierId;
    const object = objectOf(plan, unit);
    if (object.bookingMode !== 'individual') line.quantity = quantity ?? object.maxOccupancy;
    else if (quantity !== undefined && object.type === 'gaArea') line.group = units[0]!;
    lines.push(line);
  }
  return done(lines);
}

function badQuantity(label: string, why: string): Outcome<never> {
  return refuse('invalid_quantity', `${label} ${why}.`, { details: { labels: [label] } });
}

function namedTwice(label: string): Outcome<never> {
  return refuse('invalid_request', `${label} is named twice in one call.`, {
    details: { issues: [{ path: 'selections', message: `${label} is named twice` }] },
  });
}
