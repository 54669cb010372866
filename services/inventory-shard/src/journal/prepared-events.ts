/**
 * Events that an heir loads before it takes their partition, while the owner still serves. The takeover then folds only
 * the groups that came since, and no buyer waits for a snapshot or a plan.
 *
 * A prepared state is a fold of groups that the log had acknowledged, so it stays a true beginning (I6). Behind the fence
 * the load folds it on to the end of the journal. A state is given away once, and forgotten after `preparedKeepMs`.
 *
 * Failure at the await: an event that cannot be loaded is not prepared. Its first command loads it.
 */
import type { Clock } from '@parterre/shared/clock';
import { preparedEventsMax, preparedKeepMs } from './bounds.ts';
import type { EventLoader, LoadedEvent } from './recovery.ts';
import type { SharedParts } from './shared-parts.ts';

/** Without `shared` the loader knows no shared parts behind an event's last message on its own subject. */
type LoaderOf = (partition: number, shared?: SharedParts) => EventLoader;

export class PreparedEvents {
  readonly #clock: Clock;
  readonly #loaderOf: LoaderOf;
  readonly #prepared = new Map<number, Map<string, LoadedEvent>>();
  /** The events that are prepared or are being prepared, of all partitions. */
  #count = 0;

  constructor(clock: Clock, loaderOf: LoaderOf) {
    this.#clock = clock;
    this.#loaderOf = loaderOf;
  }

  /** Resolves when the events are prepared, as far as there is room for them. */
  async prepare(partition: number, eventKeys: readonly string[]): Promise<void> {
    const loader = this.#loaderOf(partition);
    const prepared = new Map<string, LoadedEvent>();
    this.#forget(partition);
    this.#prepared.set(partition, prepared);
    const chosen = eventKeys.slice(0, Math.max(0, preparedEventsMax - this.#count));
    this.#count += chosen.length;
    this.#clock.after(preparedKeepMs, () => {
      this.#count -= chosen.length;
      if (this.#prepared.get(partition) === prepared) this.#forget(partition);
    });
    await Promise.all(
      chosen.map(async (eventKey) => {
        const loaded = await loader.load(eventKey).catch(() => null);
        if (loaded && this.#prepared.get(partition) === prepared) prepared.set(eventKey, loaded);
      }),
    );
  }

  /** The loader of a partition that is taken now. It begins with the prepared events. */
  loader(partition: number, shared: SharedParts): EventLoader {
    const loader = this.#loaderOf(partition, shared);
    const prepared = this.#prepared.get(partition) ?? new Map<string, LoadedEvent>();
    this.#forget(partition);
    return {
      ...loader,
      prepared: () => [...prepared.keys()],
      load(eventKey) {
        const from = prepared.get(eventKey);
        prepared.delete(eventKey);
        return loader.load(eventKey, from);
      },
    };
  }

  #forget(partition: number): void {
    this.#prepared.delete(partition);
  }
}
