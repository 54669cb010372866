/**
 * The thread of a simulated process that compiles plans: the thread's own program. The thread dies at a plan, whose
 * caller hears nothing, or answers late.
 */

import type { Compiled } from '@parterre/shared/charts/plans/compiler-messages';
import { compiled } from '@parterre/shared/charts/plans/compiler-program';
import type { StartCompiler } from '@parterre/shared/charts/plans/plan-compiler';
import type { Faults } from '../faults.ts';
import type { SimulatedProcess } from './process.ts';
import type { Random } from './scheduler.ts';

const lateMsMax = 4_000;
const compileMsMax = 100;

/** By hash. The same document always makes the same plan. */
const made = new Map<string, Compiled>();

/** `onPlan` is called with each plan that reaches the loop. */
export function simulatedCompiler(
  random: Random,
  faults: Faults,
  owner: SimulatedProcess,
  onPlan: () => void,
): StartCompiler {
  return ({ onAnswer, onError, onExit }) => {
    let isAlive = true;
    const inTime = (delayMs: number, run: () => void): void => {
      owner.clock.after(delayMs, () => {
        if (isAlive) run();
      });
    };
    const end = (): void => {
      isAlive = false;
      onExit();
    };
    return {
      postMessage(job) {
        if (!isAlive) return;
        if (faults.strikes('compilerDies')) {
          inTime(random.delay(1, compileMsMax), () => {
            onError(new Error('the simulated plan compiler died'));
            end();
          });
          return;
        }
        const known = made.get(job.hash) ?? compiled(job);
        made.set(job.hash, known);
        inTime(random.delay(1, faults.strikes('compilerLate') ? lateMsMax : compileMsMax), () => {
          onPlan();
          onAnswer(structuredClone(known));
        });
      },
      terminate: async () => end(),
    };
  };
}
