/**
 * Snaps a moving box to its neighbours, else to the grid. The box's edges and middle meet those of other objects; and
 * where two neighbours stand in a line, the box takes their distance. Pure.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, middleOf } from '../../src/rules/bounds.ts';
import { idOf, objectsOn } from '../document/objects.ts';
import { placementOf } from '../document/placement.ts';
import { tidy } from './motion.ts';

/** A line on the map along which the box was snapped. */
export type Guide = { readonly from: Point; readonly to: Point };
export type Snapped = { readonly dx: number; readonly dy: number; readonly guides: readonly Guide[] };
/** In chart units; 0 is no grid, or no snapping to neighbours. */
export type SnapOptions = { readonly reach: number; readonly grid: number };

type Axis = 'x' | 'y';
/** A place that an edge or a middle may take, and the object that has it. */
type SnapLine = { readonly at: number; readonly bounds: Bounds };
type Hit = { readonly by: number; readonly at: number; readonly bounds: Bounds };

const NOISE = 1e-6;

/** Made once for a drag: the other objects stay where they are. */
export class Snapper {
  readonly #lines: Record<Axis, readonly SnapLine[]>;
  readonly #others: readonly Bounds[];

  constructor(document: ChartDocument, floor: number, without: ReadonlySet<string>) {
    const others = objectsOn(document, floor).filter((object) => !without.has(idOf(object)));
    this.#others = others.map((object) => placementOf(object).bounds);
    this.#lines = { x: linesOf('x', this.#others), y: linesOf('y', this.#others) };
  }

  /** A point is a box without extent. */
  snap(box: Bounds, { reach, grid }: SnapOptions): Snapped {
    const guides: Guide[] = [];
    const by = { x: 0, y: 0 };
    for (const axis of ['x', 'y'] as const) {
      const hit = reach > 0 ? (this.#nearest(axis, box, reach) ?? this.#evenly(axis, box, reach)) : null;
      const [low] = extent(axis, box);
      if (hit) by[axis] = hit.by;
      else if (grid > 0) by[axis] = Math.round(low / grid) * grid - low;
      if (hit) guides.push(guideOf(axis, hit, box));
    }
    return { dx: tidy(by.x), dy: tidy(by.y), guides };
  }

  /** The line that is nearest to an edge or the middle of the box. */
  #nearest(axis: Axis, box: Bounds, reach: number): Hit | null {
    let best: Hit | null = null;
    for (const value of placesOn(axis, box)) {
      const lines = this.#lines[axis];
      let at = firstFrom(lines, value - reach);
      for (; at < lines.length && lines[at]!.at <= value + reach; at++) {
        const by = lines[at]!.at - value;
        const isBetter = !best || Math.abs(by) < Math.abs(best.by) - NOISE;
        const isEqual = best !== null && Math.abs(by - best.by) <= NOISE;
        const { bounds } = lines[at]!;
        if (isBetter || (isEqual && gap(axis, box, bounds) < gap(axis, box, best!.bounds))) {
          best = { by, at: lines[at]!.at, bounds };
        }
      }
    }
    return best;
  }

  /** The place that goes on with the distance of the two nearest neighbours in the line of the box. */
  #evenly(axis: Axis, box: Bounds, reach: number): Hit | null {
    const own = middleOf(box)[axis];
    const inLine = this.#others.filter((bounds) => gap(axis, box, bounds) <= 0);
    let best: Hit | null = null;
    for (const side of [-1, 1]) {
      const beside = inLine
        .map((bounds) => ({ bounds, away: (own - middleOf(bounds)[axis]) * side }))
        .filter(({ away }) => away > 0)
        .sort((a, b) => a.away - b.away);
      const [near, next] = beside;
      if (!near || !next) continue;
      const by = side * (next.away - near.away - near.away);
      if (Math.abs(by) <= reach && (!best || Math.abs(by) < Math.abs(best.by))) {
        best = { by, at: own + by, bounds: near.bounds };
      }
    }
    return best;
  }
}

/** Low edge, high edge. */
function extent(axis: Axis, { left, top, right, bottom }: Bounds): readonly [number, number] {
  return axis === 'x' ? [left, right] : [top, bottom];
}

function placesOn(axis: Axis, bounds: Bounds): readonly number[] {
  const [low, high] = extent(axis, bounds);
  return low === high ? [low] : [low, (low + high) / 2, high];
}

function linesOf(axis: Axis, others: readonly Bounds[]): SnapLine[] {
  const lines = others.flatMap((bounds) => placesOn(axis, bounds).map((at) => ({ at, bounds })));
  return lines.filter(({ at }) => Number.isFinite(at)).sort((a, b) => a.at - b.at);
}

function firstFrom(lines: readonly SnapLine[], least: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.at < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The distance across the axis: below 0 where both lie beside each other. */
function gap(axis: Axis, a: Bounds, b: Bounds): number {
  const other = axis === 'x' ? 'y' : 'x';
  const [low, high] = extent(other, a);
  const [least, most] = extent(other, b);
  return Math.max(least - high, low - most);
}

/** From the far end of the neighbour to the far end of the box. */
function guideOf(axis: Axis, { at, bounds }: Hit, box: Bounds): Guide {
  const other = axis === 'x' ? 'y' : 'x';
  const [low, high] = extent(other, box);
  const [least, most] = extent(other, bounds);
  const from = Math.min(low, least);
  const to = Math.max(high, most);
  return axis === 'x'
    ? { from: { x: at, y: from }, to: { x: at, y: to } }
    : { from: { x: from, y: at }, to: { x: to, y: at } };
}
