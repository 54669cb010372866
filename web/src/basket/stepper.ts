/** A number with two buttons around it. */
import { html, type TemplateResult } from 'lit-html';
import type { Words } from '../messages/words.ts';

type Step = { value: number; min?: number; max?: number; isDisabled?: boolean; change(value: number): void };

export function stepper({ text, number }: Words, label: string, step: Step): TemplateResult {
  const { value, min = 0, max = Infinity, isDisabled = false, change } = step;
  return html`<span class="stepper" part="stepper" role="group" aria-label=${label}>
    <button part="button" aria-label=${text('basket.less')} ?disabled=${isDisabled || value <= min} @click=${() => change(value - 1)}>−</button><output>${number(value)}</output
    ><button part="button" aria-label=${text('basket.more')} ?disabled=${isDisabled || value >= max} @click=${() => change(value + 1)}>+</button>
  </span>`;
}
