/**
 * Asks for the control room again and again, for as long as the tab is open.
 *
 * States: opening → live → behind (a call failed; the last figures stay, with their age, and the next try comes after a
 * pause that grows to ten seconds) → live; gone, when the event is deleted: nothing is asked any more; refused, when
 * the session may not see it. A network that is back, and a page that is in sight again, are a reason to ask at once.
 * The one await is the call. A tab that is left drops its answer. Between two answers a clock tells the age.
 */
import type { Server } from '../server/calls.ts';
import { type Live, withSold } from './figures.ts';

const ASK_EVERY_MS = 2_000;
const PAUSE_MS_MAX = 10_000;
const ANSWER_MS_MAX = 8_000;
/** Figures of this age are told as old. */
export const oldAfterMs = 6_000;
export const momentumMs = 15 * 60_000;

export class Watch {
  state: 'opening' | 'live' | 'behind' | 'gone' | 'refused' = 'opening';
  live: Live | null = null;
  /** By label, the time of the sale. */
  sold: ReadonlyMap<string, number> = new Map();
  readonly #server: Server;
  readonly #path: string;
  readonly #changed: () => void;
  readonly #left = new AbortController();
  #heardAt = 0;
  #soldAfter = 0;
  #failures = 0;
  #isAsking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #ticks: ReturnType<typeof setInterval>;

  constructor(server: Server, eventKey: string, changed: () => void) {
    this.#server = server;
    this.#path = `events/${encodeURIComponent(eventKey)}/control-room/live`;
    this.#changed = changed;
    const { signal } = this.#left;
    window.addEventListener('online', this.#askNow, { signal });
    document.addEventListener('visibilitychange', this.#askNow, { signal });
    this.#ticks = setInterval(() => this.ageMs >= oldAfterMs && changed(), 1_000);
    void this.#ask();
  }

  /** The age of the figures; 0 before the first. */
  get ageMs(): number {
    return this.live === null ? 0 : performance.now() - this.#heardAt;
  }

  /** The figures are too old to rely on. */
  get isOld(): boolean {
    return this.ageMs >= oldAfterMs;
  }

  close(): void {
    this.#left.abort();
    clearTimeout(this.#timer);
    clearInterval(this.#ticks);
  }

  #askNow = (): void => {
    if (document.visibilityState === 'visible') void this.#ask();
  };

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    clearTimeout(this.#timer);
    const signal = AbortSignal.any([this.#left.signal, AbortSignal.timeout(ANSWER_MS_MAX)]);
    const answer = await this.#server.get<Live>(`${this.#path}?soldAfter=${this.#soldAfter}`, signal);
    this.#isAsking = false;
    if (this.#left.signal.aborted) return;
    if (answer.ok) this.#take(answer.value);
    else this.#fail(answer.status);
    this.#changed();
  }

  #take(live: Live): void {
    this.#failures = 0;
    this.#heardAt = performance.now();
    this.live = live;
    this.state = 'live';
    this.sold = withSold(this.sold, live, momentumMs);
    this.#soldAfter = live.sold?.upTo ?? this.#soldAfter;
    this.#again(ASK_EVERY_MS);
  }

  #fail(status: number): void {
    if (status === 404 || status === 403) {
      this.state = status === 404 ? 'gone' : 'refused';
      return;
    }
    this.state = this.live === null ? 'opening' : 'behind';
    this.#again(Math.min(ASK_EVERY_MS * 2 ** this.#failures++, PAUSE_MS_MAX));
  }

  #again(afterMs: number): void {
    this.#timer = setTimeout(() => void this.#ask(), afterMs);
  }
}
