/**
 * Keeps frames and bodies that are made once and sent to many. All events together have a bound in bytes; the least
 * recently used entry is dropped first. Nothing is awaited.
 */
import { LRUCache } from 'lru-cache';
import type { Frame } from './frames/frame.ts';

/** `version` is the event's version in the body. The body was made at `at` (`Clock.elapsed`). */
export type ShelvedBody<Body extends Frame> = { version: number; at: number; body: Body };

/** The shelf of one event. A name always has the same kind of body. */
export type EventShelf = {
  get<Body extends Frame>(name: string): ShelvedBody<Body> | undefined;
  set(name: string, kept: ShelvedBody<Frame>): void;
  clear(): void;
};

/** `names` are the names of all entries of the same place. */
type Entry = { kept: ShelvedBody<Frame>; names: Set<string> };

export class Shelf {
  private readonly all: LRUCache<string, Entry>;

  constructor(bytesMax: number) {
    this.all = new LRUCache<string, Entry>({
      maxSize: bytesMax,
      // The library takes no size of 0.
      sizeCalculation: ({ kept }) => Math.max(1, kept.body.length),
      noDisposeOnSet: true,
      dispose: ({ names }, name) => names.delete(name),
    });
  }

  of(eventKey: string): EventShelf {
    const prefix = `${eventKey} `;
    const names = new Set<string>();
    return {
      get: <Body extends Frame>(name: string) => this.all.get(prefix + name)?.kept as ShelvedBody<Body> | undefined,
      set: (name, kept) => {
        names.add(prefix + name);
        this.all.set(prefix + name, { kept, names });
        if (!this.all.has(prefix + name)) names.delete(prefix + name);
      },
      clear: () => {
        for (const name of [...names]) this.all.delete(name);
      },
    };
  }
}
