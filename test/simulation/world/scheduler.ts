/**
 * Virtual time. Everything in a simulation is an event with a time. One seed drives every choice, so the same seed
 * gives the same history, event by event.
 *
 * An event of a process may resolve promises. The next event runs when all their effects have come to rest. An event of
 * the servers between processes, such as the arrival of a message, only plans further events. Most events are of the
 * servers, and nothing has to come to rest behind them.
 */

/** A stream of pseudo-random numbers: mulberry32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not begin alike.
    this.#state = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) >>> 0;
  }

  /** A stream of its own that goes on from here. */
  clone(): Random {
    const copy = new Random(0);
    copy.#state = this.#state;
    return copy;
  }

  /** From 0 up to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  /** A whole number from `least` to `most`. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(things: readonly T[]): T {
    return things[this.int(0, things.length - 1)]!;
  }

  /** Milliseconds, small values far more often than large ones, like waits on a network. */
  delay(leastMs: number, mostMs: number): number {
    const drawn = this.next();
    return leastMs + (mostMs - leastMs) * drawn * drawn * drawn;
  }
}

type Event = { at: number; order: number; run: (() => void) | null; isOfServers: boolean };

export const traceKeptDefault = 60;
/** More steps mean an endless loop. */
const stepsMax = 200_000;

export class Scheduler {
  readonly random: Random;
  now = 0;
  steps = 0;
  /** FNV-1a over the whole trace: two runs of a seed have the same hash. */
  traceHash = 0x811c9dc5;
  readonly #trace: string[] = [];
  readonly #heap: Event[] = [];
  #order = 0;

  readonly #traceKept: number;

  constructor(seed: number, traceKept: number) {
    this.#traceKept = traceKept;
    this.random = new Random(seed);
  }

  /** Runs `run` at a time, after earlier plans for the same time. The returned function cancels it. */
  at(time: number, run: () => void): () => void {
    const event: Event = { at: Math.max(time, this.now), order: this.#order++, run, isOfServers: false };
    this.#push(event);
    return () => {
      event.run = null;
    };
  }

  /** Runs `run` at a time. `run` resolves no promise. */
  atServers(time: number, run: () => void): void {
    this.#push({ at: Math.max(time, this.now), order: this.#order++, run, isOfServers: true });
  }

  after(delayMs: number, run: () => void): () => void {
    return this.at(this.now + delayMs, run);
  }

  /** Adds a line to the trace. */
  trace(line: string): void {
    const noted = `${this.now.toFixed(2).padStart(9)} ${line}`;
    for (let i = 0; i < noted.length; i++) {
      this.traceHash = Math.imul(this.traceHash ^ noted.charCodeAt(i), 0x01000193) >>> 0;
    }
    this.#trace.push(noted);
    if (this.#trace.length > 4 * this.#traceKept) this.#trace.splice(0, this.#trace.length - this.#traceKept);
  }

  lastOfTrace(): string[] {
    return this.#trace.slice(-this.#traceKept);
  }

  /** Runs event after event until `isOver` is true. `afterStep` is called after each event of a process. */
  async run(isOver: () => boolean, afterStep: () => void): Promise<void> {
    // The events run as microtasks: see `atRest`.
    await null;
    while (!isOver()) {
      const event = this.#pop();
      if (!event) throw new Error('nothing is left to happen');
      if (!event.run) continue;
      this.now = event.at;
      this.steps++;
      if (this.steps > stepsMax) throw new Error(`more than ${stepsMax} steps`);
      event.run();
      if (event.isOfServers) continue;
      await atRest();
      afterStep();
    }
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let child = heap.push(event) - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (isBefore(heap[parent]!, event)) break;
      heap[child] = heap[parent]!;
      child = parent;
    }
    heap[child] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0 || !last) return first;
    let parent = 0;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (isBefore(last, heap[child]!)) break;
      heap[parent] = heap[child]!;
      parent = child;
    }
    heap[parent] = last;
    return first;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/**
 * Resolves when no microtask is left. Call this in a microtask: Node runs its next ticks only once the queue of
 * microtasks is empty. A turn of the event loop (setImmediate) would do the same at three times the price.
 */
function atRest(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
