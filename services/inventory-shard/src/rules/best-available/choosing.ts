/**
 * The way from a query to lines. The query is checked, the search chooses units, the units become selections with their
 * tiers, and the selections become lines as if the caller had named them.
 */
import { categoryOf, objectOf } from '@parterre/shared/charts/plan';
import type { SeatQuery, Selection } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { type Line, unitStatus } from '@parterre/shared/protocol/records';
import type { ReachMask } from '../reach/masks.ts';
import { choosingMaskOf, nothingLeftOf } from '../reach/reach.ts';
import type { Choice, Search } from '../seat-search/search.ts';
import { seatRowsOf } from '../seat-search/seat-rows.ts';
import { bestAvailable } from '../seat-search/seat-search.ts';
import { linesFor, type Terms } from '../selection/selection.ts';
import { heldLines, isFree, type ReadState } from '../state/state.ts';
import { searchOf } from './asked-seats.ts';
import { hasPriceBounds, isInBounds, placesAsked } from './places-asked.ts';
import { fitsAny, searchesFor, type Tiers, tiersFor } from './tickets.ts';

/** The chosen units, the guests of tables that are sold as a whole, and the tiers if the query names tickets. */
type BestUnits = { units: number[]; guests: ReadonlyMap<number, number>; tiers: Tiers | null };

/**
 * Lines for the best units. The units of `terms.replaced` count as free, except units that are listed for resale: these
 * are sold as one listing or not at all.
 */
export function chosenLines(
  state: ReadState,
  query: SeatQuery,
  terms: Terms,
  taken: ReadonlySet<number> | null = null,
): Outcome<Line[]> {
  if (!hasPriceBounds(query)) return linesChosen(state, query, terms, taken);
  let narrowed = query;
  for (let searches = 1; searches <= SEARCHES_MAX; searches++) {
    const lines = linesChosen(state, narrowed, terms, taken);
    if (!lines.ok && searches > 1) break;
    if (!lines.ok) return lines;
    const outside = lines.value.filter(({ price }) => !isInBounds(query, price));
    if (outside.length === 0) return lines;
    const left = withoutCategories(state, narrowed, outside);
    if (left === null) break;
    narrowed = left;
  }
  return refuse('conflict', 'Too few places are left at this price. Ask for fewer places, or for other prices.', {
    reason: 'not_enough_together',
  });
}

/** A quota that ends within a choice gives its last places at one price and the next at another. */
const SEARCHES_MAX = 4;

/** The query without the categories of these lines; null if no category is left. */
function withoutCategories({ plan }: ReadState, query: SeatQuery, lines: readonly Line[]): SeatQuery | null {
  const over = new Set(lines.map(({ unit }) => categoryOf(plan, unit).key));
  const { categoryKey, categoryKeys = categoryKey === undefined ? undefined : [categoryKey], ...rest } = query;
  const every = categoryKeys ?? plan.categories.filter(({ notForSale }) => !notForSale).map(({ key }) => key);
  const left = every.filter((key) => !over.has(key));
  return left.length === 0 ? null : { ...rest, categoryKeys: left };
}

function linesChosen(
  state: ReadState,
  query: SeatQuery,
  terms: Terms,
  taken: ReadonlySet<number> | null,
): Outcome<Line[]> {
  const { replaced } = terms;
  const own = replaced ? heldLines(state, replaced).map(({ unit }) => unit) : [];
  const free = new Set(own.filter((unit) => !state.listingOf.has(unit)));
  const chosen = chosenAmong(state, query, terms, [...free], taken);
  if (!chosen.ok) return chosen;
  const selections = selectionsOf(state, chosen.value, taken === null);
  return linesFor(
    state,
    selections,
    (unit) => isFree(state, unit) || free.has(unit),
    taken ? { ...terms, taken } : terms,
  );
}

export function chosenUnits(state: ReadState, query: SeatQuery, terms: Terms): Outcome<number[]> {
  const chosen = chosenAmong(state, query, terms, [], null);
  return chosen.ok ? done(chosen.value.units) : chosen;
}

