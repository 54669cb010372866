/** The fields of each type of object, in the order of the inspector. Fields of one name are edited for many at once. */
import type { ChartDocument, ChartObject, Table } from '@parterre/shared/charts/document';
import { bookingModeOf } from '@parterre/shared/charts/places';
import { gaCapacityMax } from '@parterre/shared/protocol/limits';
import { middleOf } from '../../src/rules/bounds.ts';
import type { Edit } from '../document/editor.ts';
import { changeObjects, objectsOf } from '../document/objects.ts';
import { placementOf } from '../document/placement.ts';
import { withContents } from '../document/selecting.ts';
import { selectionOf } from '../document/selection.ts';
import { setCapacity } from '../edits/areas.ts';
import { moved, movedOffsets, shift, tidy, turn } from '../edits/motion.ts';
import { objectSeatsMax, withSeatCount } from '../edits/rows/rows.ts';
import { move } from '../edits/transform.ts';
import type { MessageKey } from '../messages/words.ts';
import { withField } from '../painting/overrides.ts';

type Value = string | number | undefined;

export type ObjectField = {
  name: string;
  label: MessageKey;
  kind: 'text' | 'number' | 'choice' | 'colour';
  hint?: MessageKey;
  min?: number;
  max?: number;
  step?: number;
  isInteger?: boolean;
  isOptional?: boolean;
  /** The value of an object without the field. */
  otherwise?: number;
  options?(document: ChartDocument): readonly (readonly [value: string, label: MessageKey | { text: string }])[];
  read(object: ChartObject): Value;
  write(object: ChartObject, value: Value): ChartObject;
  /** In place of `write`, for a value that concerns more than its field. */
  edit?(id: string, value: number): Edit;
  /** A change names seats anew: the map shows it while it is typed. */
  changesLabels?: boolean;
};

type Loose = Record<string, unknown>;

const sizeMax = 1_000_000;

function own(name: string, label: MessageKey, kind: ObjectField['kind'], more: Partial<ObjectField> = {}): ObjectField {
  const read = (object: ChartObject) => (object as Loose)[name] as Value;
  return { name, label, kind, read, write: (object, value) => withField(object, name, value), ...more };
}

const length = (name: string, label: MessageKey, more: Partial<ObjectField> = {}): ObjectField =>
  own(name, label, 'number', { min: 1, max: sizeMax, ...more });

const degrees = (name: string, label: MessageKey, more: Partial<ObjectField> = {}): ObjectField =>
  own(name, label, 'number', {
    min: -3_600,
    max: 3_600,
    otherwise: 0,
    isOptional: true,
    ...more,
  });

/** The middle of an object that has no point of its own. A section takes its rows along. */
function middle(axis: 'x' | 'y'): ObjectField {
  const read = (object: ChartObject) => tidy(middleOf(placementOf(object).bounds)[axis]);
  const away = (object: ChartObject, to: number): [number, number] =>
    axis === 'x' ? [to - read(object), 0] : [0, to - read(object)];
  return {
    name: axis,
    label: `field.${axis}`,
    kind: 'number',
    hint: 'field.middle.hint',
    read,
    write: (object, value) => (typeof value === 'number' ? moved(object, shift(...away(object, value))) : object),
    edit: (id, value) => (document) => {
      const [object] = objectsOf(document, new Set([id]));
      if (!object) return document;
      if (object.type === 'section')
        return move(withContents(document, selectionOf([id])), ...away(object, value))(document);
      const own = fieldsOf(object).find(({ name }) => name === axis);
      return own ? changeObjects(document, new Set([id]), (each) => own.write(each, value)) : document;
    },
  };
}

function position(name: 'origin' | 'center', axis: 'x' | 'y'): ObjectField {
  return {
    name: axis,
    label: `field.${axis}`,
    kind: 'number',
    read: (object) => ((object as Loose)[name] as Loose | undefined)?.[axis] as Value,
    write: (object, value) => withField(object, name, withField((object as Loose)[name] as object, axis, value)),
  };
}

