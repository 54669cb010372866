/**
 * The plan compiler as the loop sees it: a worker thread that unpacks, parses and compiles documents of charts. Large
 * charts take a tenth of a second and more. No loop stands still meanwhile.
 *
 * States of a plan: waiting → compiling, at its turn and after the pause of a dead thread → made in the loop, in
 * portions (packed-plan.ts) → given to its caller. One plan at a time is behind `waiting`.
 *
 * States of the thread: none → running, with the first plan → resting, when no plan waits → running, with the next plan,
 * or none, after `compilerRestMsMax`. It may die in any state. The next plan starts another thread, after a death with a
 * pause, which doubles with each death in a row. The first compiled plan ends the row. `close` ends the thread for good.
 *
 * Failures at the wait for the thread: the thread dies, or it takes longer than `compileMsMax` and is ended. The plan
 * under way then fails, and its callers ask again. Plans that wait go on with the next thread. A document that cannot be
 * compiled fails alone. After `close`, every plan fails.
 */
import type { Plan } from '../chart/plan.ts';
import { type Clock, pauseUnless } from '../clock.ts';
import { Fault } from '../errors.ts';
import type { Logger } from '../log.ts';
import { createTurns } from '../turns.ts';
import { compileMsMax, compilerPauseMsMax, compilerPauseMsMin, compilerRestMsMax, plansWaitingMax } from './bounds.ts';
import type { Compiled, ToCompile } from './compiler-messages.ts';
import { type PackedPlan, unpackPlan } from './packed-plan.ts';

/** Called with the thread's messages, and at its end. No message follows the end. */
export type CompilerListener = { onCompiled(compiled: Compiled): void; onError(error: Error): void; onExit(): void };

/** A thread that runs. The buffers of `transfer` move to the thread. */
type CompilerWorker = {
  postMessage(job: ToCompile, transfer: ArrayBuffer[]): void;
  terminate(): Promise<unknown>;
};

export type StartCompiler = (listener: CompilerListener) => CompilerWorker;

type Answer = { resolve(compiled: Compiled): void; reject(fault: Fault): void };

export class PlanCompiler {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #start: StartCompiler;
  readonly #inTurn = createTurns(1);
  readonly #stopping = new AbortController();
  #waiting = 0;
  #worker: CompilerWorker | null = null;
  /** The caller that the thread works for. */
  #answer: Answer | null = null;
  #endRest = () => {};
  #diedAt = Number.NEGATIVE_INFINITY;
  #deathsInRow = 0;
  deaths = 0;

  constructor(clock: Clock, log: Logger, start: StartCompiler) {
    this.#clock = clock;
    this.#log = log;
    this.#start = start;
  }

  /** `doc` is the document as gzipped JSON. Throws a `Fault` without a plan. */
  async compile(doc: Uint8Array, hash: string): Promise<Plan> {
    if (this.#waiting >= plansWaitingMax) throw new Fault(`compile plan ${hash}: ${this.#waiting} plans wait`);
    this.#waiting++;
    return this.#inTurn(async () => {
      this.#waiting--;
      // `doc` may be a part of a message, and the caller keeps it: the thread takes a copy.
      return unpackPlan(await this.#compileInThread({ doc: new Uint8Array(doc), hash }));
    });
  }

  /** Starts the thread ahead of the first plan, which buyers wait for. */
  wake(): void {
    this.#run();
    this.#rest();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#endRest();
    await this.#worker?.terminate();
  }

  async #compileInThread(job: ToCompile): Promise<PackedPlan> {
    await this.#pauseOver();
    if (this.#stopping.signal.aborted) throw new Fault(`compile plan ${job.hash}: the service stops`);
    this.#endRest();
    const worker = this.#run();
    const cancel = this.#clock.after(compileMsMax, () => void worker.terminate());
    try {
      const compiled = await new Promise<Compiled>((resolve, reject) => {
        this.#answer = { resolve, reject };
        worker.postMessage(job, [job.doc.buffer as ArrayBuffer]);
      });
      if (compiled.kind === 'failed') throw new Fault(`compile plan ${job.hash}: ${compiled.message}`);
      return compiled.plan;
    } finally {
      this.#answer = null;
      cancel();
      this.#rest();
    }
  }

  async #pauseOver(): Promise<void> {
    if (this.#deathsInRow === 0) return;
    const pauseMs = Math.min(compilerPauseMsMin * 2 ** (this.#deathsInRow - 1), compilerPauseMsMax);
    const leftMs = this.#diedAt + pauseMs - this.#clock.elapsed();
    if (leftMs > 0) await pauseUnless(this.#stopping.signal, this.#clock, leftMs);
  }

  #run(): CompilerWorker {
    if (this.#worker) return this.#worker;
    const worker = this.#start({
      onCompiled: (compiled) => {
        this.#deathsInRow = 0;
        this.#answer?.resolve(compiled);
      },
      onError: (error) => this.#log.error({ err: error }, 'the plan compiler failed'),
      onExit: () => this.#onExit(worker),
    });
    this.#worker = worker;
    return worker;
  }

  #rest(): void {
    this.#endRest();
    this.#endRest = this.#clock.after(compilerRestMsMax, () => this.#dismiss());
  }

  #dismiss(): void {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }

  #onExit(worker: CompilerWorker): void {
    // A dismissed thread leaves without work.
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#diedAt = this.#clock.elapsed();
    this.#deathsInRow++;
    this.deaths++;
    this.#answer?.reject(new Fault('compile a plan: the plan compiler died'));
  }
}
