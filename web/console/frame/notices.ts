/**
 * Notices of what has happened, each with its "undo" where there is one. The newest is in sight; a press shows the
 * earlier ones, which would cover the page. A notice stays until the person closes it or five newer ones have come, so
 * nobody has to be quick.
 *
 * An undo is an act: "undo" pressed twice is sent once, and a refused undo says so in its notice.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import type { Words } from '../messages/words.ts';
import { Act } from './act.ts';
import { toldOf } from './refusals.ts';

export type Notice = {
  text: string;
  /** Takes the change back. */
  undo?: (key: string) => Promise<Result<unknown>>;
};

type Shown = { notice: Notice; act: Act };

const NOTICES_MAX = 5;

export class Notices {
  readonly #words: Words;
  readonly #changed: () => void;
  #shown: readonly Shown[] = [];

  constructor(words: Words, changed: () => void) {
    this.#words = words;
    this.#changed = changed;
  }

  tell(notice: Notice): void {
    this.#shown = [{ notice, act: new Act(this.#changed) }, ...this.#shown].slice(0, NOTICES_MAX);
    this.#changed();
  }

  clear(): void {
    this.#shown = [];
  }

  draw(): TemplateResult {
    const { text } = this.#words;
    const [newest, ...earlier] = this.#shown;
    return html`<section class="notices" role="log" aria-label=${text('frame.notices')}>
      ${newest ? this.#drawn(newest) : nothing}
      ${
        earlier.length > 0
          ? html`<details><summary>${text('frame.notices.earlier', { count: earlier.length })}</summary>
            ${earlier.map((shown) => this.#drawn(shown))}</details>`
          : nothing
      }</section>`;
  }

  #drawn(shown: Shown): TemplateResult {
    const { text } = this.#words;
    const { notice, act } = shown;
    const isUndone = act.state.kind === 'done';
    return html`<p class="notice"><span>${notice.text} ${isUndone ? text('frame.undone') : nothing}
        ${toldOf(act.state, this.#words)}</span>
      ${
        notice.undo && !isUndone
          ? html`<button ?disabled=${act.state.kind === 'sending'} @click=${() => void act.send(notice.undo!)}
            >${text('frame.undo')}</button>`
          : nothing
      }
      <button aria-label=${text('frame.close')} @click=${() => this.#close(shown)}>×</button></p>`;
  }

  #close(shown: Shown): void {
    this.#shown = this.#shown.filter((each) => each !== shown);
    this.#changed();
  }
}
