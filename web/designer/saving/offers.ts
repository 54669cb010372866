/**
 * Drafts that earlier pages of this browser left behind, offered one after the other: keep or drop. A draft is
 * forgotten when its changes are safe in this page's own draft or on the server, or when a person drops it.
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

  async look(): Promise<void> {
    this.#found = await this.#drafts.found().catch((error: unknown) => {
      console.warn('The drafts of this browser cannot be read.', error);
      return [];
    });
    this.#changed();
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
