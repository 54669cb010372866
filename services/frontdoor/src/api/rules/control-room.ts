/** An operator's view of one event at a glance. Pure. */

import { objectOf } from '@parterre/shared/charts/plan';
import type { Counts, InventoryReport } from '@parterre/shared/protocol/answers';
import type { JournalEntry } from '@parterre/shared/protocol/catalog/history';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import type { Plans } from '../../logs/logs.ts';

/** Sales of a section in the window. `netBooked` counts booked units minus cancelled ones. */
type SectionSales = { netBooked: number; earlier: number; later: number; bookedValue: number };

/** `from` to `to` is the window, or the part of it that the entries cover. The trend compares its halves. */
export function velocityOf(plans: Plans, entries: readonly JournalEntry[], from: number, to: number) {
  const bySection = new Map<string, SectionSales>();
  for (const { at, plan: hash, record } of entries) {
    if (at < from) continue;
    const plan = plans.get(hash)!;
    for (const { unit, sign, value } of movesOf(record)) {
      const { id } = plan.sections[objectOf(plan, unit).section]!;
      const sold = bySection.get(id) ?? { netBooked: 0, earlier: 0, later: 0, bookedValue: 0 };
      bySection.set(id, sold);
      sold.netBooked += sign;
      if (at < (from + to) / 2) sold.earlier += sign;
      else sold.later += sign;
      sold.bookedValue += value;
    }
  }
  return [...bySection].map(([sectionId, { netBooked, earlier, later, bookedValue }]) => ({
    sectionId,
    netBooked,
    trend: later > earlier ? ('rising' as const) : later < earlier ? ('cooling' as const) : ('steady' as const),
    bookedValue,
  }));
}

/** The value of the sales of the window: units that are given back take no value with them. */
function movesOf(record: JournalRecord): { unit: number; sign: 1 | -1; value: number }[] {
  const isExchange = record.type === 'exchanged' || record.type === 'exchanged-with';
  const lost = record.type === 'unbooked' || isExchange ? record.units : [];
  const sold = record.type === 'booked' || isExchange ? record.lines : [];
  return [
    ...lost.map((unit) => ({ unit, sign: -1 as const, value: 0 })),
    ...sold.map(({ unit, price, quantity = 1 }) => ({ unit, sign: 1 as const, value: price * quantity })),
  ];
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
