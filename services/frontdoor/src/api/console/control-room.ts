/** An operator's view of one event at a glance. Pure. */
import type { Counts, InventoryReport } from '@parterre/shared/answers';
import type { JournalEntry } from '@parterre/shared/catalog/history';
import { objectOf } from '@parterre/shared/chart/plan';
import type { JournalRecord } from '@parterre/shared/records';
import { type Plans, unitsOf } from '../../logs/logs.ts';

/** Sales of a section in the window. `netBooked` counts booked units minus cancelled ones. */
type Sold = { netBooked: number; earlier: number; later: number; bookedValue: number };

/** `from` to `to` is the window, or the part of it that the entries cover. The trend compares its halves. */
export function velocityOf(plans: Plans, entries: readonly JournalEntry[], from: number, to: number) {
  const bySection = new Map<string, Sold>();
  for (const { at, plan: hash, record } of entries) {
    if (at < from || (record.type !== 'booked' && record.type !== 'unbooked')) continue;
    const plan = plans.get(hash)!;
    const sign = record.type === 'booked' ? 1 : -1;
    const values = valuesOf(record);
    for (const [nth, unit] of unitsOf(record).entries()) {
      const { id } = plan.sections[objectOf(plan, unit).section]!;
      const sold = bySection.get(id) ?? { netBooked: 0, earlier: 0, later: 0, bookedValue: 0 };
      bySection.set(id, sold);
      sold.netBooked += sign;
      if (at < (from + to) / 2) sold.earlier += sign;
      else sold.later += sign;
      sold.bookedValue += values?.[nth] ?? 0;
    }
  }
  return [...bySection].map(([sectionId, { netBooked, earlier, later, bookedValue }]) => ({
    sectionId,
    netBooked,
    trend: later > earlier ? ('rising' as const) : later < earlier ? ('cooling' as const) : ('steady' as const),
    bookedValue,
  }));
}

function valuesOf(record: JournalRecord): number[] | null {
  return record.type === 'booked' ? record.lines.map(({ price, quantity = 1 }) => price * quantity) : null;
}

export function totalsOf({ bySection }: InventoryReport, { free, held, booked, blocked }: Counts) {
  return {
    totals: { free, held, booked, blocked },
    bookedValue: {
      gross: bySection.reduce((sum, section) => sum + section.bookedValue, 0),
      bySection: bySection.map(({ sectionId, sectionLabel, total, booked: sold, bookedValue }) => ({
        sectionId,
        sectionLabel,
        total,
        booked: sold,
        bookedValue,
      })),
    },
  };
}
