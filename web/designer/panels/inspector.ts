/**
 * The panel of the selection: its name, the fields that its objects share, its numbers, labels and sale. A field that
 * the session forbids shows its value; whole parts that it forbids are not there.
 */
import type { ChartDocument, ChartObject, Row } from '@parterre/shared/charts/document';
import { objectName } from '@parterre/shared/charts/place-names';
import { isSeller } from '@parterre/shared/charts/places';
import { html, nothing, type TemplateResult } from 'lit-html';
import { changeObjects, idOf } from '../document/objects.ts';
import { featureFor } from '../document/permissions.ts';
import { isNothing } from '../document/selection.ts';
import { addSeats, objectSeatsMax, withMoreSeats } from '../edits/rows/rows.ts';
import { type MessageKey, tell, type Words } from '../messages/words.ts';
import { clashNotes, proposed } from './clashes.ts';
import { common, mixed } from './fields.ts';
import { applied, chosenBy, type Panel } from './host.ts';
import { type LabelsForm, labelsPanel } from './labels-panel.ts';
import { numbersPanel } from './numbers-panel.ts';
import { type ObjectField, sharedFields } from './object-fields.ts';
import { salePanel } from './sale-panel.ts';
import { seatPanel } from './seat-panel.ts';

export function inspector(panel: Panel, form: LabelsForm): TemplateResult {
  const { editor, words } = panel;
  const { text } = words();
  if (isNothing(editor.selection)) return html`<p class="empty">${text('select.nothing')}</p>`;
  const { touched, whole } = chosenBy(panel);
  const rows = touched.filter((object): object is Row => object.type === 'row');
  const hasSeats = editor.selection.seats.size > 0;
  const mayLabel = editor.may.has('labels');
  return html`
    <h3>${titleOf(words(), whole, seatCountOf(panel))}</h3>
    ${hasSeats ? seatPanel(panel, touched) : nothing}
    ${whole.length > 0 ? fieldsFor(whole).map((field) => objectField(panel, whole, field)) : nothing}
    ${rows.length > 1 && !hasSeats && editor.may.has('rows') ? seatsByRow(panel, rows) : nothing}
    ${hasSeats ? nothing : clashNotes(panel, panel.labels().clashesOf(new Set(whole.map(idOf))))}
    ${touched.some(isSeller) ? salePanel(panel, touched) : nothing}
    ${rows.length > 0 && !hasSeats && mayLabel ? numbersPanel(panel, rows) : nothing}
    ${whole.filter(isSeller).length > 1 && mayLabel ? labelsPanel(panel, form, whole) : nothing}`;
}

/** A change of all rows by as many seats each, whatever they have. */
function seatsByRow(panel: Panel, rows: readonly Row[]): TemplateResult {
  const { fields, words } = panel;
  const { text } = words();
  const ids = new Set(rows.map(({ id }) => id));
  const field = (end: 'start' | 'end') =>
    fields.number({
      id: `rows-${end}`,
      label: text(`rows.${end}`),
      value: 0,
      isInteger: true,
      min: -objectSeatsMax,
      max: objectSeatsMax,
      change: (by) => applied(panel, addSeats(ids, end, by ?? 0), 'did.property'),
      typing: (by) => {
        if (by === null) panel.preview(null);
        return by === null
          ? null
          : proposed(
              panel,
              rows.map((row) => withMoreSeats(row, end, by)),
              'number',
            );
      },
    });
  return html`<fieldset><legend>${text('rows.title')}</legend><p class="note">${text('rows.hint')}</p>
    <div class="pair">${field('start')}${field('end')}</div></fieldset>`;
}

const known = new WeakMap<readonly ChartObject[], readonly ObjectField[]>();

function fieldsFor(objects: readonly ChartObject[]): readonly ObjectField[] {
  let fields = known.get(objects);
  if (!fields) {
    fields = sharedFields(objects);
    known.set(objects, fields);
  }
  return fields;
}

const seatCountOf = ({ editor: { selection } }: Panel): number =>
  [...selection.seats.values()].reduce((sum, { size }) => sum + size, 0);

function titleOf(words: Words, whole: readonly ChartObject[], seats: number): string {
  const { text, list } = words;
  if (whole.length === 1 && seats === 0) return `${text(`type.${whole[0]!.type}`)} ${titleName(whole[0]!)}`.trim();
  const counts = new Map<ChartObject['type'], number>();
  for (const { type } of whole) counts.set(type, (counts.get(type) ?? 0) + 1);
  const parts = [...counts].map(([type, count]) => text(`count.${type}`, { count }));
  return list([...parts, ...(seats > 0 ? [text('count.seats', { count: seats })] : [])]);
}

function titleName(object: ChartObject): string {
  return typeof object.label === 'string' ? objectName(object as { label: string }, null) : '';
}

function objectField(panel: Panel, objects: readonly ChartObject[], field: ObjectField): TemplateResult {
  const { fields, words } = panel;
  const plain = (key: MessageKey) => tell(words(), { key });
  const id = `object-${field.name}`;
  const ids = new Set(objects.map(idOf));
  const value = common(objects.map(field.read));
  const write = (to: string | number | undefined) => (object: ChartObject) =>
    ids.has(idOf(object)) ? (ownField(object, field.name) ?? field).write(object, to) : object;
  const edited = (document: ChartDocument, to: string | number | undefined) =>
    field.edit && typeof to === 'number'
      ? [...ids].reduce((before, id) => field.edit!(id, to)(before), document)
      : changeObjects(document, ids, write(to));
  const change = (to: string | number | undefined) =>
    applied(panel, (document) => edited(document, to), 'did.property');
  const typing = (to: string | number | null) => {
    if (!field.changesLabels) return null;
    if (to === null) panel.preview(null);
    return to === null ? null : proposed(panel, objects.map(write(to)), field.name === 'label' ? 'whole' : 'number');
  };
  const isDisabled = !objects.every(({ type }) => panel.editor.may.has(featureFor(type, field.name)));
  const shared = { id, isDisabled, label: plain(field.label), ...(field.hint ? { hint: plain(field.hint) } : {}) };
  switch (field.kind) {
    case 'number':
      return fields.number({
        ...shared,
        ...bounds(field),
        value: value === mixed ? mixed : typeof value === 'number' ? value : null,
        change: (to) => change(to ?? undefined),
        typing,
      });
    case 'choice':
      return fields.choice({
        ...shared,
        value: value === mixed ? mixed : String(value ?? ''),
        options: field.options!(panel.editor.document).map(
          ([key, label]) => [key, typeof label === 'string' ? plain(label) : label.text] as const,
        ),
        change: (to) => change(to === '' ? undefined : to),
      });
    case 'colour':
      return fields.colour({
        ...shared,
        value: value === mixed ? mixed : String(value ?? ''),
        change: (to) => change(to || undefined),
      });
    case 'text':
      return fields.text({
        ...shared,
        value: value === mixed ? mixed : String(value ?? ''),
        check: (to) => (to.trim() === '' && !field.isOptional ? { key: 'field.needsText' } : null),
        change: (to) => change(to === '' && field.isOptional ? undefined : to),
        typing,
      });
  }
}

/** One field may have another name in another object, such as `text` and `label`. */
function ownField(object: ChartObject, name: string): ObjectField | undefined {
  return sharedFields([object]).find((field) => field.name === name);
}

function bounds({ min, max, step, isInteger, isOptional, otherwise }: ObjectField) {
  return {
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(step === undefined ? {} : { step }),
    ...(otherwise === undefined ? {} : { otherwise }),
    isInteger: isInteger ?? false,
    isOptional: isOptional ?? false,
  };
}
