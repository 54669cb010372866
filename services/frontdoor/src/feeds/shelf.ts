/**
 * Keeps frames and bodies that are made once and sent to many. All events together have a bound in bytes; the oldest
 * entry is dropped first. Nothing is awaited.
 */
import type { Frame } from './frames.ts';

/** `version` is the event's version in the body. The body was made at `at` (`Clock.elapsed`). */
export type Kept<Body extends Frame> = { version: number; at: number; body: Body };

/** The shelf of one event. A name always has the same kind of body. */
export type Place = {
  get<Body extends Frame>(name: string): Kept<Body> | undefined;
  set(name: string, kept: Kept<Frame>): void;
  clear(): void;
};

export class Shelf {
  private bytes = 0;
  private readonly all = new Map<string, Kept<Frame>>();

  constructor(private readonly bytesMax: number) {}

  of(eventKey: string): Place {
    const prefix = `${eventKey} `;
    return {
      get: <Body extends Frame>(name: string) => this.all.get(prefix + name) as Kept<Body> | undefined,
      set: (name, kept) => {
        this.drop(prefix + name);
        this.all.set(prefix + name, kept);
        this.bytes += kept.body.length;
        while (this.bytes > this.bytesMax) this.drop(this.all.keys().next().value!);
      },
      clear: () => {
        for (const name of [...this.all.keys()]) if (name.startsWith(prefix)) this.drop(name);
      },
    };
  }

  private drop(name: string): void {
    const kept = this.all.get(name);
    if (kept && this.all.delete(name)) this.bytes -= kept.body.length;
  }
}
