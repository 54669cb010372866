/**
 * Work that is as large as an event, in slices (I8): the loop carries the lease, so no turn of it may be long. All
 * loads and snapshots of a process share one `Turn`, and pause together when the turn is over.
 *
 * States of the work: running → waiting, when the turn is over → running, in a later turn. The wait ends with the
 * process at the latest. It cannot fail.
 */
import type { Steps } from '../rules/packed/packed.ts';

/** The turn of the event loop (partition/loop-turn.ts). */
export type Turn = { isOver(): boolean; goOn(run: () => void): void };

/** Resolves in a turn that is not over. Call it only in a turn that is. */
export async function laterTurn(turn: Turn): Promise<void> {
  do await new Promise<void>((resolve) => turn.goOn(resolve));
  while (turn.isOver());
}

/** Takes the steps, with a pause at the end of each turn. Throws what a step throws. */
export async function inSlices<T>(turn: Turn, steps: Steps<T>): Promise<T> {
  for (;;) {
    if (turn.isOver()) await laterTurn(turn);
    const step = steps.next();
    if (step.done) return step.value;
  }
}
