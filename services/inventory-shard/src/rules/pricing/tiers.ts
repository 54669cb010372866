/**
 * Which tier of its category a unit is sold at (wire contract 3.1). A tier with an applicability is for the units it
 * describes alone: those of its labels, where it names some (an area's own label stands for its places), and of one of its
 * accessibility kinds, where it names some; of both where it names both. An empty list restricts nothing.
 *
 * A call that names no tier gets the first that applies, and at a place that is not a companion's the first of these that is not for
 * companions: whoever buys a plain seat is not asked for a wheelchair place beside it because that tier is listed first.
 */
import type { Category } from '@parterre/shared/chart/document';
import { accessibilityKinds, categoryOf, type Plan } from '@parterre/shared/chart/plan';

export type Tier = NonNullable<Category['tiers']>[number];

/** `kinds` is a set as in `plan.accessibilityOfUnit`, 0 for any; `units` has a bit a unit, null for any. */
type Restricted = { kinds: number; units: Uint8Array | null; forCompanions: boolean };

const wheelchair = 1 << accessibilityKinds.indexOf('wheelchair');
const companion = 1 << accessibilityKinds.indexOf('companion');

/** By plan and category: what its tiers are restricted to, in their order; null where none is. Labels are looked up once. */
const known = new WeakMap<Plan, (readonly Restricted[] | null)[]>();

export type NoTier = 'unknown_tier' | 'ticket_option_not_applicable';

/** The tier named, else the default one; null in a category without tiers. */
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

/** Where all that apply are for companions it is the first of them, so that the refusal says what is missing. */
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

export function isWheelchairs(plan: Plan, unit: number): boolean {
  return (plan.accessibilityOfUnit[unit]! & wheelchair) !== 0;
}

/** Whether a place is a companion's at every tier; one of both kinds is a wheelchair's but for a companion's tier. */
export function isCompanionsPlace(plan: Plan, unit: number): boolean {
  return (plan.accessibilityOfUnit[unit]! & companion) !== 0 && !isWheelchairs(plan, unit);
}

/** Whether this tier (null: any) is for some units alone of the category that this one is in. */
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
    const units = seatLabels.length === 0 ? null : unitsNamed(plan, seatLabels);
    return { kinds, units, forCompanions: restriction === 'companion' };
  });
  return restricted.some((tier) => isRestricted(tier) || tier.forCompanions) ? restricted : null;
}

function isRestricted({ kinds, units }: Restricted): boolean {
  return kinds !== 0 || units !== null;
}

function unitsNamed(plan: Plan, labels: readonly string[]): Uint8Array {
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
