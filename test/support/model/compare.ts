/** Compares answers and states of the real rules with the reference. Orders that no rule defines are ignored. */
import { isDeepStrictEqual } from 'node:util';
import type { EventView } from '@parterre/shared/answers';
import type { Answer } from '@parterre/shared/commands';
import type { Refusal } from '@parterre/shared/errors';
import { statusNames, unitStatus } from '@parterre/shared/records';
import { channelOf } from '../../../services/inventory-shard/src/rules/state/channel-table.ts';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { decide } from '../../../services/inventory-shard/src/rules/turn/decide.ts';
import { shownAvailability } from './reference/availability.ts';
import { inspect as inspectHold, isLongOver } from './reference/holds.ts';
import { shown } from './reference/releases.ts';
import { countsOf, type Refused, type Told, type World } from './reference/world.ts';

/** Null, or a difference. `groups` is the number of groups in the journal when the command was decided. */
export function differenceOfAnswers(told: Told, answer: Answer, groups: number): string | null {
  if (answer.kind === 'refused') {
    const is = refusedOf(answer.refusal);
    if (!told.ok && told.refused.some((each) => isSame(each, is))) return null;
    return `predicted ${JSON.stringify(told)}, was refused ${JSON.stringify(is)}`;
  }
  if (answer.kind !== 'ok') return `answered ${answer.kind}`;
  if (!told.ok) return `predicted ${JSON.stringify(told)}, was answered ${JSON.stringify(answer.value)}`;
  const is = answer.value as object;
  const predicted = withVersion(told, is, groups);
  return covers(is, predicted) ? null : `predicted ${JSON.stringify(predicted)}, was answered ${JSON.stringify(is)}`;
}

/**
 * Adds the facts that only the journal has: the number of the group, and the time of a change of chart without effect.
 */
function withVersion({ answer, isNews }: Told & { ok: true }, is: object, groups: number): object {
  if ('updated' in answer && !isNews && 'at' in is) return { ...answer, at: is.at };
  if (!('version' in answer) || !('counts' in answer) || answer.version !== 0) return answer;
  // A move answers with the number of its own group, a count with the number of groups before it.
  if ('holdTtlMs' in answer) return { ...answer, version: groups };
  return Object.assign(isNews ? answer : {}, { ...answer, version: groups + 1 });
}

function refusedOf({ code, reason = code, details = {} }: Refusal): unknown {
  const { labels, conflicts, missingLabels, missingCount, status } = details;
  const named = { labels, conflicts, missingLabels, missingCount, status };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  return { code, reason, ...Object.fromEntries(given) } satisfies Partial<Refused>;
}

/** Sorts lists, and drops fields that are not set. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, ordered(each)]));
}

/** Both are mostly in the same order, which is quicker to check. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b) || isDeepStrictEqual(ordered(a), ordered(b));
}

/**
 * Reports, channels and charts tell more than the reference predicts. Every other answer equals the prediction in every
 * field.
 */
function covers(is: object, predicted: unknown): boolean {
  if (isSame(is, predicted)) return true;
  if (!('byStatus' in is || 'channel' in is || 'buckets' in is || 'updated' in is)) return false;
  const told = is as Record<string, unknown>;
  return Object.entries(predicted as object).every(([key, value]) => isSame(without(told[key]), value));
}

/** Drops names from the chart, which the reference does not repeat. */
function without(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map(({ sectionLabel: _, label: __, ...rest }) => rest);
}

