/**
 * The holds of an event. Active holds are objects, which the fold changes in place. Ended holds are kept for a day so
 * that callers can ask about them; they are packed, and built anew for each read. Past `endedHoldBytesMax`, the holds
 * that ended first are forgotten early (I8), by the records alone (I6).
 */
import { endedHoldBytesMax } from '@parterre/shared/limits';
import { PackedMap } from '../packed/packed.ts';
import type { Hold } from './holder.ts';
import { holdPacking } from './packed-holders.ts';

export class Holds {
  readonly active: Map<string, Hold>;
  /** In the order in which the holds ended. */
  readonly ended: PackedMap<Hold>;
  /** The end time of the first of `ended`. Infinity without one, null before the look-up. */
  #firstEndedAt: number | null = null;

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

  /** An active hold ends. */
  end(hold: Hold, status: Exclude<Hold['status'], 'active'>, at: number): void {
    this.active.delete(hold.id);
    hold.status = status;
    hold.endedAt = at;
    this.ended.set(hold);
    if (this.ended.size === 1) this.#firstEndedAt = null;
    while (this.ended.liveBytes > endedHoldBytesMax && this.ended.size > 1) this.#forgetFirst();
  }

  /** Forgets the holds that ended at or before `at`. */
  forgetEnded(at: number): void {
    for (;;) {
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
