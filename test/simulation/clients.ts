/**
 * Callers. Each makes one call after the other, of every kind that the shard knows, mostly on seats and holds that the
 * event's journal has (draws.ts). A call without a clear answer, and now and then an answered call, is repeated as a
 * caller would: under the same names. Every answer is checked when it comes.
 */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import type { Outcome } from '@parterre/shared/protocol/errors';
import type { Call, EventHistory } from './checks/history.ts';
import { type drawCall, opening, type UnsentCall } from './draws.ts';
import { count } from './tally.ts';
import type { FrontDoor } from './world/cluster.ts';
import type { Scheduler } from './world/scheduler.ts';

export type CallerPorts = {
  scheduler: Scheduler;
  frontDoors: FrontDoor[];
  draw: typeof drawCall;
  histories: EventHistory[];
  /** All calls so far, by name. */
  calls: Map<string, Call>;
  /** Counts the kinds of commands that were answered. */
  answered: Map<string, number>;
};

const spendLimit = 5;
/** The share of calls that count a request against a budget. */
const spendShare = 0.02;

export class Client {
  answers = 0;
  isWaiting = false;
  readonly #ports: CallerPorts;
  readonly #name: string;
  readonly #thinkMs: number;
  #isDone = false;

  constructor(ports: CallerPorts, name: string, thinkMs: number) {
    this.#ports = ports;
    this.#name = name;
    this.#thinkMs = thinkMs;
  }

  /** Makes calls until `stop`. */
  start(): void {
    this.#think();
  }

  stop(): void {
    this.#isDone = true;
  }

  /** Creates the first channels of an event. The event's `isOpen` then becomes true. */
  open(history: EventHistory): void {
    const asked = opening(history.oracle.world);
    if (asked) this.#submit(history, asked, () => this.open(history));
    else history.isOpen = true;
  }

  #think(): void {
    const { scheduler } = this.#ports;
    scheduler.after(scheduler.random.delay(1, this.#thinkMs), () => {
      if (!this.#isDone) this.#act();
    });
  }

  #act(): void {
    const { histories, scheduler } = this.#ports;
    const { random } = scheduler;
    if (random.chance(spendShare)) this.#spend();
    else this.#actOn(random.pick(histories));
  }

  #actOn(history: EventHistory): void {
    const { scheduler, draw } = this.#ports;
    const asked = draw(history, scheduler.random);
    if (!asked) {
      this.#think();
      return;
    }
    history.sent.push({ ...asked, at: history.oracle.world.now });
    this.#call(history, asked);
  }

  /** Every try is a call of its own to the front door. */
  #call(history: EventHistory, asked: UnsentCall): void {
    const { random } = this.#ports.scheduler;
    const attempt = (tries: number): void => {
      this.#submit(history, asked, (outcome) => {
        const isClear = outcome.ok || (outcome.refusal.retryable !== true && outcome.refusal.outcome === undefined);
        if (tries < 3 && !this.#isDone && random.chance(isClear ? 0.12 : 0.7)) attempt(tries + 1);
        else this.#think();
      });
    };
    attempt(1);
  }

  #submit(
    history: EventHistory,
    { command, caller: drawn }: UnsentCall,
    then: (outcome: Outcome<unknown>) => void,
  ): void {
    const { eventKey } = history;
    const { calls } = this.#ports;
    const name = `${this.#name}/${calls.size}`;
    const caller: Caller = { ...drawn, actor: name };
    const call: Call = { name, eventKey, caller, command, after: history.known };
    calls.set(name, call);
    this.#ask(eventKey, caller, command, (outcome) => {
      history.answered(call, outcome);
      then(outcome);
    });
  }

  /** A request budget, which is no event: nothing of it is journaled. */
  #spend(): void {
    const command: Command = { type: 'spend', limit: spendLimit, windowMs: 1_000 };
    this.#ask('budget-1', { source: 'server', actor: null, accessSource: 'public' }, command, (outcome) => {
      const { remaining } = outcome.ok ? (outcome.value as { remaining: number }) : { remaining: 0 };
      if (remaining < 0 || remaining > spendLimit) throw new Error(`a budget of ${spendLimit} has ${remaining} left`);
      this.#think();
    });
  }

  #ask(eventKey: string, caller: Caller, command: Command, then: (outcome: Outcome<unknown>) => void): void {
    const { scheduler, frontDoors, answered } = this.#ports;
    scheduler.trace(`${caller.actor} asks ${eventKey} ${JSON.stringify(command)} by ${JSON.stringify(caller)}`);
    this.isWaiting = true;
    scheduler.random.pick(frontDoors).submit(eventKey, caller, command, (outcome) => {
      this.isWaiting = false;
      this.answers++;
      if (outcome.ok) count(answered, command.type);
      scheduler.trace(`${caller.actor} hears ${JSON.stringify(outcome).slice(0, 200)}`);
      then(outcome);
    });
  }
}