const label = own('label', 'field.label', 'text', { changesLabels: true });
const displayLabel = own('displayLabel', 'field.displayLabel', 'text', {
  hint: 'field.displayLabel.hint',
  isOptional: true,
});
const rotation = degrees('rotation', 'field.rotation', {
  write(object, value) {
    const turned = withField(object, 'rotation', value);
    if (object.type !== 'row' && object.type !== 'table') return turned;
    const by = turn((Number(value) || 0) - (object.rotation ?? 0), { x: 0, y: 0 });
    return { ...turned, ...movedOffsets(by, object.overrides) } as ChartObject;
  },
});
const at = [position('center', 'x'), position('center', 'y')];
const inMiddle = [middle('x'), middle('y')];
const seatCount = own('seatCount', 'field.seatCount', 'number', {
  isInteger: true,
  min: 0,
  max: objectSeatsMax,
  changesLabels: true,
  write: (object, value) =>
    object.type === 'row' && typeof value === 'number'
      ? withSeatCount(object, value)
      : withField(object, 'seatCount', value),
});

function rowFields(object: ChartObject): ObjectField[] {
  if ('path' in object && object.path) return [label, displayLabel, seatCount, ...inMiddle];
  return [
    label,
    displayLabel,
    seatCount,
    length('seatSpacing', 'field.seatSpacing'),
    rotation,
    degrees('curve', 'field.curve', { hint: 'field.curve.hint' }),
    position('origin', 'x'),
    position('origin', 'y'),
  ];
}

const shape = own('shape', 'field.shape', 'choice', {
  options: () => [
    ['round', 'shape.round'],
    ['rect', 'shape.rect'],
  ],
});

/** The way a table is sold stands in two fields. */
const selling: ObjectField = {
  name: 'selling',
  label: 'field.selling',
  kind: 'choice',
  options: () => [
    ['individual', 'selling.individual'],
    ['whole', 'selling.whole'],
    ['variable', 'selling.variable'],
  ],
  read: (object) => bookingModeOf(object as Table),
  write(object, value) {
    const whole = withField(object, 'bookAsWhole', value === 'whole' || undefined);
    return withField(whole, 'variableOccupancy', value === 'variable' || undefined);
  },
};

const guests = (name: string, label: MessageKey): ObjectField =>
  own(name, label, 'number', { isInteger: true, isOptional: true, min: 1, max: objectSeatsMax });

const sideChoices: readonly (readonly [value: string, label: MessageKey])[] = [
  ['top,bottom', 'sides.topBottom'],
  ['top,bottom,left,right', 'sides.all'],
  ['left,right', 'sides.leftRight'],
  ['top', 'sides.top'],
  ['bottom', 'sides.bottom'],
  ['left', 'sides.left'],
  ['right', 'sides.right'],
  ['top,left,right', 'sides.notBottom'],
  ['bottom,left,right', 'sides.notTop'],
];

/** The sides to which chairs go in turn, in the order of `sideChoices`. */
const chairSides: ObjectField = {
  name: 'sides',
  label: 'field.sides',
  kind: 'choice',
  options: () => sideChoices,
  read: (object) => {
    const chosen = (object as Table).sides ?? [];
    return ['top', 'bottom', 'left', 'right'].filter((side) => chosen.includes(side as never)).join() || 'top,bottom';
  },
  write: (object, value) =>
    withField(object, 'sides', value === 'top,bottom' || !value ? undefined : String(value).split(',')),
};

const sides = (['top', 'bottom', 'left', 'right'] as const).map(
  (side): ObjectField => ({
    name: `seats-${side}`,
    label: `field.seats.${side}`,
    kind: 'number',
    isInteger: true,
    isOptional: true,
    min: 0,
    max: objectSeatsMax,
    read: (object) => ((object as Table).seatCountsBySide?.[side] ?? undefined) as Value,
    write(object, value) {
      const counts = withField(((object as Table).seatCountsBySide ?? {}) as object, side, value);
      return withField(object, 'seatCountsBySide', Object.keys(counts).length > 0 ? counts : undefined);
    },
  }),
);

