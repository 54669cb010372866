/** The clock port: the only source of time and timers outside `main.ts`, so that tests and simulations control time. */
export type Clock = {
  /** Wall time in epoch milliseconds, for times in answers and ends of holds. It may jump forwards and backwards. */
  now(): number;
  /** Milliseconds since some moment of this process, for waits and leases. It never jumps. */
  elapsed(): number;
  /** Calls `run` once, `delayMs` from now; the returned function cancels it. Timers never keep the process alive. */
  after(delayMs: number, run: () => void): () => void;
  /** Whether another machine's clock has confirmed `now` a moment ago. A clock without this is never confirmed. */
  isConfirmed?(): boolean;
};

/** Node fires a longer timer at once, so `after` shortens it. Code with a later deadline sets a further timer. */
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

/** Resolves after `delayMs`, or at once when `stopping` is aborted. */
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
