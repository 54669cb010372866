/** Numbers on seats that are only proposed: they stand on the map in place of the document's own. */
import type { Bounds } from '../../src/rules/bounds.ts';
import { idOf } from '../document/objects.ts';
import type { LiveHall } from './live-hall.ts';

/** By object id: the text of each seat by its index; a seat without one keeps its own. */
export type Labels = ReadonlyMap<string, readonly (string | undefined)[]>;

export class Previews {
  /** By spot, the document's own number. */
  readonly #own = new Map<number, string>();
  labels: Labels | null = null;

  /** Returns the parts of the map that look different. */
  show(live: LiveHall, labels: Labels | null): Bounds[] {
    const { hall } = live;
    const parts: Bounds[] = [];
    const shown = new Set([...(this.labels?.keys() ?? []), ...(labels?.keys() ?? [])]);
    for (const [spot, number] of this.#own) hall.numbers[spot] = number;
    this.#own.clear();
    this.labels = labels;
    if (shown.size === 0) return parts;
    for (const object of live.objects) {
      if (!shown.has(idOf(object))) continue;
      const bounds = live.boundsOf(object);
      if (bounds) parts.push(bounds);
      const its = labels?.get(idOf(object));
      for (const spot of its ? live.spotsOf(object) : []) {
        const text = its?.[hall.indexOf[spot]!];
        if (text === undefined) continue;
        this.#own.set(spot, hall.numbers[spot]!);
        hall.numbers[spot] = text;
      }
    }
    return parts;
  }
}
