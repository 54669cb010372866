/**
 * A party that sits together around a seat: one tap takes as many neighbours of its row as the party has people. Pure.
 */
import type { Hall } from './hall.ts';
import { chosenSpot, isFree, type Selection, withChosen } from './selection.ts';
import { brokenRules, type SelectionRules } from './selection-rules.ts';
import type { Statuses } from './statuses.ts';

/** `own` are the seats of this page's hold. */
export type PartyHouse = { hall: Hall; statuses: Statuses; own: ReadonlySet<string>; rules: SelectionRules };

/** The choice with a party of `qty` around a spot; null if the row of the spot has no such run. */
export function withParty(house: PartyHouse, from: Selection, spot: number, qty: number): Selection | null {
  const { hall, statuses, own, rules } = house;
  const labelOf = (each: number): string => hall.labels[each]!;
  const withThese = (spots: readonly number[]) => spots.map((each) => chosenSpot(hall, each)).reduce(withChosen, from);
  const leavesSingle = (choice: Selection): boolean =>
    brokenRules(hall, statuses, choice, own, rules).some(({ rule }) => rule === 'orphan_seat');
  const spots = partyAround(hall, spot, qty, {
    isOpen: (each) => (isFree(statuses, each) || own.has(labelOf(each))) && !from.has(labelOf(each)),
    keepsRules: (each) => rules.highlightOnly === true || !leavesSingle(withThese(each)),
  });
  return spots && withThese(spots);
}

/** The gap between two neighbours, as a multiple of the row's spacing, that is an aisle. As in the server's search. */
const AISLE_SPACINGS = 1.5;

/** Whether the seat is one of several in a row or at a table, so that a party can sit around it. */
export function hasNeighbours({ objects, objectOf }: Hall, spot: number): boolean {
  const { mode } = objects[objectOf[spot]!]!;
  return mode === 'individual' && (objectOf[spot - 1] === objectOf[spot] || objectOf[spot + 1] === objectOf[spot]);
}

/**
 * The spots of the nearest run of `qty` seats in the row of a spot; null if the row has none. A run around the spot
 * comes first, then a run that leaves no single seat, then the nearest. `isOpen`: the buyer may choose the spot.
 * `keepsRules`: the choice with these spots keeps the event's rules.
 */
function partyAround(
  hall: Hall,
  spot: number,
  qty: number,
  { isOpen, keepsRules }: { isOpen(spot: number): boolean; keepsRules(spots: readonly number[]): boolean },
): number[] | null {
  // A place of a kind is for those who need it: nobody takes it by the way.
  const fits = (other: number) => isOpen(other) && (other === spot || hall.accessibilityOf[other] === 0);
  const runs = stretchesIn(hall, spot, fits).flatMap((stretch) =>
    Array.from({ length: Math.max(0, stretch.length - qty + 1) }, (_, start) => {
      const spots = stretch.slice(start, start + qty);
      const singles = Number(start === 1) + Number(stretch.length - start - qty === 1);
      const away = Math.abs((spots[0]! + spots.at(-1)!) / 2 - spot);
      return { spots, rank: [spots.includes(spot) ? 0 : 1, singles, away, start] };
    }),
  );
  const inOrder = runs.sort((a, b) => {
    const at = a.rank.findIndex((value, i) => value !== b.rank[i]);
    return at < 0 ? 0 : a.rank[at]! - b.rank[at]!;
  });
  return inOrder.find(({ spots }) => keepsRules(spots))?.spots ?? null;
}

/** The fitting spots of the spot's row or table, cut at aisles, skipped seats and spots that do not fit. */
function stretchesIn(hall: Hall, spot: number, fits: (spot: number) => boolean): number[][] {
  const { objectOf } = hall;
  let first = spot;
  while (objectOf[first - 1] === objectOf[spot]) first--;
  let end = spot + 1;
  while (objectOf[end] === objectOf[spot]) end++;
  const spacing = spacingIn(hall, first, end);
  const stretches: number[][] = [];
  for (let each = first; each < end; each++) {
    if (!fits(each)) continue;
    const last = stretches.at(-1);
    const isBeside = last?.at(-1) === each - 1 && isNeighbour(hall, each, spacing);
    if (isBeside) last!.push(each);
    else stretches.push([each]);
  }
  return stretches;
}

function isNeighbour(hall: Hall, spot: number, spacing: number): boolean {
  if (hall.indexOf[spot]! - hall.indexOf[spot - 1]! !== 1) return false;
  return gapBefore(hall, spot) <= AISLE_SPACINGS * spacing;
}

const gapBefore = ({ x, y }: Hall, spot: number): number =>
  Math.hypot(x[spot]! - x[spot - 1]!, y[spot]! - y[spot - 1]!);

/** The middle gap between two seats that follow each other in number. */
function spacingIn(hall: Hall, first: number, end: number): number {
  const gaps: number[] = [];
  for (let spot = first + 1; spot < end; spot++) {
    if (hall.indexOf[spot]! - hall.indexOf[spot - 1]! === 1) gaps.push(gapBefore(hall, spot));
  }
  return gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
}
