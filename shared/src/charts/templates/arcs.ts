/**
 * The shapes of halls: points around a middle, and rows, outlines and stages along arcs. Angles are in degrees:
 * 0 points right, and they grow clockwise. Pure.
 */
import type { Row } from '../document.ts';
import type { Point } from '../plan.ts';

/** The parts of a row that its maker gives, beside its place. */
export type RowContent = Pick<Row, 'id' | 'label' | 'seatCount' | 'categoryKey'> &
  Partial<Pick<Row, 'seatLabelStart' | 'overrides'>>;

/** Hundredths of a unit are finer than any screen, and keep the documents small. */
export const round = (value: number): number => Math.round(value * 100) / 100 + 0;
export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The point `radius` away from `centre`: 0° lies to the right, 90° below. */
export function polar(centre: Point, radius: number, degrees: number): Point {
  return {
    x: round(centre.x + radius * Math.cos(radians(degrees))),
    y: round(centre.y + radius * Math.sin(radians(degrees))),
  };
}

/** The degrees of an arc of this length. */
export function sweepOf(length: number, radius: number): number {
  return ((length / radius) * 180) / Math.PI;
}

/**
 * A curved row facing `centre`, its middle at `degrees`, seen from the audience left to right. The centre of a row's
 * circle lies above its first seat, so the row is turned by this seat's angle minus 90°.
 */
export function arcRow(centre: Point, radius: number, degrees: number, sweep: number, content: RowContent): Row {
  const first = degrees + sweep / 2;
  const { seatCount } = content;
  return {
    type: 'row',
    ...content,
    origin: polar(centre, radius, first),
    rotation: round(first - 90),
    // A hundredth of a degree would move the middle of a long row visibly.
    curve: Math.round(sweep * 10_000) / 10_000,
    seatSpacing: round(2 * radius * Math.sin(radians(sweep / (seatCount - 1)) / 2)),
  };
}

/** A part of a ring as an outline: along the far arc, and back along the near arc, whose sweep may differ. */
export function arcOutline(
  centre: Point,
  near: number,
  far: number,
  degrees: number,
  sweep: number,
  nearSweep = sweep,
): Point[] {
  const steps = Math.max(4, Math.ceil(sweep / 9));
  const parts = Array.from({ length: steps + 1 }, (_, step) => step / steps - 0.5);
  return [
    ...parts.map((part) => polar(centre, far, degrees + part * sweep)),
    ...parts.reverse().map((part) => polar(centre, near, degrees + part * nearSweep)),
  ];
}
