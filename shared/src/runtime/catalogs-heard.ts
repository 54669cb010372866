/**
 * The catalogs that a process hears, each by the beats that it sends four times a second while it serves and reaches
 * its store. A stopped catalog sends no beat, although NATS still delivers to it: a stopped process keeps its
 * connection. So a client that hears beats never chooses a catalog that has been silent for `catalogSilenceMs`.
 *
 * States of a catalog: unknown → heard → silent → heard …; forgotten (unknown) when nobody listens under its id. A
 * client that was stopped itself finds every catalog silent, until the next beats come. It then asks any catalog.
 */
import { catalogSilenceMs, catalogsHeardMax } from '../protocol/limits.ts';
import { subjects } from '../protocol/subjects.ts';
import type { Clock } from './clock.ts';
import { hearing, type NatsConnection } from './nats.ts';

export class CatalogsHeard {
  readonly #clock: Clock;
  /** When each catalog was heard last. The catalog that was chosen longest ago is first. */
  readonly #heardAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  follow(nats: NatsConnection): this {
    const idAt = subjects.catalogBeat('').length;
    nats.subscribe(subjects.allCatalogBeats, { callback: hearing(({ subject }) => this.hear(subject.slice(idAt))) });
    return this;
  }

  hear(id: string): void {
    if (this.#heardAt.has(id) || this.#heardAt.size < catalogsHeardMax) this.#heardAt.set(id, this.#clock.elapsed());
  }

  /** Nobody listens under this id. The next beat makes the catalog known again. */
  forget(id: string): void {
    this.#heardAt.delete(id);
  }

  /** Whether the catalog has sent a beat after this time. */
  wasHeardSince(id: string, time: number): boolean {
    return (this.#heardAt.get(id) ?? Number.NEGATIVE_INFINITY) > time;
  }

  /** A catalog that is heard now, other than these, each in its turn. Null when there is none. */
  choose(others: ReadonlySet<string>): string | null {
    const silentBefore = this.#clock.elapsed() - catalogSilenceMs;
    for (const [id, heardAt] of this.#heardAt) {
      if (others.has(id) || heardAt <= silentBefore) continue;
      this.#heardAt.delete(id);
      this.#heardAt.set(id, heardAt);
      return id;
    }
    return null;
  }

  /** Whether a catalog other than these is heard now. */
  hears(others: ReadonlySet<string>): boolean {
    const silentBefore = this.#clock.elapsed() - catalogSilenceMs;
    for (const [id, heardAt] of this.#heardAt) if (!others.has(id) && heardAt > silentBefore) return true;
    return false;
  }
}
