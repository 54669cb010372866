/** When the next save begins: soon after an edit, and after growing pauses where the server does not answer. */
export type PacePorts = { now(): number; after(ms: number, run: () => void): () => void };

const PAUSE_MS = 1_500;
/** From the first edit that no save carries yet. */
const PAUSE_MS_MAX = 10_000;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 60_000;

export class Pace {
  readonly #ports: PacePorts;
  readonly #save: () => void;
  #firstEditAt: number | null = null;
  #failures = 0;
  #cancel = () => {};

  constructor(ports: PacePorts, save: () => void) {
    this.#ports = ports;
    this.#save = save;
  }

  edited(): void {
    const now = this.#ports.now();
    this.#firstEditAt ??= now;
    this.#in(Math.max(0, Math.min(PAUSE_MS, this.#firstEditAt + PAUSE_MS_MAX - now)));
  }

  /** The request had no answer. */
  failed(): void {
    this.#in(Math.min(RETRY_MS_MIN * 2 ** this.#failures, RETRY_MS_MAX));
    this.#failures++;
  }

  answered(): void {
    this.#failures = 0;
  }

  /** A save has begun. It carries all edits so far. */
  begun(): void {
    this.stop();
    this.#firstEditAt = null;
  }

  stop(): void {
    this.#cancel();
  }

  #in(ms: number): void {
    this.#cancel();
    this.#cancel = this.#ports.after(ms, this.#save);
  }
}
