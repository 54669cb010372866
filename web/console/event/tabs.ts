/** The tabs of an event: the address of each, the right that it needs, and its code, loaded when it is opened. */
import type { Right } from '@parterre/shared/protocol/rights';
import type { PlainKey } from '../messages/words.ts';
import type { OpenTab } from './tab.ts';

export type TabEntry = { title: PlainKey; needs: Right; load(): Promise<OpenTab> };

/** In the order of the page. The key is the part of the address behind the event's key. */
export const tabs: Readonly<Record<string, TabEntry>> = {
  map: { title: 'map.title', needs: 'see', load: async () => (await import('../map/map-tab.ts')).openMapTab },
  wall: { title: 'wall.title', needs: 'see', load: async () => (await import('../wall/wall-tab.ts')).openWallTab },
  counter: {
    title: 'counter.title',
    needs: 'sell',
    load: async () => (await import('../counter/counter-tab.ts')).openCounterTab,
  },
  bookings: {
    title: 'bookings.title',
    needs: 'see',
    load: async () => (await import('../bookings/bookings-tab.ts')).openBookingsTab,
  },
  channels: {
    title: 'channels.title',
    needs: 'see',
    load: async () => (await import('../channels/channels-tab.ts')).openChannelsTab,
  },
  sale: { title: 'sale.title', needs: 'see', load: async () => (await import('../sale/sale-tab.ts')).openSaleTab },
  reports: {
    title: 'reports.title',
    needs: 'see',
    load: async () => (await import('../reports/reports-tab.ts')).openReports,
  },
  door: { title: 'reports.door', needs: 'see', load: async () => (await import('../door/door-tab.ts')).openDoor },
};

export const firstTab = 'map';
