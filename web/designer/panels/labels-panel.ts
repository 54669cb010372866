/**
 * Labels of the selected rows, tables, booths and areas by a scheme. The form proposes: the map and the list of clashes
 * show the labels until they are taken or left.
 */
import type { ChartObject } from '@parterre/shared/charts/document';
import { isSeller } from '@parterre/shared/charts/places';
import { html, nothing, type TemplateResult } from 'lit-html';
import { idOf } from '../document/objects.ts';
import { previewOf } from '../labelling/preview.ts';
import {
  labelOrders,
  type NewLabel,
  newLabels,
  type Relabelling,
  relabel,
  relabelledObject,
} from '../labelling/relabel.ts';
import { labelSchemes, schemeProblem, skipsOf, wholeSkips } from '../labelling/schemes.ts';
import { tell } from '../messages/words.ts';
import { clashNotes } from './clashes.ts';
import { applied, type Panel } from './host.ts';

export type LabelsForm = Relabelling & {
  /** As typed. */
  skipsText: string;
  note: TemplateResult | null;
  isTouched: boolean;
};

export const emptyLabelsForm = (): LabelsForm => ({
  scheme: 'letters-upper',
  start: '',
  skipsText: '',
  prefix: '',
  order: 'down',
  withSection: false,
  joinsLines: true,
  note: null,
  isTouched: false,
});

const SAMPLE_MAX = 8;

export function labelsPanel(panel: Panel, form: LabelsForm, objects: readonly ChartObject[]): TemplateResult {
  const { fields, words } = panel;
  const { text } = words();
  const problem = schemeProblem(schemeOf(form));
  const labels = problem === null && form.isTouched ? proposalOf(panel, form, objects) : null;
  const set = (change: Partial<LabelsForm>) => {
    Object.assign(form, change, { isTouched: true });
    propose(panel, form, objects);
    return null;
  };
  const live = (name: 'start' | 'skipsText' | 'prefix') => ({
    value: form[name] ?? '',
    change: (to: string) => set({ [name]: to }),
    typing: (to: string | null) => {
      if (to !== null) set({ [name]: to });
      return null;
    },
  });
  return html`<details class="group" ?open=${form.isTouched}><summary>${text('labels.title')}</summary>
    ${fields.choice({
      id: 'labels-scheme',
      label: text('labels.scheme'),
      value: form.scheme,
      options: labelSchemes.map((each) => [each, text(`labels.scheme.${each}`)] as const),
      change: (to) => set({ scheme: to as LabelsForm['scheme'], start: '' }),
    })}
    ${fields.text({ id: 'labels-start', label: text('labels.start'), ...live('start') })}
    ${fields.text({ id: 'labels-skips', label: text('labels.skips'), hint: skipsHint(panel, form), ...live('skipsText') })}
    ${fields.text({ id: 'labels-prefix', label: text('labels.prefix'), ...live('prefix') })}
    ${fields.choice({
      id: 'labels-order',
      label: text('labels.order'),
      value: form.order,
      options: labelOrders.map((each) => [each, text(`order.${each}`)] as const),
      change: (to) => set({ order: to as LabelsForm['order'] }),
    })}
    ${fields.toggle({
      id: 'labels-section',
      label: text('labels.withSection'),
      value: form.withSection,
      hint: text('labels.withSection.hint'),
      change: (to) => set({ withSection: to }),
    })}
    ${fields.toggle({
      id: 'labels-lines',
      label: text('labels.joinsLines'),
      value: form.joinsLines,
      hint: text('labels.joinsLines.hint'),
      change: (to) => set({ joinsLines: to }),
    })}
    ${problem ? html`<p class="problem" role="alert">${tell(words(), problem)}</p>` : nothing}
    ${
      labels
        ? html`<p class="sample">${words().list(
            [...labels.values()].map(({ label }) => label),
            SAMPLE_MAX,
          )}</p>`
        : nothing
    }
    ${form.note ?? nothing}
    <div class="actions">
      <button type="button" class="primary" ?disabled=${problem !== null} @click=${() => take(panel, form, objects)}>${text('labels.take')}</button>
      ${form.isTouched ? html`<button type="button" @click=${() => leave(panel, form)}>${text('labels.leave')}</button>` : nothing}
    </div>
  </details>`;
}

/** Says how a text of several letters is read. */
function skipsHint({ words }: Panel, { scheme, skipsText }: LabelsForm): string {
  const { text, list } = words();
  const [whole] = wholeSkips(scheme, skipsOf(skipsText));
  if (whole === undefined) return text('labels.skips.hint');
  return text('labels.skips.whole', { label: whole, letters: list([...whole]) });
}

function schemeOf({ skipsText, note: _, isTouched: __, ...wish }: LabelsForm): Relabelling {
  return { ...wish, skips: skipsOf(skipsText) };
}

function proposalOf({ editor }: Panel, form: LabelsForm, objects: readonly ChartObject[]): Map<string, NewLabel> {
  const ids = new Set(objects.filter(isSeller).map(idOf));
  return newLabels(editor.document, ids, schemeOf(form));
}

function propose(panel: Panel, form: LabelsForm, objects: readonly ChartObject[]): void {
  form.note = null;
  if (schemeProblem(schemeOf(form)) !== null) panel.preview(null);
  else {
    const labels = proposalOf(panel, form, objects);
    const proposed = objects.filter(isSeller).map((object) => relabelledObject(object, labels.get(idOf(object))!));
    panel.preview(previewOf(proposed, 'whole'));
    form.note = clashNotes(panel, panel.labels().clashesIf(proposed), true);
  }
  panel.redraw();
}

function take(panel: Panel, form: LabelsForm, objects: readonly ChartObject[]): void {
  const refusal = applied(panel, relabel(proposalOf(panel, form, objects)), 'did.labels');
  if (refusal === null) leave(panel, form);
  else {
    form.note = html`<p class="problem">${refusal}</p>`;
    panel.redraw();
  }
}

export function leave(panel: Panel, form: LabelsForm): void {
  Object.assign(form, { isTouched: false, note: null });
  panel.preview(null);
  panel.redraw();
}
