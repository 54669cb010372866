/** The handles of the selection: the points at which it is turned, resized and bent. Pure. */
import type { ChartObject, Row } from '@parterre/shared/charts/document';
import { seatPositions } from '@parterre/shared/charts/geometry';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, middleOf } from '../../src/rules/bounds.ts';
import type { Overlay } from '../canvas/overlay.ts';
import { rowThrough } from './arcs.ts';

/** `list`: 0 for the outline, n for the n-th hole. */
export type Handle = { readonly at: Point } & (
  | { readonly kind: 'corner'; readonly across: -1 | 0 | 1; readonly down: -1 | 0 | 1 }
  | { readonly kind: 'turn' }
  | { readonly kind: 'vertex' | 'between'; readonly list: number; readonly index: number }
  | { readonly kind: 'end'; readonly isLast: boolean }
  | { readonly kind: 'bend' }
  | { readonly kind: 'control'; readonly name: 'start' | 'control1' | 'control2' | 'end' }
);

const TURN_PIXELS = 28;
/** A drag beyond the fixed side leaves this share of the size. */
const FACTOR_MIN = 0.02;
/** The width of the ring around the handle that the keys move. */
const USED_PIXELS = 20;
const controls = ['start', 'control1', 'control2', 'end'] as const;

/** `only` is the object that is selected alone. */
export function handlesOf(frame: Bounds | null, only: ChartObject | null, scale: number): Handle[] {
  if (!frame) return [];
  const { left, right, top, bottom } = frame;
  const middle = middleOf(frame);
  const turn: Handle = { kind: 'turn', at: { x: middle.x, y: top - TURN_PIXELS / scale } };
  const own = only ? ownHandles(only) : [];
  if (own.length > 0) return [...own, turn];
  const corners: Handle[] = [];
  for (const down of [-1, 0, 1] as const) {
    for (const across of [-1, 0, 1] as const) {
      if (across === 0 && down === 0) continue;
      const x = across < 0 ? left : across > 0 ? right : middle.x;
      const y = down < 0 ? top : down > 0 ? bottom : middle.y;
      corners.push({ kind: 'corner', across, down, at: { x, y } });
    }
  }
  return [...corners, turn];
}

function ownHandles(object: ChartObject): Handle[] {
  if (object.type === 'row') return rowHandles(object);
  return listsOf(object).flatMap((points, list) =>
    points.flatMap((at, index): Handle[] => {
      const next = points[(index + 1) % points.length]!;
      const between = { x: (at.x + next.x) / 2, y: (at.y + next.y) / 2 };
      return [
        { kind: 'vertex', list, index, at },
        { kind: 'between', list, index, at: between },
      ];
    }),
  );
}

function rowHandles(row: Row): Handle[] {
  if (row.path) return controls.map((name) => ({ kind: 'control', name, at: row.path![name] }));
  const seats = seatPositions(row);
  if (seats.length < 2) return [];
  const ends: Handle[] = [
    { kind: 'end', isLast: false, at: seats[0]! },
    { kind: 'end', isLast: true, at: seats.at(-1)! },
  ];
  if (seats.length < 3) return ends;
  const one = seats[(seats.length - 1) >> 1]!;
  const other = seats[seats.length >> 1]!;
  return [...ends, { kind: 'bend', at: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 } }];
}

/** The outline and the holes of a section, area or polygon; none for other objects. */
export function listsOf(object: ChartObject): readonly (readonly Point[])[] {
  if (object.type === 'section') return [object.outline, ...(object.holes ?? [])];
  if (object.type === 'gaArea') return [object.points, ...(object.holes ?? [])];
  const { points } = object as { points?: unknown };
  return object.type === 'shape' && Array.isArray(points) ? [points as Point[]] : [];
}

export function withLists(object: ChartObject, lists: readonly (readonly Point[])[]): ChartObject {
  const [first, ...holes] = lists.map((points) => points.map((point) => ({ ...point })));
  if (object.type === 'shape') return { ...object, points: first } as ChartObject;
  const kept = holes.filter(({ length }) => length > 0);
  const withHoles = kept.length > 0 || 'holes' in object ? { holes: kept } : {};
  if (object.type === 'section') return { ...object, outline: first!, ...withHoles };
  return { ...object, points: first!, ...withHoles } as ChartObject;
}

/**
 * The object after one of its own handles was moved to a point. `isNew`: a point between two others becomes a corner.
 */
