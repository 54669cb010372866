/** What can be asked of an event: counts, one hold, the whole map, the report. Changes nothing. */
import type { Answers, Counts, InventoryReport, MoveAnswer, StatusTotals } from '@parterre/shared/answers';
import { accessibilityKinds } from '@parterre/shared/chart/plan';
import type { Caller } from '@parterre/shared/commands';
import { refuse } from '@parterre/shared/errors';
import { type EventStatus, packStatuses } from '@parterre/shared/records';
import { inForce } from '../availability/availability.ts';
import { allocationOf, type ChannelRows, heldByChannel } from '../channels/channel-reads.ts';
import { currencyOf } from '../pricing/currencies.ts';
import { addBooked, heldByRelease, type ReleaseRows } from '../pricing/ticket-release-use.ts';
import { holdFor } from '../reach/reach.ts';
import { itemsOf } from '../sales/hold.ts';
import type { Decision } from '../state/decision.ts';
import { offeredAmong } from '../state/listings.ts';
import { eachBookedLine } from '../state/packed-holders.ts';
import type { EventState } from '../state/state.ts';

export function count(state: EventState): Answers['count'] {
  const { holdTtlMs, status, salesPaused, sectionStates, config, version } = state;
  const { planHash, chartVersion = null } = config;
  const ruledScopes = Object.keys(state.availability.rules);
  return {
    ...(state.channels.assigned > 0 && { privateUnits: state.channels.assigned }),
    ...(ruledScopes.length > 0 && { ruledScopes }),
    ...(state.plan.adjusted && { adjusted: true }),
    counts: countsOf(state),
    holdTtlMs,
    status,
    salesPaused,
    sectionStates,
    planHash,
    chartVersion,
    version,
  };
}

export function countsOf(state: EventState): Counts {
  const [free, held, booked, blocked] = state.counts;
  return { free, held, booked, blocked };
}

/** What a move is answered with that turns the event into what `moved` says, in the group after those folded in. */
export function movedAnswer(
  state: EventState,
  moved: { status: EventStatus; salesPaused?: boolean },
  at: number,
): MoveAnswer {
  const { status, salesPaused = false } = moved;
  return { status, salesPaused, counts: countsOf(state), at, version: state.groups + 1 };
}

export function inspectHold(state: EventState, holdId: string, caller: Caller, now: number): Decision<'inspect-hold'> {
  const hold = holdFor(state, holdId, caller, now);
  if (!hold) {
    return refuse('hold_not_found', 'There is no such hold on this event, or it ended long ago.');
  }
  return {
    ok: true,
    records: [],
    answer: {
      holdId,
      status: hold.status,
      items: itemsOf(state, hold),
      expiresAt: hold.expiresAt,
      currency: currencyOf(state, hold),
      extends: hold.extends,
      bookingRef: hold.bookingRef,
      accessSource: hold.accessSource,
      ...(hold.partnerRef !== null && { partnerRef: hold.partnerRef }),
      ...(hold.buyerRef !== null && { buyerRef: hold.buyerRef }),
    },
  };
}

export function view(state: EventState): Answers['view'] {
  const offered = offeredAmong(state, state.listingOf.keys());
  const allocation = allocationOf(state);
  return {
    version: state.version,
    updatedAt: state.at,
    planHash: state.plan.hash,
    status: state.status,
    salesPaused: state.salesPaused,
    unitCount: state.plan.unitCount,
    statuses: packStatuses(state.statuses),
    ...(offered && { offered }),
    scopes: inForce(state),
    ...(allocation && { allocation }),
    activeHolds: state.holds.active.size,
  };
}

/** One pass over the units. Units in a category that is not for sale, while free, count as not_for_sale. */
export function report(state: EventState): InventoryReport {
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
    byAccessibility: byAccessibility.filter((each) => each.total > 0),
  };
}

type ReportedStatus = 'free' | 'held' | 'booked' | 'not_for_sale';
const reportedStatuses: readonly ReportedStatus[] = ['free', 'held', 'booked', 'not_for_sale'];

function reportedStatus(state: EventState, unit: number): ReportedStatus {
  const status = reportedStatuses[state.statuses[unit]!]!;
  const closed = state.plan.categories[state.plan.categoryOfUnit[unit]!]!.notForSale === true;
  return status === 'free' && closed ? 'not_for_sale' : status;
}

/** Major units by unit: price times guests of what is booked, which is added to the release and channel that it was booked under. */
function bookedValues(state: EventState, releases: ReleaseRows, channels: ChannelRows): Float64Array {
  const values = new Float64Array(state.plan.unitCount);
  eachBookedLine(state.bookings, ({ unit, price, quantity = 1, releaseId, channelId = null }) => {
    const value = price * quantity;
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
