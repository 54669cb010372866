/** A clock whose timers log an exception. Otherwise the exception would end the process. */
import type { Clock } from '@parterre/shared/runtime/clock';

export function guardedClock(clock: Clock, onFault: (error: unknown) => void): Clock {
  return {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    after: (delayMs, run) =>
      clock.after(delayMs, () => {
        try {
          run();
        } catch (error) {
          onFault(error);
        }
      }),
  };
}