export function bent(object: ChartObject, handle: Handle, to: Point): ChartObject {
  if (object.type === 'row') return bentRow(object, handle, to);
  if (handle.kind !== 'vertex' && handle.kind !== 'between') return object;
  const lists = listsOf(object).map((points, list) => {
    if (list !== handle.list) return points;
    if (handle.kind === 'between') return points.toSpliced(handle.index + 1, 0, to);
    return points.with(handle.index, { ...points[handle.index]!, ...to });
  });
  return withLists(object, lists);
}

/** The object without a corner of its outline, which keeps three at least; a hole goes with its third last corner. */
export function withoutVertex(object: ChartObject, { list, index }: { list: number; index: number }): ChartObject {
  const lists = listsOf(object);
  const left = lists[list]!.filter((_, at) => at !== index);
  return left.length >= 3 ? withLists(object, lists.with(list, left)) : withoutHole(object, list);
}

/** The object itself for its outline, which stays. */
export function withoutHole(object: ChartObject, list: number): ChartObject {
  return list === 0 ? object : withLists(object, listsOf(object).with(list, []));
}

/** The factors by which a frame is stretched when its corner comes to a point, and the point that stays. */
export function stretchOf(frame: Bounds, { across, down, at }: Handle & { kind: 'corner' }, to: Point) {
  const anchor = { x: across < 0 ? frame.right : frame.left, y: down < 0 ? frame.bottom : frame.top };
  const factor = (target: number, start: number, fixed: number) =>
    Math.abs(start - fixed) < 1e-6 ? 1 : Math.max((target - fixed) / (start - fixed), FACTOR_MIN);
  return {
    anchor,
    x: across === 0 ? 1 : factor(to.x, at.x, anchor.x),
    y: down === 0 ? 1 : factor(to.y, at.y, anchor.y),
  };
}

function bentRow(row: Row, handle: Handle, to: Point): ChartObject {
  if (handle.kind === 'control' && row.path) return { ...row, path: { ...row.path, [handle.name]: to } };
  const seats = seatPositions(row);
  const first = seats[0]!;
  const last = seats.at(-1)!;
  if (handle.kind === 'bend') {
    const bow = rowThrough(first, last, to, row.seatSpacing);
    // The row keeps its seats, and so their labels: only their spacing follows the bow.
    return { ...row, origin: { ...row.origin, ...first }, ...refilled(bow, row.seatCount, first, last) };
  }
  if (handle.kind !== 'end') return row;
  const [from, end] = handle.isLast ? [first, to] : [to, last];
  const length = Math.hypot(end.x - from.x, end.y - from.y);
  const before = Math.hypot(last.x - first.x, last.y - first.y);
  if (length < 1 || before < 1) return row;
  const turn = Math.atan2(end.y - from.y, end.x - from.x) - Math.atan2(last.y - first.y, last.x - first.x);
  return {
    ...row,
    origin: { ...row.origin, ...from },
    rotation: (row.rotation ?? 0) + (turn * 180) / Math.PI,
    seatSpacing: (row.seatSpacing * length) / before,
  };
}

function refilled(
  bow: ReturnType<typeof rowThrough>,
  seatCount: number,
  first: Point,
  last: Point,
): Pick<Row, 'rotation' | 'curve' | 'seatSpacing'> {
  const chord = Math.hypot(last.x - first.x, last.y - first.y);
  const { rotation, curve } = bow;
  const sweep = (Math.abs(curve) * Math.PI) / 180;
  if (sweep === 0) return { rotation, curve, seatSpacing: chord / (seatCount - 1) };
  const radius = chord / (2 * Math.sin(sweep / 2));
  return { rotation, curve, seatSpacing: Math.abs(2 * radius * Math.sin(sweep / (seatCount - 1) / 2)) };
}

/** `used`: the handle that the keys move. */
export function drawHandles(overlay: Overlay, handles: readonly Handle[], used: Handle | null): void {
  for (const { kind, at } of handles) {
    const shape = kind === 'between' ? 'small' : kind === 'turn' || kind === 'bend' ? 'round' : 'square';
    overlay.handle(at, shape, kind === 'bend');
  }
  if (!used) return;
  overlay.handle(used.at, used.kind === 'turn' || used.kind === 'bend' ? 'round' : 'square', true);
  overlay.rings([used.at.x, used.at.y], USED_PIXELS / overlay.camera.scale);
}
