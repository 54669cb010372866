/**
 * The buyer's own state of the page beside the sale: the filter, the open sheet, map or list, the wish for best seats,
 * the seat whose view is shown. Every change ends in `redraw`. The list is loaded when it is first shown: most buyers
 * never open it. Failure: the list stays empty, and the next drawing loads it again.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { panelSkeleton } from '../looks/skeleton.ts';
import type { Pointed } from '../pointing.ts';
import { type Filter, isFiltering, type MapFilter, mapFilterOf, noFilter } from './filter.ts';
import { createFinder } from './finder.ts';
import { panel } from './panel.ts';
import type { PanelView } from './panel-view.ts';
import type { createPlaceList } from './place-list.ts';
import { viewDialog } from './seat-view.ts';

export type Side = ReturnType<typeof createSide>;

export type Surface = 'map' | 'list';

/** The parts of a panel's view that the map knows. */
export type Shown = Omit<PanelView, 'filter' | 'isOpen' | 'isMap' | 'open' | 'setFilter' | 'lookFrom' | 'redraw'>;

type Listener = { redraw(): void; filtered(filter: MapFilter | null, isAsked: boolean): void };

export function createSide({ redraw, filtered }: Listener) {
  const finder = createFinder();
  const list = createLateList(redraw);
  let surface: Surface = 'map';
  let filter: Filter = noFilter;
  let isOpen = false;
  let seenFrom: number | null = null;

  function viewOf(shown: Shown): PanelView {
    return {
      ...shown,
      filter,
      isOpen,
      isMap: surface === 'map',
      redraw,
      open(wanted) {
        isOpen = wanted;
        redraw();
      },
      setFilter(wanted) {
        filter = wanted;
        filtered(mapFilterOf(filter, shown.hall, shown.offers), true);
        redraw();
      },
      lookFrom(spot) {
        seenFrom = spot;
        redraw();
      },
    };
  }

  function panelOf(view: PanelView): TemplateResult {
    const closed = () => {
      seenFrom = null;
      view.refocus('.basket', '.search');
    };
    return html`${panel(view, finder)} ${seenFrom === null ? nothing : viewDialog(view, seenFrom, closed)}`;
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
      if (isNewChart) {
        list.loaded?.reset();
        seenFrom = null;
        if (isFiltering(filter)) filter = noFilter;
      }
      filtered(mapFilterOf(filter, hall, offers), false);
    },
    panel: (shown: Shown): TemplateResult => panelOf(viewOf(shown)),
    list(shown: Shown, { choose }: Pick<Pointed, 'choose'>): TemplateResult {
      if (list.loaded) return list.loaded.template({ ...viewOf(shown), choose });
      void list.load();
      return html`<div class="places" part="list">${panelSkeleton()}</div>`;
    },
  };
}

function createLateList(redraw: () => void) {
  let isLoading = false;
  const late = {
    loaded: null as ReturnType<typeof createPlaceList> | null,
    async load(): Promise<void> {
      if (isLoading) return;
      isLoading = true;
      const module = await import('./place-list.ts').catch(() => null);
      isLoading = false;
      if (module === null) return;
      late.loaded = module.createPlaceList();
      redraw();
    },
  };
  return late;
}
