/**
 * Reads an SVG drawing. Elements with the name of a seat are seats (svg-names.ts), whatever their form; outlines with
 * the name of a section are sections, and those with a capacity are standing areas. All else is decoration. Positions
 * are those of the drawing, with all transforms of the groups around them.
 */
import { type AccessibilityKind, accessibilityKinds } from '../../chart/accessibility.ts';
import type { Point } from '../../chart/plan.ts';
import { cleanText, colourOf, countFrom, isTrue, pictureUrlOf } from '../reading.ts';
import { countOf, type Notes, quoted, Unimportable } from '../report.ts';
import type { FoundDecor, FoundItem, FoundRow, FoundSeat, FoundVenue } from '../venue.ts';
import { boxOf, identity, lengthOf, type Matrix, mapped, outlineOf, times, transformOf } from './svg-geometry.ts';
import { categoryNameOf, rowNameOf, type SeatName, seatNameOf, sectionNameOf } from './svg-names.ts';
import { parseSvg, type SvgNode } from './svg-tree.ts';
import { Boxes } from './svg-uses.ts';

/** What the groups around an element say. */
type Around = {
  matrix: Matrix;
  section: string | null;
  row: string | null;
  category: string | null;
  kinds: readonly AccessibilityKind[];
  fill: string | null;
};

/** Containers whose content is drawn where they stand. */
const GROUPS = new Set(['svg', 'g', 'a', 'switch']);
const SHAPES = new Set(['circle', 'ellipse', 'rect', 'path', 'polygon', 'polyline', 'use', 'line']);
/** Shapes that are kept as decoration. */
const SHAPES_MAX = 5_000;

export function readSvg(source: string, notes: Notes): FoundVenue {
  const root = parseSvg(source, notes);
  const drawing = new Drawing(new Boxes(root), notes);
  drawing.walk(root, { matrix: identity, section: null, row: null, category: null, kinds: [], fill: null });
  return drawing.venue(cleanText(root.attributes['data-name'] ?? '') ?? 'Imported chart');
}

class Drawing {
  readonly #boxes: Boxes;
  readonly #notes: Notes;
  readonly #rows = new Map<string, FoundRow>();
  readonly #categories = new Map<string, string | null>();
  readonly #outlines: FoundItem[] = [];
  readonly #drawnSections = new Set<string>();
  readonly #decor: FoundDecor[] = [];
  /** Boxes of seats by their rounded place: texts inside are the numbers of the seats. */
  readonly #seatSpots = new Map<string, { center: Point; reach: number }[]>();
  #spot = 0;
  #hidden = 0;
  #lines = 0;
  #moreShapes = 0;
  #nameless = 0;

  constructor(boxes: Boxes, notes: Notes) {
    this.#boxes = boxes;
    this.#notes = notes;
  }

  walk(node: SvgNode, around: Around): void {
    const { attributes, name } = node;
    if (!GROUPS.has(name) && !SHAPES.has(name) && name !== 'text' && name !== 'image') return;
    if (isHidden(attributes)) {
      this.#hidden++;
      return;
    }
    const within = withinOf(node, around);
    const seat = name === 'text' || name === 'svg' ? null : seatNameOf(attributes);
    if (seat) this.#addSeat(node, seat, within);
    else if (GROUPS.has(name)) for (const child of node.children) this.walk(child, namedBy(attributes, within));
    else if (name === 'text') this.#addText(node, within);
    else if (name === 'image') this.#addImage(node, within);
    else this.#addShape(node, within);
  }

