/**
 * The floors of a map: the floor with what was found, held or filtered comes up, and each floor's button tells its
 * places of the filter and the buyer's own places.
 */

import type { SeatFilter, View } from './draw/view.ts';
import type { FrameView } from './frame.ts';
import type { Words } from './messages/words.ts';
import { partAround } from './rules/find.ts';
import { type FloorPlaces, floorOfFilter, matchesIn, placesByFloor } from './rules/floors.ts';
import type { House } from './sale/house.ts';
import type { SaleState } from './sale/sale-state.ts';

type Setting = {
  house(): House;
  sale: SaleState;
  words(): Words;
  view(): View | null;
  /** Another floor is shown. */
  turned(): void;
};

export function createFloors({ house, sale, words, view, turned }: Setting) {
  let matches: ReturnType<typeof matchesIn> | null = null;

  function show(floor: number): void {
    if (view()?.floor === floor) return;
    view()?.showFloor(floor);
    turned();
  }

  function noteOf({ matching, own }: FloorPlaces): string {
    const { text } = words();
    const found = matching === null ? [] : [text('floor.matches', { count: matching })];
    return [...found, ...(own > 0 ? [text('map.yours', { count: own })] : [])].join(' · ');
  }

  return {
    show,
    /** The places that a filter leaves bright; null ends it. A filter that the buyer asked for shows a floor of it. */
    filter(filter: SeatFilter, isAsked: boolean): void {
      const { hall, statuses } = house();
      matches = filter && hall.floors.length > 1 ? matchesIn(hall, filter) : null;
      if (matches && isAsked) show(floorOfFilter(hall, statuses, matches, view()?.floor ?? 0));
    },
    /** Flies to these places, on their floor. */
    visit(labels: readonly string[]): void {
      const part = partAround(house().hall, labels);
      if (!part) return;
      const before = view()?.floor;
      view()?.visit(part.bounds, part.floor);
      if (before !== part.floor) turned();
    },
    /** After a reload: the floor of the hold. */
    showHeld(): void {
      const part = partAround(house().hall, [...sale.held.keys()]);
      if (part) show(part.floor);
    },
    /** For the buttons; none for a hall of one floor. */
    told(): FrameView['floors'] {
      const { hall, statuses } = house();
      if (hall.floors.length < 2) return [];
      const places = placesByFloor(hall, statuses, matches, sale.selection);
      return hall.floors.map((name, floor) => ({ name, note: noteOf(places[floor]!) }));
    },
  };
}
