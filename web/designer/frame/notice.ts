/**
 * A refusal or news over the map, which screen readers hear at once. It stays long enough to be read, while the pointer
 * rests on it, and until a click or the next one takes its place. One notice stands at a time.
 */
import { html, nothing, type TemplateResult } from 'lit-html';

const SHOWN_MS_MIN = 8_000;
/** A slow reader takes this long for a letter. */
const LETTER_MS = 90;

export class Notice {
  readonly #redraw: () => void;
  #text: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  show(text: string): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#text = text;
    this.#redraw();
  }

  /** The live region of the page has the same text, so screen readers pass this one over. */
  template(): TemplateResult | typeof nothing {
    if (this.#text === null) return nothing;
    // A busy page draws it late.
    if (this.#timer === undefined) this.#rest();
    return html`<p class="notice" aria-hidden="true" @click=${() => this.#leave()}
      @pointerenter=${() => clearTimeout(this.#timer)} @pointerleave=${() => this.#rest()}>${this.#text}</p>`;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#leave(), Math.max(SHOWN_MS_MIN, (this.#text?.length ?? 0) * LETTER_MS));
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#text = null;
    this.#redraw();
  }
}
