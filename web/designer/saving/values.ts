/** Fields of the chart and their values in people's words, for changes and conflicts. */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { isSeller, placesOf } from '@parterre/shared/charts/places';
import { type Fields, isFields } from '../document/fields.ts';
import { english } from '../messages/english.ts';
import { type MessageKey, tell, type Words } from '../messages/words.ts';
import { amountsOf, amountText } from '../painting/money.ts';
import type { Person } from './news.ts';

const fieldWords: Readonly<Record<string, MessageKey>> = {
  label: 'field.label',
  displayLabel: 'field.displayLabel',
  name: 'chart.name',
  text: 'field.text',
  seatCount: 'field.seatCount',
  seatSpacing: 'field.seatSpacing',
  curve: 'field.curve',
  path: 'word.path',
  rotation: 'field.rotation',
  origin: 'word.place',
  center: 'word.place',
  position: 'word.place',
  x: 'field.x',
  y: 'field.y',
  dx: 'word.dx',
  dy: 'word.dy',
  width: 'field.width',
  height: 'field.height',
  shape: 'field.shape',
  radius: 'field.radius',
  seatArc: 'field.seatArc',
  sides: 'word.sides',
  seatCountsBySide: 'word.sides',
  bookAsWhole: 'selling.whole',
  variableOccupancy: 'selling.variable',
  minOccupancy: 'field.minOccupancy',
  maxOccupancy: 'field.maxOccupancy',
  capacity: 'field.capacity',
  inventorySegments: 'word.segments',
  points: 'word.outline',
  outline: 'word.outline',
  holes: 'word.holes',
  categoryKey: 'sale.category',
  accessibility: 'sale.kinds',
  accessible: 'kind.wheelchair',
  stepFree: 'sale.stepFree',
  lift: 'sale.lift',
  restrictedView: 'sale.restrictedView',
  viewFromSeatUrl: 'sale.view',
  skip: 'seat.skip',
  seatNumbering: 'numbers.title',
  seatLabelStart: 'numbers.start',
  segmentedRow: 'word.segmentedRow',
  zone: 'field.zone',
  floor: 'word.floor',
  logicalSectionId: 'field.logicalSection',
  color: 'field.colour',
  fill: 'field.colour',
  stroke: 'field.colour',
  fontSize: 'field.fontSize',
  opacity: 'field.opacity',
  scale: 'field.scale',
  entrance: 'field.entrance',
  elevation: 'field.elevation',
  rake: 'field.rake',
  price: 'category.price',
  previousPrice: 'category.previousPrice',
  fees: 'fees.title',
  allIn: 'fees.allIn',
  priceUnit: 'categories.unit',
  tiers: 'tiers.title',
  notForSale: 'category.notForSale',
  key: 'category.key',
  venueType: 'chart.venueType',
  focalPoint: 'chart.focalPoint',
  backgroundImage: 'chart.background',
  url: 'word.picture',
  src: 'word.picture',
  href: 'word.picture',
};
const TEXT_LENGTH_MAX = 80;
const NAMES_MAX = 5;

/** “Ann and Ben”. */
export function namesOf(words: Words, people: readonly Person[]): string {
  return words.list(people.map((person) => person ?? words.text('news.somebody')));
}

/** A field in words; `overrides.3.dx` is a field of the seat with index 3. Each word stands once. */
export function fieldNames(words: Words, fields: readonly string[], element: Fields | null): string {
  return words.list([...new Set(fields.map((field) => fieldName(words, field, element)))], NAMES_MAX);
}

export function fieldName(words: Words, field: string, element: Fields | null): string {
  const [list, index, ofSeat] = field.split('.');
  if (list === 'overrides' && ofSeat === undefined) return words.text('word.seats');
  if (ofSeat === undefined) return wordOf(words, field);
  return words.text('word.seat', { label: seatLabel(element, Number(index)), field: wordOf(words, ofSeat) });
}

function wordOf(words: Words, field: string): string {
  const key = fieldWords[field];
  return key ? tell(words, { key }) : field;
}

function seatLabel(element: Fields | null, index: number): string {
  const object = element as ChartObject | null;
  const place = object && isSeller(object) ? placesOf(object).find((each) => each.index === index) : undefined;
  return place?.label ?? String(index + 1);
}

/** The value of a field of an element, as `fieldName` names it. */
export function valueText(words: Words, document: ChartDocument, element: Fields, field: string): string {
  const [list, index, ofSeat] = field.split('.');
  if (ofSeat === undefined) return shown(words, document, field, element[field]);
  const entries = element[list!];
  const entry = Array.isArray(entries) ? entries.filter(isFields).find((each) => each.index === Number(index)) : null;
  return shown(words, document, ofSeat, entry?.[ofSeat]);
}

function shown(words: Words, document: ChartDocument, field: string, value: unknown): string {
  const { text, number, locale } = words;
  if (value === undefined || value === null || value === '') return text('value.none');
  if (typeof value === 'boolean') return text(value ? 'value.yes' : 'value.no');
  if (typeof value === 'number')
    return isAmount(field) ? amountText(locale, value, amountsOf(document, null)) : number(value);
  if (typeof value === 'string') return shortened(named(document, field, value) ?? phrase(words, field, value));
  if (Array.isArray(value)) return listed(words, field, value);
  const { x, y, scheme, url } = value as Fields;
  if (typeof x === 'number' && typeof y === 'number') return text('value.point', { x: number(x), y: number(y) });
  if (field === 'seatNumbering') return phrase(words, 'scheme', typeof scheme === 'string' ? scheme : 'decimal');
  return typeof url === 'string' ? shortened(url) : text('value.other');
}

const isAmount = (field: string): boolean => field === 'price' || field === 'previousPrice';

function listed(words: Words, field: string, values: readonly unknown[]): string {
  const { text, list } = words;
  if (values.length === 0) return text('value.none');
  if (values.every((each) => typeof each === 'string'))
    return list(
      values.map((each) => phrase(words, field, each)),
      NAMES_MAX,
    );
  if (field === 'points' || field === 'outline') return text('value.corners', { count: values.length });
  const names = values.flatMap((each) => (isFields(each) && typeof each.name === 'string' ? each.name : []));
  return names.length === values.length ? list(names, NAMES_MAX) : text('value.entries', { count: values.length });
}

/** The name of the category, zone or floor behind a key or an id. */
function named({ categories, zones = [], floors = [] }: ChartDocument, field: string, value: string): string | null {
  if (field === 'categoryKey') return categories.find(({ key }) => key === value)?.label ?? null;
  if (field === 'zone') return zones.find(({ id }) => id === value)?.label ?? null;
  return field === 'floor' ? (floors.find(({ id }) => id === value)?.name ?? null) : null;
}

/** A word of the format, such as `round`, in people's words. */
function phrase(words: Words, field: string, value: string): string {
  const prefix = {
    accessibility: 'kind',
    shape: 'shape',
    venueType: 'venue',
    scheme: 'scheme',
    priceUnit: 'priceUnit',
  }[field];
  const key = `${prefix}.${value}`;
  if (prefix && key in english) return tell(words, { key: key as MessageKey });
  return /^data:/i.test(value) ? words.text('type.decorImage') : value;
}

function shortened(value: string): string {
  return value.length > TEXT_LENGTH_MAX ? `${value.slice(0, TEXT_LENGTH_MAX - 1)}…` : value;
}