function tableFields(object: ChartObject): ObjectField[] {
  const isRound = (object as Table).shape === 'round';
  return [
    label,
    displayLabel,
    seatCount,
    selling,
    ...(bookingModeOf(object as Table) === 'variable'
      ? [guests('minOccupancy', 'field.minOccupancy'), guests('maxOccupancy', 'field.maxOccupancy')]
      : []),
    shape,
    ...(isRound
      ? [
          length('radius', 'field.radius', { otherwise: 40, isOptional: true }),
          degrees('seatArc', 'field.seatArc', { min: 0, max: 360, otherwise: 360 }),
        ]
      : [
          length('width', 'field.width', { otherwise: 80, isOptional: true }),
          length('height', 'field.height', { otherwise: 50, isOptional: true }),
          chairSides,
          ...sides,
        ]),
    rotation,
    ...at,
  ];
}

const zone = own('zone', 'field.zone', 'choice', {
  isOptional: true,
  options: ({ zones = [] }) => [['', 'field.noZone'], ...zones.map((each) => [each.id, { text: each.label }] as const)],
});

const sectionFields = [
  { ...label, changesLabels: false },
  displayLabel,
  zone,
  own('logicalSectionId', 'field.logicalSection', 'text', { isOptional: true, hint: 'field.logicalSection.hint' }),
  own('color', 'field.colour', 'colour', { isOptional: true }),
  own('entrance', 'field.entrance', 'text', { isOptional: true }),
  ...inMiddle,
];

/** Texts and shapes may have their text as `label` or as `text`, and their colour as `fill` or as `color`. */
function decorFields(object: ChartObject): ObjectField[] {
  const either = (first: string, second: string) => (first in object ? first : second);
  if (object.type === 'decorImage') {
    return [
      own('opacity', 'field.opacity', 'number', { min: 0, max: 1, step: 0.1, otherwise: 1, isOptional: true }),
      length('width', 'field.width'),
      length('height', 'field.height'),
      rotation,
      ...inMiddle,
    ];
  }
  const text = own(either('label', 'text'), 'field.text', 'text', { isOptional: object.type === 'shape' });
  const colour = own(either('fill', 'color'), 'field.colour', 'colour', { isOptional: true });
  if (object.type === 'text') {
    return [text, colour, length('fontSize', 'field.fontSize', { isOptional: true }), rotation, ...inMiddle];
  }
  const box = [length('width', 'field.width'), length('height', 'field.height')];
  return [text, colour, ...('width' in object ? box : []), rotation, ...inMiddle];
}

export function fieldsOf(object: ChartObject): ObjectField[] {
  switch (object.type) {
    case 'row':
      return rowFields(object);
    case 'table':
      return tableFields(object);
    case 'booth':
      return [label, displayLabel, length('width', 'field.width'), length('height', 'field.height'), rotation, ...at];
    case 'gaArea':
      return [label, displayLabel, capacity, ...inMiddle];
    case 'section':
      return sectionFields;
    default:
      return decorFields(object);
  }
}

const capacity = own('capacity', 'field.capacity', 'number', {
  isInteger: true,
  min: 0,
  max: gaCapacityMax,
  edit: setCapacity,
});

/** The fields that all of these objects have. */
export function sharedFields(objects: readonly ChartObject[]): ObjectField[] {
  const [first, ...others] = objects;
  if (!first) return [];
  const names = others.map((object) => new Set(fieldsOf(object).map(({ name, kind }) => `${name} ${kind}`)));
  return fieldsOf(first).filter(({ name, kind }) => names.every((known) => known.has(`${name} ${kind}`)));
}
