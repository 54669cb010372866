/** A request that gives way: its answer is dropped when something else comes first. */
const LOOK_MS_MAX = 120_000;

type After = (ms: number, run: () => void) => () => void;

export class Look {
  readonly #after: After;
  #underWay: AbortController | null = null;

  constructor(after: After) {
    this.#after = after;
  }

  get isUnderWay(): boolean {
    return this.#underWay !== null;
  }

  /** Null for an answer that was dropped. */
  async ask<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    const look = new AbortController();
    this.#underWay = look;
    const stopClock = this.#after(LOOK_MS_MAX, () => look.abort());
    const answer = await request(look.signal);
    stopClock();
    if (this.#underWay !== look) return null;
    this.#underWay = null;
    return answer;
  }

  drop(): void {
    this.#underWay?.abort();
    this.#underWay = null;
  }
}
