/**
 * Gives the tickets of a call to chosen units. A ticket fits a unit whose category has its tier, if the tier applies to
 * the unit. A companion tier fits a companion's place, or a place beside a wheelchair place of the choice.
 */
import { isCompanionsPlace, wheelchairPlacesOf } from '@parterre/shared/charts/companions';
import { categoryOf, objectOf, type Plan } from '@parterre/shared/charts/plan';
import type { Tickets } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { tierOf } from '../pricing/pricing.ts';
import type { Search } from '../seat-search/search.ts';
import { isCompanion } from '../selection/selection.ts';

/** The tier of each unit; null is the default tier. */
export type Tiers = ReadonlyMap<number, string | null>;

/**
 * The searches that may find units for these tickets, the better first: among categories that have every tier, then
 * among categories that have one of them. The refusal names every tier that no category of the search has.
 */
export function searchesFor(plan: Plan, search: Search, tickets: readonly Tickets[]): Outcome<Search[]> {
  const { categoryKeys } = search;
  const searched = plan.categories.filter(
    ({ key, notForSale }) => !notForSale && (categoryKeys === undefined || categoryKeys.includes(key)),
  );
  const has = ({ tiers = [] }: Plan['categories'][number], { tierId }: Tickets): boolean =>
    tierId === null || tiers.some(({ id }) => id === tierId);
  const unknown = tickets.filter((ticket) => !searched.some((category) => has(category, ticket)));
  if (unknown.length > 0) {
    const names = unknown.map(({ tierId }) => tierId).join(', ');
    return refuse('unknown_tier', `No category of the search has these tiers: ${names}. Name tiers of the chart.`, {
      details: { issues: unknown.map(({ tierId }) => ({ path: 'tickets', message: `Unknown tier ${tierId}.` })) },
    });
  }
  const withEvery = searched.filter((category) => tickets.every((ticket) => has(category, ticket)));
  const withSome = searched.filter((category) => tickets.some((ticket) => has(category, ticket)));
  const lists = withEvery.length === 0 || withEvery.length === withSome.length ? [withSome] : [withEvery, withSome];
  return done(lists.map((categories) => ({ ...search, categoryKeys: categories.map(({ key }) => key) })));
}

/** Whether any of the tickets fits this unit. The other chosen units do not matter here. */
export function fitsAny(plan: Plan, unit: number, tickets: readonly Tickets[]): boolean {
  if (objectOf(plan, unit).bookingMode !== 'individual' && tickets.length > 1) return false;
  return tickets.some(({ tierId }) => isTierOf(plan, unit, tierId));
}

/**
 * A tier for each unit, with as many people of a tier as it has tickets; null if there is no such way. Tickets that
 * stand first go to the units that stand first. A table that is sold as a whole has one tier for all of its `guests`.
 */
export function tiersFor(
  plan: Plan,
  units: readonly number[],
  guests: ReadonlyMap<number, number>,
  tickets: readonly Tickets[],
): Tiers | null {
  const chosen = new Set(units);
  const ofTicket = tickets.map(({ tierId, qty }) => ({ tierId, left: qty, units: [] as number[] }));
  const isTable = (unit: number): boolean => objectOf(plan, unit).bookingMode !== 'individual';
  const tiers = new Map<number, string | null>();
  for (const table of units.filter(isTable)) {
    const people = guests.get(table)!;
    const ticket = ofTicket.find(({ tierId, left }) => left >= people && isTierOf(plan, table, tierId));
    if (!ticket) return null;
    ticket.left -= people;
    tiers.set(table, ticket.tierId);
  }
  for (const unit of units) if (!isTable(unit) && !seat(unit, new Set())) return null;
  for (const { tierId, units: its } of ofTicket) for (const unit of its) tiers.set(unit, tierId);
  return tiers;

  /**
   * A ticket that is left comes first. Else a unit that has a fitting ticket changes to another ticket, to make room.
   */
  function seat(unit: number, tried: Set<object>): boolean {
    const fitting = ofTicket.filter((ticket) => fits(plan, unit, ticket.tierId, chosen));
    const left = fitting.find((ticket) => ticket.units.length < ticket.left);
    if (left) {
      left.units.push(unit);
      return true;
    }
    for (const ticket of fitting) {
      if (tried.has(ticket)) continue;
      tried.add(ticket);
      const at = ticket.units.findIndex((other) => seat(other, tried));
      if (at < 0) continue;
      ticket.units[at] = unit;
      return true;
    }
    return false;
  }
}

function fits(plan: Plan, unit: number, tierId: string | null, chosen: ReadonlySet<number>): boolean {
  if (!isTierOf(plan, unit, tierId)) return false;
  if (tierId === null || isCompanionsPlace(plan, unit) || !isCompanion(plan, { unit, tierId })) return true;
  return wheelchairPlacesOf(plan, unit).some((other) => chosen.has(other));
}

function isTierOf(plan: Plan, unit: number, tierId: string | null): boolean {
  const { tiers = [] } = categoryOf(plan, unit);
  const tier = tierOf(plan, unit, tierId);
  return tier === null ? tiers.length === 0 : typeof tier === 'object';
}
