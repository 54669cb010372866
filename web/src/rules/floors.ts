/** The places of each floor: those of a filter that are free, and the buyer's own. Pure. */
import { floorOf } from './find.ts';
import type { Hall } from './hall.ts';
import { isFree, type Selection } from './selection.ts';
import type { Statuses } from './statuses.ts';

/** `matching` is null without a filter. */
export type FloorPlaces = { matching: number | null; own: number };

/** The spots and areas that a filter leaves bright. */
export type Matches = { spots: readonly number[]; areas: readonly number[] };

type Filter = { spot(spot: number): boolean; area(index: number): boolean };

export function matchesIn(hall: Hall, filter: Filter): Matches {
  return {
    spots: [...hall.labels.keys()].filter((spot) => filter.spot(spot)),
    areas: [...hall.areas.keys()].filter((index) => filter.area(index)),
  };
}

export function placesByFloor(
  hall: Hall,
  statuses: Statuses,
  matches: Matches | null,
  selection: Selection,
): FloorPlaces[] {
  const free = matches && freeByFloor(hall, statuses, matches);
  const own = hall.floors.map(() => 0);
  for (const { spot, areaId, quantity } of selection.values()) {
    const floor = spot === null ? hall.areas.find(({ id }) => id === areaId)?.floor : floorOf(hall, spot);
    if (floor !== undefined) own[floor]! += spot === null ? quantity : 1;
  }
  return own.map((count, floor) => ({ matching: free && free[floor]!, own: count }));
}

/** This floor if it has a free match, else the first floor that has one, else the first with a match at all. */
export function floorOfFilter(hall: Hall, statuses: Statuses, matches: Matches, floor: number): number {
  const free = freeByFloor(hall, statuses, matches);
  if (free[floor]! > 0) return floor;
  const first = free.findIndex((count) => count > 0);
  if (first >= 0) return first;
  const { spots, areas } = matches;
  const all = [
    ...spots.slice(0, 1).map((spot) => floorOf(hall, spot)),
    ...areas.map((index) => hall.areas[index]!.floor),
  ];
  return Math.min(...all, all.length > 0 ? Infinity : floor);
}

function freeByFloor(hall: Hall, statuses: Statuses, { spots, areas }: Matches): number[] {
  const free = hall.floors.map(() => 0);
  for (const spot of spots) if (isFree(statuses, spot)) free[floorOf(hall, spot)]!++;
  for (const index of areas) {
    const { id, floor } = hall.areas[index]!;
    free[floor]! += statuses.freeInArea.get(id) ?? 0;
  }
  return free;
}
