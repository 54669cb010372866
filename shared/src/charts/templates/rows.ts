/** Rows of seats behind each other, along arcs and straight, and the sections around them. Pure. */
import type { Override, Row, Section } from '../document.ts';
import type { Point } from '../plan.ts';
import { arcRow, polar, type RowContent, radians, round, sweepOf } from './arcs.ts';

/** From seat to seat, and from row to row, in chart units. */
export const SEAT = 24;
export const PITCH = 26;
/** The width of an aisle, from seat to seat. */
export const AISLE = 56;

/** The rest of a row: its id, label, category and exceptions. `index` counts from the front. */
export type ContentOf = (index: number, seatCount: number) => Omit<RowContent, 'seatCount'>;

/** Letters that a usher can read aloud: I and O look like numbers. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A to Z without I and O, then AA, AB and so on. */
export function rowName(index: number): string {
  const last = letters[index % letters.length]!;
  return index < letters.length ? last : rowName(Math.floor(index / letters.length) - 1) + last;
}

/** As many seats as fit, evenly from end to end. */
export function seatsAlong(length: number): number {
  return Math.max(2, Math.floor(length / SEAT + 1e-6) + 1);
}

type Arcs = {
  centre: Point;
  /** The radius of the first row. */
  near: number;
  rows: number;
  /** The middle of the rows. */
  degrees: number;
  sweep: number;
  /** Kept free at both ends of each row. */
  margin: number;
};

/** Rows that widen with their distance from `centre`, between the same two bearings. */
export function arcRows({ centre, near, rows, degrees, sweep, margin }: Arcs, content: ContentOf): Row[] {
  return Array.from({ length: rows }, (_, index) => {
    const radius = near + index * PITCH;
    const own = sweep - sweepOf(2 * margin, radius);
    const seatCount = seatsAlong(radius * radians(own));
    return arcRow(centre, radius, degrees, own, { ...content(index, seatCount), seatCount });
  });
}

/**
 * The least number of equal parts of a sweep in which curved rows stay in their section. The mean of a row's seats
 * decides its section, and lies r·θ²/24 in front of a row of radius r and sweep θ: in front of the outline, if the row
 * is long.
 */
export function partsOfSweep(sweep: number, nearRadius: number, margin: number): number {
  return Math.max(1, Math.ceil(radians(sweep) / Math.sqrt((24 * margin) / nearRadius)));
}

type Block = {
  /** The middle of the first row. */
  middle: Point;
  /** The bearing from the hall's middle to the block: 90 lies below and looks up. */
  degrees: number;
  rows: number;
  seatCount: number;
};

/** Straight rows of equal length. Seats run from left to right, as their audience sees it. */
export function straightRows({ middle, degrees, rows, seatCount }: Block, content: ContentOf): Row[] {
  return Array.from({ length: rows }, (_, index) => {
    const at = polar(middle, index * PITCH, degrees);
    return {
      type: 'row' as const,
      ...content(index, seatCount),
      seatCount,
      seatSpacing: SEAT,
      origin: polar(at, ((seatCount - 1) * SEAT) / 2, degrees + 90),
      rotation: round(degrees - 90),
      curve: 0,
    };
  });
}

/** The outline of straight rows, `margin` wider than their seats on every side. */
export function blockOutline({ middle, degrees, rows, seatCount }: Block, margin: number): Point[] {
  const half = ((seatCount - 1) * SEAT) / 2 + margin;
  const front = -margin;
  const back = (rows - 1) * PITCH + margin;
  return (
    [
      [front, 90],
      [front, -90],
      [back, -90],
      [back, 90],
    ] as const
  ).map(([away, side]) => polar(polar(middle, away, degrees), half, degrees + side));
}

/** A wheelchair place with a companion beside it, at the start of a row or table. */
export const accessiblePair: { overrides: Override[] } = {
  overrides: [
    { index: 0, accessibility: ['wheelchair'] },
    { index: 1, accessibility: ['companion'] },
  ],
};

/** Two wheelchair places with companions beside them, at the ends of a row; none in a row too short for them. */
export function accessibleEnds(seatCount: number): { overrides?: Override[] } {
  if (seatCount < 4) return {};
  return {
    overrides: [
      ...accessiblePair.overrides,
      { index: seatCount - 2, accessibility: ['companion'] },
      { index: seatCount - 1, accessibility: ['wheelchair'] },
    ],
  };
}

export function section(
  id: string,
  label: string,
  outline: Point[],
  more: { zone?: string; displayLabel?: string } = {},
): Section {
  return { type: 'section', id, label, ...more, outline };
}
