/**
 * The way from a process to an event: a command is lost, late, or arrives twice; so is its answer. As the services do,
 * the sender sends a copy after a silence, and gives up at its deadline. A process that has died hears nothing any
 * more, while its copies are still on their way.
 */
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Answer, Caller, Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { Scheduler } from '../world/scheduler.ts';
import type { SagaEvent } from './saga-event.ts';

/** The rates of one history. */
export type WireFaults = { lost: number; late: number; doubled: number };

const silenceMs = 2_000;
/** A late copy comes up to so much later. */
const lateMsMax = 30_000;
const wayMsMax = 40;

/** A process of one history: dead from the moment on at which `isDead` is set. */
export type SagaProcess = { readonly name: string; isDead: boolean };

export class Wire {
  readonly #scheduler: Scheduler;
  readonly #events: ReadonlyMap<string, SagaEvent>;
  faults: WireFaults;
  /** Commands by type, and how many succeeded. */
  readonly answered = new Map<string, number>();

  constructor(scheduler: Scheduler, events: ReadonlyMap<string, SagaEvent>, faults: WireFaults) {
    this.#scheduler = scheduler;
    this.#events = events;
    this.faults = faults;
  }

  /** Never resolves once the process has died. `mayDie` is called at each step of the way, and may end the process. */
  ask<C extends Command>(
    process: SagaProcess,
    mayDie: () => void,
    eventKey: string,
    command: C,
    caller: Caller,
    deadlineAt: number,
  ): Promise<Outcome<Answers[C['type']]>> {
    const event = this.#events.get(eventKey)!;
    return new Promise((resolve) => {
      let copies = 0;
      let isAnswered = false;
      const answer = (outcome: Outcome<never>): void => {
        if (isAnswered || process.isDead) return;
        isAnswered = true;
        mayDie();
        if (!process.isDead) resolve(outcome);
      };
      const send = (): void => {
        if (isAnswered || process.isDead) return;
        const copy = ++copies;
        this.#carry(() => {
          const told = event.perform(command, caller);
          if (told === null) return;
          this.#note(command, told);
          this.#carry(() => {
            // An earlier copy may be refused although a later copy succeeds.
            if (told.kind === 'ok') answer(done(told.value as never));
            else if (told.kind === 'refused' && copy === copies) answer({ ok: false, refusal: told.refusal });
          });
        });
        const left = deadlineAt - this.#scheduler.now;
        this.#scheduler.after(Math.min(silenceMs, Math.max(left, 0)), () => {
          if (isAnswered || process.isDead) return;
          if (this.#scheduler.now < deadlineAt) send();
          else answer(refuse('shard_unavailable', 'The event did not answer in time.', { retryable: true }));
        });
      };
      mayDie();
      send();
    });
  }

  /** The message of a lost copy may still come, much later. */
  #carry(arrive: () => void): void {
    const { random } = this.#scheduler;
    const soon = random.delay(1, wayMsMax);
    if (!random.chance(this.faults.lost)) {
      this.#scheduler.after(random.chance(this.faults.late) ? random.delay(soon, lateMsMax) : soon, arrive);
    }
    if (random.chance(this.faults.doubled)) this.#scheduler.after(random.delay(soon, lateMsMax), arrive);
  }

  #note({ type }: Command, { kind }: Answer): void {
    if (kind === 'ok') this.answered.set(type, (this.answered.get(type) ?? 0) + 1);
  }
}
