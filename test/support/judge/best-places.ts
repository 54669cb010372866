/**
 * A judge of best-available, written from the contract. It tries every run of every row and table, and looks at each
 * place every time. It knows nothing of plans or units: a test describes its places as spots.
 */
import type { Point } from '@parterre/shared/charts/plan';
import { canAllSit } from './companions.ts';

export type Spot = {
  name: string;
  sort: 'seat' | 'booth' | 'table' | 'area';
  /** The id that breaks a tie: of the row, table, booth or area. */
  id: string;
  index: number;
  /** The neighbour after this seat. At a table with chairs all around, the last chair leads to the first. */
  next: string | null;
  at: Point;
  focus: Point;
  kinds: readonly string[];
  isCompanion: boolean;
  /** The names of the wheelchair places to which a companion's place belongs. */
  wheelchairs: readonly string[];
  /**
   * The guests that the place takes; 1 and 1, except for a table that is sold as a whole. A smaller party may take such
   * a table, unless the table has a least number of guests.
   */
  guests: readonly [least: number, most: number];
  /** Free, for sale, and within the caller's reach. */
  isFree: boolean;
  /** Free and for sale, perhaps to others. */
  isFreeForSome: boolean;
  /** Of the categories, the divisions, the prices and the ways that the query names. */
  isWanted: boolean;
  /** A companion's place that is for everybody since a time. [false] */
  isReleased?: boolean;
};

export type Ask = {
  qty: number;
  kinds: readonly string[];
  accessibleSeats: number;
  preventOrphans: boolean;
  /** Each part is a run at an aisle; only a companion's place after its wheelchair place need not be. [false] */
  aisle?: boolean;
  /** Names of spots. */
  near: readonly string[];
  /** Distances count in whole grains, so that rounding decides nothing. */
  grain: number;
};

export type Judged = string[][] | 'sold_out' | 'not_enough_together';

/** A part of the party: its spots in order, and the number of people. */
type PartOfParty = { spots: Spot[]; guests: number };

