/**
 * A bounded cache in front of a slow source. The least recently used entry leaves first, an entry older than `keepMs`
 * is loaded again, and concurrent callers of one key share one load.
 *
 * States of a key: absent → loading → fresh → stale → loading → fresh …. `drop` and `clear` make a key absent at any
 * time. A load under way then still answers its callers, but is not kept. Refusals are not kept either.
 *
 * A stale entry may serve on while its source does not answer: only the catalog could change the content, and a change
 * that the catalog announces drops the entry. A stale entry serves until `staleMsMax` after its load. The one await is
 * the load:
 * - The load is late. After `loadPatienceMs` its callers get the stale entry, later callers get the entry at once, and
 *   the load goes on behind them.
 * - The load fails with a refusal that says nothing about the entry (`tellsNothing`). Its callers get the stale entry.
 *   The next load begins after `failedLoadRestMs`.
 * - The load throws. Its callers get the exception, the key is as before, and the next caller starts another load.
 * - The key is dropped while callers wait. No caller gets the dropped entry any more. They wait for the load.
 *
 * A hit changes no `Map`: a `Map` keeps holes where entries were deleted, and a hot key whose entry is deleted and set
 * again at each hit waits for thousands of them.
 */

import { LRUCache } from 'lru-cache';
import { done, type Outcome, type RefusalCode } from '../protocol/errors.ts';
import type { Clock } from './clock.ts';
import { SECOND_MS } from './units.ts';

export type LoadingCache<T> = {
  /** Returns without a promise if the entry is fresh, or if it may serve while a late load goes on. */
  get(key: string): Outcome<T> | Promise<Outcome<T>>;
  /** The value that `get` would give without a promise; null without one. Starts no load. */
  peek(key: string): T | null;
  /** Keeps a value that its source has told by another way, as if it had been loaded now. */
  put(key: string, value: T): void;
  drop(key: string): void;
  clear(): void;
};

/**
 * `staleMsMax`: the age at which an entry serves no more, although no newer one could be loaded. `mayBeStale`: whether
 * a value may serve after `keepMs` now. [always]
 */
export type CacheBounds<T> = {
  entriesMax: number;
  keepMs: number;
  staleMsMax: number;
  mayBeStale?(value: T): boolean;
};

/** The time for which the callers of a load wait before they get a stale entry. */
const loadPatienceMs = 100;
/** How long a stale entry serves before an unavailable catalog is asked again. */
const failedLoadRestMs = SECOND_MS;

/** The source did not answer, has no room for the question, or has a fault of its own. */
const tellsNothing: ReadonlySet<RefusalCode> = new Set(['catalog_unavailable', 'overloaded', 'internal_error']);

/** Times are `Clock.elapsed`. */
type Entry<T> = { outcome: Extract<Outcome<T>, { ok: true }>; loadedAt: number; freshUntil: number };

type Load<T> = {
  answer: Promise<Outcome<T>>;
  /** The answer, or the stale entry once the load is late. */
  answerOrStale: Promise<Outcome<T>>;
  isLate: boolean;
};

export function createLoadingCache<T>(
  clock: Clock,
  bounds: CacheBounds<T>,
  load: (key: string) => Promise<Outcome<T>>,
): LoadingCache<T> {
  const entries = new LRUCache<string, Entry<T>>({ max: bounds.entriesMax });
  const loads = new Map<string, Load<T>>();

  const usable = (key: string): Entry<T> | null => serving(entries.get(key), clock.elapsed(), bounds);

  async function run(key: string, self: Load<T>): Promise<Outcome<T>> {
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
    const now = clock.elapsed();
    if (loaded.ok) {
      entries.set(key, { outcome: loaded, loadedAt: now, freshUntil: now + bounds.keepMs });
      return loaded;
    }
    const stale = tellsNothing.has(loaded.refusal.code) ? usable(key) : null;
    if (stale === null) {
      entries.delete(key);
      return loaded;
    }
    stale.freshUntil = Math.min(now + failedLoadRestMs, stale.loadedAt + bounds.staleMsMax);
    return stale.outcome;
  }

  function startLoad(key: string): Load<T> {
    const self = { isLate: false } as Load<T>;
    loads.set(key, self);
    self.answer = run(key, self);
    self.answerOrStale = usable(key) ? staleOnceLate(key, self) : self.answer;
    return self;
  }

  function staleOnceLate(key: string, self: Load<T>): Promise<Outcome<T>> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(loadPatienceMs, () => {
        self.isLate = true;
        const stale = loads.get(key) === self ? usable(key) : null;
        if (stale) resolve(stale.outcome);
      });
      self.answer.finally(cancel).then(resolve, reject);
    });
  }

  return {
    get(key) {
      const entry = usable(key);
      if (entry && clock.elapsed() < entry.freshUntil) return entry.outcome;
      const underWay = loads.get(key) ?? startLoad(key);
      if (entry === null) return underWay.answer;
      return underWay.isLate ? entry.outcome : underWay.answerOrStale;
    },
    peek: (key) => valueAtOnce(usable(key), loads.get(key), clock.elapsed()),
    put: (key, value) => void kept(key, done(value)),
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

/** The entry if it may still serve. */
function serving<T>(entry: Entry<T> | undefined, now: number, bounds: CacheBounds<T>): Entry<T> | null {
  if (!entry || now >= entry.loadedAt + bounds.staleMsMax) return null;
  const isStale = now >= entry.loadedAt + bounds.keepMs;
  return isStale && bounds.mayBeStale?.(entry.outcome.value) === false ? null : entry;
}

/** The value that a caller gets without a promise; null without one. */
function valueAtOnce<T>(entry: Entry<T> | null, load: Load<T> | undefined, now: number): T | null {
  const serves = entry !== null && (now < entry.freshUntil || load?.isLate === true);
  return serves ? entry.outcome.value : null;
}
