/**
 * Splits a sale into the part that its reference has already booked and the part to be sold, so that a repetition sells
 * nothing twice (I5). A seat is found by its label. For an area, the quantities of a call are totals: they claim the
 * places that the reference has there, each place once, and only the difference is sold. Selections with a tier claim
 * first. A selection without a tier claims places sold at the default tier, the tier that it would get itself.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { Selection } from '@parterre/shared/protocol/commands';
import type { Line } from '@parterre/shared/protocol/records';
import { tierOf } from '../pricing/pricing.ts';
import type { ReadState } from '../state/state.ts';

/**
 * `open`: the selections still to be sold, in the order of the call. `had`: the lines of the named units that the
 * reference has.
 */
export type Split = { open: Selection[]; had: Line[] };

export function splitByReference(state: ReadState, bookingRef: string, selections: Selection[]): Split {
  const booking = state.bookings.get(bookingRef);
  if (!booking || booking.lines.length === 0) return { open: selections, had: [] };
  const { labels, areaByLabel } = state.plan;
  const unclaimed = new Map(booking.lines.map((line) => [line.unit, line]));
  const had: Line[] = [];
  const claim = (line: Line | undefined): boolean => {
    if (!line || !unclaimed.delete(line.unit)) return false;
    had.push(line);
    return true;
  };
  const areas = selections.map(({ label }) => (labels.has(label) ? undefined : areaByLabel.get(label)));
  const lacking = selections.map(({ label, quantity = 1 }, i) => {
    if (areas[i] !== undefined) return quantity;
    const unit = labels.unitOf(label) ?? -1;
    claim(unclaimed.get(unit));
    // A seat that the reference has is not sold again, however often the call names it.
    return state.slotOf[unit] === booking.slot ? 0 : quantity;
  });
  if (areas.some((area) => area !== undefined)) {
    const places = placesByTier(state.plan, unclaimed.values());
    for (const isTiered of [true, false]) {
      for (const [i, { tierId = null }] of selections.entries()) {
        const area = areas[i];
        if (area === undefined || (tierId !== null) !== isTiered) continue;
        const mine = places.get(keyOf(area, tierId)) ?? [];
        while (lacking[i]! > 0 && mine.length > 0) if (claim(mine.pop())) lacking[i]!--;
      }
    }
  }
  return { open: selections.flatMap((selection, i) => openOf(selection, lacking[i]!)), had };
}

function openOf(selection: Selection, lacking: number): Selection[] {
  if (lacking === 0) return [];
  return lacking === (selection.quantity ?? 1) ? [selection] : [{ ...selection, quantity: lacking }];
}

/**
 * Lines of areas by area and tier. Lines that a selection without a tier may claim also stand under the area alone. The
 * last unit comes first.
 */
function placesByTier(plan: Plan, lines: Iterable<Line>): Map<string, Line[]> {
  const places = new Map<string, Line[]>();
  const add = (key: string, line: Line): void => {
    const alike = places.get(key);
    if (alike) alike.push(line);
    else places.set(key, [line]);
  };
  for (const line of lines) {
    const object = plan.objectOfUnit[line.unit]!;
    if (plan.objects[object]!.type !== 'gaArea') continue;
    if (line.tierId !== undefined) add(keyOf(object, line.tierId), line);
    if (isSoldUnnamed(plan, line)) add(keyOf(object, null), line);
  }
  for (const alike of places.values()) alike.reverse();
  return places;
}

function keyOf(area: number, tierId: string | null): string {
  return tierId === null ? `${area}` : `${area} ${tierId}`;
}

/**
 * Whether the line was sold at the default tier. A line of a tier that the chart has lost counts too: it is unknown
 * whether the call named the tier.
 */
function isSoldUnnamed(plan: Plan, { unit, tierId }: Line): boolean {
  if (tierId === undefined) return true;
  const tier = tierOf(plan, unit, null);
  const isDefault = tier !== null && typeof tier === 'object' && tier.id === tierId;
  return isDefault || tierOf(plan, unit, tierId) === 'unknown_tier';
}
