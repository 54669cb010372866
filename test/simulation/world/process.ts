/**
 * One simulated process: its clocks, its life, and its link to the NATS servers.
 *
 * Life: deliveries to a process (timers, messages, answers) run only while it lives. A crash ends all of them, even in
 * the middle of a turn: after the crash no send leaves. While the process is stopped, or busy, everything waits for
 * `busyUntil`. A process also loses time in the middle of a turn, at each read of its monotonic clock, where a stop
 * does the most harm.
 *
 * Link: messages keep their order in each direction. A stalled link delivers late. A cut link loses the messages on
 * their way; a message that is sent during the cut is lost, or leaves after the reconnect (the client library keeps
 * it). Process and servers notice the cut each in their own time, the servers perhaps never.
 */
import type { Clock } from '@parterre/shared/runtime/clock';
import { START } from '../../support/inventory/house.ts';
import type { Faults } from '../faults.ts';
import type { Scheduler } from './scheduler.ts';

/** The largest error of a wall clock that was set right. */
const healedOffsetMsMax = 3_000;

const nothing = (): void => {};

export class SimulatedProcess {
  readonly clock: Clock;
  alive = true;
  busyUntil = 0;
  /** The error of the wall clock, in milliseconds. */
  wallOffset = 0;
  /** True while the servers count it as connected. */
  connected = true;
  /** True while it believes that its link stands. */
  linkIsUp = true;
  /** Until then nobody hears its heartbeats, and it hears none. */
  mutedUntil = 0;
  /** True when changes may stay unpublished for ever: a message of it was lost, or it took a partition anew. */
  hasLost = false;
  /** Called when it ends. */
  onEnd: () => void = nothing;
  readonly #onLink: ((isUp: boolean) => void)[] = [];
  readonly #scheduler: Scheduler;
  readonly #faults: Faults;
  readonly #bornAt: number;
  readonly #rate: number;
  #isCut = false;
  #stalledUntil = 0;
  #lastOut = 0;
  #lastIn = 0;
  #kept: (() => void)[] = [];
  #waiting: (() => void)[] = [];
  #sendsLeft = Number.POSITIVE_INFINITY;

