/** The tabs that a session has. Pure. */
import type { Feature } from '../document/permissions.ts';

const allTabs = ['selection', 'categories', 'places', 'chart', 'issues'] as const;
export type Tab = (typeof allTabs)[number];

/** A tab has parts for these; the others are there in every session. */
const partsOfTab: Partial<Record<Tab, readonly Feature[]>> = {
  categories: ['categories', 'painting', 'accessibility', 'views'],
  places: ['floors', 'zones'],
  chart: ['venue', 'background'],
};

export function tabsFor(may: { has(feature: Feature): boolean }): Tab[] {
  return allTabs.filter((tab) => partsOfTab[tab]?.some((feature) => may.has(feature)) ?? true);
}
