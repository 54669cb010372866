/**
 * How the selection is sold and whom it suits: category, accessibility, the picture of the view, a restricted view. The
 * same edits as the brush makes on the map, for the keyboard. A session gets the parts that it may change.
 */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { ChartObject } from '@parterre/shared/charts/document';
import { hasSeats, isSeller, type Seller } from '@parterre/shared/charts/places';
import { html, nothing, type TemplateResult } from 'lit-html';
import { pictureAddress } from '../../src/rules/names.ts';
import { idOf } from '../document/objects.ts';
import type { Words } from '../messages/words.ts';
import { liveSeats, type SeatOverride } from '../painting/overrides.ts';
import { kindsOf, type PaintWhat, paint } from '../painting/painting.ts';
import { common } from './fields.ts';
import { applied, type Panel } from './host.ts';

/** A seat, or an object that is one unit. */
type SellableSeat = {
  categoryKey: string;
  kinds: readonly string[] | null;
  view: string;
  isRestricted: boolean;
  stepFree: boolean;
  lift: boolean;
};

export function salePanel(panel: Panel, touched: readonly ChartObject[]): TemplateResult {
  const { fields, words, editor } = panel;
  const { text } = words();
  const sold = touched.filter(isSeller).flatMap((object) => soldIn(object, editor.selection.seats.get(idOf(object))));
  if (sold.length === 0) return html``;
  const seats = sold.filter(({ kinds }) => kinds !== null);
  const change = (what: PaintWhat) => applied(panel, paint(editor.selection, what), `did.${what.kind}`);
  const [mayPaint, hasKinds, hasViews] = (['painting', 'accessibility', 'views'] as const).map((feature) =>
    editor.may.has(feature),
  );
  if (!mayPaint && !hasKinds && !hasViews) return html``;
  return html`<details open class="group"><summary>${text('sale.title')}</summary>
    ${
      mayPaint
        ? fields.choice({
            id: 'sale-category',
            label: text('sale.category'),
            value: common(sold.map(({ categoryKey }) => categoryKey)),
            options: editor.document.categories.map(({ key, label }) => [key, label] as const),
            change: (key) => change({ kind: 'category', key }),
          })
        : nothing
    }
    ${hasKinds && seats.length > 0 ? kindFields(panel, seats, change) : nothing}
    ${hasKinds ? wayFields(panel, sold, change) : nothing}
    ${
      hasViews
        ? [
            fields.toggle({
              id: 'sale-restricted',
              label: text('sale.restrictedView'),
              value: common(sold.map(({ isRestricted }) => isRestricted)),
              change: (isOn) => change({ kind: 'restrictedView', isOn }),
            }),
            viewField(panel, 'sale-view', common(sold.map(({ view }) => view)), (url) => change({ kind: 'view', url })),
          ]
        : nothing
    }
  </details>`;
}

function kindFields(
  { fields, words }: Panel,
  seats: readonly SellableSeat[],
  change: (what: PaintWhat) => string | null,
): TemplateResult {
  const { text } = words();
  const isOpen = seats.some(({ kinds }) => kinds!.length > 0);
  return html`<details class="group" ?open=${isOpen}><summary>${text('sale.kinds')}</summary>${accessibilityKinds.map(
    (kind) =>
      fields.toggle({
        id: `sale-${kind}`,
        label: text(`kind.${kind}`),
        value: common(seats.map(({ kinds }) => kinds!.includes(kind))),
        change: (isOn) => change({ kind: 'accessibility', accessibility: kind, isOn }),
      }),
  )}</details>`;
}

function wayFields(
  { fields, words }: Panel,
  sold: readonly SellableSeat[],
  change: (what: PaintWhat) => string | null,
) {
  return (['stepFree', 'lift'] as const).map((way) =>
    fields.toggle({
      id: `sale-${way}`,
      label: words().text(`sale.${way}`),
      value: common(sold.map((each) => each[way])),
      change: (isOn) => change({ kind: 'way', way, isOn }),
    }),
  );
}

/** The address of a picture of the view from a seat. */
export function viewField(
  { fields, words }: Pick<Panel, 'fields' | 'words'>,
  id: string,
  value: Parameters<Panel['fields']['text']>[0]['value'],
  change: (url: string | null) => string | null,
): TemplateResult {
  const { text }: Words = words();
  return fields.text({
    id,
    label: text('sale.view'),
    value,
    hint: text('sale.view.hint'),
    check: (to) => (to === '' || pictureAddress(to) !== null ? null : { key: 'sale.badView' }),
    change: (to) => change(to === '' ? null : to),
  });
}

/** Without indexes the whole object. Seats that are alike count once. */
function soldIn(object: Seller, indexes: ReadonlySet<number> | undefined): SellableSeat[] {
  const own = object as { viewFromSeatUrl?: unknown; restrictedView?: unknown };
  const sold = (override: SeatOverride | null): SellableSeat => ({
    categoryKey: override?.categoryKey ?? object.categoryKey,
    kinds: override && kindsOf(override),
    view: String(override?.viewFromSeatUrl ?? own.viewFromSeatUrl ?? ''),
    isRestricted: (override?.restrictedView ?? own.restrictedView) === true,
    stepFree: (override?.stepFree ?? object.stepFree) === true,
    lift: (override?.lift ?? object.lift) === true,
  });
  if (!hasSeats(object)) return [sold(null)];
  const live = liveSeats(object).filter((index) => indexes === undefined || indexes.has(index));
  const overrides = new Map((object.overrides ?? []).map((override) => [override.index, override]));
  const special = live.filter((index) => overrides.has(index));
  const all = special.map((index) => sold(overrides.get(index)!));
  return special.length < live.length ? [...all, sold({ index: 0 })] : all;
}
