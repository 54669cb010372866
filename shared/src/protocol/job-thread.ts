/**
 * A worker thread as the loop sees it: work that would hold the loop up is done in the thread, one turn after the
 * other. Parties take turns. A turn may ask the thread several things, and the thread remembers the turn's work in
 * between.
 *
 * States of a turn: waiting → running → over. One turn at a time is past `waiting`.
 *
 * States of the thread: none → running, with the first turn → resting, when no turn waits → running, with the next
 * turn, or none, after `threadRestMsMax`. It may die in any state. The next turn starts another thread, after a death
 * with a pause, which doubles with each death in a row. The first answer ends the row. `close` ends the thread for
 * good.
 *
 * Failures at the wait for an answer: the thread dies, or it takes longer than `msMax` and is ended. The turn under way
 * then fails with a `Fault`, also at its later questions, because the next thread does not know its work. Turns that
 * wait go on with the next thread. After `close`, every turn fails.
 */
import { Worker } from 'node:worker_threads';
import { type Clock, pauseUnless } from '../runtime/clock.ts';
import { createPartyLimiter } from '../runtime/limiter.ts';
import type { Logger } from '../runtime/log.ts';
import { SECOND_MS } from '../runtime/units.ts';
import { Fault } from './errors.ts';

/** The pause before a thread that died is started again. It doubles with each death in a row. */
export const threadPauseMsMin = 250;
export const threadPauseMsMax = 8 * SECOND_MS;
/**
 * A thread without work ends after this time: it gives its memory back, and the next starts in a twentieth of a second.
 */
export const threadRestMsMax = 10 * SECOND_MS;

/** Called with the thread's messages, and at its end. No message follows the end. */
export type ThreadListener<Answer> = { onAnswer(answer: Answer): void; onError(error: Error): void; onExit(): void };

/** A thread that runs. The buffers of `transfer` move to the thread. */
export type RunningThread<Job> = {
  postMessage(job: Job, transfer: ArrayBuffer[]): void;
  terminate(): Promise<unknown>;
};

export type StartThread<Job, Answer> = (listener: ThreadListener<Answer>) => RunningThread<Job>;

/** Asks the thread of a turn. Throws a `Fault` without an answer. */
export type AskThread<Job, Answer> = (job: Job, transfer: ArrayBuffer[]) => Promise<Answer>;

/** `name` is a noun for log lines and faults. `msMax` bounds an answer. Past `waitingMax` turns, the next fails. */
export type ThreadBounds = { name: string; msMax: number; waitingMax: number };

type Asker<Answer> = { resolve(answer: Answer): void; reject(fault: Fault): void };

export class JobThread<Job, Answer> {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #start: StartThread<Job, Answer>;
  readonly #bounds: ThreadBounds;
  readonly #inTurn = createPartyLimiter(1);
  readonly #stopping = new AbortController();
  #waiting = 0;
  #worker: RunningThread<Job> | null = null;
  /** The caller that the thread works for. */
  #asker: Asker<Answer> | null = null;
  #endRest = () => {};
  #diedAt = Number.NEGATIVE_INFINITY;
  #deathsInRow = 0;
  deaths = 0;

  constructor(clock: Clock, log: Logger, start: StartThread<Job, Answer>, bounds: ThreadBounds) {
    this.#clock = clock;
    this.#log = log;
    this.#start = start;
    this.#bounds = bounds;
  }

  /** Runs `run` when the turn of `party` has come. Throws a `Fault` without a thread, and the exceptions of `run`. */
  async inTurn<T>(party: string, run: (ask: AskThread<Job, Answer>) => Promise<T>): Promise<T> {
    const { name, waitingMax } = this.#bounds;
    if (this.#waiting >= waitingMax) throw new Fault(`ask ${name}: ${this.#waiting} turns wait`);
    this.#waiting++;
    return this.#inTurn(party, async () => {
      this.#waiting--;
      await this.#pauseOver();
      if (this.#stopping.signal.aborted) throw new Fault(`ask ${name}: the service stops`);
      this.#endRest();
      const worker = this.#run();
      try {
        return await run((job, transfer) => this.#ask(worker, job, transfer));
      } finally {
        this.#rest();
      }
    });
  }

  /** Starts the thread ahead of the first turn. */
  wake(): void {
    this.#run();
    this.#rest();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#endRest();
    await this.#worker?.terminate();
  }

  async #ask(worker: RunningThread<Job>, job: Job, transfer: ArrayBuffer[]): Promise<Answer> {
    if (this.#worker !== worker) throw this.#deathFault();
    const cancel = this.#clock.after(this.#bounds.msMax, () => void worker.terminate());
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#asker = { resolve, reject };
        worker.postMessage(job, transfer);
      });
    } finally {
      this.#asker = null;
      cancel();
    }
  }

  async #pauseOver(): Promise<void> {
    if (this.#deathsInRow === 0) return;
    const pauseMs = Math.min(threadPauseMsMin * 2 ** (this.#deathsInRow - 1), threadPauseMsMax);
    const leftMs = this.#diedAt + pauseMs - this.#clock.elapsed();
    if (leftMs > 0) await pauseUnless(this.#stopping.signal, this.#clock, leftMs);
  }

  #run(): RunningThread<Job> {
    if (this.#worker) return this.#worker;
    const worker = this.#start({
      onAnswer: (answer) => {
        this.#deathsInRow = 0;
        this.#asker?.resolve(answer);
      },
      onError: (error) => this.#log.error({ err: error }, `${this.#bounds.name} failed`),
      onExit: () => this.#onExit(worker),
    });
    this.#worker = worker;
    return worker;
  }

  #rest(): void {
    this.#endRest();
    this.#endRest = this.#clock.after(threadRestMsMax, () => this.#dismiss());
  }

  #dismiss(): void {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }

  #onExit(worker: RunningThread<Job>): void {
    // A dismissed thread leaves without work.
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#diedAt = this.#clock.elapsed();
    this.#deathsInRow++;
    this.deaths++;
    this.#asker?.reject(this.#deathFault());
  }

  #deathFault(): Fault {
    const { name } = this.#bounds;
    return new Fault(`ask ${name}: ${name} died`);
  }
}

/**
 * `program` is the file of the thread's program after the build. `heapMiBMax` bounds the thread's heap; past it the
 * thread dies.
 */
export function workerThread<Job, Answer>(program: URL, name: string, heapMiBMax?: number): StartThread<Job, Answer> {
  return ({ onAnswer, onError, onExit }) => {
    const limits = heapMiBMax === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMiBMax } };
    const worker = new Worker(program, { name, ...limits });
    worker.on('message', onAnswer);
    worker.on('error', onError);
    worker.on('exit', onExit);
    // The thread keeps no process alive. A listener that is added later would undo this.
    worker.unref();
    return worker;
  };
}
