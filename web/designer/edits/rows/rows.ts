/**
 * Edits of rows that change their seats: seats more or fewer at an end, rows split and joined. Each seat that stays
 * keeps its place and its label. Pure, but for fresh ids.
 */
import type { ChartDocument, ChartObject, Override, Row } from '@parterre/shared/charts/document';
import { seatPositions, spacingOf } from '@parterre/shared/charts/geometry';
import { seatNumberer } from '@parterre/shared/charts/numbering';
import type { Edit, MakingEdit } from '../../document/editor.ts';
import { differing } from '../../document/fields.ts';
import { changeObjects, floorOf, freshId, idOf, objectsOf, withObjects } from '../../document/objects.ts';
import { placementOf } from '../../document/placement.ts';
import { selectionOf } from '../../document/selection.ts';
import { changeOverrides, withField } from '../../painting/overrides.ts';
import { without } from '../overrides.ts';
import { groupOf, withPieces } from '../pieces.ts';
import { lineFrom } from './line.ts';
import { labeller, numberedAs } from './numbered.ts';

/** A row or a table with more seats is a typing error. */
export const objectSeatsMax = 2_000;

/** Seats may be off the line of a row by this part of its spacing. */
const OFF_MAX = 0.03;

/** Adds seats at an end of rows, or with a negative count takes some away; a row keeps one at least. */
export function addSeats(ids: ReadonlySet<string>, end: 'start' | 'end', count: number): Edit {
  return (document) =>
    changeObjects(document, ids, (object) => (object.type === 'row' ? withMoreSeats(object, end, count) : object));
}

/** A row from elsewhere may have more seats than the bound. It keeps them. */
export function withMoreSeats(row: Row, end: 'start' | 'end', count: number): Row {
  const most = Math.max(objectSeatsMax, row.seatCount);
  return withSeatCount(row, Math.min(Math.max(row.seatCount + Math.trunc(count), 1), most), end);
}

/**
 * The seats that stay keep their places and labels. The part of a path around one seat would be a point, on which all
 * later seats would stand. So a row of one seat or none keeps its path, and the seat stands in the middle of it.
 */
export function withSeatCount(row: Row, seatCount: number, end: 'start' | 'end' = 'end'): Row {
  if (seatCount === row.seatCount) return row;
  const part = partOf(row, end === 'start' ? row.seatCount - seatCount : 0, seatCount);
  return row.path && seatCount <= 1 ? { ...part, path: row.path } : part;
}

/** Skips seats, or brings skipped seats back: the others keep their places and numbers. */
export function skipSeats(seats: ReadonlyMap<string, ReadonlySet<number>>, isSkipped: boolean): Edit {
  return (document) =>
    changeObjects(document, new Set(seats.keys()), (object) => {
      if (object.type !== 'row' && object.type !== 'table') return object;
      return changeOverrides(object, seats.get(object.id)!, (entry) => {
        if (isSkipped === (entry.skip === true)) return entry;
        return isSkipped ? { ...entry, skip: true } : without(entry, 'skip');
      });
    });
}

function partOf(row: Row, first: number, count: number): Row {
  const { overrides: _, ...rest } = row;
  return numberedAs(row, first, { ...rest, ...lineFrom(row, first, count) } as Row);
}

/** Two rows in place of one, the second from the seat `at`. Pieces of a row stay its pieces. */
export function splitRow(document: ChartDocument, id: string, at: number): MakingEdit {
  const [row] = objectsOf(document, new Set([id]));
  if (row?.type !== 'row' || at <= 0 || at >= row.seatCount)
    return { edit: (present) => present, selection: selectionOf([]) };
  const second = { ...partOf(row, at, row.seatCount - at), id: freshId(document, 'row') };
  const first = partOf(row, 0, at);
  const group = groupOf(row);
  return {
    selection: selectionOf([id, second.id]),
    edit: (present) => {
      const divided = withObjects(present, floorOf(present, id), (objects) =>
        objects.flatMap((object) => (idOf(object) === id ? [first, second] : [object])),
      );
      return group === null ? divided : renumberPieces(divided, group, second.id);
    },
  };
}

/**
 * Makes rows one row. Where a row goes on in the line of the row before, both become one object. Else they stay as they
 * are and become pieces of one row, whose seats are neighbours across the pieces.
 */
export function joinRows(document: ChartDocument, ids: ReadonlySet<string>): MakingEdit {
  const rows = objectsOf(document, withPieces(document, ids)).filter((object) => object.type === 'row');
  const floor = rows[0] ? floorOf(document, rows[0].id) : -1;
  const onFloor = inLine(rows.filter(({ id }) => floorOf(document, id) === floor));
  if (onFloor.length < 2) return { edit: (present) => present, selection: selectionOf([]) };
  const joined: Row[] = [];
  for (const row of onFloor) {
    const whole = joined.length > 0 ? joinedOf(joined.at(-1)!, row) : null;
    if (whole) joined[joined.length - 1] = whole;
    else joined.push(row);
  }
  const groupId = freshId(document, 'group');
  const pieces = joined.map((row, at) =>
    joined.length === 1
      ? without(row, 'segmentedRow')
      : { ...row, segmentedRow: pieceOf(groupId, at, joined.length, joined[0]!) },
  );
  const gone = new Set(onFloor.map(({ id }) => id));
  return {
    selection: selectionOf(pieces.map(({ id }) => id)),
    edit: (present) =>
      withObjects(present, floor, (objects) => {
        const at = objects.findIndex((object) => gone.has(idOf(object)));
        const others = objects.filter((object) => !gone.has(idOf(object)));
        return at < 0 ? objects : others.toSpliced(at, 0, ...pieces);
      }),
  };
}

