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
  house: { title: 'house.title', needs: 'see', load: async () => (await import('./house/house-view.ts')).openHouse },
  event: { title: null, needs: 'see', load: async () => (await import('./event/event-view.ts')).openEvent },
};
