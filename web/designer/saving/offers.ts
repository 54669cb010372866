/**
 * Drafts that earlier pages of this browser left behind, offered one after the other: keep or drop. A draft is
 * forgotten when its changes are safe in this page's own draft or on the server, or when a person drops it. A page that
 * ends right after its save leaves a draft whose changes the chart has: such a draft is forgotten and not offered.
 */
import type { Drafts, FoundDraft } from './drafts.ts';
import type { Saving } from './saving.ts';

export class Offers {
  readonly #drafts: Drafts;
  readonly #changed: () => void;
  #found: FoundDraft[] = [];

  constructor(drafts: Drafts, changed: () => void) {
    this.#drafts = drafts;
    this.#changed = changed;
  }

  /** The draft that is offered now. */
  get next(): FoundDraft | null {
    return this.#found[0] ?? null;
  }

  /** `saving`: of the chart that this page opened. */
  async look(saving: Pick<Saving, 'has'>): Promise<void> {
    const found = await this.#drafts.found().catch((error: unknown) => {
      console.warn('The drafts of this browser cannot be read.', error);
      return [];
    });
    const had = new Set(found.filter((draft) => saving.has(draft)));
    this.#found = found.filter((draft) => !had.has(draft));
    this.#changed();
    await Promise.all([...had].map((draft) => this.#forget(draft)));
  }

  keep(saving: Saving): void {
    const draft = this.#found.shift();
    if (draft) saving.takeOver(draft, () => void this.#forget(draft));
    this.#changed();
  }

  async drop(): Promise<void> {
    const draft = this.#found.shift();
    this.#changed();
    if (draft) await this.#forget(draft);
  }

  /** A draft that stays is offered once more to the next page. */
  async #forget(draft: FoundDraft): Promise<void> {
    await this.#drafts.forget(draft.name).catch((error: unknown) => {
      console.warn('A draft of this browser cannot be forgotten.', error);
    });
  }
}
