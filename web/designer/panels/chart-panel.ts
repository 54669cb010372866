/** The chart itself: its name, kind, focal point and background picture. */
import type { ChartDocument } from '@parterre/shared/chart/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import { pictureAddress } from '../../src/rules/names.ts';
import { type Background, backgroundOf, setBackground } from '../edits/background.ts';
import { withField } from '../painting/overrides.ts';
import { applied, type Panel } from './host.ts';

export function chartPanel(panel: Panel): TemplateResult {
  const { fields, words, editor } = panel;
  const { text } = words();
  const { document } = editor;
  const set = (name: string, value: unknown) => applied(panel, (before) => withField(before, name, value), 'did.chart');
  return html`<h3>${text('chart.title')}</h3>
    ${fields.text({
      ...{ id: 'chart-name', label: text('chart.name'), value: document.name },
      check: (to) => (to.trim() === '' ? { key: 'field.needsText' } : null),
      change: (to) => set('name', to),
    })}
    ${fields.choice({
      ...{ id: 'chart-type', label: text('chart.venueType'), value: document.venueType },
      options: [
        ['SIMPLE', text('venue.SIMPLE')],
        ['MIXED', text('venue.MIXED')],
      ],
      change: (to) => set('venueType', to),
    })}
    ${focalFields(panel, 'chart', document.focalPoint, (to) => set('focalPoint', to))}
    ${editor.may.has('background') ? background(panel, document) : nothing}`;
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
      ...{ id: `${id}-focal-${name}`, label: text(`field.${name}`), value: point[name] },
      change: (to) => change(withField(point, name, to)),
    });
  return html`<fieldset><legend>${text('chart.focalPoint')}</legend><p class="note">${text('chart.focalPoint.hint')}</p>
    <div class="pair">${axis('x')}${axis('y')}</div></fieldset>`;
}

const backgroundFields = [
  { name: 'opacity', otherwise: 1, step: 0.1, min: 0, max: 1 },
  { name: 'scale', otherwise: 1, step: 0.1, min: 0.001, max: 1_000 },
  { name: 'x', otherwise: 0 },
  { name: 'y', otherwise: 0 },
] as const;

function background(panel: Panel, document: ChartDocument): TemplateResult {
  const { fields, words } = panel;
  const { text } = words();
  const picture = backgroundOf(document, null);
  const put = (to: Background | null) => applied(panel, setBackground(null, to), 'did.chart');
  const url = picture?.url ?? '';
  const isInside = url.startsWith('data:');
  const hint = isInside ? text('chart.backgroundInside') : text('chart.background.hint');
  return html`<fieldset><legend>${text('chart.background')}</legend>
    ${fields.text({
      ...{ id: 'background-url', label: text('chart.backgroundUrl'), hint, value: isInside ? '' : url },
      check: (to) => (to === '' || pictureAddress(to) !== null ? null : { key: 'sale.badView' }),
      change: (to) => put(to === '' ? null : { x: 0, y: 0, ...picture, url: to }),
    })}
    ${picture ? placing(panel, picture, put) : nothing}
  </fieldset>`;
}

function placing(panel: Panel, picture: Background, put: (to: Background | null) => string | null): TemplateResult {
  const { fields, words } = panel;
  const { text } = words();
  return html`<div class="pair">${backgroundFields.map(({ name, ...field }) =>
    fields.number({
      ...{ ...field, id: `background-${name}`, label: text(`field.${name}`), isOptional: true },
      value: picture[name] ?? null,
      change: (to) => put(withField(picture, name, to ?? undefined)),
    }),
  )}</div>
  <div class="actions"><button type="button" @click=${() => put(null)}>${text('chart.backgroundOff')}</button></div>`;
}
