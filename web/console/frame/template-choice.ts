/**
 * The choice of a template for a chart, in sizes of the person's choice, with its picture.
 *
 * States: nothing → loading the templates → loaded, or failed: the person tries again. The templates load when they are
 * first shown. The view keeps the chosen template in its address; this keeps the sizes.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Template } from '@parterre/shared/charts/templates/templates';
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { drawSmallPicture } from '../../src/draw/small-picture.ts';
import type { Words } from '../messages/words.ts';
import { field } from './field.ts';

type Library = typeof import('@parterre/shared/charts/templates/templates');

export class TemplateChoice {
  readonly #words: Words;
  readonly #changed: () => void;
  #state: 'nothing' | 'loading' | 'loaded' | 'failed' = 'nothing';
  #library: Library | null = null;
  #sizes: Readonly<Record<string, number>> = {};
  #drawn: { id: string; sizes: object; document: ChartDocument | null } | null = null;

  constructor(words: Words, changed: () => void) {
    this.#words = words;
    this.#changed = changed;
  }

  async load(): Promise<void> {
    if (this.#state === 'loading' || this.#state === 'loaded') return;
    this.#state = 'loading';
    this.#library = await import('@parterre/shared/charts/templates/templates').catch(() => null);
    this.#state = this.#library ? 'loaded' : 'failed';
    this.#changed();
  }

  /** Only the sizes that the person has changed. */
  get sizes(): Readonly<Record<string, number>> {
    return this.#sizes;
  }

  template(id: string): Template | null {
    return this.#library?.templates.find((each) => each.id === id) ?? null;
  }

  /** The chart of this template; null while the templates load, or a size is out of its bounds. */
  document(id: string): ChartDocument | null {
    const template = this.template(id);
    if (!template) return null;
    if (this.#drawn?.id !== id || this.#drawn.sizes !== this.#sizes) {
      const drawn = this.#library!.drawTemplate(template, this.#sizes);
      this.#drawn = { id, sizes: this.#sizes, document: 'document' in drawn ? drawn.document : null };
    }
    return this.#drawn.document;
  }

  /** `choose` puts the template into the address. */
  draw(id: string, choose: (id: string) => void): TemplateResult {
    const { text } = this.#words;
    if (this.#state === 'failed') {
      return html`<p role="alert">${text('charts.templates.failed')}</p>
        <button type="button" @click=${() => void this.load()}>${text('console.again')}</button>`;
    }
    if (!this.#library) return html`<p role="status">${text('console.loading')}</p>`;
    const template = this.template(id);
    const document = this.document(id);
    const change = (event: Event): void => {
      this.#sizes = {};
      choose((event.target as HTMLSelectElement).value);
    };
    return html`${field(
      { label: text('charts.template'), hint: template?.description },
      html`<select @change=${change}>${this.#library.templates.map(
        (each) => html`<option value=${each.id} ?selected=${each.id === id}>${each.name}</option>`,
      )}</select>`,
    )}
      ${template ? html`<div class="sizes">${template.sizes.map((size) => this.#size(size))}</div>` : nothing}
      ${document ? smallPicture(document) : html`<p role="alert">${text('charts.templates.bad_size')}</p>`}`;
  }

  #size({ name, label, min, max, default: usual }: Template['sizes'][number]): TemplateResult {
    const type = (event: Event): void => {
      this.#sizes = { ...this.#sizes, [name]: (event.target as HTMLInputElement).valueAsNumber };
      this.#changed();
    };
    return html`<label class="field"><span>${label}</span>
      <input type="number" min=${min} max=${max} value=${this.#sizes[name] ?? usual} required @input=${type}></label>`;
  }
}

/** A picture for the eye alone: the words beside it say the same. */
export function smallPicture(document: ChartDocument): TemplateResult {
  const draw = (element: Element | undefined): void => {
    if (element) requestAnimationFrame(() => drawSmallPicture(element as HTMLCanvasElement, document));
  };
  return html`<canvas class="small-picture" aria-hidden="true" ${ref(draw)}></canvas>`;
}
