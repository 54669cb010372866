/**
 * A binary heap of moments at which something ends or opens by itself, earliest first. Entries are never taken out when their
 * hold is extended or ended: whoever pops one checks it against the state (`due.ts`), which is cheaper than keeping
 * positions up to date.
 */
export type Deadline = { at: number; what: { holdId: string } | { unit: number } | 'reveal' };

export class DeadlineHeap {
  #heap: Deadline[] = [];

  get size(): number {
    return this.#heap.length;
  }

  peek(): Deadline | undefined {
    return this.#heap[0];
  }

  push(deadline: Deadline): void {
    const heap = this.#heap;
    let child = heap.push(deadline) - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (heap[parent]!.at <= deadline.at) break;
      heap[child] = heap[parent]!;
      child = parent;
    }
    heap[child] = deadline;
  }

  pop(): Deadline | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length > 0 && last) this.#sink(last);
    return first;
  }

  /** Takes out what `isKept` refuses, all at once. */
  keep(isKept: (deadline: Deadline) => boolean): void {
    const kept = this.#heap.filter(isKept);
    this.#heap = [];
    for (const deadline of kept) this.push(deadline);
  }

  #sink(deadline: Deadline): void {
    const heap = this.#heap;
    let parent = 0;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child++;
      if (heap[child]!.at >= deadline.at) break;
      heap[parent] = heap[child]!;
      parent = child;
    }
    heap[parent] = deadline;
  }
}
