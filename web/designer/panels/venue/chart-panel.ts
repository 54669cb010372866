/** The chart itself: its name, kind, focal point and the pictures to trace. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { type FocalPoint, suppose } from '../../document/focal-points.ts';
import { withField } from '../../painting/overrides.ts';
import { applied, isReadOnly, type Panel } from '../host.ts';
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
    ${
      document.floors?.length
        ? nothing
        : focalFields(panel, 'chart', document.focalPoint, (to) => set('focalPoint', to), { floor: null })
    }`;
}

/** The owner of a focal point: a floor by its index, a zone by its id, or the chart (null). */
export type FocalOwner = { floor: number | null } | { zone: string };

/** Best available measures from this point. A point that nobody has set follows the drawing. */
export function focalFields(
  panel: Panel,
  id: string,
  point: FocalPoint,
  change: (to: FocalPoint) => string | null,
  owner: FocalOwner,
): TemplateResult {
  const { fields, words } = panel;
  const { text } = words();
  const { supposed = false, ...own } = point;
  const axis = (name: 'x' | 'y') =>
    fields.number({
      id: `${id}-focal-${name}`,
      label: text(`field.${name}`),
      value: point[name],
      change: (to) => change(withField(own, name, to)),
    });
  return html`<fieldset><legend>${text('chart.focalPoint')}</legend>
    <p class="note">${text('chart.focalPoint.hint')}${supposed ? ` ${text('chart.focalPoint.supposed')}` : nothing}</p>
    <div class="pair">${axis('x')}${axis('y')}</div>
    ${isReadOnly(panel) ? nothing : focalButtons(panel, supposed, owner)}</fieldset>`;
}

function focalButtons(panel: Panel, isSupposed: boolean, owner: FocalOwner): TemplateResult {
  const { words, editor, pick } = panel;
  const { text } = words();
  const floor = 'floor' in owner ? owner.floor : null;
  const start = () => {
    if (floor !== null) editor.showFloor(floor);
    pick('zone' in owner ? owner.zone : null);
  };
  return html`<div class="actions">
    <button type="button" @click=${start}>${text('chart.focalPoint.pick')}</button>
    ${
      'zone' in owner || isSupposed
        ? nothing
        : html`<button type="button" @click=${() => applied(panel, suppose(floor), 'did.focalPoint')}>${text('chart.focalPoint.suppose')}</button>`
    }
  </div>`;
}
