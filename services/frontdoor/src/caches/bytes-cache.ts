/**
 * Keeps values that never change under their name, up to a number of bytes. The least recently used value leaves first.
 * Concurrent callers share one load. Refusals are not kept.
 */
import { done, type Outcome } from '@parterre/shared/errors';

export type BytesCache<T> = {
  get<K extends T>(name: string, load: () => Promise<Outcome<K>>): Promise<Outcome<K>>;
};

export function createBytesCache<T>(bytesMax: number, bytesOf: (value: T) => number): BytesCache<T> {
  const kept = new Map<string, T>();
  const loads = new Map<string, Promise<Outcome<T>>>();
  let bytes = 0;

  function keep(name: string, value: T): void {
    kept.set(name, value);
    bytes += bytesOf(value);
    for (const [oldest, least] of kept) {
      if (bytes <= bytesMax || oldest === name) return;
      kept.delete(oldest);
      bytes -= bytesOf(least);
    }
  }

  async function loadAndKeep(name: string, load: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    try {
      const found = await load();
      if (found.ok) keep(name, found.value);
      return found;
    } finally {
      loads.delete(name);
    }
  }

  return {
    async get<K extends T>(name: string, load: () => Promise<Outcome<K>>) {
      const known = kept.get(name);
      if (known !== undefined) {
        kept.delete(name);
        kept.set(name, known);
        return done(known as K);
      }
      const loading = loads.get(name) ?? loadAndKeep(name, load);
      loads.set(name, loading);
      return loading as Promise<Outcome<K>>;
    },
  };
}
