/** The chart itself: its name, kind, focal point and the pictures to trace. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import { withField } from '../../painting/overrides.ts';
import { applied, type Panel } from '../host.ts';
import { backgrounds } from './background-fields.ts';

export function chartPanel(panel: Panel): TemplateResult {
  const { words, editor } = panel;
  const { text } = words();
  return html`<h3>${text('chart.title')}</h3>
    ${editor.may.has('venue') ? venueFields(panel) : nothing}
    ${editor.may.has('background') ? backgrounds(panel) : nothing}`;
}

function venueFields(panel: Panel): TemplateResult {
  const { fields, words, editor } = panel;
  const { text } = words();
  const { document } = editor;
  const set = (name: string, value: unknown) => applied(panel, (before) => withField(before, name, value), 'did.chart');
  return html`
    ${fields.text({
      id: 'chart-name',
      label: text('chart.name'),
      value: document.name,
      check: (to) => (to.trim() === '' ? { key: 'field.needsText' } : null),
      change: (to) => set('name', to),
    })}
    ${fields.choice({
      id: 'chart-type',
      label: text('chart.venueType'),
      value: document.venueType,
      options: [
        ['SIMPLE', text('venue.SIMPLE')],
        ['MIXED', text('venue.MIXED')],
      ],
      change: (to) => set('venueType', to),
    })}
    ${focalFields(panel, 'chart', document.focalPoint, (to) => set('focalPoint', to))}`;
}

/** Best available measures from this point. */
export function focalFields(
  { fields, words }: Panel,
  id: string,
  point: ChartDocument['focalPoint'],
  change: (to: ChartDocument['focalPoint']) => string | null,
): TemplateResult {
  const { text } = words();
  const axis = (name: 'x' | 'y') =>
    fields.number({
      id: `${id}-focal-${name}`,
      label: text(`field.${name}`),
      value: point[name],
      change: (to) => change(withField(point, name, to)),
    });
  return html`<fieldset><legend>${text('chart.focalPoint')}</legend><p class="note">${text('chart.focalPoint.hint')}</p>
    <div class="pair">${axis('x')}${axis('y')}</div></fieldset>`;
}
