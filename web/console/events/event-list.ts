/**
 * The events of a mode and workspace, page by page of 200 with their live counts, one call a page.
 *
 * States: reading → shown → behind (a later reading failed; the last events stay) → shown; failed, where nothing was
 * ever read: the person tries again. All pages are read one after the other, up to `PAGES_AT_ONCE`; the person asks
 * for more. A shown list reads each page again, every 5 seconds a page, while the page is in sight; an unchanged page
 * is a short answer (ETag). An answer that comes after `close` is dropped. A page that grew or shrank meanwhile names
 * an event twice or not at all until its next reading: an event counts once.
 */
import type { Server } from '../server/calls.ts';
import type { ListedEvent } from './listed-event.ts';

type Page = { events: readonly ListedEvent[]; nextCursor?: string };
type ReadPage = Page & { path: string; etag: string | null };

const EVENTS_PER_PAGE = 200;
const PAGES_AT_ONCE = 10;
const READ_EVERY_MS = 5_000;

export class EventList {
  state: 'reading' | 'shown' | 'failed' = 'reading';
  /** The last reading failed, and the events are those of an earlier one. */
  isBehind = false;
  events: readonly ListedEvent[] = [];
  /** When the events were read last, in epoch milliseconds. */
  readAt = 0;
  readonly #server: Server;
  readonly #workspaceId: string | null;
  readonly #changed: () => void;
  readonly #left = new AbortController();
  #pages: readonly ReadPage[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;
  /** Changes of this page. An answer that was asked for before the last one is older. */
  #changes = 0;

  constructor(server: Server, workspaceId: string | null, changed: () => void) {
    this.#server = server;
    this.#workspaceId = workspaceId;
    this.#changed = changed;
    const { signal } = this.#left;
    document.addEventListener('visibilitychange', () => this.#soon(0), { signal });
    window.addEventListener('online', () => void this.refresh(), { signal });
    void this.more();
  }

  close(): void {
    this.#left.abort();
    clearTimeout(this.#timer);
  }

  /** There are events that were not asked for. */
  get hasMore(): boolean {
    return this.#pages.at(-1)?.nextCursor !== undefined;
  }

  /** Reads the first pages, or the next. */
  async more(): Promise<void> {
    if (this.#pages.length === 0) this.state = 'reading';
    this.#changed();
    const most = this.#pages.length + PAGES_AT_ONCE;
    do {
      const page = await this.#read(this.#pathOf(this.#pages.at(-1)?.nextCursor), null);
      if (this.#left.signal.aborted) return;
      if (page === 'failed') break;
      if (page !== 'same') this.#take([...this.#pages, page]);
    } while (this.hasMore && this.#pages.length < most);
    if (this.#pages.length === 0) this.state = 'failed';
    this.#changed();
    this.#soon();
  }

  /** Reads every page again, now. */
  async refresh(): Promise<void> {
    if (this.#isReading || this.#pages.length === 0) return;
    clearTimeout(this.#timer);
    this.#isReading = true;
    for (const [index, { path, etag }] of this.#pages.entries()) {
      const page = await this.#read(path, etag);
      if (this.#left.signal.aborted) return;
      if (page === 'failed') break;
      if (page !== 'same') this.#take(this.#pages.with(index, page));
    }
    this.#isReading = false;
    this.#changed();
    this.#soon();
  }

  /** The answer of a change is shown at once. */
  put(changed: Partial<ListedEvent> & { key: string }): void {
    this.#change((events) => events.map((event) => (event.key === changed.key ? { ...event, ...changed } : event)));
  }

  drop(key: string): void {
    this.#change((events) => events.filter((event) => event.key !== key));
  }

  #change(change: (events: readonly ListedEvent[]) => readonly ListedEvent[]): void {
    this.#changes++;
    this.#take(this.#pages.map((page) => ({ ...page, etag: null, events: change(page.events) })));
  }

  async #read(path: string, etag: string | null): Promise<ReadPage | 'same' | 'failed'> {
    const changes = this.#changes;
    const answer = await this.#server.news<Page>(path, etag, this.#left.signal);
    this.isBehind = !answer.ok;
    if (changes !== this.#changes && answer.ok) return 'same';
    if (!answer.ok) return 'failed';
    this.readAt = Date.now();
    return answer.value === null ? 'same' : { ...answer.value, path, etag: answer.etag ?? null };
  }

  #take(pages: readonly ReadPage[]): void {
    this.#pages = pages;
    this.events = [...new Map(pages.flatMap(({ events }) => events).map((event) => [event.key, event])).values()];
    this.state = 'shown';
    this.#changed();
  }

  #pathOf(cursor: string | undefined): string {
    const query = new URLSearchParams({ limit: String(EVENTS_PER_PAGE) });
    if (this.#workspaceId !== null) query.set('workspaceId', this.#workspaceId);
    if (cursor !== undefined) query.set('cursor', cursor);
    return `events?${query}`;
  }

  #soon(afterMs = READ_EVERY_MS * this.#pages.length): void {
    clearTimeout(this.#timer);
    if (this.#left.signal.aborted || document.hidden || this.state !== 'shown') return;
    this.#timer = setTimeout(() => void this.refresh(), afterMs);
  }
}
