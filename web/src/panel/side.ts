/**
 * The buyer's own state of the page beside the sale: the filter, the open sheet, map or list, the wish for best seats.
 * Every change ends in `redraw`.
 */
import type { TemplateResult } from 'lit-html';
import { type Filter, isFiltering, type MapFilter, mapFilterOf, noFilter } from './filter.ts';
import { createFinder } from './finder.ts';
import { panel } from './panel.ts';
import type { PanelView } from './panel-view.ts';
import { createPlaceList } from './place-list.ts';

export type Side = ReturnType<typeof createSide>;

export type Surface = 'map' | 'list';

/** The parts of a panel's view that the map knows. */
export type Shown = Omit<PanelView, 'filter' | 'isOpen' | 'open' | 'setFilter' | 'redraw'>;

type Listener = { redraw(): void; filtered(filter: MapFilter | null): void };

export function createSide({ redraw, filtered }: Listener) {
  const finder = createFinder();
  const list = createPlaceList();
  let surface: Surface = 'map';
  let filter: Filter = noFilter;
  let isOpen = false;

  function viewOf(shown: Shown): PanelView {
    return {
      ...shown,
      ...{ filter, isOpen, redraw },
      open(wanted) {
        isOpen = wanted;
        redraw();
      },
      setFilter(wanted) {
        filter = wanted;
        filtered(mapFilterOf(filter, shown.hall, shown.offers));
        redraw();
      },
    };
  }

  return {
    get surface(): Surface {
      return surface;
    },
    get isOpen(): boolean {
      return isOpen;
    },
    show(wanted: Surface): void {
      surface = wanted;
      redraw();
    },
    /** The chart or its prices have changed. */
    refresh({ hall, offers }: Pick<Shown, 'hall' | 'offers'>, isNewChart: boolean): void {
      if (isNewChart) list.reset();
      if (isNewChart && isFiltering(filter)) filter = noFilter;
      filtered(mapFilterOf(filter, hall, offers));
    },
    panel: (shown: Shown): TemplateResult => panel(viewOf(shown), finder),
    list: (shown: Shown & { choose(spot: number): void }): TemplateResult =>
      list.template({ ...viewOf(shown), choose: shown.choose }),
  };
}
