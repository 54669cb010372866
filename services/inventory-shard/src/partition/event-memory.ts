/**
 * The memory of loaded events, shared by the pools of one process: the bound on its size (I8), and the turns to load
 * events.
 *
 * A loaded event counts with the estimate of `bytesOf`. An estimate reads fields all over the state, so a busy event is
 * estimated, and placed among the events that were used last, every `usedEveryMs` alone. States of an actor: none →
 * estimated, at its first use with a state → due, at the next use → estimated, after at most `usedEveryMs`; none, when
 * its pool has forgotten it. A plan counts once for all events that use it, and is prepared for best-available as it
 * enters memory. Over the bound, the least recently used events without work leave: their
 * pool stores a snapshot and forgets them, `passivationsAtOnce` at a time, and each passivation that ends starts the
 * next. Events with work stay, so busy events may exceed the bound. The excess is logged, and checked again after
 * `memoryPauseMs`. An event whose snapshot cannot be stored stays too: otherwise each load of it would read more and
 * more of the journal.
 *
 * Turns: an event that a command asks for waits only for other events that commands ask for. It never waits for events
 * that are loaded in the background, because of a deadline or because their snapshot is behind the journal.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { Clock } from '@parterre/shared/runtime/clock';
import { createLimiter } from '@parterre/shared/runtime/limiter';
import type { Logger } from '@parterre/shared/runtime/log';
import type { ReadState } from '../rules/state/state.ts';
import { bytesOf, bytesOfPlan } from '../rules/turn/turn.ts';
import { type Actor, isIdle } from './actor.ts';
import {
  activationsAtOnce,
  backgroundActivationsAtOnce,
  memoryPauseMs,
  memoryWarningEveryMs,
  passivationsAtOnce,
  snapshotReadsAtOnce,
  usedEveryMs,
} from './bounds.ts';
import { PlanPreparations } from './plan-preparations.ts';
import { TroubledEvents } from './troubled-events.ts';

/**
 * How a passivation ended: the actor is forgotten, or the actor was used meanwhile and stays, or its snapshot was not
 * stored.
 */
export type Passivation = 'gone' | 'stays' | 'failed';

type Passivate = (actor: Actor) => Promise<Passivation>;

type Resident = { bytes: number; plan: Plan; passivate: Passivate };

export type EventMemoryPorts = { clock: Clock; log: Logger; bytesMax: number };

