import type { Clock } from '@parterre/shared/runtime/clock';

/**
 * The first answer to a question that is asked anew every `everyMs` while no answer comes. A question may be lost on
 * its way, or come to a server that does not answer yet, and would then wait for its whole deadline. Rejects as the
 * first question that fails.
 */
export function askAgain<T>(clock: Pick<Clock, 'after'>, everyMs: number, ask: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancel = (): void => {};
    const askOnce = (): void => {
      cancel = clock.after(everyMs, askOnce);
      ask()
        .then(resolve, reject)
        .finally(() => cancel());
    };
    askOnce();
  });
}
