/**
 * The picker: a seat map to choose and hold seats on, for a page of the host's. Importing this defines `<parterre-map>`;
 * `createMap(container, options)` is the same as a function.
 *
 *   map.ts        one map: opens the sale, follows it, and holds the parts together
 *   element.ts    the custom element
 *   api.ts        calls to /pub and their credential      feed.ts   the live socket
 *   sale.ts       what is chosen and held                 rules/    all that can be decided without a page
 *   draw/         the map on the screen                   panel.ts  the side panel; legend.ts
 *   mirror.ts     the map for keyboards and screen readers
 */
import { ParterreMapElement } from './element.ts';

export { createMap, type ParterreMap } from './map.ts';
export type { MapOptions } from './options.ts';
export type { Access } from './sale/access.ts';

if (!customElements.get('parterre-map')) customElements.define('parterre-map', ParterreMapElement);
