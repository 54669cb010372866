/** Seats whose numbers are separate texts on nameless shapes, as people draw them in Inkscape. */
import type { Point } from '../../plan.ts';
import { median } from '../fitting/fit-line.ts';
import type { SeatName } from './names.ts';

export type Box = { center: Point; width: number; height: number };

/** A text lies on a shape up to this share of half of the shape's sides: its place is an estimate. */
const REACH = 0.9;
/** A shape of this many usual sizes is no seat. */
const SIZE_MAX = 2;
const SEATS_MIN = 3;

/** The names of the shapes with one number each. Empty where the numbers show no seats. */
export function numberedShapes<T extends { box: Box }>(
  shapes: readonly T[],
  texts: readonly { text: string; at: Point }[],
): Map<T, SeatName> {
  const numbers = texts.flatMap(({ text, at }) => {
    const name = nameIn(text);
    return name === null ? [] : [{ name, at }];
  });
  const net = new Net(shapes);
  const onShape = new Map<T, SeatName[]>();
  for (const { name, at } of numbers) {
    const shape = net.smallestAt(at);
    const known = shape && onShape.get(shape);
    if (known) known.push(name);
    else if (shape) onShape.set(shape, [name]);
  }
  const single = [...onShape].filter(([, names]) => names.length === 1);
  const usual = median(single.map(([{ box }]) => sizeOf(box)));
  const seats = single.filter(([{ box }]) => sizeOf(box) <= SIZE_MAX * usual && sizeOf(box) * SIZE_MAX >= usual);
  return new Map(seats.length < SEATS_MIN ? [] : seats.map(([shape, names]) => [shape, names[0]!]));
}

function nameIn(text: string): SeatName | null {
  const [, row = null, seat] = /^\s*(?:([A-Z]{1,2})[-. ]?)?(\d{1,4}\p{Letter}?)\s*$/u.exec(text) ?? [];
  return seat === undefined ? null : { section: null, row, seat, told: 'form', numbered: null };
}

const sizeOf = ({ width, height }: Box) => Math.max(width, height);

/** Shapes in a net of squares. Large shapes are in many squares, so there is a bound. */
class Net<T extends { box: Box }> {
  readonly #bySquare = new Map<string, T[]>();
  readonly #side: number;

  constructor(shapes: readonly T[]) {
    this.#side = Math.max(2 * median(shapes.map(({ box }) => sizeOf(box))), 1e-6);
    for (const shape of shapes) {
      const { center, width, height } = shape.box;
      if (width > 4 * this.#side || height > 4 * this.#side) continue;
      for (let x = center.x - width / 2; x <= center.x + width / 2 + this.#side; x += this.#side) {
        for (let y = center.y - height / 2; y <= center.y + height / 2 + this.#side; y += this.#side) {
          const square = this.#squareOf({ x, y });
          const known = this.#bySquare.get(square);
          if (known) known.push(shape);
          else this.#bySquare.set(square, [shape]);
        }
      }
    }
  }

  smallestAt(at: Point): T | null {
    let smallest: T | null = null;
    for (const shape of this.#bySquare.get(this.#squareOf(at)) ?? []) {
      const { center, width, height } = shape.box;
      const isOn =
        Math.abs(at.x - center.x) <= (REACH * width) / 2 && Math.abs(at.y - center.y) <= (REACH * height) / 2;
      if (isOn && (smallest === null || sizeOf(shape.box) < sizeOf(smallest.box))) smallest = shape;
    }
    return smallest;
  }

  #squareOf({ x, y }: Point): string {
    return `${Math.floor(x / this.#side)} ${Math.floor(y / this.#side)}`;
  }
}
