/**
 * The picker: a seat map for a host's page, on which buyers choose and hold seats. Importing this defines
 * `<parterre-map>`; `createMap(container, options)` does the same as a function.
 * - map.ts: one map, which opens the sale, follows it, and holds the parts together.
 * - element.ts: the custom element.
 * - selling.ts: an event or a performance group, as the map uses it.
 * - sale/: calls to /pub (calls.ts) and their credential (api.ts), the live socket (feed.ts), the chart with its
 *   statuses (house.ts), the choice (choice.ts), the selection and the hold (sale.ts), the calls that hold (counter.ts).
 * - group/: the same for a performance group: its session, its map without a socket, its holds.
 * - rules/: every decision that needs no page.
 * - draw/: the map on the screen.
 * - panel.ts: the side panel, with legend.ts.
 * - mirror.ts: the map for keyboards and screen readers.
 */
import { ParterreMapElement } from './element.ts';

export { createMap, type ParterreMap } from './map.ts';
export type { MapOptions } from './options.ts';
export type { Access } from './sale/access.ts';
export { ParterreMapElement };

// A server has no elements, and importing the picker there does nothing.
const registry = globalThis.customElements as CustomElementRegistry | undefined;
if (registry && !registry.get('parterre-map')) registry.define('parterre-map', ParterreMapElement);
