/**
 * The words of a place, as tickets print them and as the picker, the answers and the webhooks say them: floor, section,
 * row, seat, area, table, entrance, and a name such as “Row C, seat 3”. Pure.
 *
 * A word is the display label of its object, else the label. A row, table, booth or area whose label begins with its
 * section's label loses the section: row `103-A` in section 103 is “Row A”, since the section is a word of its own.
 */
import type { ChartObject, Floor, Section } from './document.ts';
import { sectionFinder } from './membership.ts';
import { seatNumberIn } from './numbering.ts';
import { centreOf, isSeller, placesOf, type Seller } from './places.ts';
import { objectOf, type Plan, type PlanObject } from './plan.ts';

export type PlaceWords = {
  floor: string | null;
  section: string | null;
  row: string | null;
  seat: string | null;
  area: string | null;
  table: string | null;
  entrance: string | null;
  name: string;
};

/** The words that all places of an object share. `name` is that of the row, table, booth or area. */
export type ObjectWords = { name: string; floor: string | null; sectionName: string | null; entrance: string | null };

type KindOfSale = Pick<PlanObject, 'type' | 'bookingMode'>;

/** Names of places in a language. */
export type PlaceTexts = {
  rowSeat(row: string, seat: string): string;
  chair(table: string, chair: string): string;
};

type NamedObject = { label: string; displayLabel?: unknown; segmentedRow?: unknown };

/** Names of a designer's fields are unknown to the schemas, so each may hold anything. */
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * The display label, else the label without the prefix of the section that has the object. The pieces of a segmented
 * row share the name of the row. The designer and the imports write this name themselves, often as the whole label.
 */
export function objectName(object: NamedObject, section: NamedObject | null): string {
  const ofPieces = textOf((object.segmentedRow as Partial<NamedObject> | null | undefined)?.displayLabel);
  const own = textOf(object.displayLabel);
  if (ofPieces === null && own !== null) return own;
  const name = ofPieces ?? object.label;
  if (section === null) return name;
  return withoutPrefix(name, section.label) ?? withoutPrefix(name, objectName(section, null)) ?? name;
}

/** Each object with the section that has it; null for other objects than rows, tables, booths and areas. */
export function inSections(objects: readonly ChartObject[]): (readonly [ChartObject, Section | null])[] {
  const sections = objects.filter((object) => object.type === 'section');
  const find = sectionFinder(sections);
  return objects.map((object) => {
    const places = isSeller(object) ? placesOf(object) : [];
    const index = isSeller(object) && places.length > 0 ? find(centreOf(object, places)) : -1;
    return [object, sections[index] ?? null];
  });
}

/** The objects, with a display label for each row, table, booth and area whose label begins with its section's. */
export function withDisplayLabels(objects: readonly ChartObject[]): ChartObject[] {
  return inSections(objects).map(([object, section]) => {
    if (section === null || !isSeller(object)) return object;
    const name = objectName(object, section);
    return name === object.label ? object : { ...object, displayLabel: name };
  });
}

/** `A` for `103-A` and 103. Null where the label does not begin with the prefix and a mark, or is nothing else. */
function withoutPrefix(label: string, prefix: string): string | null {
  if (prefix === '' || !label.startsWith(prefix)) return null;
  const rest = label.slice(prefix.length);
  const name = rest.replace(/^[\s\-‐‑–—_/.,:·|]+/u, '');
  return name === '' || name === rest ? null : name;
}

/** `section` and `floor` are those of the object; null for an object in none. */
export function objectWords(object: Seller, section: Section | null, floor: Floor | null): ObjectWords {
  return {
    name: objectName(object, section),
    floor: textOf(floor?.name),
    sectionName: section && textOf(objectName(section, null)),
    entrance: entranceOf(object) ?? (section && entranceOf(section)),
  };
}

const entranceOf = (object: ChartObject): string | null => textOf((object as { entrance?: unknown }).entrance);

/** The text on a seat: its display label, else its label without the label of its row or table. */
export function seatName(label: string, object: { label: string }, displayLabel: string | null): string {
  return displayLabel || seatNumberIn(label, object.label);
}

