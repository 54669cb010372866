/**
 * The parts of a drawing that are never sold: shapes, texts and pictures; and the texts on seats, which are left out.
 */
import type { Point } from '../../plan.ts';
import { cleanText, pictureUrlOf } from '../reading.ts';
import { countOf, type Notes, quoted } from '../report.ts';
import type { FoundDecor } from '../venue.ts';
import { boxOf, lengthOf, type Matrix, mapped, outlineOf } from './geometry.ts';
import type { Styles } from './styles.ts';
import type { SvgNode } from './tree.ts';

/** Shapes that are kept. */
const SHAPES_MAX = 5_000;
/** Names in one note. */
const NAMES_MAX = 5;
/** A text on a seat is at most this far from its centre, as a multiple of half of the seat's size. */
const CAPTION_REACH = 1.5;

export type Placed = { matrix: Matrix; fill: string | null };

export class Decoration {
  readonly #styles: Styles;
  readonly #notes: Notes;
  readonly #items: FoundDecor[] = [];
  readonly #nameless: string[] = [];
  /** The words of the drawing, and the middle of each. */
  readonly texts: { text: string; at: Point }[] = [];
  #moreShapes = 0;

  constructor(styles: Styles, notes: Notes) {
    this.#styles = styles;
    this.#notes = notes;
  }

  /** `isNamed`: a person gave the shape a name that is no seat's. */
  addShape(
    source: string,
    points: Point[],
    { fill, label, isNamed }: { fill: string | null; label: string | null; isNamed: boolean },
  ): void {
    if (this.#items.length >= SHAPES_MAX) {
      this.#moreShapes++;
      return;
    }
    if (!isNamed) this.#nameless.push(source);
    const fields = { ...(fill !== null && { fill }), ...(label !== null && { label }) };
    this.#items.push({ type: 'shape', source, place: { points }, fontSize: null, fields });
  }

  addText(node: SvgNode, { matrix, fill }: Placed): void {
    const text = cleanText(node.text.replace(/\s+/g, ' '));
    if (text === null) return;
    const first = node.children.find(({ name }) => name === 'tspan');
    const style = (property: 'font-size' | 'text-anchor') =>
      this.#styles.of(node, property) ?? (first && this.#styles.of(first, property));
    const size = lengthOf(style('font-size')) ?? 16;
    const anchor = style('text-anchor');
    // Half of the width of an average text: half a letter's height for each letter.
    const half = anchor === 'middle' ? 0 : (anchor === 'end' ? -1 : 1) * 0.25 * size * [...text].length;
    const at = (axis: 'x' | 'y') => lengthOf(node.attributes[axis] ?? first?.attributes[axis]) ?? 0;
    const center = mapped(matrix, { x: at('x') + half, y: at('y') - 0.35 * size });
    const rotation = (Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI;
    const fontSize = size * Math.hypot(matrix[0], matrix[1]);
    const fields = { text, ...(fill !== null && { color: fill }) };
    const place = { center, width: null, height: null, rotation };
    this.texts.push({ text, at: center });
    this.#items.push({ type: 'text', source: sourceOf(node) ?? `text ${text}`, place, fontSize, fields });
  }

  addImage(node: SvgNode, { matrix }: Placed): void {
    const box = boxOf(outlineOf(node).map((point) => mapped(matrix, point)));
    const { href = '' } = node.attributes;
    const url = /^\s*data:/i.test(href) ? pictureUrlOf(href) : null;
    const source = sourceOf(node) ?? 'image';
    if (box && url !== null && !/^data:image\/svg/i.test(url)) {
      this.#items.push({ type: 'decorImage', source, place: { ...box, rotation: 0 }, fontSize: null, fields: { url } });
    } else {
      const message = 'A picture outside of the file. It was not loaded. Upload it in the designer.';
      this.#notes.leftOut('image', message, { source });
    }
  }

  /** All of it but the texts on seats. `more` counts further numbers of seats, which are drawn as shapes. */
  finish(spots: SeatSpots, more: number): FoundDecor[] {
    const kept = this.#items.filter(
      ({ type, place }) => type !== 'text' || !('center' in place) || !spots.has(place.center, CAPTION_REACH),
    );
    const captions = this.#items.length - kept.length + more;
    const tell = (count: number, code: string, message: string) => {
      if (count > 0) this.#notes.leftOut(code, message);
    };
    const numbers = `${countOf(captions, 'text')} on seats. The chart writes the numbers of seats itself.`;
    tell(captions, 'seat_captions', numbers);
    tell(this.#moreShapes, 'many_shapes', `${countOf(this.#moreShapes, 'shape')} past the first ${SHAPES_MAX}.`);
    if (this.#nameless.length > 0) {
      const message = `${countOf(this.#nameless.length, 'shape')} without the name of a seat became decoration: ${listed(this.#nameless)}. If they are seats, give them data-row and data-seat, and import the file again.`;
      this.#notes.ambiguous('nameless_shapes', message, { source: this.#nameless[0]! });
    }
    return kept;
  }
}

/** The first names of a list. */
export function listed(names: readonly string[]): string {
  const more = names.length > NAMES_MAX ? `, and ${names.length - NAMES_MAX} more` : '';
  return `${names.slice(0, NAMES_MAX).map(quoted).join(', ')}${more}`;
}

/** The name by which people find the element again in the drawing. */
export function sourceOf({ attributes }: SvgNode): string | null {
  return cleanText(attributes.id ?? '') ?? cleanText(attributes['inkscape:label'] ?? '');
}

type Spot = { center: Point; reach: number };

/** The places of seats, in a net of squares. The first seat gives the size of the net. */
export class SeatSpots {
  readonly #bySquare = new Map<string, Spot[]>();
  #size = 0;

  add({ center, width, height }: { center: Point; width: number; height: number }): void {
    const reach = Math.max(width, height) / 2;
    if (this.#size === 0) this.#size = Math.max(4 * reach, 1e-6);
    const square = this.#squareOf(center, 0, 0);
    const known = this.#bySquare.get(square);
    if (known) known.push({ center, reach });
    else this.#bySquare.set(square, [{ center, reach }]);
  }

  /** Whether a seat's centre is at most this multiple of half of the seat's size away. */
  has(point: Point, share: number): boolean {
    if (this.#size === 0) return false;
    const around = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => this.#squareOf(point, right, down)));
    return around.some((square) =>
      this.#bySquare
        .get(square)
        ?.some(({ center, reach }) => Math.hypot(center.x - point.x, center.y - point.y) <= share * reach),
    );
  }

  #squareOf({ x, y }: Point, right: number, down: number): string {
    return `${Math.floor(x / this.#size) + right} ${Math.floor(y / this.#size) + down}`;
  }
}
