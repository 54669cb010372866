/** Curved rows of one section between straight aisles, as in the stalls and the balcony of a theatre. Pure. */
import type { Override, Row, Section } from '../document.ts';
import { arcOutline } from './arcs.ts';
import { accessibleEnds, arcRows, PITCH, partsOfSweep, rowName, section } from './rows.ts';

const centre = { x: 0, y: 0 };
/** From seat to seat across an aisle. */
export const aisle = 46;

/** A block of rows between two aisles. */
type Wing = { degrees: number; sweep: number };

export type RowTier = {
  label: string;
  zone?: string;
  /** The radius of the first row. */
  near: number;
  rows: number;
  wings: readonly Wing[];
  categoryOf(row: number, wing: number): string;
  /** The row of the middle wing with wheelchair places at its ends. */
  accessibleRow: number | null;
};

/** An odd number of equal wings, three at least, from left to right as the audience sees it. */
export function wingsOf(sweep: number, nearRadius: number): Wing[] {
  const least = Math.max(3, partsOfSweep(sweep, nearRadius, PITCH * 0.9));
  const count = least % 2 === 0 ? least + 1 : least;
  return Array.from({ length: count }, (_, at) => ({
    degrees: 90 - (at - (count - 1) / 2) * (sweep / count),
    sweep: sweep / count,
  }));
}

export function farOf({ near, rows }: Pick<RowTier, 'near' | 'rows'>): number {
  return near + (rows - 1) * PITCH;
}

/** The section and its rows. The numbers of a row go on from wing to wing. */
export function tier({ label, zone, near, rows, wings, categoryOf, accessibleRow }: RowTier): [Section, ...Row[]] {
  const taken = new Array<number>(rows).fill(0);
  const seats = wings.flatMap((wing, at) =>
    arcRows({ centre, near, rows, ...wing, margin: aisle / 2 }, (row, seatCount) => {
      const seatLabelStart = taken[row]! + 1;
      taken[row]! += seatCount;
      const name = `${label}-${rowName(row)}`;
      const isAccessible = row === accessibleRow && at === Math.floor(wings.length / 2);
      const exceptions: { overrides?: Override[] } = isAccessible ? accessibleEnds(seatCount) : {};
      const categoryKey = categoryOf(row, at);
      return { id: `${name}-${at + 1}`.toLowerCase(), label: name, seatLabelStart, categoryKey, ...exceptions };
    }),
  );
  const sweep = wings.reduce((sum, wing) => sum + wing.sweep, 0) + 3;
  const outline = arcOutline(centre, near - PITCH, farOf({ near, rows }) + PITCH, 90, sweep);
  return [section(label.toLowerCase(), label, outline, zone === undefined ? {} : { zone }), ...seats];
}