/** Null, or the first visible difference of the states. `isAtEnd` also compares ended holds. */
export function differenceOfStates(world: World, state: EventState, isAtEnd: boolean): string | null {
  if (state.statuses.length !== world.chart.places.length) return `there are ${state.statuses.length} units`;
  for (const [unit, status] of state.statuses.entries()) {
    const { label } = world.chart.places[unit]!;
    const predicted = world.seats[label]?.status;
    if (predicted !== statusNames[status]) return `${label} is ${statusNames[status]}, predicted ${predicted}`;
  }
  const channels = state.plan.labels.all().map((label, unit) => [label, channelOf(state, unit)?.id]);
  if (!isSame(Object.fromEntries(channels.filter(([, id]) => id)), world.channelOf)) return 'other seats are assigned';
  const [free, held, booked, blocked] = state.counts;
  if (!isSame({ free, held, booked, blocked }, countsOf(world))) return `the counts are ${state.counts}`;
  const { answer } = decide(state, { type: 'releases' }, looker, world.now) as { answer: object };
  if (!isSame(answer, shown(world)))
    return `the releases are ${JSON.stringify(answer)}, predicted ${JSON.stringify(shown(world))}`;
  const rules = decide(state, { type: 'availability' }, looker, world.now) as { answer: object };
  if (!isSame(rules.answer, shownAvailability(world))) {
    return `the availability is ${JSON.stringify(rules.answer)}, predicted ${JSON.stringify(shownAvailability(world))}`;
  }
  return (
    differenceOfListings(world, state) ?? differenceOfHolds(world, state, isAtEnd) ?? differenceOfBookings(world, state)
  );
}

const looker = { source: 'server', actor: null, accessSource: 'public' } as const;

/** Compares the listings: their bookings, their holds in checkout, and the statuses that viewers see. */
function differenceOfListings(world: World, state: EventState): string | null {
  const { labels } = state.plan;
  const ownerOf = (slot: number): string | null => {
    const hold = [...state.holds.active.values()].find((each) => each.slot === slot);
    return slot === 0 ? null : `hold ${hold?.id}`;
  };
  const listings = [...state.listings.values()].map(({ id, bookingRef, units, heldBy }) => {
    return { id, bookingRef, labels: units.map((unit) => labels.at(unit)), heldBy: ownerOf(heldBy) };
  });
  if (!isSame(listings, world.listings))
    return `the listings are ${JSON.stringify(listings)}, predicted ${JSON.stringify(world.listings)}`;
  const { answer } = decide(state, { type: 'view' }, looker, world.now) as { answer: EventView };
  const offered = answer.offered?.units.map((unit, i) => `${labels.at(unit)} ${answer.offered!.statuses[i]}`) ?? [];
  const predicted = world.listings.flatMap((listing) =>
    listing.labels.map((label) => `${label} ${listing.heldBy === null ? unitStatus.free : unitStatus.held}`),
  );
  return isSame(offered, predicted) ? null : `viewers are offered ${offered}, predicted ${predicted}`;
}

function differenceOfHolds(world: World, state: EventState, isAtEnd: boolean): string | null {
  for (const hold of world.holds) {
    const looksNow = isAtEnd ? !isLongOver(world, hold) : hold.status === 'active';
    if (!looksNow) continue;
    const command = { type: 'inspect-hold', holdId: hold.id } as const;
    const decision = decide(state, command, looker, world.now);
    const is = decision.ok ? decision.answer : decision.refusal;
    const told = inspectHold(world, command);
    if (told.ok && isSame(told.answer, is)) continue;
    return `hold ${hold.id} is ${JSON.stringify(ordered(is))}, predicted ${JSON.stringify(ordered(told))}`;
  }
  return null;
}

function differenceOfBookings(world: World, state: EventState): string | null {
  for (const { ref, claims, accessSource } of world.bookings) {
    const booking = state.bookings.get(ref);
    const is = booking?.lines.map((line) => {
      const { unit, price, tierId = null, quantity = null, releaseId = null, channelId = null } = line;
      const source = channelId === null ? 'public' : (line.accessSource ?? booking.accessSource);
      const what = { label: state.plan.labels.at(unit), price, tier: tierId, guests: quantity, release: releaseId };
      return { ...what, channel: channelId, source };
    });
    const predicted = claims.map(({ bundle: _, ...claim }) => claim);
    const isAlike = isSame(is, predicted) && booking?.accessSource === accessSource;
    if (!isAlike) return `booking ${ref} has ${JSON.stringify(is)}, predicted ${JSON.stringify(predicted)}`;
  }
  return world.bookings.length === state.bookings.size ? null : `there are ${state.bookings.size} bookings`;
}
