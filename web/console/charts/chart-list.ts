/**
 * The charts of a workspace, or the charts in the archive, in pages of 200.
 *
 * States: reading → shown → behind (a later reading failed; the last charts stay) → shown; failed, where nothing was
 * ever read: the person tries again. The list is read again when the page comes back in sight, as the designer is
 * another page, and when the network is back. An answer that comes after `close`, or after a newer question, is
 * dropped.
 */
import type { Server } from '../server/calls.ts';
import type { Chart } from './chart.ts';

type Page = { charts: readonly Chart[]; nextCursor?: string };

const CHARTS_PER_PAGE = 200;

export class ChartList {
  state: 'reading' | 'shown' | 'failed' = 'reading';
  isBehind = false;
  charts: readonly Chart[] = [];
  readonly #server: Server;
  readonly #changed: () => void;
  readonly #query: Record<string, string>;
  readonly #left = new AbortController();
  #next: string | undefined = undefined;
  #asked = 0;

  constructor(server: Server, workspaceId: string | null, isArchive: boolean, changed: () => void) {
    this.#server = server;
    this.#changed = changed;
    this.#query = {
      limit: String(CHARTS_PER_PAGE),
      ...(workspaceId !== null && { workspaceId }),
      ...(isArchive && { archived: '1' }),
    };
    const { signal } = this.#left;
    const again = (): void => {
      if (!document.hidden) void this.read();
    };
    document.addEventListener('visibilitychange', again, { signal });
    window.addEventListener('online', again, { signal });
    void this.read();
  }

  get hasMore(): boolean {
    return this.#next !== undefined;
  }

  close(): void {
    this.#left.abort();
  }

  /** Reads as many charts as are shown again; with `more` the next page too. */
  async read(more = false): Promise<void> {
    const asked = ++this.#asked;
    const wanted = this.charts.length + (more ? 1 : 0);
    let charts: readonly Chart[] = [];
    let next: string | undefined;
    do {
      const query = new URLSearchParams({ ...this.#query, ...(next !== undefined && { cursor: next }) });
      const answer = await this.#server.get<Page>(`charts?${query}`, this.#left.signal);
      if (this.#left.signal.aborted || asked !== this.#asked) return;
      if (!answer.ok) {
        this.isBehind = this.state === 'shown';
        if (this.state !== 'shown') this.state = 'failed';
        this.#changed();
        return;
      }
      charts = [...charts, ...answer.value.charts];
      next = answer.value.nextCursor;
    } while (next !== undefined && charts.length < wanted);
    this.charts = charts;
    this.#next = next;
    this.isBehind = false;
    this.state = 'shown';
    this.#changed();
  }
}
