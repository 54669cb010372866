/** The brush: what it paints on the map, chosen here. The keyboard paints the selection in the inspector. */
import { accessibilityKinds } from '@parterre/shared/chart/accessibility';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Counts } from '../../painting/counts.ts';
import type { PaintWhat } from '../../painting/painting.ts';
import type { Panel } from '../host.ts';
import { viewField } from '../sale-panel.ts';

export function brushButton(panel: Panel, what: PaintWhat, name: string): TemplateResult {
  const { text } = panel.words();
  return toggle(panel, what, text('brush.paint', { name }), text('brush.do'));
}

/** Kinds of accessibility, restricted views and pictures, each to paint and to take away. */
export function brushes(panel: Panel, state: { viewUrl: string }, counts: Counts): TemplateResult {
  const { words } = panel;
  const { text } = words();
  const line = (name: string, count: number, on: PaintWhat | null, off: PaintWhat) => html`<li>
    <span>${name}</span><span class="amount">${words().number(count)}</span>
    ${on ? brushButton(panel, on, name) : nothing} ${toggle(panel, off, text('brush.erase', { name }), text('brush.undo'))}
  </li>`;
  return html`<h3>${text('brushes.title')}</h3>
    <p class="note">${text('brushes.hint')}</p>
    <ul class="brushes">
      ${accessibilityKinds.map((kind) => {
        const what = (isOn: boolean): PaintWhat => ({ kind: 'accessibility', accessibility: kind, isOn });
        return line(text(`kind.${kind}`), counts.kinds[kind], what(true), what(false));
      })}
      ${line(text('sale.restrictedView'), counts.restricted, { kind: 'restrictedView', isOn: true }, { kind: 'restrictedView', isOn: false })}
      ${line(text('sale.view'), counts.views, state.viewUrl ? { kind: 'view', url: state.viewUrl } : null, { kind: 'view', url: null })}
    </ul>
    ${viewField(panel, 'brush-view', state.viewUrl, (url) => {
      state.viewUrl = url ?? '';
      return null;
    })}`;
}

function toggle({ brush, painting, redraw }: Panel, what: PaintWhat, name: string, shown: string): TemplateResult {
  const isOn = JSON.stringify(painting()) === JSON.stringify(what);
  const press = () => {
    brush(isOn ? null : what);
    redraw();
  };
  return html`<button type="button" class="brush" aria-pressed=${isOn} aria-label=${name} @click=${press}>${shown}</button>`;
}
