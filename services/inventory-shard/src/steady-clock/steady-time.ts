/**
 * The time that a shard tells. It follows the wall clock, which may jump, at a bounded rate: it runs at most
 * `slewRateMax` faster or slower than the monotonic clock. A wall clock that jumps therefore ends no hold early by more
 * than this part of the time since the jump.
 *
 * Told time steps in two cases only. The machine was suspended (`wasSuspended`): the monotonic clock stood still, and
 * told time catches up, but never past the wall clock. And the first comparison with NATS (`compare`) finds that the
 * process began with a wrong wall clock: told time then begins with the time of NATS.
 *
 * A later comparison decides which clock told time follows:
 *   - NATS and told time agree, the wall clock differs: told time follows the wall clock with a correction, as NATS
 *     measured it, until both agree again.
 *   - NATS and the wall clock agree, told time differs: told time follows the wall clock at the bounded rate. NATS may
 *     run on the machine whose clock jumped, so its agreement is no reason for a step.
 *   - NATS agrees with neither: nothing changes.
 */
import { agreementMs, clockGapMsMin, confirmedMs, slewRateMax } from './bounds.ts';

export type Ruling = 'all agree' | 'the wall clock is wrong' | 'told time is wrong' | 'NATS is alone';

export class SteadyTime {
  /** The time of NATS minus told time at the last comparison, in milliseconds. NaN before the first. */
  natsOffsetMs = Number.NaN;
  readonly #wall: () => number;
  readonly #elapsed: () => number;
  #told: number;
  #readAt: number;
  /** Added to the wall clock; other than 0 while NATS has shown that the wall clock is wrong. */
  #correction = 0;
  #gap = 0;
  #isCompared = false;
  #confirmedAt = Number.NEGATIVE_INFINITY;

  /** `wall` is in epoch milliseconds, `elapsed` in milliseconds of the monotonic clock. */
  constructor(wall: () => number, elapsed: () => number) {
    this.#wall = wall;
    this.#elapsed = elapsed;
    this.#readAt = elapsed();
    this.#told = wall();
  }

  /** Told time in whole epoch milliseconds. It never goes back after the first comparison. */
  now(): number {
    const elapsed = this.#elapsed();
    const aim = this.#wall() + this.#correction;
    const passed = Math.max(0, elapsed - this.#readAt);
    const steady = this.#told + passed;
    const slew = slewRateMax * passed;
    this.#readAt = elapsed;
    this.#told = Math.min(Math.max(aim, steady - slew), steady + slew);
    this.#gap = aim - this.#told;
    return Math.floor(this.#told);
  }

  /** The machine was suspended for this long, and the monotonic clock did not count it. */
  wasSuspended(ms: number): void {
    this.now();
    const step = Math.max(0, Math.min(ms, this.#gap));
    this.#told += step;
    this.#gap -= step;
  }

  /** Takes the time of NATS, minus the monotonic clock at that moment. */
  compare(natsTime: number): Ruling {
    const told = this.now();
    const reference = natsTime + this.#readAt;
    this.natsOffsetMs = reference - told;
    const wall = this.#wall();
    const isFirst = !this.#isCompared;
    this.#isCompared = true;
    const wallIsRight = isNear(wall, reference);
    const toldIsRight = isFirst || isNear(told, reference);
    if (!wallIsRight && !toldIsRight) return 'NATS is alone';
    this.#correction = wallIsRight ? 0 : reference - wall;
    if (isFirst && !isNear(told, reference)) this.#told = reference;
    this.#gap = wall + this.#correction - this.#told;
    if (!toldIsRight) return 'told time is wrong';
    this.#confirmedAt = this.#readAt;
    return wallIsRight ? 'all agree' : 'the wall clock is wrong';
  }

  /** The wall clock, corrected where it is known to be wrong, lies further from told time than `clockGapMsMin`. */
  get isApart(): boolean {
    return Math.abs(this.#gap) > clockGapMsMin;
  }

  /** Told time is as NATS said a moment ago. */
  get isConfirmed(): boolean {
    return !this.isApart && this.#readAt - this.#confirmedAt <= confirmedMs;
  }

  /** Told time minus the wall clock, in milliseconds. */
  get offsetMs(): number {
    return this.now() - this.#wall();
  }
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= agreementMs;
}