export class EventMemory {
  readonly asked = createLimiter(activationsAtOnce);
  readonly inBackground = createLimiter(backgroundActivationsAtOnce);
  readonly reading = createLimiter(snapshotReadsAtOnce);
  readonly troubles: TroubledEvents;
  /** Activations and passivations since the process started, and the number of events asleep now. */
  activations = 0;
  passivations = 0;
  asleep = 0;
  readonly #ports: EventMemoryPorts;
  readonly #preparations: PlanPreparations;
  /** By actor, the least recently used first. */
  readonly #residents = new Map<Actor, Resident>();
  readonly #users = new Map<Plan, number>();
  /** Residents that were used since their estimate. */
  readonly #due: Actor[] = [];
  readonly #leaving = new Set<Resident>();
  #bytes = 0;
  #isToRelieve = false;
  #isPaused = false;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(ports: EventMemoryPorts) {
    this.#ports = ports;
    this.troubles = new TroubledEvents(ports.clock, ports.log);
    this.#preparations = new PlanPreparations(ports.log);
  }

  get loaded(): number {
    return this.#residents.size;
  }

  /** The estimated bytes of all loaded events and their plans. */
  get bytes(): number {
    return this.#bytes;
  }

  get bytesMax(): number {
    return this.#ports.bytesMax;
  }

  get isOver(): boolean {
    return this.#bytes > this.#ports.bytesMax;
  }

  /** The actor is in use, or its state has changed. `passivate` is called when the actor should leave. */
  used(actor: Actor, passivate: Passivate): void {
    if (actor.memory === 'due' || !actor.state) return;
    if (actor.memory === 'none') {
      const { plan } = actor.state;
      this.#usePlan(plan, 1);
      this.#estimate(actor, actor.state, { bytes: 0, plan, passivate });
    } else {
      actor.memory = 'due';
      if (this.#due.push(actor) === 1) this.#ports.clock.after(usedEveryMs, () => this.#estimateDue());
    }
  }

  #estimate(actor: Actor, state: ReadState, resident: Resident): void {
    actor.memory = 'estimated';
    this.#residents.delete(actor);
    this.#residents.set(actor, resident);
    if (resident.plan !== state.plan) {
      this.#usePlan(resident.plan, -1);
      this.#usePlan(state.plan, 1);
      resident.plan = state.plan;
    }
    const bytes = bytesOf(state);
    this.#bytes += bytes - resident.bytes;
    resident.bytes = bytes;
    if (this.isOver && !this.#isPaused) this.#relieveSoon();
  }

  #estimateDue(): void {
    for (const actor of this.#due.splice(0)) {
      if (actor.memory === 'due') this.#estimate(actor, actor.state!, this.#residents.get(actor)!);
    }
  }

  /** The loaded events. */
  get loadedActors(): Iterable<Actor> {
    return this.#residents.keys();
  }

  /** At most `count` of the actors that `isMeant`, the most recently used first. */
  recent(isMeant: (actor: Actor) => boolean, count: number): Actor[] {
    this.#estimateDue();
    return [...this.#residents.keys()].filter(isMeant).slice(-count).reverse();
  }

  /** The pool has forgotten the actor. */
  gone(actor: Actor): void {
    actor.memory = 'none';
    const resident = this.#residents.get(actor);
    if (!resident) return;
    this.#residents.delete(actor);
    this.#bytes -= resident.bytes;
    this.#usePlan(resident.plan, -1);
  }

  #usePlan(plan: Plan, more: 1 | -1): void {
    const before = this.#users.get(plan) ?? 0;
    if (before + more === 0) this.#users.delete(plan);
    else this.#users.set(plan, before + more);
    if (before === 0) {
      this.#bytes += bytesOfPlan(plan);
      this.#preparations.prepare(plan);
    }
    if (before + more === 0) {
      this.#bytes -= bytesOfPlan(plan);
      this.#preparations.drop(plan);
    }
  }

  /** Relief runs after the current turn: the code that uses an actor now is about to give it work. */
  #relieveSoon(): void {
    if (this.#isToRelieve) return;
    this.#isToRelieve = true;
    queueMicrotask(() => {
      this.#isToRelieve = false;
      this.#relieve();
    });
  }

  #relieve(): void {
    if (this.#isPaused) return;
    this.#estimateDue();
    let excess = this.#bytes - this.#ports.bytesMax;
    for (const { bytes } of this.#leaving) excess -= bytes;
    for (const [actor, resident] of this.#residents) {
      if (excess <= 0 || this.#leaving.size >= passivationsAtOnce) return;
      if (this.#leaving.has(resident) || !isIdle(actor)) continue;
      excess -= resident.bytes;
      void this.#passivate(actor, resident);
    }
    if (excess <= 0) return;
    this.#pause();
    const { clock, log, bytesMax } = this.#ports;
    if (clock.now() - this.#warnedAt < memoryWarningEveryMs) return;
    this.#warnedAt = clock.now();
    log.warn({ bytes: this.#bytes, bytesMax, events: this.loaded }, 'the events with work exceed INVENTORY_MEMORY_MB');
  }

  async #passivate(actor: Actor, resident: Resident): Promise<void> {
    this.#leaving.add(resident);
    const how = await resident.passivate(actor);
    this.#leaving.delete(resident);
    if (how === 'failed') this.#pause();
    if (this.isOver) this.#relieve();
  }

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#ports.clock.after(memoryPauseMs, () => {
      this.#isPaused = false;
      if (this.isOver) this.#relieve();
    });
  }
}
