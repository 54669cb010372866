/**
 * Stands around a rounded rectangle: straight sides, and corners that bend around them. A tier is a ring of sections of
 * about equal width; outer rings have more sections in their corners. Pure.
 */
import type { ChartObject } from '../document.ts';
import { arcOutline, radians, sweepOf } from './arcs.ts';
import {
  AISLE,
  accessibleEnds,
  arcRows,
  blockOutline,
  type ContentOf,
  PITCH,
  partsOfSweep,
  rowName,
  SEAT,
  section,
  straightRows,
} from './rows.ts';

/** Clockwise from the top. */
export const places = [
  'north',
  'north-east',
  'east',
  'south-east',
  'south',
  'south-west',
  'west',
  'north-west',
] as const;
export type CompassPoint = (typeof places)[number];

export type Ground = {
  /** Sections of a tier on the upper and lower sides, and on the left and right sides. */
  across: number;
  along: number;
  seatsPerRow: number;
  /** The radius of the corners of the first row. */
  corner: number;
};

export type StandTier = {
  /** The first section's number is one more. */
  number: number;
  /** From the first row of the ground. */
  away: number;
  rows: number;
  /** The stands that this tier has. */
  places: readonly CompassPoint[];
  categoryOf(place: CompassPoint, row: number): string;
  /** The row with wheelchair places at its ends. */
  accessibleRow: number | null;
};

const outlineMargin = 22;

/** Half the straight parts of the first row's line. */
export function halfOf({ across, along, seatsPerRow }: Ground): { x: number; y: number } {
  const width = (seatsPerRow - 1) * SEAT + AISLE;
  return { x: (across * width) / 2, y: (along * width) / 2 };
}

export function stands(ground: Ground, tier: StandTier): ChartObject[] {
  let number = tier.number;
  return places
    .filter((place) => tier.places.includes(place))
    .flatMap((place) => {
      const made = place.includes('-') ? cornerOf(ground, tier, place, number) : sideOf(ground, tier, place, number);
      number += made.length;
      return made.flat();
    });
}

const bearings: Readonly<Record<CompassPoint, number>> = {
  north: 270,
  'north-east': 315,
  east: 0,
  'south-east': 45,
  south: 90,
  'south-west': 135,
  west: 180,
  'north-west': 225,
};

function sideOf(ground: Ground, tier: StandTier, place: CompassPoint, before: number): ChartObject[][] {
  const half = halfOf(ground);
  const degrees = bearings[place];
  const isLevel = place === 'north' || place === 'south';
  const count = isLevel ? ground.across : ground.along;
  const cos = Math.round(Math.cos(radians(degrees)));
  const sin = Math.round(Math.sin(radians(degrees)));
  const width = (ground.seatsPerRow - 1) * SEAT + AISLE;
  const reach = (isLevel ? half.y : half.x) + ground.corner + tier.away;
  return Array.from({ length: count }, (_, at) => {
    // Clockwise around the ground.
    const aside = (at - (count - 1) / 2) * width;
    const middle = { x: cos * reach - sin * aside, y: sin * reach + cos * aside };
    const block = { middle, degrees, rows: tier.rows, seatCount: ground.seatsPerRow };
    const rows = straightRows(block, contentOf(tier, place, before + at));
    return [sectionOf(place, before + at, blockOutline(block, outlineMargin)), ...rows];
  });
}

function cornerOf(ground: Ground, tier: StandTier, place: CompassPoint, before: number): ChartObject[][] {
  const half = halfOf(ground);
  const degrees = bearings[place];
  const centre = {
    x: half.x * Math.sign(Math.cos(radians(degrees))),
    y: half.y * Math.sign(Math.sin(radians(degrees))),
  };
  const near = ground.corner + tier.away;
  const far = near + (tier.rows - 1) * PITCH;
  const width = (ground.seatsPerRow - 1) * SEAT + AISLE;
  const alike = Math.round((((near + far) / 2) * (Math.PI / 2)) / width);
  const count = Math.max(alike, partsOfSweep(90, near, outlineMargin * 0.9));
  const sweep = 90 / count;
  return Array.from({ length: count }, (_, at) => {
    const middle = degrees + (at - (count - 1) / 2) * sweep;
    const arcs = { centre, near, rows: tier.rows, degrees: middle, sweep, margin: AISLE / 2 };
    const rows = arcRows(arcs, contentOf(tier, place, before + at));
    // As far from its neighbours at the front as at the back.
    const own = (radius: number) => sweep - sweepOf(AISLE - 2 * outlineMargin, radius);
    const outline = arcOutline(centre, near - outlineMargin, far + outlineMargin, middle, own(far), own(near));
    return [sectionOf(place, before + at, outline), ...rows];
  });
}

function contentOf(tier: StandTier, place: CompassPoint, before: number): ContentOf {
  const label = String(before + 1);
  return (row, seatCount) => ({
    id: `${label}-${rowName(row)}`.toLowerCase(),
    label: `${label}-${rowName(row)}`,
    categoryKey: tier.categoryOf(place, row),
    ...(row === tier.accessibleRow ? accessibleEnds(seatCount) : {}),
  });
}

function sectionOf(place: CompassPoint, before: number, outline: ReturnType<typeof blockOutline>): ChartObject {
  const label = String(before + 1);
  // Corners belong to the stands on the left and on the right.
  return section(`section-${label}`, label, outline, { zone: place.split('-').at(-1)! });
}
