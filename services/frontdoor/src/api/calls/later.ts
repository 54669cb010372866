/**
 * An answer that comes later, to one listener, without a promise. A promise costs an object for each step that passes
 * it on, and a turn of the microtask queue for each. The commands of a sale use this; everything else uses promises.
 *
 * States: open → answered (the value waits for its listener) or heard (the listener waits for the value) → over. The
 * listener is called within `answer` or `hear`, so an exception of the listener reaches the caller of these.
 */
import type { Coming } from '../../admission/admission.ts';

export class Later<T> implements Coming<T> {
  #value: T | undefined = undefined;
  #isAnswered = false;
  #listener: ((value: T) => void) | null = null;

  /** Call this once. */
  answer(value: T): void {
    if (this.#listener) this.#listener(value);
    else {
      this.#value = value;
      this.#isAnswered = true;
    }
  }

  /** Call this once. */
  hear(listener: (value: T) => void): void {
    if (this.#isAnswered) listener(this.#value as T);
    else this.#listener = listener;
  }
}
