/**
 * The limits of an event for a party that best-available seats. The search leaves out each category that may not have the
 * whole party, by its own limit or by that of its first tier. So the event's choice keeps the limits, and is never
 * refused. A party that no category of the search may have is refused, and so are too many tickets of a tier.
 */
import type { Caller } from '@parterre/shared/commands';
import { done, type Outcome } from '@parterre/shared/errors';
import type { SeatQuery } from '@parterre/shared/seat-query';
import { qtyOf } from '../seat-search/seat-search.ts';
import type { ReadState } from '../state/state.ts';
import { brokenBy, type Problem } from './broken-rules.ts';

/** Servers and operators have no limits. */
export function withinLimits(state: ReadState, caller: Caller, query: SeatQuery): Outcome<SeatQuery> {
  const { selectionRules } = state.config;
  if (selectionRules === undefined || caller.source !== 'buyer') return done(query);
  const { categoryLimits = {}, tierLimits = {} } = selectionRules;
  const tickets = Object.entries(tierLimits).flatMap(([tierId, max]) =>
    overTier(tierId, max, ticketsOf(query, tierId)),
  );
  if (tickets.length > 0) return brokenBy(tickets);
  const keys = searchedIn(state, query);
  const problems = keys.map((key) => [
    ...overCategory(key, categoryLimits[key], qtyOf(query)),
    ...(query.tickets ? [] : overUsualTier(state, key, tierLimits, qtyOf(query))),
  ]);
  const allowed = keys.filter((_, index) => problems[index]!.length === 0);
  if (allowed.length === keys.length) return done(query);
  if (allowed.length === 0) return brokenBy(problems.flat());
  const { categoryKey: _, ...rest } = query;
  return done({ ...rest, categoryKeys: allowed });
}

function searchedIn({ plan }: ReadState, { categoryKey, categoryKeys }: SeatQuery): string[] {
  if (categoryKeys) return [...new Set(categoryKeys)];
  if (categoryKey !== undefined) return [categoryKey];
  return plan.categories.filter(({ notForSale }) => !notForSale).map(({ key }) => key);
}

const ticketsOf = ({ tickets = [] }: SeatQuery, tierId: string): number =>
  tickets.reduce((sum, ticket) => sum + (ticket.tierId === tierId ? ticket.qty : 0), 0);

function overUsualTier(
  { plan }: ReadState,
  categoryKey: string,
  limits: Readonly<Record<string, number>>,
  asked: number,
): Problem[] {
  const tier = plan.categories.find(({ key }) => key === categoryKey)?.tiers?.[0];
  return tier === undefined ? [] : overTier(tier.id, limits[tier.id], asked);
}

function overCategory(categoryKey: string, max = Infinity, asked: number): Problem[] {
  return asked > max ? [{ rule: 'category_limit', labels: [], categoryKey, max, asked }] : [];
}

function overTier(tierId: string, max = Infinity, asked: number): Problem[] {
  return asked > max ? [{ rule: 'tier_limit', labels: [], tierId, max, asked }] : [];
}
