/**
 * The tabs of an event: the address of each, the right that it needs, and its code, which is loaded when it is
 * opened.
 */
import type { Right } from '@parterre/shared/protocol/rights';
import type { PlainKey } from '../messages/words.ts';
import type { OpenTab } from './tab.ts';

export type TabEntry = { title: PlainKey; needs: Right; load(): Promise<OpenTab> };

/** In the order of the page. The key is the part of the address behind the event's key. */
export const tabs: Readonly<Record<string, TabEntry>> = {
  map: { title: 'map.title', needs: 'see', load: async () => (await import('../map/map-tab.ts')).openMapTab },
  reports: {
    title: 'reports.title',
    needs: 'see',
    load: async () => (await import('../reports/reports-tab.ts')).openReports,
  },
  door: { title: 'reports.door', needs: 'see', load: async () => (await import('../door/door-tab.ts')).openDoor },
};

export const firstTab = 'map';
