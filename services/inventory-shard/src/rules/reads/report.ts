/** The report of an event: units by status, category, section, ticket release, channel and accessibility kind. */

import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { InventoryReport, StatusTotals } from '@parterre/shared/protocol/answers';
import { type FrozenFees, sumOf, thawedFees } from '@parterre/shared/protocol/money';
import { type ChannelRows, heldByChannel } from '../channels/channel-reads.ts';
import { addBooked, heldByRelease, type ReleaseRows } from '../pricing/pricing.ts';
import { eachBookedLine, isReserved, lineValue, type ReadState } from '../state/state.ts';

/** One pass over the units. Free units in a category that is not for sale count as not_for_sale. */
export function report(state: ReadState): InventoryReport {
  const { plan } = state;
  const releases = heldByRelease(state);
  const channels = heldByChannel(state);
  const fees: FeeRows = new Map();
  const values = bookedValues(state, { releases, channels, fees });
  const byStatus = { free: 0, held: 0, booked: 0, not_for_sale: 0 };
  const byCategory = plan.categories.map(({ key }) => ({ category: key, bookedValue: 0, ...noTotals() }));
  const bySection = plan.sections.map(({ id, label, zoneId }) => ({
    sectionId: id,
    sectionLabel: label,
    zoneId,
    bookedValue: 0,
    ...noTotals(),
  }));
  const byAccessibility = accessibilityKinds.map((type) => ({ type, label: titleOf(type), ...noTotals() }));
  let reserved = 0;
  for (let unit = 0; unit < plan.unitCount; unit++) {
    const category = byCategory[plan.categoryOfUnit[unit]!]!;
    const section = bySection[plan.objects[plan.objectOfUnit[unit]!]!.section]!;
    const status = reportedStatus(state, unit);
    if (isReserved(state, unit)) reserved++;
    byStatus[status]++;
    add(category, status);
    add(section, status);
    category.bookedValue += values[unit]!;
    section.bookedValue += values[unit]!;
    for (let kinds = plan.accessibilityOfUnit[unit]!, kind = 0; kinds !== 0; kinds >>= 1, kind++) {
      if (kinds & 1) add(byAccessibility[kind]!, status);
    }
  }
  return {
    planHash: plan.hash,
    byStatus,
    byCategory,
    bySection,
    ...(reserved > 0 && { reserved }),
    byRelease: [...releases.values()],
    ...(channels.size > 0 && { byChannel: [...channels.values()] }),
    ...(state.exchangeCharges && { exchanges: state.exchangeCharges }),
    byAccessibility: byAccessibility.filter((each) => each.total > 0),
    ...feeFigures(fees),
  };
}

type ReportedStatus = 'free' | 'held' | 'booked' | 'not_for_sale';
const reportedStatuses: readonly ReportedStatus[] = ['free', 'held', 'booked', 'not_for_sale'];

function reportedStatus(state: ReadState, unit: number): ReportedStatus {
  const status = reportedStatuses[state.statuses[unit]!]!;
  const closed = state.plan.categories[state.plan.categoryOfUnit[unit]!]!.notForSale === true;
  return status === 'free' && closed ? 'not_for_sale' : status;
}

type Rows = { releases: ReleaseRows; channels: ChannelRows; fees: FeeRows };

/** The booked guests and places by the fees that they were sold with. */
type FeeRows = Map<FrozenFees, number>;

/**
 * Booked value by unit: price times guests. Also adds each value to the row of its ticket release and channel, and
 * counts the fees.
 */
function bookedValues(state: ReadState, { releases, channels, fees }: Rows): Float64Array {
  const values = new Float64Array(state.plan.unitCount);
  eachBookedLine(state.bookings, (line) => {
    const { unit, releaseId, channelId = null } = line;
    const value = lineValue(line);
    values[unit] = value;
    addBooked(channels, channelId, value);
    if (releaseId !== undefined) addBooked(releases, releaseId, value);
    if (line.fees !== undefined) fees.set(line.fees, (fees.get(line.fees) ?? 0) + (line.quantity ?? 1));
  });
  return values;
}

/** Fees of one name that are on top of some prices and inside others have two rows. */
function feeFigures(rows: FeeRows): Pick<InventoryReport, 'byFee' | 'feesOnTop'> {
  if (rows.size === 0) return {};
  const byFee = new Map<string, NonNullable<InventoryReport['byFee']>[number]>();
  let feesOnTop = 0;
  for (const [frozen, booked] of rows) {
    const { fees, allIn } = thawedFees(frozen);
    feesOnTop += booked * sumOf(allIn ? [] : fees);
    for (const { name, amount } of fees) {
      const key = JSON.stringify([name, allIn]);
      const row = byFee.get(key) ?? { name, allIn, booked: 0, amount: 0 };
      byFee.set(key, { ...row, booked: row.booked + booked, amount: row.amount + booked * amount });
    }
  }
  return { byFee: [...byFee.values()], feesOnTop };
}

function noTotals(): StatusTotals {
  return { total: 0, free: 0, held: 0, booked: 0, not_for_sale: 0 };
}

function add(totals: StatusTotals, status: ReportedStatus): void {
  totals.total++;
  totals[status]++;
}

/** `semi-ambulatory` → `Semi-ambulatory`. */
function titleOf(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('-', ' ');
}
