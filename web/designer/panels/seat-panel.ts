/** The selected seats themselves: their labels, the texts that buyers read, and places where no seat stands. */
import type { ChartObject } from '@parterre/shared/charts/document';
import { hasSeats, placesOf } from '@parterre/shared/charts/places';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Edit } from '../document/editor.ts';
import { changeObjects, idOf } from '../document/objects.ts';
import { featureFor } from '../document/permissions.ts';
import type { MessageKey } from '../messages/words.ts';
import { changeOverrides, overrideOf, type SeatObject, type SeatOverride, withField } from '../painting/overrides.ts';
import { proposed } from './clashes.ts';
import { common } from './fields.ts';
import { applied, type Panel } from './host.ts';

type SelectedSeats = { object: SeatObject; indexes: ReadonlySet<number> };

export function seatPanel(panel: Panel, touched: readonly ChartObject[]): TemplateResult {
  const { fields, words, editor } = panel;
  const { text } = words();
  const chosen = chosenIn(touched, editor.selection.seats);
  const only = chosen.length === 1 && chosen[0]!.indexes.size === 1 ? onlySeat(chosen[0]!) : null;
  const overrides = chosen.flatMap(({ object, indexes }) => [...indexes].map((index) => overrideOf(object, index)));
  if (overrides.length === 0) return html``;
  const change = (change: (override: SeatOverride) => SeatOverride, name: MessageKey) =>
    applied(panel, seatsEdit(chosen, change), name);
  const mayLabel = editor.may.has('labels');
  const displayField = () =>
    fields.text({
      id: 'seat-displayLabel',
      label: text('field.displayLabel'),
      hint: text('field.displayLabel.hint'),
      value: common(overrides.map(({ displayLabel }) => displayLabel ?? '')),
      change: (to) => change((override) => withField(override, 'displayLabel', to || undefined), 'did.labels'),
    });
  return html`
    ${only && mayLabel ? labelField(panel, only) : nothing}
    ${mayLabel ? displayField() : nothing}
    ${fields.toggle({
      id: 'seat-skip',
      label: text('seat.skip'),
      hint: text('seat.skip.hint'),
      value: common(overrides.map(({ skip }) => skip === true)),
      isDisabled: !chosen.every(({ object }) => editor.may.has(featureFor(object.type, 'skip'))),
      change: (to) => change((override) => withField(override, 'skip', to || undefined), 'did.skip'),
    })}`;
}

function chosenIn(touched: readonly ChartObject[], seats: ReadonlyMap<string, ReadonlySet<number>>): SelectedSeats[] {
  return touched.flatMap((object) => {
    const indexes = seats.get(idOf(object));
    return indexes && hasSeats(object) ? [{ object, indexes }] : [];
  });
}

function seatsEdit(chosen: readonly SelectedSeats[], change: (override: SeatOverride) => SeatOverride): Edit {
  const indexesOf = new Map(chosen.map(({ object, indexes }) => [object.id, indexes]));
  return (document) =>
    changeObjects(document, new Set(indexesOf.keys()), (object) =>
      hasSeats(object) ? changeOverrides(object, indexesOf.get(object.id)!, change) : object,
    );
}

type Only = { object: SeatObject; index: number; label: string; usual: string };

/** A skipped seat has no label. */
function onlySeat({ object, indexes }: SelectedSeats): Only | null {
  const [index] = [...indexes];
  const usual = withLabel(object, index!, undefined);
  const labelIn = (from: SeatObject) => placesOf(from).find((place) => place.index === index)?.label;
  const label = labelIn(object);
  return label === undefined ? null : { object, index: index!, label, usual: labelIn(usual)! };
}

function labelField(panel: Panel, { object, index, label, usual }: Only): TemplateResult {
  const { fields, words } = panel;
  const { text } = words();
  // The usual label is no label of its own.
  const own = (to: string) => (to === '' || to === usual ? undefined : to);
  return fields.text({
    id: 'seat-label',
    label: text('field.label'),
    value: label,
    hint: text('seat.usual', { label: usual }),
    change: (to) =>
      applied(
        panel,
        seatsEdit([{ object, indexes: new Set([index]) }], (override) => withField(override, 'label', own(to))),
        'did.labels',
      ),
    typing(to) {
      if (to === null) panel.preview(null);
      return to === null ? null : proposed(panel, [withLabel(object, index, own(to))], 'number');
    },
  });
}

function withLabel(object: SeatObject, index: number, label: string | undefined): SeatObject {
  return changeOverrides(object, [index], (override) => withField(override, 'label', label));
}
