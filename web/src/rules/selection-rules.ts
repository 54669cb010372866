/**
 * The event's rules for a choice, told before the hold. The server upholds them: it knows what other buyers do, and
 * permits a single seat where the house has no other way. Pure.
 */
import { isCompanionsKind } from '@parterre/shared/charts/accessibility';
import { isReleased, wheelchairsOf } from './companions.ts';
import type { Hall } from './hall.ts';
import type { Selection } from './selection.ts';
import { isFree } from './selection.ts';
import type { Statuses } from './statuses.ts';

/** Limits count guests. A tier's limit counts over all categories. */
export type SelectionRules = {
  preventOrphans?: true;
  categoryLimits?: Record<string, number>;
  tierLimits?: Record<string, number>;
  min?: number;
  exact?: number;
  consecutive?: true;
  /** The server refuses nothing. */
  highlightOnly?: true;
};

/**
 * As a refusal lists them. `labels` of an orphan are the seats that would be left single. `companion` is told by the
 * page alone: the refusal has a code of its own.
 */
export type BrokenRule = {
  rule:
    | 'orphan_seat'
    | 'category_limit'
    | 'tier_limit'
    | 'companion'
    | 'min_places'
    | 'exact_places'
    | 'not_consecutive';
  labels: string[];
  categoryKey?: string;
  tierId?: string;
  max?: number;
  min?: number;
  exact?: number;
  asked?: number;
};

/** `own` are the seats of this page's hold, free for this page. */
export function brokenRules(
  hall: Hall,
  statuses: Statuses,
  selection: Selection,
  own: ReadonlySet<string>,
  { preventOrphans, categoryLimits = {}, tierLimits = {}, min = 0, exact, consecutive }: SelectionRules,
): BrokenRule[] {
  const broken: BrokenRule[] = [];
  const orphans = preventOrphans ? orphansOf(hall, statuses, selection, own) : [];
  if (orphans.length > 0) broken.push({ rule: 'orphan_seat', labels: orphans });
  const companions = companionsAlone(hall, statuses, selection);
  if (companions.length > 0) broken.push({ rule: 'companion', labels: companions });
  const chosen = [...selection.values()];
  const count = (its: typeof chosen) => its.reduce((sum, { quantity }) => sum + quantity, 0);
  for (const [categoryKey, max] of Object.entries(categoryLimits)) {
    const its = chosen.filter(({ category }) => hall.categories[category]!.key === categoryKey);
    if (count(its) > max)
      broken.push({ rule: 'category_limit', labels: namesOf(its), categoryKey, max, asked: count(its) });
  }
  for (const [tierId, max] of Object.entries(tierLimits)) {
    const its = chosen.filter((each) => each.tierId === tierId);
    if (count(its) > max) broken.push({ rule: 'tier_limit', labels: namesOf(its), tierId, max, asked: count(its) });
  }
  const asked = count(chosen);
  if (asked > 0 && asked < min) broken.push({ rule: 'min_places', labels: namesOf(chosen), min, asked });
  if (exact !== undefined && asked > 0 && asked !== exact) {
    broken.push({ rule: 'exact_places', labels: namesOf(chosen), exact, asked });
  }
  if (consecutive && !areConsecutive(hall, selection)) {
    broken.push({ rule: 'not_consecutive', labels: namesOf(chosen) });
  }
  return broken;
}

/** The seats that rules name, to be marked on the map. Too few places are no seat's fault. */
export function seatsAtFault(broken: readonly BrokenRule[]): string[] {
  return broken.flatMap(({ rule, labels, exact = 0, asked = 0 }) => {
    const isTooFew = rule === 'min_places' || (rule === 'exact_places' && asked < exact);
    return isTooFew ? [] : labels;
  });
}

/** Whether the chosen seats are one run of neighbours. Places of areas are not looked at. */
function areConsecutive(hall: Hall, selection: Selection): boolean {
  const spots = new Set([...selection.values()].flatMap(({ spot, max }) => (spot === null || max > 1 ? [] : spot)));
  const [first] = spots;
  if (first === undefined) return true;
  const reached = [first];
  spots.delete(first);
  for (const spot of reached) {
    for (const beside of neighboursOf(hall, spot)) if (spots.delete(beside)) reached.push(beside);
  }
  return spots.size === 0;
}

const namesOf = (chosen: readonly { label: string }[]): string[] => chosen.map(({ label }) => label);

/**
 * Chosen companions' places without one of their wheelchair places in the choice. The server sells them to all once
 * every ordinary place is taken, or once they are released: nothing is told then.
 */
function companionsAlone(hall: Hall, statuses: Statuses, selection: Selection): string[] {
  const { accessibilityOf } = hall;
  const chosen = [...selection.values()].flatMap(({ spot }) => spot ?? []);
  const asks = chosen.filter((spot) => isCompanionsKind(accessibilityOf[spot]!));
  const isOrdinary = (kinds: number, spot: number) => kinds === 0 && isFree(statuses, spot);
  if (asks.length === 0 || !accessibilityOf.some(isOrdinary)) return [];
  const alone = asks.filter((spot) => {
    const wheelchairs = wheelchairsOf(hall, spot);
    const isAlone = wheelchairs.length > 0 && !wheelchairs.some((other) => chosen.includes(other));
    return isAlone && !isReleased(hall, statuses, spot);
  });
  return alone.map((spot) => hall.labels[spot]!);
}

/**
 * Free seats beside the choice that have no free neighbour with it, and had one without it. A companion's place is no
 * such seat and no such neighbour.
 */
function orphansOf(hall: Hall, statuses: Statuses, selection: Selection, own: ReadonlySet<string>): string[] {
  const isOpen = (spot: number) =>
    (isFree(statuses, spot) || own.has(hall.labels[spot]!)) && !isCompanionsKind(hall.accessibilityOf[spot]!);
  const isLeft = (spot: number) => isOpen(spot) && !selection.has(hall.labels[spot]!);
  const found = new Set<number>();
  for (const { spot } of selection.values()) {
    if (spot === null) continue;
    for (const beside of neighboursOf(hall, spot)) {
      const others = neighboursOf(hall, beside);
      const isSingle = !neighboursOf(hall, beside).some(isLeft);
      if (isLeft(beside) && isSingle && others.some(isOpen)) found.add(beside);
    }
  }
  return [...found].sort((a, b) => a - b).map((spot) => hall.labels[spot]!);
}

/** The seats on both sides in the same row, or at the same table. */
function neighboursOf({ objectOf, indexOf }: Hall, spot: number): number[] {
  return [spot - 1, spot + 1].filter(
    (other) => objectOf[other] === objectOf[spot] && Math.abs(indexOf[other]! - indexOf[spot]!) === 1,
  );
}
