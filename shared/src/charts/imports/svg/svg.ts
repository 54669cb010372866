/**
 * Reads an SVG drawing. Elements of every form with the name of a seat are seats (names.ts); outlines with the
 * name of a section are sections, and those with a capacity are standing areas. All else is decoration. Positions are
 * those of the drawing, with all transforms of the groups around them.
 */
import { type AccessibilityKind, accessibilityKinds } from '../../accessibility.ts';
import type { Point } from '../../plan.ts';
import { accessibilityIn, yesOrNo } from '../formats/words.ts';
import { Prices } from '../prices.ts';
import { cleanText, colourOf, countFrom } from '../reading.ts';
import { countOf, Notes, quoted, Unimportable } from '../report.ts';
import type { FoundItem, FoundSeat, FoundVenue } from '../venue.ts';
import { categoriesByColour, sectionsByGroups } from './areas.ts';
import { Decoration, listed, SeatSpots, sourceOf } from './decoration.ts';
import { boxOf, identity, lengthOf, type Matrix, mapped, outlineOf, times, transformOf } from './geometry.ts';
import { type Context, categoryNameOf, dataOf, Names, type SeatName } from './names.ts';
import { settleOrder } from './order.ts';
import { SvgRows } from './rows.ts';
import { Styles } from './styles.ts';
import { type Box, numberedShapes } from './texts.ts';
import { parseSvg, type SvgNode } from './tree.ts';
import { Boxes } from './uses.ts';

/** The facts that the groups around an element give it. */
type Around = Context & {
  matrix: Matrix;
  section: string | null;
  category: string | null;
  price: string | null;
  kinds: readonly AccessibilityKind[];
  fill: string | null;
  /** Names of groups that may be sections, from the outside in. */
  named: readonly string[];
};

type NamedSeat = { node: SvgNode; name: SeatName; around: Around; box: Box };

type DrawnShape = { node: SvgNode; around: Around; box: Box };

/** Containers whose content is drawn where they stand. */
const GROUPS = new Set(['svg', 'g', 'a', 'switch']);
const SHAPES = new Set(['circle', 'ellipse', 'rect', 'path', 'polygon', 'polyline', 'use', 'line']);
/** The number of a seat is drawn at most this far from its centre, as a multiple of half of the seat's size. */
const NUMBER_REACH = 0.6;
const WHEELCHAIR_CLASS = /^(?:(?:is|seat)[-_]+)?(?:wheelchair|accessible)(?:[-_]+seat)?$/i;

export function readSvg(source: string, notes: Notes): FoundVenue {
  const { root, css } = parseSvg(source, notes);
  const draw = (reading: DrawingReading): FoundVenue | DrawingReading | null => {
    const own = new Notes();
    const drawing = new Drawing(root, css, own, reading);
    const nothing = {
      row: null,
      groups: null,
      section: null,
      category: null,
      price: null,
      kinds: [],
      fill: null,
      named: [],
    };
    drawing.walk(root, { matrix: identity, ...nothing });
    const venue = drawing.venue(cleanText(root.attributes['data-name'] ?? '') ?? 'Imported chart');
    if (venue !== null) notes.take(own);
    return venue ?? drawing.furtherReading();
  };
  let found = draw({ isLoose: false, numbered: null });
  // The drawing of one reading is gone before the next.
  while (found !== null && 'isLoose' in found) found = draw(found);
  if (found !== null) return found;
  throw new Unimportable({
    code: 'nothing_found',
    message:
      'The drawing has no element that is named as a seat. Give seats data-row and data-seat, or ids such as A-12 or seat_A_12; ' +
      'or draw the numbers as texts on the seats, and name the group of each row, as Row A. Nothing was made of it.',
  });
}

/**
 * A drawing without a seat of a plain name is read again: `isLoose` takes names of doubtful forms, and `numbered` has
 * the nameless shapes with numbers drawn on them.
 */
type DrawingReading = { isLoose: boolean; numbered: ReadonlyMap<SvgNode, SeatName> | null };

class Drawing {
  readonly #reading: DrawingReading;
  readonly #prices = new Prices();
  readonly #seats: NamedSeat[] = [];
  readonly #shapes: DrawnShape[] = [];
  readonly #boxes: Boxes;
  readonly #names: Names;
  readonly #styles: Styles;
  readonly #notes: Notes;
  readonly #rows: SvgRows;
  readonly #decoration: Decoration;
  readonly #spots = new SeatSpots();
  readonly #doubtful: NamedSeat[] = [];
  readonly #categories = new Map<string, { label: string; color: string | null }>();
  readonly #outlines: FoundItem[] = [];
  readonly #drawnSections = new Set<string>();
  readonly #hidden: string[] = [];
  /** Nameless elements, by their kind. */
  readonly #nameless = new Map<string, number>();
  readonly #unknownKinds = new Map<string, number>();
  #lines = 0;

