/**
 * A ring of bytes between two threads, in shared memory: one thread writes, the other reads. A message is its length
 * (u32) and its bytes.
 *
 * States of the reader: awake (looks at the ring once in each turn) → asleep, after a turn that found nothing → awake.
 * The reader says that it falls asleep, and then looks once more: a message that was written between the two looks is
 * found. The writer wakes the reader only where it sleeps.
 */
const bytes = 4 * 1024 * 1024;
const headBytes = 16;
const [written, taken, asleep] = [0, 1, 2] as const;

export function newRing(): SharedArrayBuffer {
  return new SharedArrayBuffer(headBytes + bytes);
}

export class RingWriter {
  readonly #head: Int32Array;
  readonly #body: Uint8Array;
  readonly #wake: () => void;
  readonly #length = new Uint8Array(4);

  constructor(ring: SharedArrayBuffer, wake: () => void) {
    this.#head = new Int32Array(ring, 0, headBytes / 4);
    this.#body = new Uint8Array(ring, headBytes);
    this.#wake = wake;
  }

  write(message: Uint8Array): void {
    const at = Atomics.load(this.#head, written) >>> 0;
    const used = (at - (Atomics.load(this.#head, taken) >>> 0)) >>> 0;
    if (used + 4 + message.length > bytes) throw new Error('the ring is full');
    new DataView(this.#length.buffer).setUint32(0, message.length);
    this.#put(at, this.#length);
    this.#put(at + 4, message);
    Atomics.store(this.#head, written, (at + 4 + message.length) | 0);
    if (Atomics.compareExchange(this.#head, asleep, 1, 0) === 1) this.#wake();
  }

  #put(at: number, part: Uint8Array): void {
    const from = at % bytes;
    const fits = Math.min(part.length, bytes - from);
    this.#body.set(fits === part.length ? part : part.subarray(0, fits), from);
    if (fits < part.length) this.#body.set(part.subarray(fits), 0);
  }
}

export class RingReader {
  readonly #head: Int32Array;
  readonly #body: Uint8Array;
  readonly #hear: (message: Uint8Array) => void;

  constructor(ring: SharedArrayBuffer, hear: (message: Uint8Array) => void) {
    this.#head = new Int32Array(ring, 0, headBytes / 4);
    this.#body = new Uint8Array(ring, headBytes);
    this.#hear = hear;
  }

  /** Call this at the start and when woken. */
  readonly look = (): void => {
    if (this.#drain()) {
      setImmediate(this.look);
      return;
    }
    Atomics.store(this.#head, asleep, 1);
    const isEmpty = Atomics.load(this.#head, written) === Atomics.load(this.#head, taken);
    if (!isEmpty && Atomics.compareExchange(this.#head, asleep, 1, 0) === 1) setImmediate(this.look);
  };

  #drain(): boolean {
    const end = Atomics.load(this.#head, written) >>> 0;
    let at = Atomics.load(this.#head, taken) >>> 0;
    if (at === end) return false;
    while (at !== end) {
      const length = new DataView(this.#take(at, 4).buffer).getUint32(0);
      const message = this.#take(at + 4, length);
      at = (at + 4 + length) >>> 0;
      Atomics.store(this.#head, taken, at | 0);
      this.#hear(message);
    }
    return true;
  }

  /** A copy: the writer will use the place again. */
  #take(at: number, length: number): Uint8Array {
    const from = at % bytes;
    const copy = new Uint8Array(length);
    const fits = Math.min(length, bytes - from);
    copy.set(this.#body.subarray(from, from + fits), 0);
    if (fits < length) copy.set(this.#body.subarray(0, length - fits), fits);
    return copy;
  }
}
