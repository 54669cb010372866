/**
 * A secret that the server shows once: a key, a signing secret, a token for a password. It stands in the page until the
 * person has stored it, and in no address, notice or log.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Words } from '../messages/words.ts';

export class Secret {
  readonly #words: Words;
  readonly #changed: () => void;
  #shown: { title: string; value: string; isCopied: boolean } | null = null;

  constructor(words: Words, changed: () => void) {
    this.#words = words;
    this.#changed = changed;
  }

  show(title: string, value: string): void {
    this.#shown = { title, value, isCopied: false };
    this.#changed();
  }

  draw(): TemplateResult | typeof nothing {
    if (!this.#shown) return nothing;
    const { text } = this.#words;
    const { title, value, isCopied } = this.#shown;
    return html`<section class="secret" role="alert" aria-labelledby="secret"><h2 id="secret">${title}</h2>
      <p>${text('house.secret.once')}</p>
      <p><code dir="ltr">${value}</code></p>
      <p class="tools"><button class="primary" @click=${() => void this.#copy()}>${text('house.secret.copy')}</button>
        <button @click=${() => this.#forget()}>${text('house.secret.stored')}</button>
        ${isCopied ? text('house.secret.copied') : nothing}</p></section>`;
  }

  /** Where the browser gives no clipboard, the person selects the text. */
  async #copy(): Promise<void> {
    const shown = this.#shown!;
    const isCopied = await navigator.clipboard?.writeText(shown.value).then(
      () => true,
      () => false,
    );
    shown.isCopied = isCopied === true;
    this.#changed();
  }

  #forget(): void {
    this.#shown = null;
    this.#changed();
  }
}