  #addSeat(node: SvgNode, name: SeatName, around: Around): void {
    const box = boxOf(this.#boxes.pointsOf(node).map((point) => mapped(around.matrix, point)));
    const source = sourceOf(node) ?? `seat ${name.row ?? around.row ?? ''}-${name.seat}`;
    if (box === null || !Number.isFinite(box.center.x) || !Number.isFinite(box.center.y)) {
      this.#notes.leftOut('seat_without_position', `Seat ${quoted(source)} is not drawn, so it has no position.`, {
        source,
      });
      return;
    }
    const section = name.section ?? around.section;
    const category = categoryNameOf(node.attributes) ?? around.category;
    if (category !== null && !this.#categories.get(category)) this.#categories.set(category, around.fill);
    const seat: FoundSeat = {
      ...box.center,
      number: name.seat,
      label: null,
      categoryKey: category,
      kinds: kindsOf(node.attributes) ?? around.kinds,
      displayLabel: null,
      viewUrl: null,
      isRestrictedView: isTrue(node.attributes['data-restricted-view']),
    };
    this.#rowOf(section, name.row ?? around.row).seats.push(seat);
    this.#remember(box);
  }

  #rowOf(section: string | null, named: string | null): FoundRow {
    const key = JSON.stringify([section, named]);
    const known = this.#rows.get(key);
    if (known) return known;
    const label = named ?? '?';
    const source = `row ${section === null ? '' : `${section}-`}${label}`;
    if (named === null) {
      const message = 'Seats without a row got the row "?". Put data-row on them or on the group around them.';
      this.#notes.ambiguous('no_label', message, { source });
    }
    const row: FoundRow = { type: 'row', source, section, label, displayLabel: null, seats: [], extra: {} };
    this.#rows.set(key, row);
    return row;
  }

  /** The first seat gives the size of the net in which seats are looked for. */
  #remember({ center, width, height }: { center: Point; width: number; height: number }): void {
    const reach = Math.max(width, height) / 2;
    if (this.#spot === 0) this.#spot = Math.max(4 * reach, 1e-6);
    const key = this.#spotOf(center, 0, 0);
    const known = this.#seatSpots.get(key);
    if (known) known.push({ center, reach });
    else this.#seatSpots.set(key, [{ center, reach }]);
  }

  #spotOf({ x, y }: Point, right: number, down: number): string {
    return `${Math.floor(x / this.#spot) + right} ${Math.floor(y / this.#spot) + down}`;
  }

  #isInSeat(point: Point): boolean {
    if (this.#spot === 0) return false;
    const around = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => this.#spotOf(point, right, down)));
    return around.some((key) =>
      this.#seatSpots
        .get(key)
        ?.some(({ center, reach }) => Math.hypot(center.x - point.x, center.y - point.y) <= 1.5 * reach),
    );
  }

  #addShape(node: SvgNode, around: Around): void {
    const { attributes, name } = node;
    const points = (name === 'use' ? this.#boxes.pointsOf(node) : outlineOf(node)).map((point) =>
      mapped(around.matrix, point),
    );
    const source = sourceOf(node) ?? `${name} ${this.#decor.length + 1}`;
    if (points.length < 3 || name === 'line' || !points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))) {
      this.#lines++;
      return;
    }
    const section = outlinedSection(attributes, around);
    const capacity = countFrom(attributes['data-capacity']);
    const label = cleanText(attributes['data-label'] ?? '');
    const zone = null;
    if (capacity !== null) {
      const area = {
        label: label ?? source,
        displayLabel: null,
        points,
        capacity,
        categoryKey: this.#knownCategory(attributes, around),
      };
      this.#outlines.push({ type: 'gaArea', source, section: around.section, ...area, extra: {} });
    } else if (section !== null && !this.#drawnSections.has(section)) {
      this.#drawnSections.add(section);
      this.#outlines.push({
        type: 'section',
        source,
        label: section,
        displayLabel: label,
        outline: points,
        zone,
        extra: {},
      });
    } else if (this.#decor.length >= SHAPES_MAX) this.#moreShapes++;
    else {
      if (name === 'circle' || name === 'use') this.#nameless++;
      const fields = { ...(around.fill !== null && { fill: around.fill }), ...(label !== null && { label }) };
      this.#decor.push({ type: 'shape', source, place: { points }, fontSize: null, fields });
    }
  }

  #knownCategory(attributes: SvgNode['attributes'], around: Around): string | null {
    const category = categoryNameOf(attributes) ?? around.category;
    if (category !== null && !this.#categories.get(category)) this.#categories.set(category, around.fill);
    return category;
  }

  #addText(node: SvgNode, { matrix, fill }: Around): void {
    const text = cleanText(node.text.replace(/\s+/g, ' '));
    if (text === null) return;
    const first = node.children.find(({ name }) => name === 'tspan')?.attributes ?? {};
    const of = (name: string) =>
      node.attributes[name] ?? styleOf(node.attributes, name) ?? first[name] ?? styleOf(first, name);
    const size = lengthOf(of('font-size')) ?? 16;
    const anchor = of('text-anchor');
    // Half of the width of an average text: half a letter's height for each letter.
    const half = anchor === 'middle' ? 0 : (anchor === 'end' ? -1 : 1) * 0.25 * size * [...text].length;
    const at = { x: (lengthOf(of('x')) ?? 0) + half, y: (lengthOf(of('y')) ?? 0) - 0.35 * size };
    const center = mapped(matrix, at);
    const rotation = (Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI;
    const fontSize = size * Math.hypot(matrix[0], matrix[1]);
    const fields = { text, ...(fill !== null && { color: fill }) };
    const place = { center, width: null, height: null, rotation };
    this.#decor.push({ type: 'text', source: sourceOf(node) ?? `text ${text}`, place, fontSize, fields });
  }

  #addImage(node: SvgNode, { matrix }: Around): void {
    const box = boxOf(outlineOf(node).map((point) => mapped(matrix, point)));
    const { href = '' } = node.attributes;
    const url = /^\s*data:/i.test(href) ? pictureUrlOf(href) : null;
    const source = sourceOf(node) ?? 'image';
    if (box && url !== null && !/^data:image\/svg/i.test(url)) {
      this.#decor.push({ type: 'decorImage', source, place: { ...box, rotation: 0 }, fontSize: null, fields: { url } });
    } else
      this.#notes.leftOut('image', 'A picture outside of the file. It was not loaded. Upload it in the designer.', {
        source,
      });
  }

  venue(name: string): FoundVenue {
    const rows = [...this.#rows.values()];
    if (rows.length === 0 && this.#outlines.every(({ type }) => type === 'section')) {
      throw new Unimportable({
        code: 'nothing_found',
        message:
          'The drawing has no element that is named as a seat. Give seats data-row and data-seat, or ids such as A-12 or seat_A_12. Nothing was made of it.',
      });
    }
    const sections = new Set(rows.flatMap(({ section }) => section ?? []));
    for (const label of sections) {
      if (this.#drawnSections.has(label)) continue;
      const nothing = { displayLabel: null, outline: null, zone: null, extra: {} };
      this.#outlines.push({ type: 'section', source: `section ${label}`, label, ...nothing });
    }
    const decor = this.#decor.filter(
      (item) => item.type !== 'text' || !('center' in item.place) || !this.#isInSeat(item.place.center),
    );
    this.#finish(this.#decor.length - decor.length);
    return {
      name,
      categories: [...this.#categories].map(([key, color]) => ({ key, label: key, color })),
      zones: [],
      areSectionsInLabels: false,
      floors: [{ name: '', focalPoint: null, items: [...decor, ...this.#outlines, ...rows] }],
      background: null,
    };
  }

  #finish(captions: number): void {
    const tell = (count: number, code: string, message: string) => {
      if (count > 0) this.#notes.leftOut(code, message);
    };
    tell(
      captions,
      'seat_captions',
      `${countOf(captions, 'text')} on seats. The chart writes the numbers of seats itself.`,
    );
    tell(this.#hidden, 'hidden', `${countOf(this.#hidden, 'hidden element')} of the drawing.`);
    tell(this.#lines, 'lines', `${countOf(this.#lines, 'line')}, which enclose nothing.`);
    tell(this.#moreShapes, 'many_shapes', `${countOf(this.#moreShapes, 'shape')} past the first ${SHAPES_MAX}.`);
    tell(this.#boxes.cycles, 'cyclic_use', `${countOf(this.#boxes.cycles, 'use')} of an element by itself.`);
    tell(
      this.#boxes.unknownUses,
      'unknown_use',
      `${countOf(this.#boxes.unknownUses, 'use')} of an element that is not in the file. Nothing was loaded.`,
    );
    if (this.#nameless === 0) return;
    this.#notes.ambiguous(
      'nameless_circles',
      `${countOf(this.#nameless, 'circle')} without the name of a seat became decoration. If they are seats, give them data-row and data-seat, and import the file again.`,
    );
  }
}

function withinOf({ name, attributes }: SvgNode, around: Around): Around {
  const own = attributes.fill ?? styleOf(attributes, 'fill');
  const corner: Matrix =
    name === 'svg' ? [1, 0, 0, 1, lengthOf(attributes.x) ?? 0, lengthOf(attributes.y) ?? 0] : identity;
  const matrix = times(times(around.matrix, transformOf(attributes.transform)), corner);
  return { ...around, matrix, fill: own === undefined || own === 'inherit' ? around.fill : colourOf(own) };
}

/** A group names its rows and sections. */
function namedBy(attributes: SvgNode['attributes'], around: Around): Around {
  return {
    ...around,
    section: sectionNameOf(attributes) ?? around.section,
    row: rowNameOf(attributes) ?? around.row,
    category: categoryNameOf(attributes) ?? around.category,
    kinds: kindsOf(attributes) ?? around.kinds,
  };
}

/** The section whose outline this shape is: it names the section, or the group's outline. */
function outlinedSection(attributes: SvgNode['attributes'], { section }: Around): string | null {
  const named = sectionNameOf(attributes);
  if (named !== null) return named;
  return /outline|boundary/i.test(`${attributes.id ?? ''} ${attributes.class ?? ''}`) ? section : null;
}

/** Null where the element says nothing of it. */
function kindsOf(attributes: SvgNode['attributes']): AccessibilityKind[] | null {
  const listed = attributes['data-accessibility'] ?? attributes['data-accessible'] ?? attributes['data-wheelchair'];
  if (listed !== undefined) {
    const words = listed.toLowerCase().split(/[\s,;]+/);
    const kinds = accessibilityKinds.filter((kind) => words.includes(kind));
    return kinds.length > 0 || !isTrue(listed) ? kinds : ['wheelchair'];
  }
  return /\b(wheelchair|accessible)\b/i.test(attributes.class ?? '') ? ['wheelchair'] : null;
}

function sourceOf({ attributes }: SvgNode): string | null {
  return cleanText(attributes.id ?? '') ?? cleanText(attributes['inkscape:label'] ?? '');
}

function styleOf(attributes: SvgNode['attributes'], property: string): string | undefined {
  const style = attributes.style;
  return style === undefined
    ? undefined
    : new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, 'i').exec(style)?.[1]?.trim();
}

function isHidden(attributes: SvgNode['attributes']): boolean {
  const of = (name: string) => attributes[name] ?? styleOf(attributes, name);
  return of('display') === 'none' || of('visibility') === 'hidden';
}
