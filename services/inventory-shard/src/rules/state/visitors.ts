/**
 * The visitors of public sale that the event knows. A visitor is a session that a publishable key opened, or an address
 * as a keyed hash. A hold counts for its session, its address, or both. sales/public-sale.ts has the rules.
 *
 * Two facts are kept of a visitor:
 * - the places of its active holds. They follow from the holds, and are in no snapshot.
 * - each place that one of its holds gave up in the last `heldAgainMs`, with the beginning of the time in which the
 *   visitor has had the place. The fold writes this fact from journaled times alone (I6), and snapshots keep it. Past
 *   `heldAgainPlacesMax` places, the places that were given up first are forgotten early (I8).
 *
 * A seat is named by its label, and a place of an area by the area's label, since an area's places are all alike. So a
 * change of chart changes nothing here. Entries are replaced, never changed, since captures share them.
 */
import { isArea, objectOf, type Plan } from '@parterre/shared/charts/plan';
import { heldAgainMs, heldAgainPlacesMax } from '@parterre/shared/protocol/limits';
import { placesForgottenAtOnce } from './bounds.ts';

export const noVisitors: readonly string[] = [];

/** The visitor had the place since `since`, with pauses, and gave it up at `until`. */
export type PlaceOfVisitor = Readonly<{ visitor: string; place: string; since: number; until: number }>;

export class Visitors {
  readonly #held = new Map<string, number>();
  readonly #given = new Map<string, Map<string, PlaceOfVisitor>>();
  /** In the order in which the places were given up. An entry that was replaced is no longer in `#given`. */
  #queue: PlaceOfVisitor[] = [];
  /** No entry before this index is in `#given`. */
  #first = 0;
  #size = 0;

  /** The number of places that are remembered. */
  get size(): number {
    return this.#size;
  }

  /** The number of visitors with active holds. */
  get count(): number {
    return this.#held.size;
  }

  /** Guests and places in the active holds of a visitor. */
  heldBy(visitor: string): number {
    return this.#held.get(visitor) ?? 0;
  }

  /** The beginning of the time in which one of these visitors has had one of these units; `now` without any. */
  firstHeldAt(visitors: readonly string[], plan: Plan, units: readonly number[], now: number): number {
    let first = now;
    if (this.#size === 0) return first;
    for (const visitor of visitors) {
      const given = this.#given.get(visitor);
      if (given === undefined) continue;
      for (const unit of units) {
        const entry = given.get(placeOf(plan, unit));
        if (entry !== undefined && entry.until + heldAgainMs > now) first = Math.min(first, entry.since);
      }
    }
    return first;
  }

  /** The remembered places, those that were given up first first. */
  places(): PlaceOfVisitor[] {
    return this.#queue.slice(this.#first).filter((entry) => this.#isKept(entry));
  }

  /** For folds: holds of these visitors have so many places more, or fewer. */
  changeHeld(visitors: readonly string[], by: number): void {
    for (const visitor of visitors) {
      const held = this.heldBy(visitor) + by;
      if (held > 0) this.#held.set(visitor, held);
      else this.#held.delete(visitor);
    }
  }

  /** For folds: a hold of these visitors, whose time began at `since`, gives these units up. */
  giveUp(visitors: readonly string[], plan: Plan, units: readonly number[], since: number, at: number): void {
    for (const visitor of visitors) {
      for (const unit of units) {
        const place = placeOf(plan, unit);
        const before = this.#given.get(visitor)?.get(place);
        const goesOn = before !== undefined && before.until + heldAgainMs > since;
        this.put({ visitor, place, since: goesOn ? Math.min(before.since, since) : since, until: at });
        this.#forget(at);
      }
    }
  }

  /** For folds and snapshots: remembers a place, after all places that were given up before. */
  put(entry: PlaceOfVisitor): void {
    const { visitor, place } = entry;
    let given = this.#given.get(visitor);
    if (given === undefined) {
      given = new Map();
      this.#given.set(visitor, given);
    }
    if (!given.has(place)) this.#size++;
    given.set(place, entry);
    this.#queue.push(entry);
    if (this.#queue.length > 2 * this.#size + queueSlack) this.#dropReplaced();
  }

  /** For folds: the same visitors without the remembered places. A clock that was set back makes their times void. */
  withoutPlaces(): Visitors {
    const visitors = new Visitors();
    for (const [visitor, held] of this.#held) visitors.#held.set(visitor, held);
    return visitors;
  }

  #forget(at: number): void {
    for (let left = placesForgottenAtOnce; left > 0; ) {
      const oldest = this.#queue[this.#first];
      if (oldest === undefined) return;
      if (this.#isKept(oldest)) {
        if (oldest.until + heldAgainMs > at && this.#size <= heldAgainPlacesMax) return;
        this.#delete(oldest);
        left--;
      }
      this.#first++;
    }
  }

  #delete({ visitor, place }: PlaceOfVisitor): void {
    const given = this.#given.get(visitor)!;
    given.delete(place);
    if (given.size === 0) this.#given.delete(visitor);
    this.#size--;
  }

  #isKept(entry: PlaceOfVisitor): boolean {
    return this.#given.get(entry.visitor)?.get(entry.place) === entry;
  }

  #dropReplaced(): void {
    this.#queue = this.places();
    this.#first = 0;
  }
}

const queueSlack = 64;

function placeOf(plan: Plan, unit: number): string {
  const object = objectOf(plan, unit);
  return isArea(object) ? object.label : plan.labels.at(unit);
}
