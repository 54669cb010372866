/**
 * The plan compiler as the loop sees it: a thread (job-thread.ts) that unpacks, parses and compiles documents of
 * charts. Large charts take a tenth of a second and more. No loop stands still meanwhile.
 *
 * States of a plan: waiting → compiling, at its turn → made in the loop, in portions (packed-plan.ts) → given to its
 * caller. One plan at a time is past `waiting`. If the thread dies, the plan under way fails, and its callers ask
 * again. A document that cannot be compiled fails alone.
 */

import { Fault } from '../../protocol/errors.ts';
import { JobThread, type StartThread, workerThread } from '../../protocol/job-thread.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Plan } from '../plan.ts';
import { compileMsMax, plansWaitingMax } from './bounds.ts';
import type { Compiled, ToCompile } from './compiler-messages.ts';
import { unpackPlan } from './packed-plan.ts';

export type StartCompiler = StartThread<ToCompile, Compiled>;

const name = 'the plan compiler';

export class PlanCompiler {
  readonly #thread: JobThread<ToCompile, Compiled>;

  constructor(clock: Clock, log: Logger, start: StartCompiler) {
    this.#thread = new JobThread(clock, log, start, { name, msMax: compileMsMax, waitingMax: plansWaitingMax });
  }

  get deaths(): number {
    return this.#thread.deaths;
  }

  /** `doc` is the document as gzipped JSON. Throws a `Fault` without a plan. */
  async compile(doc: Uint8Array, hash: string): Promise<Plan> {
    return this.#thread.inTurn('', async (ask) => {
      // `doc` may be a part of a message, and the caller keeps it: the thread takes a copy.
      const job = { doc: new Uint8Array(doc), hash };
      const compiled = await ask(job, [job.doc.buffer]);
      if (compiled.kind === 'failed') throw new Fault(`compile plan ${hash}: ${compiled.message}`);
      return unpackPlan(compiled.plan);
    });
  }

  /** Starts the thread ahead of the first plan, which buyers wait for. */
  wake(): void {
    this.#thread.wake();
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

/** `program` is the file of compiler-main.ts after the build. */
export function compilerThread(program: URL): StartCompiler {
  return workerThread(program, 'plan-compiler');
}
