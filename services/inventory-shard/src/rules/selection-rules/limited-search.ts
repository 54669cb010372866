/**
 * The limits of an event for a party that best-available seats. The search leaves out each category that may not have
 * the whole party: by its own limit, or by those of all its tiers together. The tier of a place is known only when the
 * place is chosen: if a choice has too many tickets of a tier, the search starts again without the categories of these
 * tickets. So the event's choice keeps the limits. A party that no category of the search may have is refused, and so
 * are too many tickets of a tier.
 */
import { categoryOf } from '@parterre/shared/charts/plan';
import type { Caller } from '@parterre/shared/protocol/commands';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import type { Line } from '@parterre/shared/protocol/records';
import type { SeatQuery } from '@parterre/shared/protocol/seat-query';
import { qtyOf } from '../seat-search/search.ts';
import { quantityOfLines, type ReadState } from '../state/state.ts';
import { brokenBy, numbersBroken, type Problem } from './broken-rules.ts';

/** More searches would hold up other sales. Two are enough unless tiers are sold by seat in several categories. */
const SEARCHES_MAX = 4;

/**
 * The lines that `search` chooses within the event's limits, and the query that led to them. Servers and operators have
 * no limits.
 */
export function withinLimits(
  state: ReadState,
  caller: Caller,
  asked: SeatQuery,
  search: (query: SeatQuery) => Outcome<Line[]>,
): Outcome<{ query: SeatQuery; lines: Line[] }> {
  const { selectionRules = {} } = state.config;
  const isBound = caller.source === 'buyer' && !selectionRules.highlightOnly;
  const { categoryLimits = {}, tierLimits = {}, min, exact } = isBound ? selectionRules : {};
  const numbers = numbersBroken({ ...(min && { min }), ...(exact && { exact }) }, qtyOf(asked), () => []);
  if (numbers.length > 0) return limitsBrokenBy(numbers);
  let query = withinCategoryLimits(state, asked, categoryLimits, tierLimits);
  for (let searches = 1; query.ok; searches++) {
    const lines = search(query.value);
    if (!lines.ok) return lines;
    const problems = Object.entries(tierLimits).flatMap(([tierId, max]) =>
      overTier(tierId, max, quantityOfLines(lines.value.filter((line) => line.tierId === tierId))),
    );
    if (problems.length === 0) return done({ query: query.value, lines: lines.value });
    query =
      searches < SEARCHES_MAX ? withoutTiers(state, query.value, lines.value, problems) : limitsBrokenBy(problems);
  }
  return query;
}

function withinCategoryLimits(
  state: ReadState,
  query: SeatQuery,
  limits: Readonly<Record<string, number>>,
  tierLimits: Readonly<Record<string, number>>,
): Outcome<SeatQuery> {
  const tickets = Object.entries(tierLimits).flatMap(([tierId, max]) =>
    overTier(tierId, max, ticketsOf(query, tierId)),
  );
  if (tickets.length > 0) return limitsBrokenBy(tickets);
  const over = new Set<string>();
  const problems = new Map<string, Problem>();
  for (const key of searchedIn(state, query)) {
    const found = [
      ...overCategory(key, limits[key], qtyOf(query)),
      ...(query.tickets ? [] : overAllTiers(state, key, tierLimits, qtyOf(query))),
    ];
    if (found.length > 0) over.add(key);
    for (const problem of found) problems.set(`${problem.rule} ${'tierId' in problem ? problem.tierId : key}`, problem);
  }
  return over.size === 0 ? done(query) : without(state, query, over, [...problems.values()]);
}

/** The tiers of a category, if all of them together may not have the party. */
function overAllTiers(
  { plan }: ReadState,
  categoryKey: string,
  limits: Readonly<Record<string, number>>,
  asked: number,
): TierProblem[] {
  const { tiers = [] } = plan.categories.find(({ key }) => key === categoryKey) ?? {};
  if (tiers.length === 0) return [];
  const most = tiers.reduce((sum, { id }) => sum + (limits[id] ?? Infinity), 0);
  return asked > most ? tiers.flatMap(({ id }) => overTier(id, limits[id]!, asked)) : [];
}

function withoutTiers(
  state: ReadState,
  query: SeatQuery,
  lines: readonly Line[],
  problems: TierProblem[],
): Outcome<SeatQuery> {
  const tiers = new Set<string | null | undefined>(problems.map(({ tierId }) => tierId));
  const over = lines.filter(({ tierId }) => tiers.has(tierId)).map(({ unit }) => categoryOf(state.plan, unit).key);
  return without(state, query, new Set(over), problems);
}

/** The query for the other categories; the refusal if it has no other. */
function without(
  state: ReadState,
  query: SeatQuery,
  left: ReadonlySet<string>,
  problems: readonly Problem[],
): Outcome<SeatQuery> {
  const categoryKeys = searchedIn(state, query).filter((key) => !left.has(key));
  if (categoryKeys.length === 0) return limitsBrokenBy(problems);
  const { categoryKey: _, ...rest } = query;
  return done({ ...rest, categoryKeys });
}

function searchedIn({ plan }: ReadState, { categoryKey, categoryKeys }: SeatQuery): string[] {
  if (categoryKeys) return [...new Set(categoryKeys)];
  if (categoryKey !== undefined) return [categoryKey];
  return plan.categories.filter(({ notForSale }) => !notForSale).map(({ key }) => key);
}

const ticketsOf = ({ tickets = [] }: SeatQuery, tierId: string): number =>
  tickets.reduce((sum, ticket) => sum + (ticket.tierId === tierId ? ticket.qty : 0), 0);

/** Limits name categories and tiers, and no seats. */
const limitsBrokenBy = (problems: readonly Problem[]) => brokenBy(problems, String);

type CategoryProblem = Extract<Problem, { rule: 'category_limit' }>;
type TierProblem = Extract<Problem, { rule: 'tier_limit' }>;

function overCategory(categoryKey: string, max = Infinity, asked: number): CategoryProblem[] {
  return asked > max ? [{ rule: 'category_limit', labels: [], categoryKey, max, asked }] : [];
}

function overTier(tierId: string, max: number, asked: number): TierProblem[] {
  return asked > max ? [{ rule: 'tier_limit', labels: [], tierId, max, asked }] : [];
}
