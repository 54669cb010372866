/**
 * The brush: what it paints on the map, chosen here, with live counts. The map marks the places that have it already,
 * for a session that only looks too. The keyboard paints the selection in the inspector.
 */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Counts } from '../../painting/counts.ts';
import type { PaintWhat } from '../../painting/painting.ts';
import { isReadOnly, type Panel } from '../host.ts';
import { viewField } from '../sale-panel.ts';

export function brushButton(panel: Panel, what: PaintWhat, name: string): TemplateResult {
  const { text } = panel.words();
  return isReadOnly(panel)
    ? toggle(panel, what, text('brush.show', { name }), text('brush.look'))
    : toggle(panel, what, text('brush.paint', { name }), text('brush.do'));
}

/** Paints, and takes away. */
export function brushPair(panel: Panel, name: string, on: PaintWhat | null, off: PaintWhat): TemplateResult {
  const { text } = panel.words();
  return html`${on ? brushButton(panel, on, name) : nothing}
    ${isReadOnly(panel) ? nothing : toggle(panel, off, text('brush.erase', { name }), text('brush.undo'))}`;
}

/** Kinds of accessibility, restricted views and pictures, as far as the session allows them. */
export function brushes(panel: Panel, state: { viewUrl: string }, counts: Counts): TemplateResult | typeof nothing {
  const { words, editor } = panel;
  const { text } = words();
  const hasKinds = editor.may.has('accessibility');
  const hasViews = editor.may.has('views');
  if (!hasKinds && !hasViews) return nothing;
  const line = (name: string, count: number, on: PaintWhat | null, off: PaintWhat) => html`<li>
    <span>${name}</span><span class="amount">${words().number(count)}</span>${brushPair(panel, name, on, off)}
  </li>`;
  const kinds = accessibilityKinds.map((kind) => {
    const what = (isOn: boolean): PaintWhat => ({ kind: 'accessibility', accessibility: kind, isOn });
    return line(text(`kind.${kind}`), counts.kinds[kind], what(true), what(false));
  });
  const way = (way: 'stepFree' | 'lift') => (isOn: boolean) => ({ kind: 'way' as const, way, isOn });
  const [stepFree, lift] = [way('stepFree'), way('lift')];
  const restricted = (isOn: boolean): PaintWhat => ({ kind: 'restrictedView', isOn });
  // A session that only looks has no address, and sees every place with a picture.
  const view: PaintWhat | null = state.viewUrl || isReadOnly(panel) ? { kind: 'view', url: state.viewUrl } : null;
  return html`<h3>${text('brushes.title')}</h3>
    ${isReadOnly(panel) ? nothing : html`<p class="note">${text('brushes.hint')}</p>`}
    <ul class="brushes">
      ${
        hasKinds
          ? [
              kinds,
              line(text('sale.stepFree'), counts.stepFree, stepFree(true), stepFree(false)),
              line(text('sale.lift'), counts.lift, lift(true), lift(false)),
            ]
          : nothing
      }
      ${
        hasViews
          ? [
              line(text('sale.restrictedView'), counts.restricted, restricted(true), restricted(false)),
              line(text('sale.view'), counts.views, view, { kind: 'view', url: null }),
            ]
          : nothing
      }
    </ul>
    ${hasViews && !isReadOnly(panel) ? addressOfView(panel, state) : nothing}`;
}

/** A brush in use paints the new address from now on. */
function addressOfView(panel: Panel, state: { viewUrl: string }): TemplateResult {
  return viewField(panel, 'brush-view', state.viewUrl, (url) => {
    state.viewUrl = url ?? '';
    const painting = panel.painting();
    if (painting?.kind === 'view' && painting.url !== null) panel.brush(url === null ? null : { kind: 'view', url });
    return null;
  });
}

function toggle(panel: Panel, what: PaintWhat, name: string, shown: string): TemplateResult {
  const { brush, painting, redraw } = panel;
  const isOn = JSON.stringify(painting()) === JSON.stringify(what);
  const press = () => {
    brush(isOn ? null : what);
    if (isOn && !isReadOnly(panel)) panel.notice(panel.words().text('brush.away'));
    redraw();
  };
  return html`<button type="button" class="brush" aria-pressed=${isOn} aria-label=${name} @click=${press}>${shown}</button>`;
}
