/** A pause that another event may end early. States: idle ⇄ pausing. One pause runs at a time. */
import type { Clock } from '@parterre/shared/clock';

export class WakeablePause {
  readonly #clock: Clock;
  #end: (isWoken: boolean) => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves after `delayMs` with false, or with true when `wake` is called before. */
  pause(delayMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(delayMs, () => resolve(false));
      this.#end = (isWoken) => {
        cancel();
        resolve(isWoken);
      };
    });
  }

  wake(): void {
    this.#end(true);
  }
}
