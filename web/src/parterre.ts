/**
 * The picker: a seat map for a host's page, on which buyers choose and hold seats. Importing this defines
 * `<parterre-map>`; `createMap(container, options)` does the same as a function.
 * - map.ts: one map, which opens the sale, follows it, and holds the parts together.
 * - element.ts: the custom element.
 * - selling.ts: an event or a performance group, as the map uses it.
 * - sale/: calls to /pub (calls.ts) and their credential (api.ts), the server's time (clock.ts), the chart with its
 *   statuses (house.ts), the choice (choice.ts), the selection and the hold (sale.ts), the calls that hold
 *   (counter.ts).
 * - feed/: the live socket (feed.ts), and looks at the map where no socket opens (follow.ts, looks.ts).
 * - group/: the same for a performance group: its session, its map without a socket, its holds.
 * - rules/: every decision that needs no page.
 * - draw/: the map on the screen.
 * - panel/: the side panel, the cards on the map and the list of places; basket/: its basket and the next step.
 * - looks/: styles, colours and the skeleton.
 * - painter.ts: the looks of the map; telling.ts: a seat in words.
 * - choosing.ts, hovering.ts, walking.ts, following.ts: the acts of a buyer on the map, and the time that passes.
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
