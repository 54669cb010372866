/**
 * Fields of the panels. A field shows the document's value; what is typed is a draft until the field is left or Enter
 * is pressed. A draft that cannot be kept stays in its field with a sentence that says what to do. Escape takes a draft
 * back. Of many objects with different values a field shows that they differ.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { type Sentence, tell, type Words } from '../messages/words.ts';

/** Values that differ. */
export const mixed = Symbol('mixed');
export type Mixed = typeof mixed;

type Draft = { text: string; problem: string | null };

type Common<T> = {
  /** Names the field in the page. */
  id: string;
  label: string;
  value: T | Mixed;
  hint?: string;
  isDisabled?: boolean;
  /** Returns the sentence of a refusal, or null. */
  change(value: T): string | null;
};

export type TextField = Common<string> & {
  placeholder?: string;
  check?(text: string): Sentence | null;
  /** While a value that passes the check is typed; null when typing ends. */
  typing?(text: string | null): TemplateResult | null;
  type?: 'text' | 'url';
};

export type NumberField = Common<number | null> & {
  min?: number;
  max?: number;
  step?: number;
  /** An amount of money with as many digits behind the point. */
  digits?: number;
  isInteger?: boolean;
  /** Without a value the document has this one. */
  otherwise?: number;
  isOptional?: boolean;
  typing?(value: number | null): TemplateResult | null;
};

export type Choice = Common<string> & { options: readonly (readonly [value: string, label: string])[] };
export type Toggle = Common<boolean>;

/** A field whose typing ends. */
type Settled = { id: string; typing?(value: null): unknown };

export class Fields {
  readonly #drafts = new Map<string, Draft>();
  readonly #notes = new Map<string, TemplateResult | null>();
  readonly #words: () => Words;
  readonly #redraw: () => void;
  readonly #say: (text: string) => void;

  readonly #isReadOnly: () => boolean;

  constructor(words: () => Words, redraw: () => void, say: (text: string) => void, isReadOnly: () => boolean) {
    this.#isReadOnly = isReadOnly;
    this.#words = words;
    this.#redraw = redraw;
    this.#say = say;
  }

  /** Other objects are shown: drafts of the ones before are gone. */
  forget(): void {
    this.#drafts.clear();
    this.#notes.clear();
  }

