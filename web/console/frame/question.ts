/**
 * A question before an action: what will happen, the fields that it needs, and its button, in a modal dialog.
 *
 * States: closed → asked → sending → closed, or back to asked with what was refused and everything that was typed. A
 * question that is closed while its call is on its way drops the answer's words, not the call. A dialog gives the focus
 * back when it closes, as the browser does it.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { Result } from '../../src/sale/calls.ts';
import type { Words } from '../messages/words.ts';
import { Act } from './act.ts';
import { type FaultOf, faultsOf, toldOf } from './refusals.ts';

export type Question<T> = {
  title: string;
  /**
   * What will happen, and the fields. The view draws it anew with each change. A refusal of a field stands where
   * `fault` is asked for it; the others stand above the buttons.
   */
  draw(fault: FaultOf): TemplateResult | typeof nothing;
  /** The words of the button: the act itself, not "OK". */
  confirm: string;
  /** The words of the button that leaves everything as it is, where the usual "cancel" would be read as the act. */
  leave?: string;
  /** The act cannot be undone. */
  isDanger?: boolean;
  send(form: FormData, key: string): Promise<Result<T>>;
  done?(value: T): void;
};

export class Questions {
  readonly #words: Words;
  readonly #changed: () => void;
  #asked: { question: Question<unknown>; act: Act } | null = null;

  constructor(words: Words, changed: () => void) {
    this.#words = words;
    this.#changed = changed;
  }

  ask<T>(question: Question<T>): void {
    this.#asked = { question: question as Question<unknown>, act: new Act(this.#changed) };
    this.#changed();
  }

  close(): void {
    this.#asked = null;
    this.#changed();
  }

  draw(): TemplateResult | typeof nothing {
    if (!this.#asked) return nothing;
    const { question, act } = this.#asked;
    const { text } = this.#words;
    const isSending = act.state.kind === 'sending';
    const confirm = act.state.kind === 'unknown' ? text('console.again') : question.confirm;
    const faults = faultsOf(act.state);
    const drawn = question.draw((path) => faults.at(path));
    return html`<dialog class="question" aria-labelledby="question-title" ${ref(openModal)} @close=${() => this.close()}>
      <form @submit=${this.#submit} @input=${() => this.#retyped()}>
        <h2 id="question-title">${question.title}</h2>
        ${drawn}
        <p role="alert">${toldOf(act.state, this.#words)} ${faults.rest()}</p>
        <p class="buttons">
          <button type="button" @click=${() => this.close()}>${question.leave ?? text('frame.cancel')}</button>
          <button class=${question.isDanger ? 'danger' : 'primary'} ?disabled=${isSending}>${confirm}</button>
        </p>
      </form></dialog>`;
  }

  /** What is typed after a silent call is another wish. */
  #retyped(): void {
    this.#asked?.act.renew();
  }

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const asked = this.#asked!;
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const sent = await asked.act.send((key) => asked.question.send(form, key));
    if (sent === null) return;
    if (this.#asked === asked) this.close();
    asked.question.done?.(sent.value);
  };
}

function openModal(element: Element | undefined): void {
  const dialog = element as HTMLDialogElement | undefined;
  if (dialog && !dialog.open) requestAnimationFrame(() => dialog.isConnected && !dialog.open && dialog.showModal());
}
