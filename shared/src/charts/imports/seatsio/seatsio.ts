/**
 * Reads the JSON of a seats.io chart, versions 17 to 21 and others of the same form. Positions are absolute in their
 * drawing; the drawing of a section is relative to the corner `topLeft` of the section. Labels are those of seats.io:
 * section, row and seat, joined by hyphens.
 */
import type { Point } from '../../plan.ts';
import {
  boxAround,
  type Fields,
  fieldsOf,
  isAltered,
  listOf,
  numberOf,
  objectsOf,
  pointFrom,
  pointsFrom,
  textOf,
} from '../reading.ts';
import { countOf, type Notes, noteAltered, quoted } from '../report.ts';
import { UnreadFields } from '../unread-fields.ts';
import type { FoundFloor, FoundItem, FoundVenue } from '../venue.ts';
import { readBackground } from './seatsio-background.ts';
import { readDecor } from './seatsio-decor.ts';
import { seatsioFields } from './seatsio-fields.ts';
import { categoriesOf, categoryNames, namesOf, type Zones, zonesOf } from './seatsio-names.ts';
import { readArea, readBooth, readRow, readTable } from './seatsio-places.ts';
import { extraOf, labelOf, type Within } from './seatsio-seats.ts';

/** The lists of a drawing that this file reads, and lists without a meaning for a chart. */
const KNOWN_LISTS = new Set([
  'rows',
  'tables',
  'booths',
  'generalAdmissionAreas',
  'sections',
  'shapes',
  'texts',
  'imageObjects',
]);

export function isSeatsio(value: unknown): boolean {
  const root = fieldsOf(value);
  const hasDrawing = typeof root.subChart === 'object' || Array.isArray(root.subChartFloors);
  return hasDrawing && (root.subChart !== null || root.subChartFloors !== undefined);
}

export function versionOfSeatsio(value: unknown): string | null {
  return textOf(fieldsOf(value).version);
}

export function readSeatsio(value: unknown, notes: Notes): FoundVenue {
  const root = fieldsOf(value);
  const unread = new UnreadFields(seatsioFields);
  unread.see('chart', root);
  const categories = categoriesOf(root, notes, unread);
  const zones = zonesOf(root, unread);
  const reader = new DrawingReader(root, { notes, unread, categories: categoryNames(categories), zones });
  noteUnreadDrawing(root, notes);
  const floors = floorsOf(root).map((floor) => reader.floor(floor));
  const [first, ...further] = floors;
  unread.tell(notes);
  if (further.length === 0 && root.subChartFloors !== undefined && first!.name !== '') {
    notes.leftOut('floor_name', `The name ${quoted(first!.name)} of the only floor. A chart of one floor has none.`);
  }
  return {
    name: textOf(root.name) ?? 'Imported chart',
    categories: categories.map(({ key, label, color }) => ({ key, label, color })),
    zones: zones.list,
    areSectionsInLabels: true,
    floors,
    background: further.length === 0 ? (first!.background ?? null) : null,
  };
}

/** A chart with floors has its objects on them. */
function noteUnreadDrawing(root: Fields, notes: Notes): void {
  if (objectsOf(root.subChartFloors).length === 0) return;
  for (const [name, list] of Object.entries(fieldsOf(root.subChart))) {
    const { length } = listOf(list);
    if (length === 0) continue;
    const message = `${countOf(length, 'entry', 'entries')} of ${quoted(name)} on no floor. The chart has floors, and only these were read.`;
    notes.leftOut('beside_the_floors', message);
  }
}

/**
 * The drawings of the floors; a venue without floors has one. Some versions put the drawing of a floor into `subChart`.
 */
function floorsOf(root: Fields): Fields[] {
  const floors = objectsOf(root.subChartFloors);
  if (floors.length === 0) return [fieldsOf(root.subChart)];
  return floors.map((floor) => ({ ...floor, ...fieldsOf(floor.subChart) }));
}

type DrawingFindings = Pick<Within, 'notes' | 'unread' | 'categories'> & { zones: Zones };

class DrawingReader {
  readonly #found: DrawingFindings;
  readonly #sectionScale: number;
  readonly #hasFloors: boolean;
  #nameless = 0;

  constructor(root: Fields, found: DrawingFindings) {
    this.#found = found;
    this.#sectionScale = numberOf(root.sectionScaleFactor) ?? 100;
    this.#hasFloors = objectsOf(root.subChartFloors).length > 0;
  }

