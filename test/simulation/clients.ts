/**
 * Callers. Each holds, books, extends, releases, cancels, blocks, counts and looks, one call after the other, on seats
 * that all callers want. A call without a clear answer, and now and then an answered call, is repeated as a caller
 * would: a hold under the same id, a booking under the same reference. Every answer is checked when it comes.
 */
import type { HeldAnswer } from '@parterre/shared/answers';
import type { Command } from '@parterre/shared/commands';
import type { Outcome } from '@parterre/shared/errors';
import { START } from '../support/inventory/house.ts';
import type { Call, EventHistory } from './checks/history.ts';
import type { FrontDoor } from './world/cluster.ts';
import type { Scheduler } from './world/scheduler.ts';

const seats = ['A-1', 'A-2', 'A-3', 'A-4', 'T1'];
const area = 'Standing';

type Sale = { eventKey: string; holdId: string; bookingRef: string; labels: string[]; booked: boolean };

export type CallerPorts = {
  scheduler: Scheduler;
  frontDoors: FrontDoor[];
  histories: EventHistory[];
  /** All calls so far, by name. */
  calls: Map<string, Call>;
};

export class Client {
  answers = 0;
  isWaiting = false;
  readonly #ports: CallerPorts;
  readonly #name: string;
  readonly #thinkMs: number;
  #sales: Sale[] = [];
  #made = 0;
  #published = 1;
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

  #think(): void {
    const { scheduler } = this.#ports;
    scheduler.after(scheduler.random.delay(1, this.#thinkMs), () => {
      if (!this.#isDone) this.#act();
    });
  }

  #act(): void {
    const { random } = this.#ports.scheduler;
    const sale = random.chance(0.6) && this.#sales.length > 0 ? random.pick(this.#sales) : null;
    const { eventKey } = sale ?? random.pick(this.#ports.histories);
    if (sale) this.#call(eventKey, this.#goOn(sale), sale);
    else if (random.chance(0.65)) this.#begin(eventKey);
    else this.#call(eventKey, this.#lookOrBlock(), null);
  }

