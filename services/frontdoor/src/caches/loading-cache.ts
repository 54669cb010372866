/**
 * A bounded cache in front of a slow source. The least recently used entry leaves first, an entry older than `keepMs`
 * is loaded again, and concurrent callers of one key share one load.
 *
 * States of a key: absent → loading → fresh → stale → loading. `drop` and `clear` make a key absent at any time. A load
 * under way then still answers its callers, but is not kept. Refusals are not kept either. While the catalog is
 * unavailable, a stale entry stays in use: only the catalog could change its content. If the load (the only await)
 * throws, its callers get the exception, the key is as before, and the next caller starts another load.
 *
 * A hit changes no `Map`: a `Map` keeps holes where entries were deleted, and a hot key whose entry is deleted and set
 * again at each hit waits for thousands of them.
 */

import type { Outcome } from '@parterre/shared/protocol/errors';
import type { Clock } from '@parterre/shared/runtime/clock';
import { LRUCache } from 'lru-cache';

export type LoadingCache<T> = {
  /** Returns without a promise if the entry is fresh. */
  get(key: string): Outcome<T> | Promise<Outcome<T>>;
  drop(key: string): void;
  clear(): void;
};

/** How long a stale entry serves before an unavailable catalog is asked again. */
const STALE_KEEP_MS = 1_000;

export function createLoadingCache<T>(
  clock: Clock,
  bounds: { entriesMax: number; keepMs: number },
  load: (key: string) => Promise<Outcome<T>>,
): LoadingCache<T> {
  const entries = new LRUCache<string, { outcome: Outcome<T>; freshUntil: number }>({ max: bounds.entriesMax });
  const loads = new Map<string, { answer: Promise<Outcome<T>> }>();

  function keep(key: string, outcome: Outcome<T>, keepMs: number): void {
    entries.set(key, { outcome, freshUntil: clock.now() + keepMs });
  }

  async function run(key: string, self: { answer: Promise<Outcome<T>> }): Promise<Outcome<T>> {
    try {
      const loaded = await load(key);
      // The key was dropped meanwhile. The loaded value may be older than the change that dropped it.
      return loads.get(key) === self ? kept(key, loaded) : loaded;
    } finally {
      if (loads.get(key) === self) loads.delete(key);
    }
  }

  /** The outcome for the callers of a load. */
  function kept(key: string, loaded: Outcome<T>): Outcome<T> {
    const before = entries.get(key);
    if (loaded.ok) {
      keep(key, loaded, bounds.keepMs);
    } else if (before && loaded.refusal.code === 'catalog_unavailable') {
      keep(key, before.outcome, STALE_KEEP_MS);
      return before.outcome;
    } else {
      entries.delete(key);
    }
    return loaded;
  }

  function startLoad(key: string): Promise<Outcome<T>> {
    const self = {} as { answer: Promise<Outcome<T>> };
    loads.set(key, self);
    self.answer = run(key, self);
    return self.answer;
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry && entry.freshUntil > clock.now()) return entry.outcome;
      return loads.get(key)?.answer ?? startLoad(key);
    },
    drop(key) {
      entries.delete(key);
      loads.delete(key);
    },
    clear() {
      entries.clear();
      loads.clear();
    },
  };
}
