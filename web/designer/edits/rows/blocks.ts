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
  /** Rows have even counts, so that an aisle through the middle is straight. */
  readonly keepsEven?: boolean;
  /** Every second row stands this far along its line. */
  readonly stagger?: number;
  /**
   * Seats between two aisles; 0 for none. Counted from the left end of straight rows. Rows that grow have straight
   * aisles on both sides of the middle: between these, the middle row of the block has this many seats.
   */
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
  const spacing = radius !== null && !block.grows ? spacingAt(block, radius) : block.seatSpacing;
  const shift = row % 2 === 1 ? (block.stagger ?? 0) : 0;
  const pieces = piecesOf(block, row);
  const seatCount = pieces.reduce((sum, { count }) => sum + count, 0);
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
  const groupId = pieces.length > 1 ? idFor('group') : '';
  let first = 0;
  return pieces.map(({ count, along }, at) => {
    const line =
      radius === null ? straight(block, row, shift + along) : curved(block, radius, shift + along, count, spacing);
    const id = at === 0 ? whole.id : idFor('row');
    const piece = pieces.length > 1 && { segmentedRow: pieceOf(groupId, at, pieces.length, whole, 'gap') };
    const made = numberedAs(whole, first, { ...whole, ...line, id, seatCount: count, ...piece });
    first += count;
    return made;
  });
}

/** Seats without an aisle between them. `along`: the first seat, from the first seat or the middle of the row. */
type Piece = { count: number; along: number };

function piecesOf(block: Block, row: number): Piece[] {
  const radius = radiusOf(block, row);
  if (radius !== null && block.grows && (block.aisleEvery ?? 0) > 0) return wedges(block, radius);
  const seatCount = seatCountOf(block, row);
  const spacing = radius === null || block.grows ? block.seatSpacing : spacingAt(block, radius);
  const aisle = block.aisleWidth ?? 0;
  const starts = [0, ...aislesIn(block, seatCount)];
  const width = (seatCount - 1) * spacing + (starts.length - 1) * aisle;
  const start = radius === null ? 0 : -width / 2;
  return starts.map((first, at) => ({
    count: (starts[at + 1] ?? seatCount) - first,
    along: start + first * spacing + at * aisle,
  }));
}

/**
 * Parts of a curved row between aisles that run straight away from the middle. The seats of the outer parts stand at
 * their aisles, and the seats of the others in the middle of their parts.
 */
function wedges(block: Block, radius: number): Piece[] {
  const { seatSpacing, aisleWidth = 0, keepsEven } = block;
  const { half, aisles } = sweepOf(block);
  const edges = [-half, ...aisles, half];
  // The gap of an aisle is measured between the middles of the seats beside it, as in a straight row.
  const aside = (aisleWidth + seatSpacing) / 2;
  return edges.slice(1).flatMap((end, at) => {
    const isFirst = at === 0;
    const isLast = at === edges.length - 2;
    const from = edges[at]! * radius + (isFirst ? 0 : aside);
    const to = end * radius - (isLast ? 0 : aside);
    const isMiddle = keepsEven && edges[at] === -end;
    const count = evenly(isMiddle, Math.floor((to - from) / seatSpacing + 1e-6) + 1);
    if (count < 1) return [];
    const spare = to - from - (count - 1) * seatSpacing;
    const share = isFirst === isLast ? 0.5 : isFirst ? 1 : 0;
    return [{ count, along: from + spare * share }];
  });
}

/**
 * Half the angle that the block sweeps, and the middles of its aisles, from straight ahead: even on both sides. The
 * middle row has the wanted seats between them.
 */
function sweepOf(block: Block): { half: number; aisles: number[] } {
  const { seatCount, seatSpacing, aisleWidth = 0 } = block;
  const every = Math.trunc(block.aisleEvery!);
  const radius = block.radius! + ((block.rowCount - 1) / 2) * block.rowSpacing;
  const seats = Math.floor(((seatCount - 1) * radius) / block.radius! + 1e-6) + 1;
  const count = Math.ceil(seats / every) - 1;
  const half = ((seatCount - 1) * seatSpacing + count * aisleWidth) / (2 * block.radius!);
  const pitch = (every * seatSpacing + aisleWidth) / radius;
  const aisles = Array.from({ length: count }, (_, aisle) => (aisle - (count - 1) / 2) * pitch);
  return { half, aisles: aisles.filter((angle) => Math.abs(angle) < half) };
}

/** The first seats behind the aisles of a straight row. */
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

/** A row that grows has the sweep of the first row. Without the seats that go for aisles. */
function seatCountOf(block: Block, row: number): number {
  const radius = radiusOf(block, row);
  if (radius === null || !block.grows) return evenly(block.keepsEven, block.seatCount);
  return evenly(block.keepsEven, Math.floor(((block.seatCount - 1) * radius) / block.radius! + 1e-6) + 1);
}

const evenly = (keepsEven: boolean | undefined, count: number): number =>
  keepsEven && count > 1 ? count - (count % 2) : count;

function spacingAt(block: Block, radius: number): number {
  return (block.seatSpacing * radius) / block.radius!;
}

const radians = (value: number): number => (value * Math.PI) / 180;
const degrees = (value: number): number => (value * 180) / Math.PI;
const point = (x: number, y: number): Point => ({ x: tidy(x), y: tidy(y) });
