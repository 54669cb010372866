/**
 * The reader thread as the loop sees it: a worker thread that computes large reads of captured states.
 *
 * States: none → running, at the first read → none, when the thread dies. A read within `readerPauseMs` of a death is
 * lost at once, so that a thread that cannot start does not start all the time. `close` ends the thread for good.
 *
 * Each plan is sent once to a thread. The loop decides which plans the thread forgets, past `readerPlansMax`.
 *
 * States of a capture: taken → packed, in slices of the event loop's turns → sent → over, when all its reads are
 * answered. Failure while it is packed, and at the wait for an answer: the thread dies. All captures under way are then
 * `lost`.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Steps } from '../rules/packed/packed.ts';
import { buffersOf, type Captured, capture, packInSteps, readPlanOf } from '../rules/reads/captured.ts';
import type { LargeRead } from '../rules/reads/event-reads.ts';
import type { ReadState } from '../rules/state/state.ts';
import { capturesMax, readerPauseMs, readerPlansMax } from './bounds.ts';
import type { Computed, FromReader, ToReader } from './reader-messages.ts';

export type Outcome = Computed | { kind: 'lost' };

type UnderWay = { reads: LargeRead[]; left: Set<number>; onOutcome: (read: LargeRead, outcome: Outcome) => void };

/** The turn of the event loop (partition/loop-turn.ts). */
type Turn = { isOver(): boolean; goOn(run: () => void): void };

/** Called with the thread's messages, and at its end. No message follows the end. */
export type ReaderListener = { onAnswer(told: FromReader): void; onError(error: Error): void; onExit(): void };

/** A thread that runs. The buffers of `transfer` move to the thread. */
type ReaderWorker = {
  postMessage(message: ToReader, transfer?: ArrayBuffer[]): void;
  terminate(): Promise<unknown>;
};

export type StartReader = (listener: ReaderListener) => ReaderWorker;

type Running = { worker: ReaderWorker; plans: Set<string> };

export class ReaderThread {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #log: Logger;
  readonly #turn: Turn;
  readonly #start: StartReader;
  readonly #underWay = new Map<number, UnderWay>();
  #running: Running | null = null;
  #diedAt = Number.NEGATIVE_INFINITY;
  #lastId = 0;
  deaths = 0;

  constructor(clock: Pick<Clock, 'elapsed'>, log: Logger, turn: Turn, start: StartReader) {
    this.#clock = clock;
    this.#log = log;
    this.#turn = turn;
    this.#start = start;
  }

  /** False, and nothing is called, when `capturesMax` captures are under way. */
  read(state: ReadState, reads: LargeRead[], onOutcome: UnderWay['onOutcome']): boolean {
    if (this.#underWay.size >= capturesMax) return false;
    const running = this.#run();
    if (!running) {
      for (const read of reads) onOutcome(read, { kind: 'lost' });
      return true;
    }
    this.#sendPlan(running, state.plan);
    const id = ++this.#lastId;
    this.#underWay.set(id, { reads, left: new Set(reads.keys()), onOutcome });
    this.#pack(running, id, packInSteps(capture(state)));
    return true;
  }

  #pack(running: Running, id: number, steps: Steps<Captured>): void {
    while (!this.#turn.isOver()) {
      const step = steps.next();
      if (step.done) {
        this.#send(running, id, step.value);
        return;
      }
    }
    this.#turn.goOn(() => this.#pack(running, id, steps));
  }

  #send({ worker }: Running, id: number, captured: Captured): void {
    // The thread may have died meanwhile. Then the capture is lost already.
    const underWay = this.#underWay.get(id);
    if (!underWay) return;
    const message: ToReader = { type: 'read', id, captured, reads: underWay.reads };
    worker.postMessage(message, buffersOf(captured));
  }

  async close(): Promise<void> {
    this.#diedAt = Number.POSITIVE_INFINITY;
    await this.#running?.worker.terminate();
  }

  #run(): Running | null {
    if (this.#running || this.#clock.elapsed() < this.#diedAt + readerPauseMs) return this.#running;
    const worker = this.#start({
      onAnswer: (told) => this.#onAnswer(told),
      onError: (error) => this.#log.error({ err: error }, 'the reader thread failed'),
      onExit: () => this.#onExit(),
    });
    this.#running = { worker, plans: new Set() };
    return this.#running;
  }

  #sendPlan({ worker, plans }: Running, plan: Plan): void {
    if (plans.has(plan.hash)) return;
    if (plans.size >= readerPlansMax) {
      const [oldest] = plans as Iterable<string>;
      plans.delete(oldest!);
      worker.postMessage({ type: 'forget-plan', hash: oldest! } satisfies ToReader);
    }
    plans.add(plan.hash);
    worker.postMessage({ type: 'plan', plan: readPlanOf(plan) } satisfies ToReader);
  }

  #onAnswer({ id, nth, outcome }: FromReader): void {
    const underWay = this.#underWay.get(id)!;
    underWay.left.delete(nth);
    if (underWay.left.size === 0) this.#underWay.delete(id);
    underWay.onOutcome(underWay.reads[nth]!, outcome);
  }

  #onExit(): void {
    this.#running = null;
    this.#diedAt = Math.max(this.#diedAt, this.#clock.elapsed());
    this.deaths++;
    const lost = [...this.#underWay.values()];
    this.#underWay.clear();
    for (const { reads, left, onOutcome } of lost) {
      for (const nth of left) onOutcome(reads[nth]!, { kind: 'lost' });
    }
  }
}
