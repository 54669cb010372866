/**
 * The holds of an event. Active holds are objects. Ended holds are kept for a day so that callers can ask about them;
 * they are packed, and built anew for each read. Past `endedHoldBytesMax`, the holds that ended first are forgotten
 * early (I8), by the records alone (I6).
 *
 * `capture` takes the active holds by reference. A captured hold never changes: a fold that changes a hold asks for it
 * with `toChange`, which copies a captured hold first.
 */
import { endedHoldBytesMax } from '@parterre/shared/protocol/limits';
import { PackedMap } from '../packed/packed.ts';
import { endedHoldsForgottenAtOnce } from './bounds.ts';
import type { Hold } from './holder.ts';
import { holdPacking } from './packed-holders.ts';
import { noVisitors } from './visitors.ts';

export class Holds {
  readonly active: Map<string, Hold>;
  /** In the order in which the holds ended. */
  readonly ended: PackedMap<Hold>;
  /** The end time of the first of `ended`. Infinity without one, null before the look-up. */
  #firstEndedAt: number | null = null;
  /** Holds with a lower slot are captured, apart from the copies of `#copied`, which lists slots. */
  #capturedBelow = 0;
  readonly #copied = new Set<number>();

  constructor(active: Map<string, Hold> = new Map(), ended: PackedMap<Hold> = new PackedMap(holdPacking)) {
    this.active = active;
    this.ended = ended;
  }

  get size(): number {
    return this.active.size + this.ended.size;
  }

  get(id: string): Readonly<Hold> | undefined {
    return this.active.get(id) ?? this.ended.get(id);
  }

  *values(): Generator<Readonly<Hold>> {
    yield* this.active.values();
    yield* this.ended.values();
  }

  /** The active holds. `nextSlot` is above all their slots. Takes a few microseconds for each hundred holds. */
  capture(nextSlot: number): Readonly<Hold>[] {
    this.#capturedBelow = nextSlot;
    this.#copied.clear();
    return [...this.active.values()];
  }

  /** For folds: the active hold of this id, which the fold may change in place. */
  toChange(id: string): Hold | undefined {
    const hold = this.active.get(id);
    if (hold === undefined || hold.slot >= this.#capturedBelow || this.#copied.has(hold.slot)) return hold;
    const copy = { ...hold };
    this.#copied.add(hold.slot);
    this.active.set(id, copy);
    return copy;
  }

  /** An active hold, one of `toChange`, ends. */
  end(hold: Hold, status: Exclude<Hold['status'], 'active'>, at: number): void {
    this.active.delete(hold.id);
    hold.status = status;
    hold.endedAt = at;
    hold.visitors = noVisitors;
    this.ended.set(hold);
    if (this.ended.size === 1) this.#firstEndedAt = null;
    while (this.ended.liveBytes > endedHoldBytesMax && this.ended.size > 1) this.#forgetFirst();
  }

  /**
   * Forgets the holds that ended at or before `at`, a few in each call: after a quiet day, hundreds of thousands may
   * have. The others count as forgotten too (`knownHold`).
   */
  forgetEnded(at: number): void {
    for (let n = 0; n < endedHoldsForgottenAtOnce; n++) {
      this.#firstEndedAt ??= this.ended.first()?.endedAt ?? Number.POSITIVE_INFINITY;
      if (this.#firstEndedAt > at) return;
      this.#forgetFirst();
    }
  }

  #forgetFirst(): void {
    this.ended.delete(this.ended.first()!.id);
    this.#firstEndedAt = null;
  }
}
