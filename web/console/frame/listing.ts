/**
 * A list of the server, page by page.
 *
 * States: reading → shown (whole, or with more to read) or failed; "try again" reads on from where it failed. `reread`
 * begins anew and keeps the old items until the first page is there. A page that comes after a newer beginning, or
 * after the view was left, is dropped.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import type { PlainKey, Words } from '../messages/words.ts';

export type PageOf<Item> = { items: readonly Item[]; next?: string | number | null | undefined };
type ReadPage<Item> = (cursor: string | undefined, signal: AbortSignal) => Promise<Result<PageOf<Item>>>;

export class Listing<Item> {
  readonly #read: ReadPage<Item>;
  readonly #changed: () => void;
  #left = new AbortController();
  #items: readonly Item[] = [];
  #next: string | undefined = undefined;
  #state: 'reading' | 'shown' | 'failed' = 'reading';

  constructor(read: ReadPage<Item>, changed: () => void) {
    this.#read = read;
    this.#changed = changed;
    void this.more();
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  get state(): 'reading' | 'shown' | 'failed' {
    return this.#state;
  }

  reread = (): void => {
    this.#left.abort();
    this.#left = new AbortController();
    this.#next = undefined;
    void this.more();
  };

  more = async (): Promise<void> => {
    const { signal } = this.#left;
    const cursor = this.#next;
    this.#state = 'reading';
    this.#changed();
    const answer = await this.#read(cursor, signal);
    if (signal.aborted) return;
    if (answer.ok) {
      const { items, next = null } = answer.value;
      this.#items = cursor === undefined ? items : [...this.#items, ...items];
      this.#next = next === null ? undefined : String(next);
    }
    this.#state = answer.ok ? 'shown' : 'failed';
    this.#changed();
  };

  close(): void {
    this.#left.abort();
  }

  /** How far the list is read, and the button that reads on. `empty`: the words for a list without items. */
  draw({ text }: Words, empty: PlainKey): TemplateResult {
    const isReading = this.#state === 'reading';
    const isFailed = this.#state === 'failed';
    const told = isReading ? 'console.loading' : isFailed ? 'house.failed' : this.#items.length === 0 ? empty : null;
    return html`<p role=${isFailed ? 'alert' : 'status'}>${told === null ? nothing : text(told)}</p>
      ${
        isFailed || (this.#next !== undefined && !isReading)
          ? html`<p><button @click=${() => void this.more()}>${text(isFailed ? 'console.again' : 'house.more')}</button></p>`
          : nothing
      }`;
  }
}
