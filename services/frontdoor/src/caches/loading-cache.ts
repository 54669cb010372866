/**
 * A bounded cache in front of a slow source. The least recently used entry leaves first, an entry older than `keepMs`
 * is loaded again, and concurrent callers of one key share one load.
 *
 * States of a key: absent → loading → fresh → stale → loading. `drop` and `clear` make a key absent at any time. A load
 * under way then still answers its callers, but is not kept. Refusals are not kept either. While the catalog is
 * unavailable, a stale entry stays in use: only the catalog could change its content.
 */
import type { Clock } from '@parterre/shared/clock';
import type { Outcome } from '@parterre/shared/errors';

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
  const entries = new Map<string, { outcome: Outcome<T>; freshUntil: number }>();
  const loads = new Map<string, { answer: Promise<Outcome<T>> }>();

  function keep(key: string, outcome: Outcome<T>, keepMs: number): void {
    entries.delete(key);
    entries.set(key, { outcome, freshUntil: clock.now() + keepMs });
    if (entries.size > bounds.entriesMax) entries.delete(entries.keys().next().value!);
  }

  async function run(key: string, self: { answer: Promise<Outcome<T>> }): Promise<Outcome<T>> {
    const loaded = await load(key);
    // The key was dropped meanwhile. The loaded value may be older than the change that dropped it.
    if (loads.get(key) !== self) return loaded;
    loads.delete(key);
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
      if (entry && entry.freshUntil > clock.now()) {
        entries.delete(key);
        entries.set(key, entry);
        return entry.outcome;
      }
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
