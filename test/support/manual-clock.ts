/** A clock that stands still until a test moves it. Timers run in the order of their times. */
import type { Clock } from '@parterre/shared/runtime/clock';

export class ManualClock implements Clock {
  /** Wall time minus elapsed time, milliseconds. */
  wallOffset = 0;
  /** Whether another machine confirms the wall time. */
  confirmed = false;
  private time: number;
  private timers: { at: number; run: () => void }[] = [];

  constructor(startMs = 1_000_000) {
    this.time = startMs;
  }

  now(): number {
    return this.time + this.wallOffset;
  }

  elapsed(): number {
    return this.time;
  }

  isConfirmed(): boolean {
    return this.confirmed;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.time + delayMs, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((each) => each !== timer);
    };
  }

  /** Lets `ms` pass without running timers, as a computation does that blocks the process. */
  pass(ms: number): void {
    this.time += ms;
  }

  /** Moves the clock on by `ms` and runs every timer that comes due on the way, also timers that those timers start. */
  advance(ms: number): void {
    const until = this.time + ms;
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((each) => each !== next);
      this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.time = Math.max(this.time, until);
  }
}
