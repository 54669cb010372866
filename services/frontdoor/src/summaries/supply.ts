/** The units that buyers of a reach may have, by category and channel. Pure. */
import type { Category, Tier } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import { unitStatus } from '@parterre/shared/protocol/records';
import { stripped } from '../pictures/pictures.ts';

/**
 * The units of a category and a channel (null: public sale) that buyers of a reach may have: in total, and free now.
 * `plain` counts the free units without an accessibility kind. `tiers` are the tiers at which plain free units are
 * sold, or all free units where none is plain. They never include companions' tiers.
 */
export type Supply = {
  category: Category;
  channelId: string | null;
  total: number;
  free: number;
  plain: number;
  tiers: readonly Tier[];
};

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
  const plain = new Uint32Array(total.length);
  const placeOf = (unit: number) => plan.categoryOfUnit[unit]! * size + (channels.of === null ? 0 : channels.of[unit]!);
  for (let unit = 0; unit < shown.length; unit++) {
    const status = shown[unit]!;
    if (status === unitStatus.blocked || status === stripped) continue;
    const at = placeOf(unit);
    total[at]!++;
    if (status !== unitStatus.free) continue;
    free[at]!++;
    if (plan.accessibilityOfUnit[unit] === 0) plain[at]!++;
  }
  const supply: Supply[] = [];
  for (const [at, count] of total.entries()) {
    if (count === 0) continue;
    const category = plan.categories[Math.floor(at / size)]!;
    const isOneLeft = (unit: number) =>
      shown[unit] === unitStatus.free && placeOf(unit) === at && plan.accessibilityOfUnit[unit] === 0;
    supply.push({
      category,
      channelId: channels.ids[(at % size) - 1] ?? null,
      total: count,
      free: free[at]!,
      plain: plain[at]!,
      tiers: tiersSold(plan, category, plain[at]! > 0 ? isOneLeft : null),
    });
  }
  return supply;
}

/** `isLeft` tells whether a unit is a plain free one of this supply; null if no plain unit is free. */
function tiersSold(plan: Plan, { tiers = [] }: Category, isLeft: ((unit: number) => boolean) | null): Tier[] {
  return tiers.filter(({ restriction, applicability: { seatLabels = [], accessibility = [] } = {} }) => {
    if (restriction !== undefined) return false;
    if (isLeft === null) return true;
    return accessibility.length === 0 && (seatLabels.length === 0 || unitsNamed(plan, seatLabels).some(isLeft));
  });
}

/** An area's label stands for its places. */
function unitsNamed({ labels, areaByLabel, objects }: Plan, named: readonly string[]): number[] {
  return named.flatMap((label) => {
    const unit = labels.unitOf(label);
    if (unit !== undefined) return [unit];
    const area = objects[areaByLabel.get(label) ?? -1];
    return area ? Array.from({ length: area.unitCount }, (_, place) => area.firstUnit + place) : [];
  });
}