/** Pieces become rows of their own. */
export function partRows(ids: ReadonlySet<string>): Edit {
  return (document) =>
    changeObjects(document, withPieces(document, ids), (object) =>
      object.type === 'row' && object.segmentedRow ? without(object, 'segmentedRow') : object,
    );
}

export function pieceOf(
  groupId: string,
  componentIndex: number,
  componentCount: number,
  { label, displayLabel }: Pick<Row, 'label' | 'displayLabel'>,
  boundary: 'continuous' | 'gap' = 'continuous',
): NonNullable<Row['segmentedRow']> {
  const boundaryBefore = componentIndex === 0 ? 'start' : boundary;
  return {
    kind: 'segmented-row-v1',
    groupId,
    componentIndex,
    componentCount,
    boundaryBefore,
    displayLabel: displayLabel ?? label,
  };
}

/** After a split of a piece: `secondId` goes on without a gap. */
function renumberPieces(document: ChartDocument, group: string, secondId: string): ChartDocument {
  const pieces: Row[] = [];
  for (const { objects } of document.floors ?? [document]) {
    for (const object of objects) if (groupOf(object) === group) pieces.push(object as Row);
  }
  const order = new Map(pieces.map(({ id }, at) => [id, at]));
  return changeObjects(document, new Set(order.keys()), (object) => {
    const { segmentedRow } = object as Row;
    const boundaryBefore = idOf(object) === secondId ? 'continuous' : segmentedRow!.boundaryBefore;
    const place = { componentIndex: order.get(idOf(object)), componentCount: pieces.length, boundaryBefore };
    return { ...object, segmentedRow: { ...segmentedRow, ...place } } as ChartObject;
  });
}

/** In the direction of the longest row. */
function inLine(rows: readonly Row[]): Row[] {
  const longest = rows.reduce<Row | null>((best, row) => (best && best.seatCount >= row.seatCount ? best : row), null);
  if (!longest) return [];
  const seats = seatPositions(longest);
  const from = seats[0] ?? longest.origin;
  const to = seats.at(-1) ?? longest.origin;
  const angle = seats.length > 1 ? Math.atan2(to.y - from.y, to.x - from.x) : 0;
  const along = (row: Row): number => {
    const { x, y } = placementOf(row).centre;
    return x * Math.cos(angle) + y * Math.sin(angle);
  };
  return rows.toSorted((a, b) => along(a) - along(b));
}

const joinable = new Set([
  'id',
  'origin',
  'rotation',
  'curve',
  'seatCount',
  'seatSpacing',
  'seatLabelStart',
  'seatNumbering',
  'label',
  'overrides',
  'categoryKey',
  'segmentedRow',
]);

/** Null where the second row does not go on in the line of the first, or differs in more than its seats. */
function joinedOf(first: Row, second: Row): Row | null {
  if (first.path || second.path || differing(first, second).some((name) => !joinable.has(name))) return null;
  const seatCount = first.seatCount + second.seatCount;
  if (seatCount > objectSeatsMax) return null;
  const long = { ...first, ...lineFrom(first, 0, seatCount) };
  const wanted = seatPositions(second);
  const off = OFF_MAX * spacingOf(first);
  const isInLine = seatPositions(long)
    .slice(first.seatCount)
    .every(({ x, y }, at) => Math.hypot(x - wanted[at]!.x, y - wanted[at]!.y) <= off);
  if (!isInLine) return null;
  const joined = numberedAs(first, 0, long);
  const theirs = new Map(second.overrides?.map((entry) => [entry.index, entry]));
  const indices = Array.from({ length: second.seatCount }, (_, at) => first.seatCount + at);
  const whole = changeOverrides(without(joined, 'segmentedRow'), indices, (made) => {
    const entry: Override = { ...made, ...theirs.get(made.index - first.seatCount), index: made.index };
    const category = entry.categoryKey ?? second.categoryKey;
    return withField(entry, 'categoryKey', category === joined.categoryKey ? undefined : category);
  });
  return withLabels(whole, first, second);
}

/** Each seat of a joined row keeps its label. */
function withLabels(whole: Row, first: Row, second: Row): Row {
  const number = seatNumberer(whole);
  const [ours, theirs] = [labeller(first), labeller(second)];
  const all = Array.from({ length: whole.seatCount }, (_, index) => index);
  return changeOverrides(whole, all, (entry) => {
    const { index } = entry;
    const isNameless = entry.skip && whole.seatNumbering?.countSkipped === false;
    const label = index < first.seatCount ? ours(index) : theirs(index - first.seatCount);
    const isUsual = isNameless || label === `${whole.label}-${number(index)}`;
    return withField(entry, 'label', isUsual ? undefined : label);
  });
}
