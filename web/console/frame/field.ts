/** Fields of a form, each with its name, a hint, and the refusal of its value. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { localTime } from './zoned-time.ts';

export type FieldWords = { label: string; hint?: string | undefined; fault?: string | null };

/** A label around its control. The refusal is read with the control's name. */
export function field({ label, hint, fault = null }: FieldWords, control: TemplateResult): TemplateResult {
  return html`<label class="field"><span>${label}</span>${control}
    ${hint ? html`<small class="muted">${hint}</small>` : nothing}
    ${fault === null ? nothing : html`<strong class="fault">${fault}</strong>`}</label>`;
}

export function textField(words: FieldWords, name: string, value = '', isRequired = false): TemplateResult {
  return field(
    words,
    html`<input name=${name} value=${value} maxlength="200" autocomplete="off" ?required=${isRequired}>`,
  );
}

/** A time on the clocks of the zone. */
export function timeField(
  words: FieldWords,
  name: string,
  { at, timezone, isRequired = false }: { at: number | null; timezone: string | null; isRequired?: boolean },
): TemplateResult {
  const value = at === null ? '' : localTime(at, timezone);
  return field(words, html`<input type="datetime-local" name=${name} value=${value} ?required=${isRequired}>`);
}

export function checkField(label: string, name: string, isOn = false): TemplateResult {
  return html`<label class="check"><input type="checkbox" name=${name} ?checked=${isOn}> <span>${label}</span></label>`;
}

/** What the field says, without outer spaces. */
export const fieldOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