/** The units of `own` count as free, and those of `taken` as taken. */
function chosenAmong(
  state: ReadState,
  query: SeatQuery,
  { caller, now }: Terms,
  own: readonly number[],
  taken: ReadonlySet<number> | null,
): Outcome<BestUnits> {
  const valid = searchOf(state.plan, query);
  if (!valid.ok) return valid;
  const search = { ...valid.value, own, now, among: placesAsked(state, query, now), ...(taken && { taken }) };
  const mask = choosingMaskOf(state, caller);
  if (!mask.ok) return mask;
  const chosen = query.tickets
    ? forTickets(state, search, query.tickets, mask.value)
    : unitsOf(state, search, mask.value);
  const isNone = !chosen.ok && chosen.refusal.reason === 'sold_out';
  return (isNone && nothingLeftOf(state, caller)) || chosen;
}

function unitsOf(state: ReadState, search: Search, mask: ReachMask | null): Outcome<BestUnits> {
  const choice = bestAvailable(state, search, mask);
  return choice.ok ? done(chosenFrom(choice.value)) : choice;
}

function chosenFrom({ parts, guests }: Choice): BestUnits {
  const ofUnits = parts.map((units, i): [number, number] => [units[0]!, guests[i]!]);
  return { units: parts.flat(), guests: new Map(ofUnits), tiers: null };
}

/**
 * The first search whose units the tickets fit. A search is made once more without the units that no ticket fits: a
 * tier may apply to some units of its category alone.
 */
function forTickets(
  state: ReadState,
  search: Search,
  tickets: NonNullable<SeatQuery['tickets']>,
  mask: ReachMask | null,
): Outcome<BestUnits> {
  const { plan } = state;
  const searches = searchesFor(plan, search, tickets);
  if (!searches.ok) return searches;
  let refused: Outcome<never> = noTicketFits;
  for (const each of searches.value) {
    let among = state;
    for (const isNarrow of [false, true]) {
      if (isNarrow) among = withoutUnfit(state, tickets);
      const choice = bestAvailable(among, each, mask);
      if (!choice.ok) {
        if (choice.refusal.reason === undefined) return choice;
        refused = isNarrow ? noTicketFits : choice;
        break;
      }
      const chosen = chosenFrom(choice.value);
      const tiers = tiersFor(plan, chosen.units, chosen.guests, tickets);
      if (tiers) return done({ ...chosen, tiers });
      refused = noTicketFits;
    }
  }
  return refused;
}

const noTicketFits = refuse(
  'conflict',
  'The places left do not fit the tickets of the call. Ask for other tiers, or for fewer tickets.',
  { reason: 'not_enough_together' },
);

function withoutUnfit(state: ReadState, tickets: NonNullable<SeatQuery['tickets']>): ReadState {
  const unfit: number[] = [];
  for (let unit = 0; unit < state.plan.unitCount; unit++) {
    if (isFree(state, unit) && !fitsAny(state.plan, unit, tickets)) unfit.push(unit);
  }
  return withStatus(state, unfit, unitStatus.blocked);
}

/** A state in which these units have another status, for the search alone. It has lookups of its own. */
function withStatus(state: ReadState, units: Iterable<number>, status: number): ReadState {
  const statuses = state.statuses.slice();
  for (const unit of units) statuses[unit] = status;
  return { ...state, statuses };
}

/**
 * The selections that a caller would make: seats by their labels, the lowest places of an area by the area's label and
 * a quantity, a table by its label and the number of guests. Unless the places of areas are the lowest, each has its
 * own label.
 */
function selectionsOf({ plan }: ReadState, { units, guests, tiers }: BestUnits, areLowest: boolean): Selection[] {
  const { isMixed } = seatRowsOf(plan);
  const selections: Selection[] = [];
  const ofAreas = new Map<string, Selection & { quantity: number }>();
  for (const unit of units) {
    const index = plan.objectOfUnit[unit]!;
    const { type, label, bookingMode } = objectOf(plan, unit);
    const tierId = tiers?.get(unit) ?? null;
    const tier = tierId === null ? {} : { tierId };
    // An area that shares its label with a unit, or that has places for companions, can only be named place by place.
    const isNamed = plan.areaByLabel.get(label) === index && !plan.labels.has(label);
    if (type === 'gaArea' && isNamed && isMixed[index] === 0 && areLowest) {
      const name = JSON.stringify([index, tierId]);
      const known = ofAreas.get(name);
      if (known) known.quantity++;
      else ofAreas.set(name, { label, ...tier, quantity: 1 });
    } else {
      const quantity = bookingMode === 'variable' ? { quantity: guests.get(unit)! } : {};
      selections.push({ label: plan.labels.at(unit), ...tier, ...quantity });
    }
  }
  return [...selections, ...ofAreas.values()];
}
