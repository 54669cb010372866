/**
 * Opens the room of the clock: the shard's clock, whose wall time never jumps by itself (steady-time.ts). Holds end and
 * events carry times by this clock.
 *
 * States: beginning → running → ended. Beginning awaits the time of NATS, so that no partition is taken with a wrong
 * time. The clock runs on without a comparison where NATS never tells the time, and after `firstComparisonsMax` tries
 * without an answer. Running looks at the
 * wall clock each second and compares with NATS every five seconds, and at once after a jump. One comparison is under
 * way at a time.
 *
 * Failure at the await: the time of NATS is unknown. Nothing changes, and the next comparison asks again.
 */
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { compareEveryMs, firstComparisonPauseMs, firstComparisonsMax, lookEveryMs, suspensionMsMin } from './bounds.ts';
import type { AskNatsTime } from './nats-time.ts';
import { type Ruling, SteadyTime } from './steady-time.ts';

export class SteadyClock implements Clock {
  /** The times that the wall clock jumped. */
  jumps = 0;
  readonly #base: Clock;
  readonly #uptime: () => number;
  readonly #log: Logger;
  readonly #time: SteadyTime;
  #ask: AskNatsTime | null = null;
  /** The part of `uptime` that `base.elapsed` does not count. It grows by suspensions. */
  #uncounted: number;
  #ruling: Ruling = 'all agree';
  #wasApart = false;
  #comparedAt = Number.NEGATIVE_INFINITY;
  #isComparing = false;
  #cancelLook: () => void = () => {};

  /**
   * `base` has the wall clock that may jump. `uptime` is the time since the start of the machine in milliseconds; it
   * counts suspensions, which `base.elapsed` may not count.
   */
  constructor(base: Clock, uptime: () => number, log: Logger) {
    this.#base = base;
    this.#uptime = uptime;
    this.#log = log;
    this.#uncounted = uptime() - base.elapsed();
    this.#time = new SteadyTime(
      () => base.now(),
      () => base.elapsed(),
    );
  }

  now(): number {
    return this.#time.now();
  }

  elapsed(): number {
    return this.#base.elapsed();
  }

  after(delayMs: number, run: () => void): () => void {
    return this.#base.after(delayMs, run);
  }

  isConfirmed(): boolean {
    return this.#time.isConfirmed;
  }

  /** Told time minus the machine's wall clock, in milliseconds. */
  get offsetMs(): number {
    return this.#time.offsetMs;
  }

  /** Resolves after the first comparison, or when none is to be had. */
  async begin(ask: AskNatsTime): Promise<void> {
    this.#ask = ask;
    let outcome = await this.#compare();
    for (let tries = 1; outcome === 'unknown' && tries < firstComparisonsMax; tries++) {
      await pause(this.#base, firstComparisonPauseMs);
      outcome = await this.#compare();
    }
    if (outcome === 'untold')
      this.#log.warn('the clock of this machine is not checked: NATS tells the time since 2.10');
    else if (outcome === 'unknown') this.#log.warn('the clock of this machine could not be compared with NATS yet');
    this.#look();
  }

  end(): void {
    this.#ask = null;
    this.#cancelLook();
  }

  /** The time of NATS minus told time at the last comparison, in milliseconds. NaN before the first. */
  get natsOffsetMs(): number {
    return this.#time.natsOffsetMs;
  }

  #look(): void {
    if (this.#ask === null) return;
    this.#noteSuspension();
    const { offsetMs, isApart } = this.#time;
    const jumped = isApart && !this.#wasApart;
    this.#wasApart = isApart;
    if (jumped) {
      this.jumps++;
      this.#log.warn({ offsetMs }, 'the wall clock has jumped: the shard goes on with steady time');
    }
    if (jumped || this.#base.elapsed() - this.#comparedAt >= compareEveryMs) void this.#compare();
    this.#cancelLook = this.#base.after(lookEveryMs, () => this.#look());
  }

  #noteSuspension(): void {
    const before = this.#base.elapsed();
    const uncounted = this.#uptime() - before;
    // The process was stopped between the two clocks: the next look tells more.
    if (this.#base.elapsed() - before > suspensionMsMin / 2) return;
    const ms = uncounted - this.#uncounted;
    if (Math.abs(ms) < suspensionMsMin) return;
    this.#uncounted = uncounted;
    this.#time.wasSuspended(ms);
    this.#log.warn({ ms }, 'the machine was suspended');
  }

  async #compare(): Promise<'compared' | 'unknown' | 'untold'> {
    if (this.#isComparing || this.#ask === null) return 'unknown';
    this.#isComparing = true;
    const time = await this.#ask();
    this.#isComparing = false;
    this.#comparedAt = this.#base.elapsed();
    if (time === null) return 'unknown';
    if (time === 'untold') return 'untold';
    this.#tell(this.#time.compare(time));
    return 'compared';
  }

  /** Logs a ruling once, until it changes. */
  #tell(ruling: Ruling): void {
    const before = this.#ruling;
    this.#ruling = ruling;
    if (ruling === before) return;
    const facts = { offsetMs: this.offsetMs, natsOffsetMs: this.natsOffsetMs };
    switch (ruling) {
      case 'all agree':
        this.#log.info(facts, 'the clocks agree again');
        break;
      case 'the wall clock is wrong':
        this.#log.error(facts, 'the wall clock of this machine is wrong: the shard tells the time of NATS');
        break;
      case 'told time is wrong':
        this.#log.error(facts, 'the time of this shard is wrong and nears the right time slowly: restart the shard');
        break;
      case 'NATS is alone':
        this.#log.error(facts, 'the time of NATS differs from the time of this machine: check the clocks of both');
        break;
    }
  }
}
