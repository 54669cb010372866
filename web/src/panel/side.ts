/**
 * The buyer's own state of the page beside the sale: the filter, the open sheet, map or list, the wish for best seats,
 * the seat whose view is shown. Every change ends in `redraw`. The advice and the list are loaded with the first
 * drawing of an open sale. Failure: they stay away, and a drawing after a pause loads them again.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { panelSkeleton } from '../looks/skeleton.ts';
import type { Pointed } from '../pointing.ts';
import type { House } from '../sale/house.ts';
import type { SaleState } from '../sale/sale-state.ts';
import type { createAdvice, JudgedChoice } from './advice.ts';
import { type Filter, isFiltering, type MapFilter, mapFilterOf, noFilter } from './filter.ts';
import { panel } from './panel.ts';
import type { PanelView } from './panel-view.ts';
import { viewDialog } from './seat-view.ts';

export type Side = ReturnType<typeof createSide>;

export type Surface = 'map' | 'list';

/** The parts of a panel's view that the map knows. */
export type Shown = Omit<
  PanelView,
  'broken' | 'filter' | 'isOpen' | 'isMap' | 'open' | 'setFilter' | 'lookFrom' | 'redraw'
>;

type Listener = { redraw(): void; filtered(filter: MapFilter | null, isAsked: boolean): void };

export function createSide({ redraw, filtered }: Listener) {
  const advice = createLateAdvice(redraw);
  let judged = unjudged;
  let surface: Surface = 'map';
  let filter: Filter = noFilter;
  let isOpen = false;
  let seenFrom: number | null = null;

  function viewOf(shown: Shown): PanelView {
    return {
      ...shown,
      broken: judged.broken,
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
    return html`${panel(view, advice.loaded)} ${seenFrom === null ? nothing : viewDialog(view, seenFrom, closed)}`;
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
        advice.loaded?.list.reset();
        seenFrom = null;
        if (isFiltering(filter)) filter = noFilter;
      }
      filtered(mapFilterOf(filter, hall, offers), false);
    },
    /** Before each drawing: the choice by the event's rules, and the companions' places that are for all. */
    judge(house: House, sale: SaleState): JudgedChoice {
      if (advice.loaded) judged = advice.loaded.judge(house, sale);
      else advice.load();
      return judged;
    },
    panel: (shown: Shown): TemplateResult => panelOf(viewOf(shown)),
    list(shown: Shown, { choose }: Pick<Pointed, 'choose'>): TemplateResult {
      if (advice.loaded) return advice.loaded.list.template({ ...viewOf(shown), choose });
      return html`<div class="places" part="list">${panelSkeleton()}</div>`;
    },
  };
}

/** While the advice is on its way. */
const unjudged: JudgedChoice = { broken: [], marked: new Set(), isForAll: () => false };

const RETRY_MS = 5_000;

function createLateAdvice(redraw: () => void) {
  let isLoading = false;
  const late = {
    loaded: null as ReturnType<typeof createAdvice> | null,
    load(): void {
      if (isLoading) return;
      isLoading = true;
      import('./advice.ts').then(
        (module) => {
          late.loaded = module.createAdvice();
          redraw();
        },
        () => setTimeout(() => (isLoading = false), RETRY_MS),
      );
    },
  };
  return late;
}
