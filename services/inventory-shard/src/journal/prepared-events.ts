/**
 * Events that an heir loads before it takes their partition, while the owner still serves. The takeover then folds only
 * the groups that came since, and no buyer waits for a snapshot or a plan. The owner asks twice: the second time the
 * states are folded on, so that few groups remain.
 *
 * A prepared state is a fold of groups that the log had acknowledged, so it stays a true beginning (I6). Behind the
 * fence the load folds it on to the end of the journal. A state is given away once, and forgotten after
 * `preparedKeepMs`. A state that is being folded on is nobody else's: a takeover that comes meanwhile loads the event
 * from its snapshot.
 *
 * Failure at the await: an event that cannot be loaded is not prepared. Its first command loads it.
 */
import type { Clock } from '@parterre/shared/runtime/clock';
import { preparedEventsMax, preparedKeepMs } from './bounds.ts';
import type { EventLoader, LoadedEvent } from './recovery.ts';
import type { SharedParts } from './shared-parts.ts';

/** Without `shared` the loader knows no shared parts behind an event's last message on its own subject. */
type LoaderOf = (partition: number, shared?: SharedParts) => EventLoader;

/** `places`: the events that are prepared or are being prepared. */
type Preparation = { places: number; loaded: Map<string, LoadedEvent> };

export class PreparedEvents {
  readonly #clock: Clock;
  readonly #loaderOf: LoaderOf;
  readonly #preparations = new Map<number, Preparation>();

  constructor(clock: Clock, loaderOf: LoaderOf) {
    this.#clock = clock;
    this.#loaderOf = loaderOf;
  }

  /**
   * Resolves when the events are prepared, as far as there is room for them. Events that were prepared are folded on.
   */
  async prepare(partition: number, eventKeys: readonly string[]): Promise<void> {
    const loader = this.#loaderOf(partition);
    const before = this.#take(partition);
    const chosen = eventKeys.slice(0, this.#room());
    const preparation: Preparation = { places: chosen.length, loaded: new Map() };
    const isKept = (): boolean => this.#preparations.get(partition) === preparation;
    this.#preparations.set(partition, preparation);
    this.#clock.after(preparedKeepMs, () => {
      if (isKept()) this.#take(partition);
    });
    await Promise.all(
      chosen.map(async (eventKey) => {
        // The first command loads the event again, and logs the cause if the load fails again.
        const loaded = await loader.load(eventKey, before.get(eventKey)).catch(() => null);
        if (loaded && isKept()) preparation.loaded.set(eventKey, loaded);
      }),
    );
  }

  /** The loader of a partition that is taken now. It begins with the prepared events. */
  loader(partition: number, shared: SharedParts): EventLoader {
    const loader = this.#loaderOf(partition, shared);
    const prepared = this.#take(partition);
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

  #room(): number {
    let room = preparedEventsMax;
    for (const { places } of this.#preparations.values()) room -= places;
    return Math.max(0, room);
  }

  /** The prepared events of the partition, which are forgotten here. */
  #take(partition: number): Map<string, LoadedEvent> {
    const preparation = this.#preparations.get(partition);
    this.#preparations.delete(partition);
    return preparation?.loaded ?? new Map<string, LoadedEvent>();
  }
}
