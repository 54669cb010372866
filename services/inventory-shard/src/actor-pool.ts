/**
 * The actors of one partition that are in memory: brought in from the journal when first asked for, woken by their
 * deadlines, dropped with their speculative state when it turned out wrong.
 *
 * Loading awaits the journal, the object store and the catalog; if one fails, the commands that wait are told `moved`
 * (nothing was done, ask again), the actor is dropped, and loaded again by the next command or after a pause: the event
 * may have holds to end without being asked. An event without a journal is
 * not kept, so that unknown keys do not fill the memory; a `create` among its commands makes it, once the plan is here.
 */

import type { Clock } from '@parterre/shared/clock';
import { reloadPauseMs } from '@parterre/shared/limits';
import type { Logger } from '@parterre/shared/log';
import type { PlanSource } from '@parterre/shared/plans';
import type { PendingReply } from './actor.ts';
import { type Actor, creationIn, type Job, newActor, wakeAt } from './actor.ts';
import type { EventLoader } from './outbound/recovery.ts';

export type PoolPorts = {
  clock: Clock;
  log: Logger;
  plans: PlanSource;
  loader: EventLoader;
  reply(pending: PendingReply): void;
};

export class ActorPool {
  readonly #ports: PoolPorts;
  readonly #actors = new Map<string, Actor>();
  /** Called when an actor may have something to do. */
  readonly #onWork: (actor: Actor) => void;
  #closed = false;

  constructor(ports: PoolPorts, onWork: (actor: Actor) => void) {
    this.#ports = ports;
    this.#onWork = onWork;
  }

  /** The event's actor; a new one starts loading. */
  get(eventKey: string): Actor {
    let actor = this.#actors.get(eventKey);
    if (!actor) {
      actor = newActor(eventKey);
      this.#actors.set(eventKey, actor);
      void this.#load(actor);
    }
    return actor;
  }

  /** False for an actor that was dropped. */
  has(actor: Actor): boolean {
    return this.#actors.get(actor.eventKey) === actor;
  }

  all(): Actor[] {
    return [...this.#actors.values()];
  }

  /** Forgets an actor. Who waits in its mailbox is told to ask again. */
  drop(actor: Actor): void {
    if (this.has(actor)) this.#actors.delete(actor.eventKey);
    actor.cancelTimer?.();
    actor.cancelTimer = null;
    actor.phase = 'loading';
    this.#answerAll(actor, 'moved');
  }

  /** Drops an actor whose state cannot be trusted and brings the event back from its journal. */
  reload(actor: Actor): void {
    this.drop(actor);
    this.get(actor.eventKey);
  }

  /** Drops all, for good. */
  close(): void {
    this.#closed = true;
    for (const actor of this.all()) this.drop(actor);
  }

  /** Sets the actor's timer to its next deadline. */
  arm(actor: Actor): void {
    actor.cancelTimer?.();
    const { clock } = this.#ports;
    const at = wakeAt(actor);
    actor.cancelTimer = at === null ? null : clock.after(at - clock.now(), () => this.#wake(actor));
  }

  #wake(actor: Actor): void {
    actor.cancelTimer = null;
    if (!this.has(actor)) return;
    this.#onWork(actor);
    // Cut without a record: the timer fired early or the clock was set back, and the deadline still stands.
    if (!actor.queued && !actor.cancelTimer) this.arm(actor);
  }

  async #load(actor: Actor): Promise<void> {
    try {
      const loaded = await this.#ports.loader.load(actor.eventKey);
      if (!this.has(actor)) return;
      if (!loaded) {
        await this.#leaveAbsence(actor);
        return;
      }
      actor.state = loaded;
      actor.snapshotAt = this.#ports.clock.now();
      actor.phase = 'ready';
      this.arm(actor);
      this.#onWork(actor);
    } catch (error) {
      this.#ports.log.error({ err: error, eventKey: actor.eventKey }, 'event could not be loaded');
      this.drop(actor);
      this.#ports.clock.after(reloadPauseMs, () => {
        if (!this.#closed) this.get(actor.eventKey);
      });
    }
  }

  async #leaveAbsence(actor: Actor): Promise<void> {
    const creation = creationIn(actor);
    if (!creation) {
      this.#actors.delete(actor.eventKey);
      this.#answerAll(actor, 'absent');
      return;
    }
    actor.phase = 'creating';
    actor.planToCreate = await this.#ports.plans(creation.config.planHash);
    actor.snapshotAt = this.#ports.clock.now();
    actor.phase = 'ready';
    this.#onWork(actor);
  }

  #answerAll(actor: Actor, kind: 'moved' | 'absent'): void {
    for (const job of actor.mailbox.splice(0)) this.#ports.reply(answer(job, kind));
  }
}

function answer({ envelope, replyTo }: Job, kind: 'moved' | 'absent'): PendingReply {
  return { replyTo, reply: { id: envelope.id, kind } };
}
