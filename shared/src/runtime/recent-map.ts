/**
 * A map that forgets by itself, in two generations. New entries go into the younger generation. When the younger
 * generation is `keepMs` old or has half of `entriesMax` entries, it becomes the older generation, and the older
 * generation before it is dropped whole (I8). So an entry is found for at least `keepMs` after it was set, unless half
 * of `entriesMax` other entries were set since.
 *
 * To delete single entries from the front of a `Map` would be slow: each deletion walks over the holes of the earlier
 * ones.
 */
import type { Clock } from './clock.ts';

export class RecentMap<V> {
  readonly #clock: Clock;
  readonly #entriesMax: number;
  readonly #keepMs: number;
  #younger = new Map<string, V>();
  #older = new Map<string, V>();
  #turnedAt: number;

  constructor(clock: Clock, bounds: { entriesMax: number; keepMs: number }) {
    this.#clock = clock;
    this.#entriesMax = bounds.entriesMax;
    this.#keepMs = bounds.keepMs;
    this.#turnedAt = clock.elapsed();
  }

  get(key: string): V | undefined {
    return this.#younger.get(key) ?? this.#older.get(key);
  }

  set(key: string, value: V): void {
    const now = this.#clock.elapsed();
    const isFull = this.#younger.size * 2 >= this.#entriesMax && !this.#younger.has(key);
    if (isFull || now - this.#turnedAt >= this.#keepMs) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.#turnedAt = now;
    }
    this.#younger.set(key, value);
  }
}
