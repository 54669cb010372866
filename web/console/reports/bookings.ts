/**
 * All bookings of an event, page by page, for sums over time.
 *
 * States: reading → whole, or failed (what was read stays, and "try again" reads on from there). Left while a page is
 * on its way: the page is dropped. An event has at most some 100,000 bookings: 500 pages.
 */
import type { Server } from '../server/calls.ts';
import type { SoldObject } from './sold.ts';

type Answer = { bookings: { objects: SoldObject[] }[]; nextCursor: string | null };

const BOOKINGS_PER_PAGE = 200;

export class BookingReader {
  readonly #server: Server;
  readonly #path: string;
  readonly #changed: () => void;
  readonly #left = new AbortController();
  #objects: SoldObject[] = [];
  #bookings = 0;
  #next: string | null = null;
  #state: 'reading' | 'whole' | 'failed' = 'reading';

  constructor(eventKey: string, server: Server, changed: () => void) {
    this.#server = server;
    this.#path = `events/${encodeURIComponent(eventKey)}/bookings`;
    this.#changed = changed;
    void this.read();
  }

  get state(): 'reading' | 'whole' | 'failed' {
    return this.#state;
  }

  /** The number of bookings that were read so far. */
  get bookings(): number {
    return this.#bookings;
  }

  get objects(): readonly SoldObject[] {
    return this.#objects;
  }

  async read(): Promise<void> {
    this.#state = 'reading';
    do {
      const query = new URLSearchParams({ limit: String(BOOKINGS_PER_PAGE) });
      if (this.#next !== null) query.set('cursor', this.#next);
      const answer = await this.#server.get<Answer>(`${this.#path}?${query}`, this.#left.signal);
      if (this.#left.signal.aborted) return;
      if (!answer.ok) return this.#become('failed');
      for (const { objects } of answer.value.bookings) this.#objects.push(...objects);
      this.#bookings += answer.value.bookings.length;
      this.#next = answer.value.nextCursor;
      this.#changed();
    } while (this.#next !== null);
    this.#become('whole');
  }

  close(): void {
    this.#left.abort();
  }

  #become(state: 'whole' | 'failed'): void {
    this.#state = state;
    this.#changed();
  }
}