/** “Row A, seat 4”, “Table 1”, “Booth 1”: as much as the label tells, else the label itself. */
export function placeName(
  object: KindOfSale & { name: string },
  label: string,
  seat: string,
  texts: PlaceTexts,
): string {
  return hasSeats(object) ? nameOfSeat(object, label, seat, texts) : object.name;
}

function nameOfSeat(
  { type, name }: KindOfSale & { name: string },
  label: string,
  seat: string,
  texts: PlaceTexts,
): string {
  if (seat === label) return label;
  return type === 'row' ? texts.rowSeat(name, seat) : texts.chair(name, seat);
}

/** Whether its places are seats: of a row, or of a table whose chairs are sold one by one. */
export function hasSeats({ type, bookingMode }: KindOfSale): boolean {
  return (type === 'row' || type === 'table') && bookingMode === 'individual';
}

/** The words of a unit of a plan. */
export function wordsOfUnit(plan: Plan, unit: number, texts: PlaceTexts): PlaceWords {
  const object = objectOf(plan, unit);
  const label = plan.labels.at(unit);
  return wordsOfSeat(object, label, ownNameOf(plan, unit), texts);
}

/** `ownName`: the display label of the seat; '' without one. */
export function wordsOfSeat(
  object: KindOfSale & ObjectWords & { label: string },
  label: string,
  ownName: string,
  texts: PlaceTexts,
): PlaceWords {
  const words = wordsOfArea(object);
  if (!hasSeats(object)) return words;
  const seat = seatName(label, object, ownName);
  words.seat = seat;
  words.name = nameOfSeat(object, label, seat, texts);
  return words;
}

/** The name of a unit or area by its label; the label itself where the plan does not have it. */
export function nameOfLabel(plan: Plan, label: string, texts: PlaceTexts): string {
  const unit = plan.labels.unitOf(label);
  if (unit !== undefined) {
    const object = objectOf(plan, unit);
    if (!hasSeats(object)) return object.name;
    return nameOfSeat(object, label, seatName(label, object, ownNameOf(plan, unit)), texts);
  }
  const area = plan.areaByLabel.get(label);
  return area === undefined ? label : plan.objects[area]!.name;
}

const ownNameOf = (plan: Plan, unit: number): string => plan.seatNames?.at(unit) ?? '';

/** The words of an area, a table that is sold as a whole, or a booth. */
export function wordsOfArea(object: KindOfSale & ObjectWords): PlaceWords {
  const { type, name, floor, sectionName, entrance } = object;
  return {
    floor,
    section: sectionName,
    row: type === 'row' ? name : null,
    seat: null,
    area: type === 'gaArea' ? name : null,
    table: type === 'table' ? name : null,
    entrance,
    name,
  };
}

/** The words of a label that the chart does not have, as after a change of the chart. */
export function wordsOfLabel(label: string): PlaceWords {
  const nothing = { floor: null, section: null, row: null, seat: null, area: null, table: null, entrance: null };
  return { ...nothing, name: label };
}

const texts: Record<string, PlaceTexts> = {
  en: { rowSeat: (row, seat) => `Row ${row}, seat ${seat}`, chair: (table, chair) => `${table}, chair ${chair}` },
  de: { rowSeat: (row, seat) => `Reihe ${row}, Platz ${seat}`, chair: (table, chair) => `${table}, Stuhl ${chair}` },
  fr: { rowSeat: (row, seat) => `Rang ${row}, place ${seat}`, chair: (table, chair) => `${table}, chaise ${chair}` },
  es: { rowSeat: (row, seat) => `Fila ${row}, asiento ${seat}`, chair: (table, chair) => `${table}, silla ${chair}` },
  ar: { rowSeat: (row, seat) => `الصف ${row}، المقعد ${seat}`, chair: (table, chair) => `${table}، الكرسي ${chair}` },
};

/** Of a BCP-47 tag; English for another language and for no tag. */
export function placeTextsIn(locale: string | null | undefined): PlaceTexts {
  return (locale != null && texts[locale.split('-')[0]!.toLowerCase()]) || texts.en!;
}
