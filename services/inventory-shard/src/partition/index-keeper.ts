/**
 * Keeps the index of a partition's shared parts (journal/shared-parts.ts): reads the shared commits of a partition that
 * is taken over, and sees that the event that holds the low-water mark gets its anchor.
 *
 * An event in memory gets its anchor from the pipeline: its next part. Any other event gets its last part without
 * records, which needs no rule and no plan. So an event in trouble cannot hold the mark. States of such an anchor:
 * wanted
 * → the event is an actor that loads nothing → its last part is read → the actor stands in line with its `anchor` → the
 * anchor is in flight, and the actor is faulty → settled or undone. Then the pool reloads the event, as any faulty
 * actor. The actor keeps others from loading the event, whose version would be old behind the anchor. Commands of the
 * event wait in its mailbox.
 *
 * Failure at each await: the reading of shared commits is repeated after a pause, until the term ends. If the last part
 * cannot be read, the pool loads the event, and the next anchor waits for `reloadPauseMs`. When the term ends, the
 * actor is gone.
 */
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { EventLoader, SharedParts } from '../journal/journal.ts';
import type { Actor } from './actor.ts';
import { reloadPauseMs } from './bounds.ts';

type Ports = {
  clock: Clock;
  log: Logger;
  loader: Pick<EventLoader, 'sharedCommits' | 'anchorOf'>;
  shared: SharedParts;
};

/** The pool, as far as the index needs it. */
export type Actors = {
  /** The term has ended. */
  isOver(): boolean;
  find(eventKey: string): Actor | undefined;
  /** Makes an actor of an event that is none, without a load. */
  occupy(eventKey: string): Actor;
  reload(actor: Actor): void;
  /** The actor may have work. */
  onWork(actor: Actor): void;
};

export class IndexKeeper {
  readonly #ports: Ports;
  readonly #actors: Actors;
  /** No anchor is made before this time (`Clock.elapsed`). */
  #pausesUntil = Number.NEGATIVE_INFINITY;

  constructor(ports: Ports, actors: Actors) {
    this.#ports = ports;
    this.#actors = actors;
  }

  /**
   * Call this behind the partition's first fence, whose sequence is `last`. `low` is the low-water mark. Loads wait for
   * the end.
   */
  async fill(low: number, last: number): Promise<void> {
    const { clock, log, loader, shared } = this.#ports;
    shared.open(low, last);
    while (!this.#actors.isOver()) {
      try {
        const commits = await loader.sharedCommits(low, last);
        const unreadable = commits.filter(({ eventKeys }) => eventKeys === null).map(({ sequence }) => sequence);
        if (unreadable.length > 0)
          log.error({ sequences: unreadable.slice(0, 100) }, 'shared commits cannot be read: see docs/operations.md');
        return shared.fill(commits);
      } catch (error) {
        log.warn({ err: error }, 'the shared commits of the partition cannot be read yet');
        await pause(clock, reloadPauseMs);
      }
    }
  }

  /** The event that holds the low-water mark for too long gets an anchor. Call this behind each durable commit. */
  rouseDue(): void {
    const { clock, shared } = this.#ports;
    const { due } = shared;
    if (due === null || clock.elapsed() < this.#pausesUntil) return;
    const actor = this.#actors.find(due);
    if (actor) this.#actors.onWork(actor);
    else void this.#anchor(this.#actors.occupy(due));
  }

  async #anchor(actor: Actor): Promise<void> {
    const { clock, log, loader } = this.#ports;
    const { eventKey } = actor;
    try {
      actor.anchor = await loader.anchorOf(eventKey);
    } catch (error) {
      log.warn({ err: error, eventKey }, 'the last part of an event cannot be read for an anchor yet');
      this.#pausesUntil = clock.elapsed() + reloadPauseMs;
    }
    if (this.#actors.find(eventKey) !== actor) return;
    if (actor.anchor) this.#actors.onWork(actor);
    else this.#actors.reload(actor);
  }
}