  #begin(eventKey: string): void {
    const { random } = this.#ports.scheduler;
    const id = `${this.#name}.${++this.#made}`;
    const labels = seats.filter(() => random.chance(0.35));
    const quantity = random.int(1, 4);
    const selections: { label: string; quantity?: number }[] = labels.map((label) => ({ label }));
    if (labels.length === 0 || random.chance(0.2)) selections.push({ label: area, quantity });
    const sale: Sale = { eventKey, holdId: `hld_${id}`, bookingRef: `ref_${id}`, labels, booked: false };
    this.#sales = [...this.#sales.slice(-4), sale];
    if (random.chance(0.2)) {
      sale.booked = true;
      this.#call(
        eventKey,
        (callId) => ({ type: 'book-direct', callId, bookingRef: sale.bookingRef, selections }),
        sale,
      );
      return;
    }
    const ttlMs = Math.floor(random.delay(300, 12_000));
    const replaced = random.chance(0.1)
      ? this.#sales.find((each) => each.eventKey === eventKey && each !== sale)
      : undefined;
    const replace = replaced ? { replaceHoldId: replaced.holdId } : {};
    this.#call(eventKey, () => ({ type: 'hold', holdId: sale.holdId, selections, ttlMs, ...replace }), sale);
  }

  /** The next call on a hold or booking that this client has, or had. */
  #goOn({ holdId, bookingRef, labels, booked }: Sale): (callId: string) => Command {
    const { random } = this.#ports.scheduler;
    const part = labels.length > 1 && random.chance(0.3) ? { labels: [random.pick(labels)] } : {};
    const ttlMs = Math.floor(random.delay(300, 12_000));
    const choices: ((callId: string) => Command)[] = [
      (callId) => ({ type: 'book', callId, bookingRef, holdId, ...part }),
      (callId) => ({ type: 'book', callId, bookingRef, holdId, ...part }),
      (callId) => ({ type: 'extend', callId, holdId, ttlMs }),
      (callId) => ({ type: 'release', callId, holdId, ...part }),
      () => ({ type: 'inspect-hold', holdId }),
    ];
    if (booked || random.chance(0.2)) choices.push((callId) => ({ type: 'unbook', callId, bookingRef, ...part }));
    return random.pick(choices);
  }

  #lookOrBlock(): (callId: string) => Command {
    const { random, now } = this.#ports.scheduler;
    const choices: ((callId: string) => Command)[] = [
      () => ({ type: 'count' }),
      () => ({ type: 'count' }),
      () => ({ type: 'view' }),
    ];
    if (random.chance(0.4)) {
      const labels = [random.pick(seats)];
      const releaseAt = random.chance(0.5) ? null : START + Math.floor(now + random.delay(100, 10_000));
      const freed = random.chance(0.5) ? labels : null;
      const holdTtlMs = random.pick([null, 60_000]);
      choices.push((callId) => ({ type: 'block', callId, labels, releaseAt, reason: null }));
      choices.push((callId) => ({ type: 'unblock', callId, labels: freed }));
      choices.push((callId) => ({ type: 'set-hold-ttl', callId, holdTtlMs }));
    }
    if (random.chance(0.3)) return this.#turn();
    return random.pick(choices);
  }

  /** A call about the event as a whole. Most calls that stop its sales are followed by a call that resumes them. */
  #turn(): (callId: string) => Command {
    const { random } = this.#ports.scheduler;
    const move = random.pick(['close', 'archive', 'unarchive', 'reopen'] as const);
    const planHash = random.pick(['small-plan', 'moved-plan', 'shrunk-plan']);
    const currency = random.pick(['EUR', 'USD']);
    const sectionStates = random.pick([{}, { __ungrouped__: 'closed' as const }]);
    this.#published += 1;
    // Now and then an older version arrives late.
    const chartVersion = random.chance(0.2) ? random.int(1, this.#published) : this.#published;
    const onlyIfIdle = random.chance(0.2) ? { onlyIfIdle: true as const } : {};
    return random.pick<(callId: string) => Command>([
      (callId) => ({ type: 'move', callId, move }),
      (callId) => ({ type: 'update-chart', callId, planHash, chartVersion, ...onlyIfIdle }),
      (callId) => ({ type: 'update-chart', callId, planHash, chartVersion }),
      (callId) => ({ type: 'configure', callId, currency }),
      (callId) => ({ type: 'configure', callId, sectionStates }),
      (callId) => ({ type: 'configure', callId, currency, sectionStates }),
    ]);
  }

  /** Every try is a call of its own to the front door, which names it. */
  #call(eventKey: string, command: (callId: string) => Command, sale: Sale | null): void {
    const { random } = this.#ports.scheduler;
    const attempt = (tries: number): void => {
      this.#submit(eventKey, command, (outcome) => {
        if (outcome.ok && sale && command('').type.startsWith('book')) sale.booked = true;
        if (outcome.ok && sale && command('').type === 'hold') sale.labels = (outcome.value as HeldAnswer).labels;
        const isClear = outcome.ok || outcome.refusal.retryable !== true;
        if (tries < 3 && !this.#isDone && random.chance(isClear ? 0.12 : 0.7)) attempt(tries + 1);
        else this.#think();
      });
    };
    attempt(1);
  }

  #submit(eventKey: string, command: (callId: string) => Command, then: (outcome: Outcome<unknown>) => void): void {
    const { scheduler, frontDoors, histories, calls } = this.#ports;
    const history = histories.find((each) => each.eventKey === eventKey)!;
    const name = `${this.#name}/${calls.size}`;
    const call: Call = {
      name,
      eventKey,
      caller: { source: 'server', actor: name, accessSource: 'public' },
      command: command(name),
      after: history.known,
    };
    calls.set(name, call);
    scheduler.trace(`${name} asks ${eventKey} ${JSON.stringify(call.command)}`);
    this.isWaiting = true;
    scheduler.random.pick(frontDoors).submit(eventKey, call.caller, call.command, (outcome) => {
      this.isWaiting = false;
      this.answers++;
      scheduler.trace(`${name} hears ${JSON.stringify(outcome).slice(0, 200)}`);
      history.answered(call, outcome);
      then(outcome);
    });
  }
}