  text(field: TextField): TemplateResult {
    const { id, value, check, typing, type = 'text' } = field;
    const draft = this.#drafts.get(id);
    const shown = draft?.text ?? (value === mixed ? '' : value);
    const problemOf = (text: string) => this.#told(check?.(text) ?? null);
    const input = (event: Event) => {
      const { value: text } = event.target as HTMLInputElement;
      const problem = problemOf(text);
      this.#drafts.set(id, { text, problem });
      this.#notes.set(id, typing?.(problem === null ? text : null) ?? null);
      this.#redraw();
    };
    const change = (event: Event) => {
      const { value: text } = event.target as HTMLInputElement;
      if (text === value || (value === mixed && text === '')) this.#settle(field, null);
      else this.#keep(field, text, problemOf(text) ?? field.change(text));
    };
    return this.#frame(
      field,
      html`<input id=${id} type=${type} autocomplete="off" spellcheck="false" .value=${live(shown)}
        placeholder=${value === mixed ? this.#words().text('field.mixed') : (field.placeholder ?? '')}
        ?disabled=${field.isDisabled || this.#isReadOnly()} aria-invalid=${draft?.problem ? 'true' : 'false'}
        aria-describedby=${describedBy(field)} @input=${input} @change=${change} @keydown=${this.#escape(field)} />`,
    );
  }

  number(field: NumberField): TemplateResult {
    const { id, value, min, max, digits, step = digits ? 10 ** -digits : 1, typing } = field;
    const { text } = this.#words();
    const draft = this.#drafts.get(id);
    const shown =
      draft?.text ?? (value === mixed || value === null ? '' : digits ? value.toFixed(digits) : String(rounded(value)));
    const input = (event: Event) => {
      const target = event.target as HTMLInputElement;
      const problem = numberProblem(field, target);
      this.#drafts.set(id, { text: target.value, problem: this.#told(problem) });
      this.#notes.set(id, typing?.(problem === null ? numberIn(target) : null) ?? null);
      this.#redraw();
    };
    const change = (event: Event) => {
      const target = event.target as HTMLInputElement;
      const read = numberIn(target);
      const isSame = value === mixed ? target.value === '' && !target.validity.badInput : read === rounded(value);
      if (isSame && !target.validity.badInput) this.#settle(field, null);
      else this.#keep(field, target.value, this.#told(numberProblem(field, target)) ?? field.change(read));
    };
    const otherwise = field.otherwise === undefined ? '' : String(field.otherwise);
    return this.#frame(
      field,
      html`<input id=${id} type="number" .value=${live(shown)} step=${step}
        min=${min ?? nothing} max=${max ?? nothing} placeholder=${value === mixed ? text('field.mixed') : otherwise}
        ?disabled=${field.isDisabled || this.#isReadOnly()} aria-invalid=${draft?.problem ? 'true' : 'false'}
        aria-describedby=${describedBy(field)} @input=${input} @change=${change} @keydown=${this.#escape(field)} />`,
    );
  }

  choice(field: Choice): TemplateResult {
    const { id, value, options } = field;
    const shown = value === mixed ? '' : value;
    const isKnown = options.some(([key]) => key === shown);
    const change = (event: Event) => this.#keep(field, null, field.change((event.target as HTMLSelectElement).value));
    return this.#frame(
      field,
      html`<select id=${id} .value=${live(shown)} ?disabled=${field.isDisabled || this.#isReadOnly()}
        aria-describedby=${describedBy(field)} @change=${change}>
        ${value === mixed ? html`<option value="" selected disabled>${this.#words().text('field.mixed')}</option>` : nothing}
        ${value !== mixed && !isKnown ? html`<option value=${shown} selected>${shown}</option>` : nothing}
        ${options.map(([key, label]) => html`<option value=${key} ?selected=${key === shown}>${label}</option>`)}
      </select>`,
    );
  }

  toggle(field: Toggle): TemplateResult {
    const { id, value } = field;
    const change = (event: Event) => this.#keep(field, null, field.change((event.target as HTMLInputElement).checked));
    return html`<div class="field toggle"><label><input id=${id} type="checkbox" .checked=${live(value === true)}
      .indeterminate=${live(value === mixed)} ?disabled=${field.isDisabled || this.#isReadOnly()}
      aria-describedby=${describedBy(field)} @change=${change} />${field.label}</label>${this.#below(field)}</div>`;
  }

  /** A colour by the picker of the browser, or as a text. */
  colour(field: Common<string>): TemplateResult {
    const { value } = field;
    const change = (event: Event) => {
      const { value: text } = event.target as HTMLInputElement;
      this.#keep(field, text, field.change(text));
    };
    const isHex = value !== mixed && /^#[0-9a-f]{6}$/i.test(value);
    return html`<div class="colour"><input type="color" aria-label=${field.label} .value=${live(isHex ? value : '#888888')}
      ?disabled=${field.isDisabled || this.#isReadOnly()} @change=${change} />
      ${this.text({ ...field, check: (text) => (/^(#([0-9a-f]{3}|[0-9a-f]{6}))?$/i.test(text) ? null : { key: 'field.badColour' }) })}</div>`;
  }

  #frame(field: Common<never> | TextField | NumberField | Choice, control: TemplateResult): TemplateResult {
    return html`<div class="field"><label for=${field.id}>${field.label}</label>${control}${this.#below(field)}</div>`;
  }

  #below({ id, hint }: { id: string; hint?: string }): TemplateResult {
    const problem = this.#drafts.get(id)?.problem ?? null;
    return html`<span class="below" id=${`${id}-below`}>${problem ? html`<span class="problem">${problem}</span>` : (hint ?? nothing)}</span>${this.#notes.get(id) ?? nothing}`;
  }

  /** Enter keeps the draft, as leaving the field does: the browser tells both by `change`. */
  #escape(field: Settled): (event: KeyboardEvent) => void {
    return (event) => {
      if (event.key !== 'Escape' || !this.#drafts.has(field.id)) return;
      event.stopPropagation();
      this.#settle(field, null);
    };
  }

  /** Without a text, a choice that is refused shows the document's value again. */
  #keep(field: Settled, text: string | null, problem: string | null): void {
    if (problem !== null) this.#say(problem);
    this.#settle(field, problem === null ? null : { text: text ?? '', problem });
  }

  #settle(field: Settled, draft: Draft | null): void {
    if (draft === null) this.#drafts.delete(field.id);
    else this.#drafts.set(field.id, draft);
    this.#notes.delete(field.id);
    field.typing?.(null);
    this.#redraw();
  }

  #told(told: Sentence | null): string | null {
    return told === null ? null : tell(this.#words(), told);
  }
}

/** The common value; `mixed` where they differ. */
export function common<T>(values: readonly T[]): T | Mixed {
  return values.every((value) => value === values[0]) ? values[0]! : mixed;
}

const describedBy = ({ id }: { id: string }): string => `${id}-below`;

/** Positions have no more digits than a person reads. */
const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 1000) / 1000);

function numberIn(input: HTMLInputElement): number | null {
  return input.value === '' ? null : input.valueAsNumber;
}

function numberProblem({ min, max, isInteger, isOptional }: NumberField, input: HTMLInputElement): Sentence | null {
  const value = numberIn(input);
  if (input.validity.badInput || (value === null && !isOptional)) return { key: 'field.needsNumber' };
  if (value === null) return null;
  if (isInteger && !Number.isInteger(value)) return { key: 'field.needsInteger' };
  if (min !== undefined && max !== undefined && (value < min || value > max)) {
    return { key: 'field.between', values: { min, max } };
  }
  if (min !== undefined && value < min) return { key: 'field.atLeast', values: { min } };
  return max !== undefined && value > max ? { key: 'field.atMost', values: { max } } : null;
}