  floor(drawing: Fields): FoundFloor {
    const within = this.#within({ x: 0, y: 0 }, 1, null, null);
    const own = this.#items(drawing, within);
    const items = [...own, ...objectsOf(drawing.sections).flatMap((section) => this.#section(section))];
    const name = textOf(drawing.floorDisplayName) ?? textOf(drawing.floorName) ?? '';
    const background = readBackground(drawing, this.#hasFloors ? name : '', within);
    return { name, focalPoint: pointFrom(drawing.focalPoint), items, background };
  }

  #within(at: Point, scale: number, section: string | null, categoryKey: string | null): Within {
    const { notes, unread, categories } = this.#found;
    return { at, scale, section, categoryKey, categories, notes, unread };
  }

  #items(drawing: Fields, within: Within): FoundItem[] {
    this.#noteUnknown(drawing, within);
    return [
      ...readDecor(drawing, within),
      ...objectsOf(drawing.rows).flatMap((row) => readRow(row, within) ?? []),
      ...objectsOf(drawing.tables).flatMap((table) => readTable(table, within) ?? []),
      ...objectsOf(drawing.booths).flatMap((booth) => readBooth(booth, within) ?? []),
      ...objectsOf(drawing.generalAdmissionAreas).flatMap((area) => readArea(area, within) ?? []),
      ...this.#labelledSections(drawing, within.section),
    ];
  }

  /** Rows may name a section without any drawing of it. `enclosing` is the section of the drawing. */
  #labelledSections(drawing: Fields, enclosing: string | null): FoundItem[] {
    const displayLabels = new Map<string, string | null>();
    for (const list of [drawing.rows, drawing.tables, drawing.booths, drawing.generalAdmissionAreas]) {
      for (const { sectionLabel, sectionDisplayedLabel } of objectsOf(list)) {
        const label = textOf(sectionLabel);
        if (label !== null && !displayLabels.get(label)) displayLabels.set(label, textOf(sectionDisplayedLabel));
      }
    }
    const drawn = new Set(objectsOf(drawing.sections).map(({ label }) => textOf(label)));
    return [...displayLabels]
      .filter(([label]) => !drawn.has(label) && label !== enclosing)
      .map(([label, displayLabel]) => {
        const source = this.#found.notes.nameOf(`section ${label}`);
        return { type: 'section', source, label, displayLabel, outline: null, zone: null, extra: {} };
      });
  }

  #section(section: Fields): FoundItem[] {
    const { notes, unread, categories } = this.#found;
    unread.see('section', section);
    const own = labelOf(section);
    const labelRotation = numberOf(section.labelRotationAngle);
    const label = own ?? this.#nextNameless();
    const source = notes.nameOf(textOf(section.uuid) ?? `section ${label}`);
    if (own === null) {
      const message = `A section has no label in the file. It is labelled ${quoted(label)}. Give it its label.`;
      notes.ambiguous('no_label', message, { source });
    }
    noteAltered(notes, `The label of section ${quoted(label)}`, Number(isAltered(section.label)), source);
    const outline = pointsFrom(section.points);
    const { left, top } = boxAround(outline);
    const corner = pointFrom(section.topLeft) ?? (outline.length > 0 ? { x: left, y: top } : { x: 0, y: 0 });
    const drawing = fieldsOf(section.subChart);
    const scale = this.#scaleIn(drawing, outline, corner, source);
    const found: FoundItem = {
      type: 'section',
      source,
      label,
      displayLabel: textOf(section.displayLabel) ?? textOf(section.displayedLabel),
      outline: outline.length > 0 ? outline : null,
      zone: this.#zoneOf(section, label, source),
      extra: {
        ...extraOf(section, `section ${quoted(label)}`, source, notes),
        ...(labelRotation && { labelRotation }),
      },
    };
    return [found, ...this.#items(drawing, this.#within(corner, scale, label, categories.keyOf(section)))];
  }

  #nextNameless(): string {
    this.#nameless++;
    return this.#nameless === 1 ? '?' : `?${this.#nameless}`;
  }

  #zoneOf({ zone, zoneKey, zoneId, zoneLabel }: Fields, label: string, source: string): string | null {
    const { notes, zones } = this.#found;
    const names = [
      ...namesOf(fieldsOf(zone)),
      ...[zone, zoneKey, zoneId, zoneLabel].flatMap((each) => textOf(each) ?? []),
    ];
    if (names.length === 0) return null;
    const known = names.find((name) => zones.idOf.has(name));
    if (known !== undefined) return zones.idOf.get(known)!;
    const message = `Section ${quoted(label)} is in the zone ${quoted(names[0]!)}, which the file does not have. Choose its zone.`;
    notes.leftOut('unknown_zone', message, { source });
    return null;
  }

  /** The drawing of a section may have a scale of its own. The scale counts that fits the drawing into the outline. */
  #scaleIn(drawing: Fields, outline: readonly Point[], corner: Point, source: string): number {
    const share = this.#sectionScale / 100;
    if (!(share > 0) || share === 1 || outline.length < 3) return 1;
    const seats = objectsOf(drawing.rows).flatMap(({ seats }) => pointsFrom(seats));
    const far = boxAround(outline);
    const right = far.right - corner.x;
    const bottom = far.bottom - corner.y;
    const SLACK = 1.1;
    const fits = (scale: number) =>
      seats.every(({ x, y }) => x * scale <= right * SLACK && y * scale <= bottom * SLACK);
    const scale = [1, share, 1 / share].find(fits) ?? 1;
    const message = `The file has a section scale of ${this.#sectionScale}. The import drew the section ${scale} times its own size. Check that its seats lie in its outline.`;
    this.#found.notes.ambiguous('section_scale', message, { source });
    return scale;
  }

  /** Lists are counted by their entries, other fields by their objects. */
  #noteUnknown(drawing: Fields, { section }: Within): void {
    const { notes, unread } = this.#found;
    const where = section === null ? '' : ` of section ${quoted(section)}`;
    const fields: Fields = {};
    for (const [name, value] of Object.entries(drawing)) {
      if (KNOWN_LISTS.has(name)) continue;
      if (!Array.isArray(value)) fields[name] = value;
      else if (value.length > 0) {
        const entries = countOf(value.length, 'entry', 'entries');
        notes.leftOut('unknown_list', `${entries} of ${quoted(name)}${where}. Draw them anew if you need them.`);
      }
    }
    unread.see('drawing', fields);
    if (section !== null && objectsOf(drawing.sections).length > 0) {
      notes.leftOut('nested_sections', `The sections inside of section ${quoted(section)}.`);
    }
  }
}
