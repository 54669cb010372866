/**
 * Aisles through rows that stand already: the seats beside a straight line go, in all rows that it crosses, and the
 * numbers go on behind it. The rows may be curved: the aisle stays straight. Pure.
 */
import type { ChartDocument, Row } from '@parterre/shared/charts/document';
import { spacingOf } from '@parterre/shared/charts/geometry';
import type { Point } from '@parterre/shared/charts/plan';
import type { Edit } from '../../document/editor.ts';
import { changeObjects, isLocked, objectsOn } from '../../document/objects.ts';
import { placementOf } from '../../document/placement.ts';
import { changeOverrides, liveSeats, withField } from '../../painting/overrides.ts';

export type Aisle = {
  readonly from: Point;
  readonly to: Point;
  /** Beside the seats of both sides, as in a block. */
  readonly width: number;
};

export type CutAisle = { readonly edit: Edit; readonly rows: number; readonly seats: number };

/** Of these rows, or of all rows of the floor (null). */
export function cutAisle(
  document: ChartDocument,
  floor: number,
  ids: ReadonlySet<string> | null,
  aisle: Aisle,
): CutAisle {
  const removed = new Map<string, readonly number[]>();
  let seats = 0;
  for (const object of objectsOn(document, floor)) {
    if (object.type !== 'row' || (ids ? !ids.has(object.id) : isLocked(object))) continue;
    const inAisle = seatsIn(object, aisle);
    if (inAisle.length === 0) continue;
    removed.set(object.id, inAisle);
    seats += inAisle.length;
  }
  const edit: Edit = (present) =>
    changeObjects(present, new Set(removed.keys()), (object) =>
      object.type === 'row' ? withoutSeats(object, removed.get(object.id)!) : object,
    );
  return { edit, rows: removed.size, seats };
}

/** Seats less than half of the width, and half of a seat, from the line. Every row that the line crosses loses one. */
function seatsIn(row: Row, { from, to, width }: Aisle): number[] {
  const { x, y, index } = placementOf(row);
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) return [];
  const across = (to.x - from.x) / length;
  const down = (to.y - from.y) / length;
  const reach = (spacingOf(row) + width) / 2 - 1e-6;
  const found: number[] = [];
  for (let seat = 0; seat < index.length; seat++) {
    const dx = x[seat]! - from.x;
    const dy = y[seat]! - from.y;
    const along = dx * across + dy * down;
    const aside = Math.abs(dx * down - dy * across);
    if (aside < reach && along > -END_SLACK && along < length + END_SLACK) found.push(index[seat]!);
  }
  return found;
}

/** A line that begins at a row crosses the row. */
const END_SLACK = 6;

/** A row that had gaps before keeps its way to count them. A row without seats goes. */
function withoutSeats(row: Row, seats: readonly number[]): Row | null {
  const hadGaps = liveSeats(row).length < row.seatCount;
  const cut = changeOverrides(row, seats, ({ index }) => ({ index, skip: true }));
  if (liveSeats(cut).length === 0) return null;
  if (hadGaps) return cut;
  const numbering = cut.seatNumbering ?? { direction: 'ltr' as const };
  return withField(cut, 'seatNumbering', withField(numbering, 'countSkipped', false));
}
