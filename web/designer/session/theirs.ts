/**
 * The chart as other people have saved it. A version that is too large for the page is fetched once: later questions
 * name its marker, and their answer is the same refusal until somebody saves another version.
 *
 * A look gives way: its answer is dropped when something else comes first. It is given up after LOOK_MS_MAX. Without an
 * answer nothing changes.
 */
import type { Answer, Failure, OpenChart, Problem, Server } from './calls.ts';

const LOOK_MS_MAX = 120_000;

type TheirsPorts = {
  chartId: string;
  server: Pick<Server, 'news'>;
  after(ms: number, run: () => void): () => void;
};

type News = Answer<OpenChart | null>;

export class Theirs {
  readonly #ports: TheirsPorts;
  #look: AbortController | null = null;
  /** The refusal of the last version, and its marker. */
  #tooLarge: { updatedAt: number; failure: Failure } | null = null;

  constructor(ports: TheirsPorts) {
    this.#ports = ports;
  }

  get isLooking(): boolean {
    return this.#look !== null;
  }

  /** The refusal of a version that is too large for the page; null where the last version fits. */
  get problem(): Problem | null {
    return this.#tooLarge?.failure.problem ?? null;
  }

  /** Null for an answer that was dropped. `since` is the marker of the page's base. */
  async look(since: number): Promise<News | null> {
    const look = new AbortController();
    this.#look = look;
    const stopClock = this.#ports.after(LOOK_MS_MAX, () => look.abort());
    const answer = await this.#ask(since, look.signal);
    stopClock();
    if (this.#look !== look) return null;
    this.#look = null;
    return this.#known(answer);
  }

  drop(): void {
    this.#look?.abort();
    this.#look = null;
  }

  /** Null if nobody has saved since. */
  async fetch(since: number): Promise<News> {
    return this.#known(await this.#ask(since));
  }

  #ask(since: number, signal?: AbortSignal): Promise<News> {
    const { server, chartId } = this.#ports;
    return server.news(chartId, this.#tooLarge?.updatedAt ?? since, signal);
  }

  #known(answer: News): News {
    if (answer.ok) {
      if (answer.value === null && this.#tooLarge) return this.#tooLarge.failure;
      this.#tooLarge = null;
    } else if (answer.problem.updatedAt !== undefined) {
      this.#tooLarge = { updatedAt: answer.problem.updatedAt, failure: answer };
    }
    return answer;
  }
}
