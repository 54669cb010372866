/**
 * A map that forgets by itself, in two generations: what is set goes into the younger; when that is `keepMs` old or half
 * of `entriesMax`, it becomes the older one, and the older is dropped whole (I8). An entry is therefore found for at
 * least `keepMs` after it was set, unless half of `entriesMax` others were set since.
 *
 * Taking single entries off the front of a `Map` instead would be slow: it walks over the holes of all that were taken
 * before.
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
