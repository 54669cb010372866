/**
 * Follows the log of each event that has a control room open, and keeps its last hour by the minute. A front door reads
 * an entry once, however many control rooms ask. No sale waits for it, and an event without a control room costs
 * nothing.
 *
 * States of a window: empty → growing (the newest entries are known, older ones of the hour follow page by page with
 * the next readings) → whole → forgotten, when newer events need the room. Callers who come during a reading share it.
 *
 * The one await is a page of the log. A page fails: what was read stays, `readAt` tells its age, and the next caller
 * reads on. More has happened since the last reading than one reading has pages for: the window begins anew from the
 * newest entries, because a gap would make a wrong sum.
 */
import type { JournalEntry } from '@parterre/shared/protocol/catalog/history';
import { wallEventsMax, wallLogPagesMax } from '@parterre/shared/protocol/limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import { SalesMinutes, salesWindowMs } from './rules/sales-minutes.ts';

const READ_EVERY_MS = SECOND_MS;
const ENTRIES_PER_PAGE = 200;
/** Present entries. Waiting for a version is for readers of one booking. */
const presentState = 0;

export class SalesWindow {
  readonly minutes = new SalesMinutes();
  /** All entries since then are counted (epoch ms). */
  since = Number.POSITIVE_INFINITY;
  /** The time of the last reading; null before the first. */
  readAt: number | null = null;
  /** The newest entry of the log; null without one. */
  newest: Pick<JournalEntry, 'id' | 'at'> | null = null;
  readonly #eventKey: string;
  readonly #catalog: CatalogClient;
  readonly #clock: Clock;
  /** Where the older entries begin that are not read yet; null: all of the hour are read. */
  #olderBefore: number | null = null;
  #reading: Promise<void> | null = null;
  #begunAt = Number.NEGATIVE_INFINITY;

  constructor(eventKey: string, catalog: CatalogClient, clock: Clock) {
    this.#eventKey = eventKey;
    this.#catalog = catalog;
    this.#clock = clock;
  }

  /** Reads what is new, at most once a second. */
  read(): Promise<void> {
    if (this.#reading === null && this.#clock.elapsed() - this.#begunAt >= READ_EVERY_MS) {
      this.#begunAt = this.#clock.elapsed();
      this.#reading = this.#readOn().finally(() => {
        this.#reading = null;
      });
    }
    return this.#reading ?? Promise.resolve();
  }

  async #readOn(): Promise<void> {
    const now = this.#clock.now();
    const pagesLeft = await this.#readNews(now);
    if (pagesLeft === null) return;
    this.readAt = now;
    for (let pages = pagesLeft; pages > 0 && this.#olderBefore !== null; pages--) {
      const page = await this.#page(this.#olderBefore);
      if (page === null) return;
      for (const entry of page.entries) this.minutes.add(entry);
      this.#noteOldest(page.entries.at(-1)?.at, page.nextBefore, now);
    }
    this.minutes.forget(now);
    if (this.#olderBefore === null) this.since = Math.max(this.since, now - salesWindowMs);
  }

  /** The pages that the reading has left; null where a page failed. */
  async #readNews(now: number): Promise<number | null> {
    const known = this.newest?.id ?? null;
    const news: JournalEntry[] = [];
    let before: number | null = null;
    let pages = wallLogPagesMax;
    while (pages-- > 0) {
      const page = await this.#page(before);
      if (page === null) return null;
      news.push(...page.entries.filter(({ id }) => known === null || id > known));
      before = page.nextBefore;
      if (known === null) break;
      const oldest = page.entries.at(-1)?.id ?? 0;
      if (before === null || before <= known || oldest <= known) {
        this.#take(news);
        return pages;
      }
    }
    this.#begin(news, before, now);
    return pages;
  }

  #take(news: readonly JournalEntry[]): void {
    for (const entry of news) this.minutes.add(entry);
    this.newest = news[0] ?? this.newest;
  }

  #begin(news: readonly JournalEntry[], before: number | null, now: number): void {
    this.minutes.clear();
    this.since = Number.POSITIVE_INFINITY;
    this.#take(news);
    this.#noteOldest(news.at(-1)?.at, before, now);
  }

  #noteOldest(at: number | undefined, before: number | null, now: number): void {
    const isWhole = before === null || (at !== undefined && at < now - salesWindowMs);
    this.#olderBefore = isWhole ? null : before;
    this.since = isWhole ? now - salesWindowMs : Math.min(this.since, at ?? now);
  }

  async #page(before: number | null): Promise<{ entries: JournalEntry[]; nextBefore: number | null } | null> {
    const asked = { eventKey: this.#eventKey, version: presentState, limit: ENTRIES_PER_PAGE };
    const page = await this.#catalog('history.log', before === null ? asked : { ...asked, before });
    return page.ok ? page.value : null;
  }
}

export class SalesWindows {
  readonly #catalog: CatalogClient;
  readonly #clock: Clock;
  readonly #windows = new Map<string, SalesWindow>();

  constructor(catalog: CatalogClient, clock: Clock) {
    this.#catalog = catalog;
    this.#clock = clock;
  }

  of(eventKey: string): SalesWindow {
    const known = this.#windows.get(eventKey);
    // The event that was asked for last is the last, and leaves last.
    if (known) this.#windows.delete(eventKey);
    const window = known ?? new SalesWindow(eventKey, this.#catalog, this.#clock);
    this.#windows.set(eventKey, window);
    if (this.#windows.size > wallEventsMax) this.#windows.delete(this.#windows.keys().next().value!);
    return window;
  }
}