/** Every step of the contract in turn, until the whole party has places. */
export function judge(spots: readonly Spot[], ask: Ask): Judged {
  const named = new Map(spots.map((spot) => [spot.name, spot]));
  const before = new Map(spots.flatMap((spot) => (spot.next === null ? [] : [[spot.next, spot]])));
  const nextOf = ({ next }: Spot): Spot | undefined => (next === null ? undefined : named.get(next));
  const near = ask.near.map((name) => named.get(name)!);
  const parts: PartOfParty[] = [];
  let rest = ask.qty;
  let inRows = false;
  let accessible = ask.kinds.length > 0 ? Math.min(ask.accessibleSeats, ask.qty) : 0;
  while (rest > 0) {
    const part = nextPart();
    if (!part) return parts.length === 0 ? 'sold_out' : 'not_enough_together';
    parts.push(part);
    rest -= part.guests;
    const named = part.spots.filter(isNamed).length;
    accessible -= named;
    if (named > 0 && rest > accessible) rest -= seatCompanions(part.spots, rest - accessible);
  }
  return joined(parts.map(({ spots }) => spots)).map((part) => part.map(({ name }) => name));

  function nextPart(): PartOfParty | null {
    const whole = nearestRun(runsOf(rest, accessible, rest > accessible));
    if (whole) return partOf(whole);
    if (accessible > 0) return accessiblePart();
    if (inRows) return splitRun(true);
    const table = wholeUnit();
    if (table) return table;
    const area = nearest(areas().filter((places) => places.length >= rest));
    if (!area) return splitRun(false) ?? scattered() ?? companionsPlace();
    inRows = fitsInRows();
    return inRows ? splitRun(true) : partOf(area.slice(0, rest));
  }

  /** Whether row seats and chairs can have the rest of the party, with nobody alone. */
  function fitsInRows(): boolean {
    const [partsBefore, restBefore] = [parts.length, rest];
    while (rest > 0) {
      const run = nearestRun(runsOf(rest, 0, false));
      const part = run ? partOf(run) : splitRun(true);
      if (!part) break;
      parts.push(part);
      rest -= part.guests;
    }
    const isWhole = rest === 0;
    parts.length = partsBefore;
    rest = restBefore;
    return isWhole;
  }

  function wholeUnit(): PartOfParty | null {
    const booth = rest === 1 ? nearest(left('booth').map((spot) => [spot])) : null;
    if (booth) return partOf(booth);
    const tables = left('table').filter(({ guests: [least, most] }) => least <= rest && rest <= most);
    const fewestEmpty = Math.min(...tables.map(({ guests }) => guests[1]));
    const table = nearest(tables.filter(({ guests }) => guests[1] === fewestEmpty).map((spot) => [spot]));
    return table && { spots: table, guests: rest };
  }

  /** Once no ordinary place is left in the house, companions' places are for everybody. */
  function companionsPlace(): PartOfParty | null {
    const isOrdinaryLeft = spots.some((spot) => spot.kinds.length === 0 && spot.isFreeForSome && !isChosen(spot));
    const isForAll = (spot: Spot): boolean => !isOrdinaryLeft || spot.isReleased === true;
    const isFor = ({ kinds }: Spot): boolean => kinds.length === 1 && kinds[0] === 'companion';
    const place = nearestUnit(
      spots.filter(
        (spot) => isFor(spot) && isForAll(spot) && spot.sort === 'seat' && isLeft(spot) && isAtAisle([spot]),
      ),
    );
    return place && partOf([place]);
  }

  /** At equal distance the first of the house. */
  function nearestUnit(choices: readonly Spot[]): Spot | null {
    const least = Math.min(...choices.map((spot) => keyOf([spot])[1]));
    return choices.find((spot) => keyOf([spot])[1] === least) ?? null;
  }

  /** The companions' places of wheelchair places that have no company in their run, one for each in turn. */
  function seatCompanions(run: readonly Spot[], most: number): number {
    const alone = run.filter(
      (spot, i) => isNamed(spot) && [run[i - 1], run[i + 1]].every((each) => !each || isNamed(each)),
    );
    let seated = 0;
    for (let nth = 0; nth < 3; nth++) {
      for (const { name } of alone) {
        const mine = (spot: Spot): boolean => spot.isCompanion && spot.wheelchairs.includes(name) && isLeft(spot);
        const isOfKind = ({ kinds }: Spot): boolean =>
          kinds.every((kind) => kind === 'companion' || ask.kinds.includes(kind));
        const place = seated < most ? spots.find((spot) => mine(spot) && isOfKind(spot)) : undefined;
        if (!place) continue;
        parts.push(partOf([place]));
        seated++;
      }
    }
    return seated;
  }

  /** The longest run that leaves nobody alone, then the nearest of them. */
  function splitRun(isStrict: boolean): PartOfParty | null {
    const sizes = sizesBelow(rest).filter((each) => runsOf(each, 0, false).length > 0);
    const size = bestSize(isStrict ? sizes.filter((each) => each > 1 && rest - each !== 1) : sizes);
    const run = size === null ? null : nearestRun(runsOf(size, 0, false));
    return run && partOf(run);
  }

  /** As many accessible places as one run can have, each beside somebody else of the party if possible. */
  function accessiblePart(): PartOfParty | null {
    for (const isStrict of rest > accessible ? [true, false] : [false]) {
      for (let count = accessible; count > 0; count--) {
        const fits = (size: number): boolean => rest - size >= accessible - count;
        const sizes = sizesBelow(rest).filter((size) => fits(size) && runsOf(size, count, isStrict).length > 0);
        const size = bestSize(sizes);
        if (size !== null) return partOf(nearestRun(runsOf(size, count, isStrict))!);
      }
    }
    return null;
  }

  /** No seat is left: places of several areas, then tables for a part of the party, then booths. */
  function scattered(): PartOfParty | null {
    const most = Math.max(0, ...areas().map((places) => places.length));
    const size = bestSize(sizesBelow(rest).filter((each) => each <= most));
    if (size !== null) {
      const area = nearest(areas().filter((places) => places.length >= size))!;
      return partOf(area.slice(0, size));
    }
    const tables = left('table').filter(({ guests: [least] }) => least <= rest);
    const largest = Math.max(...tables.map(({ guests }) => guests[1]));
    const table = nearest(tables.filter(({ guests }) => guests[1] === largest).map((spot) => [spot]));
    if (table) return { spots: table, guests: Math.min(rest, largest) };
    const booth = nearest(left('booth').map((spot) => [spot]));
    return booth && partOf(booth);
  }

  function bestSize(sizes: readonly number[]): number | null {
    const leavesNobodyAlone = sizes.filter((size) => size > 1 && rest - size !== 1);
    const some = leavesNobodyAlone.length > 0 ? leavesNobodyAlone : sizes;
    return some.length === 0 ? null : Math.max(...some);
  }

  /** Runs of `size` neighbours with exactly `count` accessible places. */
  function runsOf(size: number, count: number, isStrict: boolean): Spot[][] {
    return spots
      .map((first) => {
        const run = [first];
        while (run.length < size && nextOf(run.at(-1)!)) run.push(nextOf(run.at(-1)!)!);
        return run;
      })
      .filter((run) => run.length === size && new Set(run).size === size && isAtAisle(run))
      .filter((run) => run.every((spot) => spot.sort === 'seat' && isLeft(spot) && mayTake(spot)))
      .filter((run) => run.filter(isNamed).length === count)
      .filter((run) => isPaired(run) && !(isStrict && hasLonelyAccessible(run)));
  }

  function isAtAisle(run: readonly Spot[]): boolean {
    return !ask.aisle || !before.has(run[0]!.name) || !nextOf(run.at(-1)!);
  }

  function mayTake(spot: Spot): boolean {
    if (spot.isCompanion)
      return spot.kinds.every((kind) => kind === 'companion' || ask.kinds.includes(kind)) && accessible > 0;
    return spot.kinds.length === 0 || isNamed(spot);
  }

  function isNamed({ kinds, isCompanion }: Spot): boolean {
    return !isCompanion && kinds.some((kind) => ask.kinds.includes(kind));
  }

  /** An accessible place without a companion's or an ordinary place beside it, among the places of the run. */
  function hasLonelyAccessible(run: readonly Spot[]): boolean {
    return run.some((spot) => isNamed(spot) && !run.some((other) => !isNamed(other) && isBeside(spot, other)));
  }

  function isBeside(a: Spot, b: Spot): boolean {
    return nextOf(a) === b || nextOf(b) === a;
  }

  function isPaired(run: readonly Spot[]): boolean {
    return canAllSit(
      run.filter(({ isCompanion }) => isCompanion).map(({ wheelchairs }) => wheelchairs),
      run.filter(({ isCompanion, kinds }) => !isCompanion && kinds.includes('wheelchair')).map(({ name }) => name),
    );
  }

  /** Among runs that leave no single free seat beside them, if there are such runs. */
  function nearestRun(runs: readonly Spot[][]): Spot[] | null {
    const clean = ask.preventOrphans ? runs.filter((run) => !strandsOne(run)) : [];
    return nearest(clean.length > 0 ? clean : runs);
  }

  function strandsOne(run: readonly Spot[]): boolean {
    const isOpen = (spot: Spot | undefined): boolean =>
      !!spot && !spot.isCompanion && isVacant(spot) && !run.includes(spot);
    return [before.get(run[0]!.name), nextOf(run.at(-1)!)].some(
      (spot) => isOpen(spot) && !isOpen(before.get(spot!.name)) && !isOpen(nextOf(spot!)),
    );
  }

  function nearest(choices: readonly Spot[][]): Spot[] | null {
    const first = choices.map((spots) => ({ spots, key: keyOf(spots) })).sort((a, b) => inOrder(a.key, b.key))[0];
    return first?.spots ?? null;
  }

  /** Beside a place that the query names, distance, id, index. */
  function keyOf(run: readonly Spot[]): [number, number, string, number] {
    const isAdjoining =
      parts.length === 0 && near.some((spot) => !run.includes(spot) && run.some((each) => isBeside(each, spot)));
    const focus = parts.length > 0 ? middleOf(parts) : near.length > 0 ? middleOf(near.map(partOfOne)) : run[0]!.focus;
    const middle = middleOf(run.map(partOfOne));
    const distance = Math.round(Math.hypot(middle.x - focus.x, middle.y - focus.y) / ask.grain);
    return [isAdjoining ? 0 : 1, distance, run[0]!.id, run[0]!.index];
  }

  function isVacant(spot: Spot): boolean {
    return spot.isFree && !isChosen(spot);
  }

  function isChosen(spot: Spot): boolean {
    return parts.some(({ spots }) => spots.includes(spot));
  }

  function isLeft(spot: Spot): boolean {
    return isVacant(spot) && spot.isWanted;
  }

  function left(sort: Spot['sort']): Spot[] {
    return spots.filter((spot) => spot.sort === sort && isLeft(spot) && !spot.isCompanion && spot.kinds.length === 0);
  }

  /** The places that are left of each area, lowest first. */
  function areas(): Spot[][] {
    const places = left('area');
    return [...new Set(places.map(({ id }) => id))].map((id) => places.filter((spot) => spot.id === id));
  }

  /** Parts that turn out to be neighbours are one part, in the place of the first of them. */
  function joined(runs: Spot[][]): Spot[][] {
    for (const [i, run] of runs.entries()) {
      const j = runs.findIndex((other) => other !== run && nextOf(run.at(-1)!) === other[0]);
      if (j < 0) continue;
      const whole = [...run, ...runs[j]!];
      return joined(runs.flatMap((other, at) => (at === i ? [whole] : at === j ? [] : [other])));
    }
    return runs;
  }
}

const sizesBelow = (rest: number): number[] => Array.from({ length: rest - 1 }, (_, i) => i + 1);
const partOf = (spots: Spot[]): PartOfParty => ({ spots, guests: spots.length });
const partOfOne = (spot: Spot): PartOfParty => partOf([spot]);

/** The mean place of all people. */
function middleOf(parts: readonly PartOfParty[]): Point {
  let x = 0;
  let y = 0;
  let people = 0;
  for (const { spots, guests } of parts) {
    for (const { at } of spots) {
      const share = guests / spots.length;
      x += at.x * share;
      y += at.y * share;
      people += share;
    }
  }
  return { x: x / people, y: y / people };
}

function inOrder(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  const i = a.findIndex((value, at) => value !== b[at]);
  return i < 0 ? 0 : a[i]! < b[i]! ? -1 : 1;
}
