/** The clock port: the only way to time and timers outside `main.ts`, so that tests and simulations can own time. */
export type Clock = {
  /** Wall time in epoch milliseconds: what callers are told, and what holds end by. May jump, either way. */
  now(): number;
  /** Milliseconds since some moment of this process; never jumps. What waits and leases are measured by. */
  elapsed(): number;
  /** Calls `run` once, `delayMs` from now; the returned function cancels it. Timers never keep the process alive. */
  after(delayMs: number, run: () => void): () => void;
};

/** Node refuses longer timers and fires them at once; a later deadline is re-armed by its owner. */
const TIMER_MS_MAX = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), TIMER_MS_MAX));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves `delayMs` from now on `clock`. */
export function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}

/** Resolves after the time, or at once when it `stopping` says so. */
export function pauseUnless(stopping: AbortSignal, clock: Clock, delayMs: number): Promise<void> {
  if (stopping.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      stopping.removeEventListener('abort', end);
      cancel();
      resolve();
    };
    const cancel = clock.after(delayMs, end);
    stopping.addEventListener('abort', end);
  });
}