  constructor(root: SvgNode, css: string, notes: Notes, reading: DrawingReading) {
    this.#reading = reading;
    this.#boxes = new Boxes(root);
    this.#names = new Names(root, reading.isLoose);
    this.#styles = new Styles(css, notes);
    this.#rows = new SvgRows(notes);
    this.#decoration = new Decoration(this.#styles, notes);
    this.#notes = notes;
  }

  walk(node: SvgNode, around: Around): void {
    const { name } = node;
    const isGroup = GROUPS.has(name);
    if (!isGroup && !SHAPES.has(name) && name !== 'text' && name !== 'image') return;
    if (this.#isHidden(node)) {
      this.#hidden.push(this.#sourceOf(node));
      return;
    }
    const within = this.#withinOf(node, around);
    const seat = name === 'text' || name === 'svg' ? null : this.#seatOf(node, within, isGroup);
    if (seat) this.#addSeat(node, seat, within);
    else if (isGroup) {
      const inside = this.#namedBy(node, within);
      for (const child of node.children) this.walk(child, inside);
    } else if (name === 'text') this.#decoration.addText(node, within);
    else if (name === 'image') this.#decoration.addImage(node, within);
    else this.#addShape(node, within);
  }

  #seatOf(node: SvgNode, within: Around, isGroup: boolean): SeatName | null {
    return this.#reading.numbered?.get(node) ?? this.#names.seatOf(node, within, isGroup);
  }

  #addSeat(node: SvgNode, name: SeatName, around: Around): void {
    const box = boxOf(this.#boxes.pointsOf(node).map((point) => mapped(around.matrix, point)));
    if (box === null || !Number.isFinite(box.center.x) || !Number.isFinite(box.center.y)) {
      const source = sourceOf(node) ?? `seat ${name.row ?? around.row ?? ''}-${name.seat}`;
      const message = `Seat ${quoted(source)} is not drawn, so it has no position.`;
      this.#notes.leftOut('seat_without_position', message, { source });
      return;
    }
    // A program that draws letters as paths gives them the names of their texts.
    const isDoubtful =
      name.told === 'form' && (node.name === 'path' || name.row === null) && !this.#reading.numbered?.has(node);
    if (isDoubtful) this.#doubtful.push({ node, name, around, box });
    else {
      this.#seats.push({ node, name, around, box });
      this.#spots.add(box);
    }
  }

  /**
   * Keeps the seats, and the doubtful seats that are no drawn numbers of other seats. Returns the count of drawn
   * numbers.
   */
  #settleSeats(): number {
    const further = this.#doubtful.filter(({ box }) => !this.#spots.has(box.center, NUMBER_REACH));
    for (const seat of further) {
      this.#seats.push(seat);
      this.#spots.add(seat.box);
    }
    const disordered = settleOrder(this.#seats, this.#notes);
    const seats = this.#seats.filter((seat) => !disordered.has(seat));
    for (const seat of disordered) this.#addShape(seat.node, seat.around);
    this.#keepSeats(seats);
    return this.#doubtful.length - further.length;
  }

  /** The way to read a drawing again in which this reading found no place. */
  furtherReading(): DrawingReading | null {
    if (this.#reading.isLoose) return { isLoose: false, numbered: this.#numberedShapes() };
    return this.#reading.numbered === null ? { isLoose: true, numbered: null } : null;
  }

  /**
   * The names of nameless shapes by the texts on them. None where a number stands twice in a section and nothing tells
   * the rows.
   */
  #numberedShapes(): ReadonlyMap<SvgNode, SeatName> {
    const names = numberedShapes(this.#shapes, this.#decoration.texts);
    const named = [...names].map(([{ node, around }, name]) => ({ node, name, around, row: name.row ?? around.row }));
    const labels = named.map(({ name, around, row }) => JSON.stringify([around.named, around.section, row, name.seat]));
    const isRowMissing = named.some(({ row }) => row === null);
    if (isRowMissing && new Set(labels).size < labels.length) return new Map();
    return new Map(named.map(({ node, name }) => [node, name]));
  }

  #keepSeats(seats: readonly NamedSeat[]): void {
    const groups = seats.map(({ name, around }) => ({
      groups: (name.section ?? around.section) === null ? around.named : [],
    }));
    const sections = sectionsByGroups(groups);
    const hasPrices = seats.some(({ node, around }) => priceOf(node, around) !== null);
    const coloured = seats.map(({ node, name, around, box }, index) => {
      const seat: FoundSeat = {
        ...box.center,
        number: name.seat,
        label: null,
        categoryKey: this.#categoryOf(node, around),
        kinds: this.#kindsOf(node) ?? around.kinds,
        displayLabel: null,
        viewUrl: null,
        isRestrictedView: this.#isRestricted(node, name),
      };
      if (hasPrices) seat.price = this.#prices.read(priceOf(node, around), sourceOf(node) ?? `seat ${name.seat}`);
      const section = name.section ?? around.section ?? sections[index]!;
      this.#rows.add(seat, name, { section, row: name.row ?? around.row });
      return { seat, colour: this.#colourOf(node, around.fill) };
    });
    for (const [key, category] of categoriesByColour(coloured, this.#notes)) this.#categories.set(key, category);
  }

  /** The colour of the element, else of the first shape in it. */
  #colourOf(node: SvgNode, around: string | null): string | null {
    const own = this.#styles.of(node, 'fill');
    const colour = own === undefined || own === 'inherit' ? around : colourOf(own);
    const shape = node.children.find(({ name }) => SHAPES.has(name) || name === 'g');
    return shape && node.name !== 'use' ? this.#colourOf(shape, colour) : colour;
  }

  #addShape(node: SvgNode, around: Around): void {
    const { attributes, name } = node;
    const points = (name === 'use' ? this.#boxes.pointsOf(node) : outlineOf(node)).map((point) =>
      mapped(around.matrix, point),
    );
    if (points.length < 3 || name === 'line' || !points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))) {
      this.#lines++;
      return;
    }
    const source = this.#sourceOf(node);
    const label = dataOf(attributes, 'data-label');
    if (attributes['data-capacity'] !== undefined && this.#addArea(node, { source, points, label }, around)) return;
    const section = this.#outlinedSection(node, around);
    if (section !== null && !this.#drawnSections.has(section)) {
      this.#drawnSections.add(section);
      const rest = { outline: points, zone: null, extra: {} };
      this.#outlines.push({ type: 'section', source, label: section, displayLabel: label, ...rest });
      return;
    }
    const given = this.#names.givenNameOf(node, around);
    const isNamed = label !== null || section !== null || (given !== null && !/\d$/.test(given));
    if (this.#reading.isLoose) this.#shapes.push({ node, around, box: boxOf(points)! });
    this.#decoration.addShape(source, points, { fill: around.fill, label, isNamed });
  }

  /** False for a capacity that is no number: the shape is then an outline, or decoration. */
  #addArea(
    node: SvgNode,
    { source, points, label: told }: { source: string; points: Point[]; label: string | null },
    around: Around,
  ): boolean {
    const text = node.attributes['data-capacity']!;
    const capacity = countFrom(text);
    if (capacity === null) {
      const message = `${quoted(source)} has the capacity ${quoted(text)}, which is no number. It became no standing area.`;
      this.#notes.leftOut('unreadable_capacity', message, { source });
      return false;
    }
    const label = told ?? this.#names.givenNameOf(node, around);
    if (label === null) {
      const message = `A standing area without a label got the label ${quoted(source)}. Put data-label on it.`;
      this.#notes.ambiguous('no_label', message, { source });
    }
    this.#outlines.push({
      type: 'gaArea',
      source,
      section: this.#names.sectionOf(node, around) ?? around.section,
      label: label ?? source,
      displayLabel: null,
      points,
      capacity,
      categoryKey: this.#categoryOf(node, around),
      extra: {},
    });
    return true;
  }

  /** Null for a drawing without any place. */
  venue(name: string): FoundVenue | null {
    const captions = this.#settleSeats();
    const rows = this.#rows.finish();
    if (rows.length === 0 && this.#outlines.every(({ type }) => type === 'section')) return null;
    const named = [...rows, ...this.#outlines.filter((item) => item.type === 'gaArea')];
    for (const label of new Set(named.flatMap(({ section }) => section ?? []))) {
      if (this.#drawnSections.has(label)) continue;
      const nothing = { displayLabel: null, outline: null, zone: null, extra: {} };
      this.#outlines.push({ type: 'section', source: `section ${label}`, label, ...nothing });
    }
    const decor = this.#decoration.finish(this.#spots, captions);
    this.#finish();
    return {
      name,
      categories: [...this.#categories].map(([key, { label, color }]) => ({ key, label, color })),
      priceDigits: this.#prices.finish(this.#notes),
      zones: [],
      areSectionsInLabels: false,
      floors: [{ name: '', focalPoint: null, items: [...decor, ...this.#outlines, ...rows] }],
      background: null,
    };
  }

  #finish(): void {
    const tell = (count: number, code: string, message: string) => {
      if (count > 0) this.#notes.leftOut(code, message);
    };
    const { cycles, unknownUses, deepUses } = this.#boxes;
    const hidden = this.#hidden.length;
    tell(hidden, 'hidden', `${countOf(hidden, 'hidden element')} of the drawing: ${listed(this.#hidden)}.`);
    tell(this.#lines, 'lines', `${countOf(this.#lines, 'line')}, which enclose nothing.`);
    tell(cycles, 'cyclic_use', `${countOf(cycles, 'use')} of an element by itself.`);
    const unknown = `${countOf(unknownUses, 'use')} of an element that is not in the file. Nothing was loaded.`;
    tell(unknownUses, 'unknown_use', unknown);
    tell(deepUses, 'deep_use', `${countOf(deepUses, 'chain')} of too many uses of each other.`);
    for (const [word, count] of this.#unknownKinds) {
      const message = `${countOf(count, 'seat or group', 'seats or groups')} with ${quoted(word)} as accessibility, which is no kind of place. Known kinds: ${accessibilityKinds.join(', ')}.`;
      this.#notes.leftOut('unknown_accessibility', message);
    }
  }

  #withinOf(node: SvgNode, around: Around): Around {
    const { attributes, name } = node;
    const own = this.#styles.of(node, 'fill');
    const fill = own === undefined || own === 'inherit' ? around.fill : colourOf(own);
    const isMoved = name === 'svg' || attributes.transform !== undefined;
    // Seats are kept with these facts, so the seats of a group share them.
    if (!isMoved && fill === around.fill) return around;
    const corner: Matrix =
      name === 'svg' ? [1, 0, 0, 1, lengthOf(attributes.x) ?? 0, lengthOf(attributes.y) ?? 0] : identity;
    const matrix = isMoved ? times(times(around.matrix, transformOf(attributes.transform)), corner) : around.matrix;
    return { ...around, matrix, fill };
  }

  /** A group names its rows and sections. */
  #namedBy(node: SvgNode, around: Around): Around {
    const section = this.#names.sectionOf(node, around);
    const isArea = section === null && this.#names.rowOf(node, around) === null;
    const area = isArea ? this.#names.areaNameOf(node, around) : null;
    return {
      ...around,
      ...this.#names.within(node, around),
      section: section ?? around.section,
      named: area === null ? around.named : [...around.named, area],
      category: categoryNameOf(node.attributes) ?? around.category,
      price: priceOf(node, around),
      kinds: this.#kindsOf(node) ?? around.kinds,
    };
  }

  /** The section whose outline this shape is: it names the section, or the group's outline. */
  #outlinedSection(node: SvgNode, around: Around): string | null {
    const named = this.#names.sectionOf(node, around);
    if (named !== null) return named;
    const { id = '', class: classes = '' } = node.attributes;
    return /outline|boundary/i.test(`${id} ${classes}`) ? around.section : null;
  }

  #categoryOf({ attributes }: SvgNode, around: Around): string | null {
    const category = categoryNameOf(attributes) ?? around.category;
    if (category !== null && !this.#categories.get(category)?.color) {
      this.#categories.set(category, { label: category, color: around.fill });
    }
    return category;
  }

  /** Null where the element says nothing of it. */
  #kindsOf({ attributes }: SvgNode): readonly AccessibilityKind[] | null {
    const told = attributes['data-accessibility'] ?? attributes['data-accessible'] ?? attributes['data-wheelchair'];
    if (told === undefined) {
      return attributes.class?.split(/\s+/).some((each) => WHEELCHAIR_CLASS.test(each)) ? ['wheelchair'] : null;
    }
    const { kinds, unknown } = accessibilityIn(told);
    for (const word of unknown) this.#unknownKinds.set(word, (this.#unknownKinds.get(word) ?? 0) + 1);
    return kinds;
  }

  #isRestricted(node: SvgNode, { seat }: SeatName): boolean {
    const told = dataOf(node.attributes, 'data-restricted-view');
    const answer = told === null ? false : yesOrNo(told);
    if (answer !== null) return answer;
    const message = `Seat ${quoted(seat)} has ${quoted(told!)} as data-restricted-view. It was read as yes. Write yes or no.`;
    this.#notes.ambiguous('unknown_answer', message, { source: sourceOf(node) ?? `seat ${seat}` });
    return true;
  }

  #isHidden(node: SvgNode): boolean {
    return this.#styles.of(node, 'display') === 'none' || this.#styles.of(node, 'visibility') === 'hidden';
  }

  /** Elements without a name are numbered: `rect 2`. */
  #sourceOf(node: SvgNode): string {
    const named = sourceOf(node);
    if (named !== null) return named;
    const number = (this.#nameless.get(node.name) ?? 0) + 1;
    this.#nameless.set(node.name, number);
    return `${node.name} ${number}`;
  }
}

function priceOf({ attributes }: SvgNode, around: Around): string | null {
  return dataOf(attributes, 'data-price') ?? around.price;
}
