/** The report of an event: units by status, category, section, ticket release, channel and accessibility kind. */

import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { InventoryReport, StatusTotals } from '@parterre/shared/protocol/answers';
import { type ChannelRows, heldByChannel } from '../channels/channel-reads.ts';
import { addBooked, heldByRelease, type ReleaseRows } from '../pricing/pricing.ts';
import { eachBookedLine, lineValue, type ReadState } from '../state/state.ts';

/** One pass over the units. Free units in a category that is not for sale count as not_for_sale. */
export function report(state: ReadState): InventoryReport {
  const { plan } = state;
  const releases = heldByRelease(state);
  const channels = heldByChannel(state);
  const values = bookedValues(state, releases, channels);
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
  for (let unit = 0; unit < plan.unitCount; unit++) {
    const category = byCategory[plan.categoryOfUnit[unit]!]!;
    const section = bySection[plan.objects[plan.objectOfUnit[unit]!]!.section]!;
    const status = reportedStatus(state, unit);
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
    byRelease: [...releases.values()],
    ...(channels.size > 0 && { byChannel: [...channels.values()] }),
    ...(state.exchangeCharges && { exchanges: state.exchangeCharges }),
    byAccessibility: byAccessibility.filter((each) => each.total > 0),
  };
}

type ReportedStatus = 'free' | 'held' | 'booked' | 'not_for_sale';
const reportedStatuses: readonly ReportedStatus[] = ['free', 'held', 'booked', 'not_for_sale'];

function reportedStatus(state: ReadState, unit: number): ReportedStatus {
  const status = reportedStatuses[state.statuses[unit]!]!;
  const closed = state.plan.categories[state.plan.categoryOfUnit[unit]!]!.notForSale === true;
  return status === 'free' && closed ? 'not_for_sale' : status;
}

/**
 * Booked value by unit, in major currency units: price times guests. Also adds each value to the row of its ticket
 * release and channel.
 */
function bookedValues(state: ReadState, releases: ReleaseRows, channels: ChannelRows): Float64Array {
  const values = new Float64Array(state.plan.unitCount);
  eachBookedLine(state.bookings, (line) => {
    const { unit, releaseId, channelId = null } = line;
    const value = lineValue(line);
    values[unit] = value;
    addBooked(channels, channelId, value);
    if (releaseId !== undefined) addBooked(releases, releaseId, value);
  });
  return values;
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
