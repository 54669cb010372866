/**
 * A binary heap of the times at which something ends or opens by itself, earliest first. Extending or ending a hold
 * leaves its old entry in the heap. The fold checks an entry against the state when the entry reaches the top, which is
 * cheaper than keeping positions up to date.
 */
export type Deadline = {
  at: number;
  what: { holdId: string } | { unit: number } | { reservationId: string } | 'reveal';
};

export class DeadlineHeap<D extends Deadline = Deadline> {
  #heap: D[] = [];

  get size(): number {
    return this.#heap.length;
  }

  peek(): D | undefined {
    return this.#heap[0];
  }

  push(deadline: D): void {
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

  pop(): D | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length > 0 && last) this.#sink(last);
    return first;
  }

  /** The entries, earliest first, without removing any. Reading the first k takes O(k log k). */
  *inOrder(): Generator<D> {
    const heap = this.#heap;
    const frontier = new DeadlineHeap<Deadline & { index: number }>();
    const reach = (index: number): void => {
      const entry = heap[index];
      if (entry) frontier.push({ at: entry.at, what: entry.what, index });
    };
    reach(0);
    for (let next = frontier.pop(); next; next = frontier.pop()) {
      yield heap[next.index]!;
      reach(2 * next.index + 1);
      reach(2 * next.index + 2);
    }
  }

  /** Keeps only the entries for which `isKept` is true. */
  keep(isKept: (deadline: D) => boolean): void {
    const kept = this.#heap.filter(isKept);
    this.#heap = [];
    for (const deadline of kept) this.push(deadline);
  }

  #sink(deadline: D): void {
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
