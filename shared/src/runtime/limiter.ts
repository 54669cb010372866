/**
 * Runs at most a fixed number of functions at once; the others wait in order. The caller bounds the number of waiters.
 */
export type Limiter = <T>(run: () => Promise<T>) => Promise<T>;

/** The same between parties: each has its own queue, and the queues are served in turn. */
export type PartyLimiter = {
  <T>(party: string, run: () => Promise<T>): Promise<T>;
  /** Null: `leaving` was aborted before the turn came. */
  <T>(party: string, run: () => Promise<T>, leaving: AbortSignal): Promise<T | null>;
};

export function createLimiter(atOnce: number): Limiter {
  const limit = createPartyLimiter(atOnce);
  return (run) => limit('', run);
}

/** `atOnceOfEach`: a party has at most so many of the functions that run. */
export function createPartyLimiter(atOnce: number, atOnceOfEach = atOnce): PartyLimiter {
  /** The party that was served last stands last. No queue is empty. */
  const waiting = new Map<string, (() => void)[]>();
  /** A party without a running function is absent. */
  const runningOf = new Map<string, number>();
  let running = 0;

  const mayBegin = (party: string) => running < atOnce && (runningOf.get(party) ?? 0) < atOnceOfEach;

  function begin(party: string): void {
    running++;
    runningOf.set(party, (runningOf.get(party) ?? 0) + 1);
  }

  function end(party: string): void {
    running--;
    const left = runningOf.get(party)! - 1;
    if (left > 0) runningOf.set(party, left);
    else runningOf.delete(party);
    next();
  }

  function next(): void {
    for (const [party, queue] of waiting) {
      if (!mayBegin(party)) continue;
      const resume = queue.shift()!;
      waiting.delete(party);
      if (queue.length > 0) waiting.set(party, queue);
      begin(party);
      resume();
      return;
    }
  }

  /** Whether the turn came. */
  function turnOf(party: string, leaving: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const queue = waiting.get(party) ?? [];
      waiting.set(party, queue);
      const resume = () => {
        leaving?.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = () => {
        queue.splice(queue.indexOf(resume), 1);
        if (queue.length === 0) waiting.delete(party);
        resolve(false);
      };
      queue.push(resume);
      leaving?.addEventListener('abort', leave, { once: true });
    });
  }

  async function inTurn<T>(party: string, run: () => Promise<T>, leaving?: AbortSignal): Promise<T | null> {
    if (leaving?.aborted) return null;
    if (mayBegin(party)) begin(party);
    else if (!(await turnOf(party, leaving))) return null;
    try {
      return await run();
    } finally {
      end(party);
    }
  }
  return inTurn as PartyLimiter;
}
