/**
 * Blocks of rows, straight or around a middle. An aisle parts a row into pieces of one row (segmentedRow with a gap),
 * so no party is seated across it, and the numbers go on behind it. Pure.
 */
import type { ChartDocument, Row } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import { type FreshIds, freshIds } from '../../document/objects.ts';
import { tidy } from '../motion.ts';
import { numberedAs } from './numbered.ts';
import { pieceOf } from './rows.ts';

export type Block = {
  /** The first seat of the first row of a straight block; the middle of the first row of a curved one. */
  readonly origin: Point;
  /** Degrees clockwise; at 0 rows run to the right, and each row stands below the row before. */
  readonly rotation?: number;
  readonly rowCount: number;
  /** Of the first row. */
  readonly seatCount: number;
  readonly seatSpacing: number;
  readonly rowSpacing: number;
  /** The distance of the first row from the point that rows curve around, above them; null for straight rows. */
  readonly radius?: number | null;
  /** Curved rows further out have more seats, instead of a wider spacing. */
  readonly grows?: boolean;
  /** Every second row stands this far along its line. */
  readonly stagger?: number;
  /** An aisle runs behind this many seats of each row, and again behind as many more; 0 for none. */
  readonly aisleEvery?: number;
  readonly aisleWidth?: number;
  readonly categoryKey: string;
  readonly seatNumbering?: Row['seatNumbering'];
  readonly seatLabelStart?: number;
  /** By row, from 0. */
  readonly labelOf: (row: number) => string;
};

export const blockRowsMax = 500;
export const blockSeatsMax = 50_000;

/** No rows for a block that is larger than the bounds above, or that has no finite size. */
export function rowsOf(document: ChartDocument, block: Block): Row[] {
  const { rowCount, seatCount, rowSpacing, seatSpacing } = block;
  const isMeasured = [
    block.origin.x,
    block.origin.y,
    rowSpacing,
    seatSpacing,
    block.stagger ?? 0,
    block.radius ?? 0,
  ].every(Number.isFinite);
  if (!isMeasured || rowCount > blockRowsMax || seatCount < 1) return [];
  let total = 0;
  for (let row = 0; row < rowCount; row++) total += seatCountOf(block, row);
  if (total > blockSeatsMax) return [];
  const idFor = freshIds(document);
  return Array.from({ length: rowCount }, (_, row) => rowAt(block, row, idFor)).flat();
}

function rowAt(block: Block, row: number, idFor: FreshIds): Row[] {
  const radius = radiusOf(block, row);
  const seatCount = seatCountOf(block, row);
  const spacing = radius !== null && !block.grows ? spacingAt(block, radius) : block.seatSpacing;
  const shift = row % 2 === 1 ? (block.stagger ?? 0) : 0;
  const whole: Row = {
    type: 'row',
    id: idFor('row'),
    label: block.labelOf(row),
    origin: block.origin,
    rotation: 0,
    curve: 0,
    seatCount,
    seatSpacing: tidy(spacing),
    categoryKey: block.categoryKey,
    ...(block.seatNumbering && { seatNumbering: block.seatNumbering }),
    ...(block.seatLabelStart !== undefined && { seatLabelStart: block.seatLabelStart }),
  };
  const starts = [0, ...aislesIn(block, seatCount)];
  const width = (seatCount - 1) * spacing + (starts.length - 1) * (block.aisleWidth ?? 0);
  const groupId = starts.length > 1 ? idFor('group') : '';
  return starts.map((first, at) => {
    const count = (starts[at + 1] ?? seatCount) - first;
    const along = shift + first * spacing + at * (block.aisleWidth ?? 0);
    const line =
      radius === null ? straight(block, row, along) : curved(block, radius, along - width / 2, count, spacing);
    const id = at === 0 ? whole.id : idFor('row');
    const piece = starts.length > 1 && { segmentedRow: pieceOf(groupId, at, starts.length, whole, 'gap') };
    return numberedAs(whole, first, { ...whole, ...line, id, seatCount: count, ...piece });
  });
}

/** The first seats behind the aisles. */
function aislesIn({ aisleEvery = 0 }: Block, seatCount: number): number[] {
  const every = Math.trunc(aisleEvery);
  const count = every > 0 ? Math.floor((seatCount - 1) / every) : 0;
  return Array.from({ length: count }, (_, aisle) => (aisle + 1) * every);
}

function straight({ origin, rotation = 0, rowSpacing }: Block, row: number, along: number): Partial<Row> {
  const cos = Math.cos(radians(rotation));
  const sin = Math.sin(radians(rotation));
  const down = row * rowSpacing;
  return {
    origin: point(origin.x + along * cos - down * sin, origin.y + along * sin + down * cos),
    rotation: tidy(rotation),
  };
}

/** `along`: from the middle of the row, on the arc. An arc from left to right under its middle has a positive sweep. */
function curved(block: Block, radius: number, along: number, count: number, spacing: number): Partial<Row> {
  const { origin, rotation = 0 } = block;
  // The angle of the first seat from straight below the middle, towards the right.
  const start = along / radius;
  const step = 2 * Math.asin(Math.min(spacing / (2 * radius), 1));
  const middle = {
    x: origin.x + block.radius! * Math.sin(radians(rotation)),
    y: origin.y - block.radius! * Math.cos(radians(rotation)),
  };
  const angle = radians(rotation) - start;
  return {
    origin: point(middle.x - radius * Math.sin(angle), middle.y + radius * Math.cos(angle)),
    rotation: tidy(rotation - degrees(start)),
    curve: tidy(degrees(step) * (count - 1)),
  };
}

/** Null for a straight row. */
function radiusOf({ radius, rowSpacing }: Block, row: number): number | null {
  return radius ? radius + row * rowSpacing : null;
}

/** A row that grows has the sweep of the first row. */
function seatCountOf(block: Block, row: number): number {
  const radius = radiusOf(block, row);
  if (radius === null || !block.grows) return block.seatCount;
  return Math.floor(((block.seatCount - 1) * radius) / block.radius! + 1e-6) + 1;
}

function spacingAt(block: Block, radius: number): number {
  return (block.seatSpacing * radius) / block.radius!;
}

const radians = (value: number): number => (value * Math.PI) / 180;
const degrees = (value: number): number => (value * 180) / Math.PI;
const point = (x: number, y: number): Point => ({ x: tidy(x), y: tidy(y) });
