/** The views: the first part of each address, its place in the bar, the right that it needs, and its code. */
import type { Right } from '@parterre/shared/protocol/rights';
import { openEvents } from './events/events.ts';
import type { PlainKey } from './messages/words.ts';
import type { OpenView } from './view.ts';

export type ViewEntry = {
  /** Null for a view that the bar does not name. */
  title: PlainKey | null;
  needs: Right;
  load(): Promise<OpenView>;
};

/** In the order of the bar. The list of events is in the first page; other code is loaded when it is opened. */
export const views: Readonly<Record<string, ViewEntry>> = {
  events: { title: 'events.title', needs: 'see', load: async () => openEvents },
  charts: { title: 'charts.title', needs: 'see', load: async () => (await import('./charts/charts.ts')).openCharts },
  seasons: {
    title: 'seasons.title',
    needs: 'see',
    load: async () => (await import('./seasons/seasons-view.ts')).openSeasons,
  },
  house: { title: 'house.title', needs: 'see', load: async () => (await import('./house/house-view.ts')).openHouse },
  event: { title: null, needs: 'see', load: async () => (await import('./event/event-view.ts')).openEvent },
  'new-event': {
    title: null,
    needs: 'manage',
    load: async () => (await import('./events/new/new-event.ts')).openNewEvent,
  },
  'new-chart': {
    title: null,
    needs: 'manage',
    load: async () => (await import('./charts/new-chart.ts')).openNewChart,
  },
  'import-chart': {
    title: null,
    needs: 'manage',
    load: async () => (await import('./charts/import/import-chart.ts')).openImportChart,
  },
};
