/**
 * Mirror images of objects. `flip`: a row's numbers turn with it. `keep`: its numbers still run the same way over the
 * page, and only its form, gaps, categories and accessible places are mirrored. Rows in pieces always flip. Chairs are
 * numbered clockwise in any case, and their differences go to the mirrored chair. Pure.
 */
import type { ChartObject, Override, Row, Table } from '@parterre/shared/charts/document';
import { chairPositions, chairsBySide, type Side, seatPositions } from '@parterre/shared/charts/geometry';
import { type Motion, moved, movedOffsets, movedPath, movedPoint, tidy, turnedBy } from './motion.ts';
import { withOverrides } from './overrides.ts';
import { groupOf } from './pieces.ts';

export type Numbers = 'keep' | 'flip';

/** A table with more chairs keeps the differences at their indices. */
const chairsMax = 2_000;
const otherSide: Readonly<Record<Side, Side>> = { top: 'top', bottom: 'bottom', left: 'right', right: 'left' };

export function mirrored(object: ChartObject, by: Motion, numbers: Numbers): ChartObject {
  if (object.type === 'row') {
    const isReversed = numbers === 'keep' && groupOf(object) === null;
    return mirroredRow(isReversed ? { ...object, ...reversed(object), ...reindexed(object) } : object, by);
  }
  return object.type === 'table' ? mirroredTable(object, by) : moved(object, by);
}

/** The same line of seats, from its last seat to its first. */
function reversed(row: Row): Pick<Row, 'origin' | 'rotation' | 'curve' | 'path'> {
  const { origin, rotation = 0, curve = 0, path } = row;
  if (path) {
    const { start, control1, control2, end } = path;
    return { origin, path: { ...path, start: end, control1: control2, control2: control1, end: start } };
  }
  const last = seatPositions(row).at(-1) ?? origin;
  const isStraight = curve === 0;
  // A single seat sweeps nothing.
  const swept = row.seatCount < 2 ? 0 : curve;
  return {
    origin: { ...origin, x: tidy(last.x), y: tidy(last.y) },
    // An arc ends in another direction than it began.
    rotation: tidy(isStraight ? rotation + 180 : rotation - swept),
    curve: isStraight ? curve : -curve,
  };
}

/** Labels stay with their numbers; everything else goes to the seat at the other end. */
function reindexed(row: Row): { overrides?: Override[] } {
  if (!row.overrides) return {};
  const entries = new Map<number, Override>();
  const add = (index: number, fields: object) => entries.set(index, { ...entries.get(index), ...fields, index });
  for (const { index, label, displayLabel, ...rest } of lastOf(row.overrides)) {
    add(row.seatCount - 1 - index, rest);
    add(index, { ...(label !== undefined && { label }), ...(displayLabel !== undefined && { displayLabel }) });
  }
  // Entries beyond the row's end have no other end.
  return {
    overrides:
      withOverrides(
        row,
        [...entries.values()].filter(({ index }) => index >= 0),
      ).overrides ?? [],
  };
}

function lastOf(overrides: readonly Override[]): Override[] {
  return [...new Map(overrides.map((entry) => [entry.index, entry])).values()];
}

function mirroredRow(row: Row, by: Motion): Row {
  const offsets = movedOffsets(by, row.overrides);
  if (row.path) return { ...row, origin: movedPoint(by, row.origin), path: movedPath(by, row.path), ...offsets };
  const isStraight = !row.curve;
  // A straight row runs on to the right, only turned. An arc that runs to the left has a negative sweep.
  const half = isStraight ? 180 : 0;
  return {
    ...row,
    origin: movedPoint(by, row.origin),
    rotation: turnedBy({ ...by, degrees: by.degrees + half }, row.rotation),
    ...(row.curve && { curve: -row.curve }),
    ...offsets,
  };
}

function mirroredTable(table: Table, by: Motion): Table {
  const placed = {
    ...table,
    center: movedPoint(by, table.center),
    ...movedOffsets(by, table.overrides),
    ...(table.shape === 'rect' ? mirroredSides(table) : {}),
    // The first chair of a round table, or the gap of its arc, is at `rotation`, where 0 is the right.
    rotation: turnedBy(table.shape === 'round' ? { ...by, degrees: by.degrees + 180 } : by, table.rotation),
  };
  if (!placed.overrides || table.seatCount > chairsMax) return placed;
  const now = chairPositions(placed);
  const indexOf = new Map(
    chairPositions(table).map((chair, index) => {
      const { x, y } = by.point(chair);
      const away = now.map((other) => Math.hypot(other.x - x, other.y - y));
      return [index, away.indexOf(Math.min(...away))];
    }),
  );
  return withOverrides(
    placed,
    lastOf(placed.overrides).map((entry) => ({ ...entry, index: indexOf.get(entry.index) ?? entry.index })),
  );
}

function mirroredSides(table: Table): Partial<Table> {
  const counts = chairsBySide(table);
  const sides = table.sides && { sides: table.sides.map((side) => otherSide[side]) };
  if (counts.left === counts.right) return { ...sides };
  return { ...sides, seatCountsBySide: { ...counts, left: counts.right, right: counts.left } };
}
