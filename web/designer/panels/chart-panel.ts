/** The chart itself: its name, kind, focal point and background picture. */
import type { ChartDocument } from '@parterre/shared/chart/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import { pictureAddress } from '../../src/rules/names.ts';
import type { MessageKey } from '../messages/words.ts';
import { withField } from '../painting/overrides.ts';
import { applied, type Panel } from './host.ts';

type Fields = Record<string, unknown>;

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
      ...{ id: `${id}-focal-${name}`, label: text(`field.${name}`), value: point[name], unit: text('unit.units') },
      change: (to) => change(withField(point, name, to)),
    });
  return html`<fieldset><legend>${text('chart.focalPoint')}</legend><p class="note">${text('chart.focalPoint.hint')}</p>
    <div class="pair">${axis('x')}${axis('y')}</div></fieldset>`;
}

const backgroundFields: readonly [name: string, label: MessageKey, otherwise: number, step: number][] = [
  ['opacity', 'field.opacity', 1, 0.1],
  ['scale', 'field.scale', 1, 0.1],
  ['x', 'field.x', 0, 1],
  ['y', 'field.y', 0, 1],
];

function background(panel: Panel, document: ChartDocument): TemplateResult {
  const { fields, words } = panel;
  const { text } = words();
  const now = document.backgroundImage as unknown;
  const value: Fields = typeof now === 'string' ? { url: now } : ((now as Fields | null | undefined) ?? {});
  const set = (name: string, to: unknown) =>
    applied(panel, (before) => withField(before, 'backgroundImage', withField(value, name, to)), 'did.chart');
  const url = typeof value.url === 'string' ? value.url : '';
  const isData = url.startsWith('data:');
  return html`<fieldset><legend>${text('chart.background')}</legend>
    ${fields.text({
      ...{
        id: 'background-url',
        label: text('chart.backgroundUrl'),
        hint: text(isData ? 'chart.backgroundInside' : 'chart.background.hint'),
      },
      value: isData ? '' : url,
      check: (to) => (to === '' || pictureAddress(to) !== null ? null : { key: 'sale.badView' }),
      change: (to) =>
        to === ''
          ? applied(panel, (before) => withField(before, 'backgroundImage', undefined), 'did.chart')
          : set('url', to),
    })}
    ${
      url === ''
        ? nothing
        : html`<div class="pair">${backgroundFields.map(([name, label, otherwise, step]) =>
            fields.number({
              ...{
                id: `background-${name}`,
                label: words().text(label as 'field.x'),
                step,
                otherwise,
                isOptional: true,
              },
              ...(name === 'opacity' ? { min: 0, max: 1 } : name === 'scale' ? { min: 0.001, max: 1000 } : {}),
              value: typeof value[name] === 'number' ? value[name] : null,
              change: (to) => set(name, to ?? undefined),
            }),
          )}</div>
          <button type="button" @click=${() => applied(panel, (before) => withField(before, 'backgroundImage', undefined), 'did.chart')}>${text('chart.backgroundOff')}</button>`
    }
  </fieldset>`;
}
