/**
 * A wish of a person to change something, from the press of a button to its outcome.
 *
 * States: ready → sending → done; sending → refused (nothing has happened, what was typed stays, the person corrects it
 * and sends again); sending → unknown (no answer came: the change may have happened). "Try again" from unknown sends
 * the same call with the same key, so the server carries it out once. A press while sending does nothing. The await of
 * the call never throws: a silent server is an answer with status 0.
 */
import type { Result } from '../../src/sale/calls.ts';

type Problem = Extract<Result<never>, { ok: false }>['problem'];

export type ActState =
  | { kind: 'ready' | 'sending' | 'done' }
  | { kind: 'refused'; status: number; problem: Problem }
  | { kind: 'unknown' };

const UNKNOWN_STATUSES = [0, 502, 504];

export class Act {
  #state: ActState = { kind: 'ready' };
  #key = crypto.randomUUID();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get state(): ActState {
    return this.#state;
  }

  /** Null while another press is on its way, and after a refusal or a silent server; `state` tells which. */
  async send<T>(call: (key: string) => Promise<Result<T>>): Promise<{ value: T } | null> {
    if (this.#state.kind === 'sending') return null;
    this.#set({ kind: 'sending' });
    const answer = await call(this.#key);
    if (answer.ok) {
      this.renew();
      this.#set({ kind: 'done' });
      return { value: answer.value };
    }
    const { status, problem } = answer;
    if (isUnanswered(answer)) {
      this.#set({ kind: 'unknown' });
      return null;
    }
    this.renew();
    this.#set({ kind: 'refused', status, problem });
    return null;
  }

  /** The next call is another wish: it gets a key of its own. */
  renew(): void {
    this.#key = crypto.randomUUID();
    if (this.#state.kind !== 'sending') this.#state = { kind: 'ready' };
  }

  #set(state: ActState): void {
    this.#state = state;
    this.#changed();
  }
}

/** Whether the call may have happened all the same. */
export function isUnanswered(answer: Result<unknown>): boolean {
  return !answer.ok && (UNKNOWN_STATUSES.includes(answer.status) || answer.problem.outcome === 'unknown');
}
