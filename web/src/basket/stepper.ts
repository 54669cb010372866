/**
 * A number with two buttons around it. A press counts from the number of its moment: the page may show an older one.
 */
import { html, type TemplateResult } from 'lit-html';
import type { Words } from '../messages/words.ts';

type Step = { value: number; min?: number; max?: number; isDisabled?: boolean; change(by: 1 | -1): void };

export function stepper({ text, number }: Words, label: string, step: Step): TemplateResult {
  const { value, min = 0, max = Infinity, isDisabled = false, change } = step;
  // A button that is disabled under the finger loses the focus, so the ends of the range are told by ARIA alone.
  const button = (name: string, sign: string, by: 1 | -1, isAtEnd: boolean) =>
    html`<button part="button" aria-label=${name} ?disabled=${isDisabled} aria-disabled=${isAtEnd} @click=${() => isAtEnd || change(by)}>${sign}</button>`;
  return html`<span class="stepper" part="stepper" role="group" aria-label=${label}>
    ${button(text('basket.less'), '−', -1, value <= min)}<output>${number(value)}</output>${button(text('basket.more'), '+', 1, value >= max)}
  </span>`;
}
