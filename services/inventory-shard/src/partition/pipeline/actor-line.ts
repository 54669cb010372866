/**
 * The actors of one partition with work, in the order in which they are cut. Events that change in steps have a line
 * of their own (actor.ts). Only the first event of that line takes steps: a change may
 * need as much memory as the event. Its steps and the cuts of other events take turns.
 */
import { type Actor, isToChange } from '../actor.ts';

export class ActorLine {
  readonly #ready: Actor[] = [];
  /** Actors that are changing or will be, one after the other. They count as queued. */
  readonly #changing: Actor[] = [];
  #stepIsNext = false;

  get size(): number {
    return this.#ready.length + this.#changing.length;
  }

  /** Adds an actor that is ready, changing, or has an anchor, unless it stands in line. */
  add(actor: Actor): void {
    if (actor.queued || (actor.phase !== 'ready' && actor.phase !== 'changing' && !actor.anchor)) return;
    actor.queued = true;
    this.#ready.push(actor);
  }

  /** An actor whose change goes on. The actor that took a step stays the first. */
  addChanging(actor: Actor, isFirst: boolean): void {
    actor.queued = true;
    if (isFirst) this.#changing.unshift(actor);
    else this.#changing.push(actor);
  }

  /** The next actor; null when it has moved to the line of changes. Call this only with actors in line. */
  next(): { actor: Actor; isStep: boolean } | null {
    const isStep = this.#changing.length > 0 && (this.#stepIsNext || this.#ready.length === 0);
    this.#stepIsNext = !isStep;
    const actor = (isStep ? this.#changing : this.#ready).shift()!;
    if (isStep || !isToChange(actor)) return { actor, isStep };
    this.#changing.push(actor);
    return null;
  }

  clear(): void {
    this.#ready.length = 0;
    this.#changing.length = 0;
  }
}