  constructor(
    scheduler: Scheduler,
    readonly name: string,
    faults: Faults,
  ) {
    this.#scheduler = scheduler;
    this.#faults = faults;
    this.#bornAt = scheduler.now - scheduler.random.int(0, 1_000_000);
    this.#rate = 1 + faults.now.clockDrift * (2 * scheduler.random.next() - 1);
    this.clock = {
      now: () => START + Math.floor(this.#local() + this.wallOffset),
      elapsed: () => {
        if (faults.strikes('losesTime')) {
          this.busyUntil = this.#local() + scheduler.random.delay(1, faults.now.stopMsMax);
          scheduler.trace(`${name} loses time until ${this.busyUntil.toFixed(0)}`);
        }
        return (this.#local() - this.#bornAt) * this.#rate;
      },
      after: (delayMs, run) => {
        // As in Node: whole milliseconds, at least one, and now and then a little early.
        const early = scheduler.random.chance(0.05) ? scheduler.random.next() : 0;
        return this.#deliverAt(this.#local() + (Math.max(Math.trunc(delayMs), 1) - early) / this.#rate, run);
      },
    };
  }

  #local(): number {
    return Math.max(this.#scheduler.now, this.busyUntil);
  }

  /** Runs at the end of the turn. */
  soon(run: () => void): void {
    this.#deliverAt(this.#local(), run);
  }

  /** Stops it as SIGSTOP does. */
  stop(forMs: number): void {
    this.busyUntil = Math.max(this.busyUntil, this.#scheduler.now + forMs);
    this.#scheduler.trace(`${this.name} is stopped for ${forMs.toFixed(0)} ms`);
  }

  crash(why: string): void {
    if (!this.alive) return;
    this.alive = false;
    this.#scheduler.trace(`${this.name} ends: ${why}`);
    this.onEnd();
    // A dead process' sockets are closed by its kernel; a dead machine's are not.
    const noticedAfter = this.#scheduler.random.chance(0.7) ? 0 : this.#scheduler.random.delay(0, 3_000);
    this.#scheduler.after(noticedAfter, () => {
      this.connected = false;
    });
  }

  /** It will crash at one of its next sends, in the middle of a turn. */
  crashSoon(sends: number): void {
    this.#sendsLeft = sends;
  }

  mute(forMs: number): void {
    this.mutedUntil = this.#scheduler.now + forMs;
    this.#scheduler.trace(`${this.name} is not heard and hears nobody for ${forMs.toFixed(0)} ms`);
  }

  heal(): void {
    this.mutedUntil = 0;
    this.#stalledUntil = 0;
    this.#sendsLeft = Number.POSITIVE_INFINITY;
    this.wallOffset = Math.max(-healedOffsetMsMax, Math.min(this.wallOffset, healedOffsetMsMax));
  }

  /** Runs at a time, once the process has time for it, and not after its end. The returned function cancels it. */
  #deliverAt(time: number, run: () => void): () => void {
    let cancel = this.#scheduler.at(time, () => {
      cancel = this.#deliver(run);
    });
    return () => cancel();
  }

  /** As `#deliverAt`, from now on. */
  #deliver(run: () => void): () => void {
    if (this.alive && this.busyUntil > this.#scheduler.now) return this.#deliverAt(this.busyUntil, run);
    if (this.alive) run();
    return nothing;
  }

  /** Process → servers: `arrive` runs there, or never. A `kept` message is sent again after a reconnect. */
  send(arrive: () => void, kept = false): void {
    if (!this.alive) return;
    if (this.#sendsLeft-- <= 0) {
      this.crash('in the middle of a turn');
      return;
    }
    if (this.#isCut) {
      if (kept || this.#scheduler.random.chance(0.5)) this.#kept.push(arrive);
      else this.hasLost = true;
      return;
    }
    const { latencyMs } = this.#faults.now;
    const reached = Math.max(
      this.#lastOut,
      this.#local() + this.#scheduler.random.delay(0.1, latencyMs),
      this.#stalledUntil,
    );
    this.#lastOut = reached;
    this.#scheduler.atServers(reached, arrive);
  }

  /** Servers → process: `run` runs there, or never. */
  receive(run: () => void): void {
    if (this.#isCut || !this.connected) return;
    const { latencyMs } = this.#faults.now;
    const reached = Math.max(
      this.#lastIn,
      this.#scheduler.now + this.#scheduler.random.delay(0.1, latencyMs),
      this.#stalledUntil,
    );
    this.#lastIn = reached;
    this.#scheduler.at(reached, () => {
      if (!this.#isCut) this.#deliver(run);
    });
  }

  stall(forMs: number): void {
    this.#stalledUntil = Math.max(this.#stalledUntil, this.#scheduler.now + forMs);
    this.#scheduler.trace(`${this.name}: its link stalls for ${forMs.toFixed(0)} ms`);
  }

  cut(forMs: number): void {
    if (this.#isCut || !this.alive) return;
    this.#isCut = true;
    const { random } = this.#scheduler;
    this.#scheduler.trace(`${this.name}: its link is cut for ${forMs.toFixed(0)} ms`);
    this.#scheduler.after(random.delay(0, 2_000), () => {
      if (this.#isCut) this.connected = false;
    });
    this.#deliverAt(this.#scheduler.now + random.delay(0, 2_000), () => {
      if (this.#isCut) this.#notice(false);
    });
    this.#scheduler.after(forMs, () => this.#mend());
  }

  #mend(): void {
    this.#isCut = false;
    if (!this.alive) return;
    this.#scheduler.trace(`${this.name}: its link stands again`);
    this.connected = true;
    for (const arrive of this.#kept.splice(0)) this.send(arrive, true);
    this.#deliverAt(this.#scheduler.now, () => {
      this.#notice(false);
      this.#notice(true);
    });
  }

  /** The process's belief about its link. It notices every cut, at the latest after the cut's end. */
  #notice(isUp: boolean): void {
    if (this.linkIsUp === isUp) return;
    this.linkIsUp = isUp;
    this.#scheduler.trace(`${this.name} notices that its link is ${isUp ? 'up' : 'down'}`);
    for (const hear of this.#onLink) hear(isUp);
    if (isUp) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  onLink(hear: (isUp: boolean) => void): void {
    this.#onLink.push(hear);
  }

  whenConnected(): Promise<void> {
    return this.linkIsUp ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }
}
