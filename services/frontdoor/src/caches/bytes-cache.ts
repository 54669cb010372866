/**
 * Keeps values that never change under their name, up to a number of bytes. The least recently used value leaves first.
 * A value that is larger than the whole cache is not kept.
 *
 * States of a name: absent → loading → kept → absent. Concurrent callers share one load. If the load (the only await)
 * refuses or throws, its callers get the refusal or the exception, and the name is absent again.
 */
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { LRUCache } from 'lru-cache';

export type BytesCache<T> = {
  get<K extends T>(name: string, load: () => Promise<Outcome<K>>): Promise<Outcome<K>>;
  /** Undefined where the value is not kept. */
  peek(name: string): T | undefined;
};

export function createBytesCache<T extends object>(bytesMax: number, bytesOf: (value: T) => number): BytesCache<T> {
  // The library takes no size of 0.
  const kept = new LRUCache<string, T>({ maxSize: bytesMax, sizeCalculation: (value) => Math.max(1, bytesOf(value)) });
  const loads = new Map<string, Promise<Outcome<T>>>();

  async function loadAndKeep(name: string, load: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const found = await load();
    if (found.ok) kept.set(name, found.value);
    return found;
  }

  return {
    peek: (name) => kept.get(name),
    async get<K extends T>(name: string, load: () => Promise<Outcome<K>>) {
      const known = kept.get(name);
      if (known !== undefined) return done(known as K);
      const underWay = loads.get(name);
      if (underWay !== undefined) return underWay as Promise<Outcome<K>>;
      const loading = loadAndKeep(name, load).finally(() => loads.delete(name));
      loads.set(name, loading);
      return loading as Promise<Outcome<K>>;
    },
  };
}
