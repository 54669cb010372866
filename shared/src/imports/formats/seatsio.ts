/**
 * Reads the JSON of a seats.io chart, versions 17 to 21 and others of the same form. Positions are absolute in their
 * drawing; the drawing of a section is relative to the corner `topLeft` of the section. Labels are those of seats.io:
 * section, row and seat, joined by hyphens.
 */
import type { Point } from '../../chart/plan.ts';
import {
  colourOf,
  type Fields,
  fieldsOf,
  isTrue,
  moved,
  numberOf,
  objectsOf,
  pictureUrlOf,
  pointFrom,
  pointsFrom,
  textOf,
} from '../reading.ts';
import { countOf, type Notes, quoted } from '../report.ts';
import type { FoundFloor, FoundItem, FoundPicture, FoundVenue } from '../venue.ts';
import { readDecor } from './seatsio-decor.ts';
import { readArea, readBooth, readRow, readTable, type Within } from './seatsio-places.ts';

/** The lists of a drawing that this file reads, and lists without a meaning for a chart. */
const KNOWN_LISTS = new Set([
  ...['rows', 'tables', 'booths', 'generalAdmissionAreas', 'sections', 'shapes', 'texts', 'imageObjects'],
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
  const categories = categoriesOf(root, notes);
  const accessible = new Set(categories.filter((each) => each.isAccessible).map(({ key }) => key));
  const reader = new DrawingReader(notes, accessible, numberOf(root.sectionScaleFactor) ?? 100);
  const floors = floorsOf(root).map((floor) => reader.floor(floor));
  const [main] = floorsOf(root);
  return {
    name: textOf(root.name) ?? 'Imported chart',
    categories: categories.map(({ key, label, color }) => ({ key, label, color })),
    zones: zonesOf(root),
    areSectionsInLabels: true,
    floors,
    background: main ? backgroundOf(main, notes) : null,
  };
}

function categoriesOf(root: Fields, notes: Notes) {
  const list = Array.isArray(root.categories) ? root.categories : fieldsOf(root.categories).list;
  const seen = new Set<string>();
  return objectsOf(list).flatMap((category) => {
    const key = textOf(category.key) ?? textOf(category.label);
    if (key === null) return [];
    const label = textOf(category.label) ?? key;
    if (seen.has(key)) {
      notes.leftOut('category_twice', `The file has the category ${quoted(key)} twice. The first counts.`);
      return [];
    }
    seen.add(key);
    const isAccessible = isTrue(category.accessible);
    if (isAccessible) {
      notes.ambiguous(
        'accessible_category',
        `The file marks the whole category ${quoted(label)} as accessible. Its seats are imported as wheelchair places ` +
          'unless a seat itself says otherwise. Check them.',
      );
    }
    return [{ key, label, color: colourOf(category.color), isAccessible }];
  });
}

function zonesOf(root: Fields): FoundVenue['zones'] {
  const list = Array.isArray(root.zones) ? root.zones : fieldsOf(root.zones).list;
  return objectsOf(list).flatMap((zone) => {
    const id = zoneIdOf(zone);
    if (id === null) return [];
    const label = textOf(zone.label) ?? textOf(zone.name) ?? id;
    return [{ id, label, color: colourOf(zone.color), focalPoint: pointFrom(zone.focalPoint) }];
  });
}

function zoneIdOf(zone: Fields): string | null {
  return textOf(zone.key) ?? textOf(zone.id) ?? textOf(zone.uuid) ?? textOf(zone.label) ?? textOf(zone.name);
}

/** The drawings of the floors; a venue without floors has one. Some versions put the drawing of a floor into `subChart`. */
function floorsOf(root: Fields): Fields[] {
  const floors = objectsOf(root.subChartFloors);
  if (floors.length === 0) return [fieldsOf(root.subChart)];
  return floors.map((floor) => ({ ...floor, ...fieldsOf(floor.subChart) }));
}

class DrawingReader {
  readonly #notes: Notes;
  readonly #accessible: ReadonlySet<string>;
  readonly #sectionScale: number;

  constructor(notes: Notes, accessible: ReadonlySet<string>, sectionScale: number) {
    this.#notes = notes;
    this.#accessible = accessible;
    this.#sectionScale = sectionScale;
  }

  floor(drawing: Fields): FoundFloor {
    const within = this.#within({ x: 0, y: 0 }, 1, null, null);
    const items = this.#items(drawing, within);
    for (const section of objectsOf(drawing.sections)) items.push(...this.#section(section));
    const name = textOf(drawing.floorDisplayName) ?? textOf(drawing.floorName) ?? '';
    return { name, focalPoint: pointFrom(drawing.focalPoint), items };
  }

  #within(at: Point, scale: number, section: string | null, categoryKey: string | null): Within {
    return { at, scale, section, categoryKey, accessible: this.#accessible, notes: this.#notes };
  }

  #items(drawing: Fields, within: Within): FoundItem[] {
    this.#noteUnknownLists(drawing, within);
    return [
      ...readDecor(drawing, within),
      ...objectsOf(drawing.rows).flatMap((row) => readRow(row, within) ?? []),
      ...objectsOf(drawing.tables).flatMap((table) => readTable(table, within) ?? []),
      ...objectsOf(drawing.booths).flatMap((booth) => readBooth(booth, within) ?? []),
      ...objectsOf(drawing.generalAdmissionAreas).flatMap((area) => readArea(area, within) ?? []),
      ...this.#labelledSections(drawing),
    ];
  }

  /** Rows may name a section without any drawing of it. */
  #labelledSections(drawing: Fields): FoundItem[] {
    const labels = new Set(
      [...objectsOf(drawing.rows), ...objectsOf(drawing.tables)].flatMap(
        ({ sectionLabel }) => textOf(sectionLabel) ?? [],
      ),
    );
    const drawn = new Set(objectsOf(drawing.sections).map(({ label }) => textOf(label)));
    return [...labels]
      .filter((label) => !drawn.has(label))
      .map((label) => {
        const nothing = { displayLabel: null, outline: null, zone: null, extra: {} };
        return { type: 'section', source: `section ${label}`, label, ...nothing };
      });
  }

  #section(section: Fields): FoundItem[] {
    const label = textOf(section.label) ?? '?';
    const source = textOf(section.uuid) ?? `section ${label}`;
    const outline = pointsFrom(section.points);
    const corner = pointFrom(section.topLeft) ?? cornerOf(outline) ?? { x: 0, y: 0 };
    const drawing = fieldsOf(section.subChart);
    const scale = this.#scaleIn(drawing, outline, corner, source);
    const categoryKey = textOf(section.categoryKey);
    const entrance = textOf(section.entrance);
    const view = pictureUrlOf(section.viewFromYourSeatImage);
    const found: FoundItem = {
      type: 'section',
      source,
      label,
      displayLabel: textOf(section.displayLabel) ?? textOf(section.displayedLabel),
      outline: outline.length > 0 ? outline : null,
      zone: this.#zoneOf(section),
      extra: { ...(entrance !== null && { entrance }), ...(view !== null && { viewFromSeatUrl: view }) },
    };
    return [found, ...this.#items(drawing, this.#within(corner, scale, label, categoryKey))];
  }

  #zoneOf({ zone, zoneKey, zoneId, zoneLabel }: Fields): string | null {
    const id = typeof zone === 'object' ? zoneIdOf(fieldsOf(zone)) : textOf(zone);
    return id ?? textOf(zoneKey) ?? textOf(zoneId) ?? textOf(zoneLabel);
  }

  /** The drawing of a section may have a scale of its own. The scale counts that fits the drawing into the outline. */
  #scaleIn(drawing: Fields, outline: readonly Point[], corner: Point, source: string): number {
    const share = this.#sectionScale / 100;
    if (!(share > 0) || share === 1 || outline.length < 3) return 1;
    const seats = objectsOf(drawing.rows).flatMap(({ seats }) => pointsFrom(seats));
    const right = Math.max(...outline.map(({ x }) => x)) - corner.x;
    const bottom = Math.max(...outline.map(({ y }) => y)) - corner.y;
    const SLACK = 1.1;
    const fits = (scale: number) =>
      seats.every(({ x, y }) => x * scale <= right * SLACK && y * scale <= bottom * SLACK);
    const scale = [1, share, 1 / share].find(fits) ?? 1;
    const message = `The file has a section scale of ${this.#sectionScale}. The import drew the section ${scale} times its own size. Check that its seats lie in its outline.`;
    this.#notes.ambiguous('section_scale', message, { source });
    return scale;
  }

  #noteUnknownLists(drawing: Fields, { section }: Within): void {
    for (const [name, list] of Object.entries(drawing)) {
      if (!Array.isArray(list) || list.length === 0 || KNOWN_LISTS.has(name)) continue;
      const where = section === null ? '' : ` of section ${quoted(section)}`;
      this.#notes.leftOut(
        'unknown_list',
        `${countOf(list.length, 'entry', 'entries')} of ${quoted(name)}${where}. Draw them anew if you need them.`,
      );
    }
    if (section !== null && objectsOf(drawing.sections).length > 0) {
      this.#notes.leftOut('nested_sections', `The sections inside of section ${quoted(section)}.`);
    }
  }
}

function cornerOf(outline: readonly Point[]): Point | null {
  if (outline.length === 0) return null;
  return { x: Math.min(...outline.map(({ x }) => x)), y: Math.min(...outline.map(({ y }) => y)) };
}

function backgroundOf(drawing: Fields, notes: Notes): FoundPicture | null {
  if (typeof drawing.backgroundImage !== 'object' || drawing.backgroundImage === null) return null;
  const image = fieldsOf(drawing.backgroundImage);
  const url = [image.url, image.imageUrl, image.src, image.href, image.name]
    .map(pictureUrlOf)
    .find((each) => each !== null);
  const size = {
    width: numberOf(image.width) ?? numberOf(drawing.width),
    height: numberOf(image.height) ?? numberOf(drawing.height),
  };
  if (url == null || size.width === null || size.height === null) {
    notes.leftOut(
      'background_image',
      'The background image: the file has no address or size of it. Upload it again in the designer.',
    );
    return null;
  }
  const corner = pointFrom(image.topLeft) ?? pointFrom(image) ?? { x: 0, y: 0 };
  const center = pointFrom(image.center) ?? moved(corner, { x: size.width / 2, y: size.height / 2 });
  return { url, center, width: size.width, height: size.height, opacity: numberOf(image.opacity) };
}
