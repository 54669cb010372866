/**
 * Decides at which tier of its category a unit is sold. A tier with an applicability applies only to some units: if it
 * names labels, to these (an area's label stands for its places); if it names accessibility kinds, to units of one of
 * these; if it names both, to units that satisfy both. An empty list restricts nothing.
 *
 * A call that names no tier gets the first tier that applies. At a place that is not a companion's, the first such tier
 * that is not for companions comes before all others. Otherwise the buyer of a plain seat would be asked for a
 * wheelchair place beside it, only because the companion tier is listed first.
 */

import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { isCompanionsPlace } from '@parterre/shared/charts/companions';
import type { Category, Tier } from '@parterre/shared/charts/document';
import { categoryOf, type Plan } from '@parterre/shared/charts/plan';

/** `kinds` are bits as in `plan.accessibilityOfUnit`, 0 for any. `units` has one bit for each unit, null for any. */
type Restricted = { kinds: number; units: Uint8Array | null; forCompanions: boolean };

/**
 * By plan and category: the restrictions of its tiers in their order, null if no tier has one. Labels are looked up
 * once.
 */
const known = new WeakMap<Plan, (readonly Restricted[] | null)[]>();

export type NoTier = 'unknown_tier' | 'ticket_option_not_applicable';

/** The named tier, otherwise the default tier. Null in a category without tiers. */
export function tierOf(plan: Plan, unit: number, tierId: string | null): Tier | null | NoTier {
  const { tiers } = categoryOf(plan, unit);
  if (!tiers || tiers.length === 0) return tierId === null ? null : 'unknown_tier';
  const restricted = restrictedTiers(plan, unit);
  if (tierId === null) {
    return restricted ? defaultTier(plan, unit, tiers, restricted) : tiers[0]!;
  }
  const index = tiers.findIndex(({ id }) => id === tierId);
  if (index < 0) return 'unknown_tier';
  if (restricted && !applies(plan, unit, restricted[index]!)) return 'ticket_option_not_applicable';
  return tiers[index]!;
}

/**
 * If every tier that applies is for companions, the first such tier is returned: the refusal can then ask for the
 * wheelchair place.
 */
function defaultTier(
  plan: Plan,
  unit: number,
  tiers: readonly Tier[],
  restricted: readonly Restricted[],
): Tier | NoTier {
  const takesAny = isCompanionsPlace(plan, unit);
  let first: Tier | undefined;
  for (let i = 0; i < tiers.length; i++) {
    if (!applies(plan, unit, restricted[i]!)) continue;
    if (takesAny || !restricted[i]!.forCompanions) return tiers[i]!;
    first ??= tiers[i]!;
  }
  return first ?? 'ticket_option_not_applicable';
}

/** Whether this tier (null: any tier) applies only to some units of this unit's category. */
export function isForSome(plan: Plan, unit: number, tierId: string | null): boolean {
  const restricted = restrictedTiers(plan, unit);
  if (!restricted) return false;
  if (tierId === null) return restricted.every(isRestricted);
  const index = categoryOf(plan, unit).tiers!.findIndex(({ id }) => id === tierId);
  return index >= 0 && isRestricted(restricted[index]!);
}

function restrictedTiers(plan: Plan, unit: number): readonly Restricted[] | null {
  let byCategory = known.get(plan);
  if (!byCategory) {
    byCategory = plan.categories.map((category) => restrictionsOf(plan, category));
    known.set(plan, byCategory);
  }
  return byCategory[plan.categoryOfUnit[unit]!]!;
}

function restrictionsOf(plan: Plan, { tiers = [] }: Category): Restricted[] | null {
  const restricted = tiers.map(({ applicability = {}, restriction }): Restricted => {
    const { seatLabels = [], accessibility = [] } = applicability;
    const kinds = accessibility.reduce((bits, kind) => bits | (1 << accessibilityKinds.indexOf(kind)), 0);
    const units = seatLabels.length === 0 ? null : bitsOfUnitsNamed(plan, seatLabels);
    return { kinds, units, forCompanions: restriction === 'companion' };
  });
  return restricted.some((tier) => isRestricted(tier) || tier.forCompanions) ? restricted : null;
}

function isRestricted({ kinds, units }: Restricted): boolean {
  return kinds !== 0 || units !== null;
}

function bitsOfUnitsNamed(plan: Plan, labels: readonly string[]): Uint8Array {
  const bits = new Uint8Array((plan.unitCount + 7) >> 3);
  const add = (unit: number): void => {
    bits[unit >> 3]! |= 1 << (unit & 7);
  };
  for (const label of labels) {
    const unit = plan.labels.unitOf(label);
    const area = plan.objects[plan.areaByLabel.get(label) ?? -1];
    if (unit !== undefined) add(unit);
    else if (area) for (let place = 0; place < area.unitCount; place++) add(area.firstUnit + place);
  }
  return bits;
}

function applies(plan: Plan, unit: number, { kinds, units }: Restricted): boolean {
  if (kinds !== 0 && (plan.accessibilityOfUnit[unit]! & kinds) === 0) return false;
  return !units || (units[unit >> 3]! & (1 << (unit & 7))) !== 0;
}
