/**
 * Runs at most a fixed number of functions at once; the others wait in order. The caller bounds the number of waiters.
 */
export type Turns = <T>(run: () => Promise<T>) => Promise<T>;

/** The same between parties: each has its own queue, and the queues are served in turn. */
export type TurnsOfParties = <T>(party: string, run: () => Promise<T>) => Promise<T>;

export function createTurns(atOnce: number): Turns {
  const turns = createTurnsOfParties(atOnce);
  return (run) => turns('', run);
}

export function createTurnsOfParties(atOnce: number): TurnsOfParties {
  /** The party that was served last stands last. No queue is empty. */
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  function next(): (() => void) | null {
    for (const [party, queue] of waiting) {
      const first = queue.shift()!;
      waiting.delete(party);
      if (queue.length > 0) waiting.set(party, queue);
      return first;
    }
    return null;
  }

  return async (party, run) => {
    if (running < atOnce) running++;
    else {
      await new Promise<void>((resolve) => {
        const queue = waiting.get(party);
        if (queue) queue.push(resolve);
        else waiting.set(party, [resolve]);
      });
    }
    try {
      return await run();
    } finally {
      const resume = next();
      if (resume) resume();
      else running--;
    }
  };
}
