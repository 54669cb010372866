/**
 * Gathers inputs of one key while an earlier run for the key is under way, and handles them together. A thousand buyers
 * who open a link at once cost a few writes. Each gathered input belongs to a request, and requests are bounded (I8).
 *
 * States of a key: idle → gathering for the rest of the turn → running (and gathering for the next run) → resting
 * (likewise) → gathering | idle.
 *
 * Failure at the await of a run: every caller in the run gets the error, and the next run goes on.
 */
import { setImmediate as turn } from 'node:timers/promises';

type GatheredCall<In, Out> = { input: In; resolve: (out: Out) => void; reject: (error: unknown) => void };

/**
 * `run` gives one output for each input, in their order. `rest` is the pause behind each run, for runs that should be
 * few and large while many callers come. It must not fail. [none]
 */
export function createGathering<In, Out>(
  run: (key: string, inputs: In[]) => Promise<Out[]>,
  rest: () => Promise<void> = async () => {},
): (key: string, input: In) => Promise<Out> {
  const gathered = new Map<string, GatheredCall<In, Out>[]>();

  async function runAll(key: string): Promise<void> {
    for (;;) {
      await turn();
      const together = gathered.get(key)!;
      if (together.length === 0) {
        gathered.delete(key);
        return;
      }
      gathered.set(key, []);
      try {
        const inputs = together.map(({ input }) => input);
        const outputs = await run(key, inputs);
        for (const [at, { resolve }] of together.entries()) resolve(outputs[at]!);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
      await rest();
    }
  }

  return (key, input) =>
    new Promise((resolve, reject) => {
      const waiting = { input, resolve, reject };
      const others = gathered.get(key);
      if (others) {
        others.push(waiting);
        return;
      }
      gathered.set(key, [waiting]);
      void runAll(key);
    });
}
