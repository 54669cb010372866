/** The size of a venue in chart units. Seats of a chart stand about 20 units apart. */
import type { Point } from '../plan.ts';
import { distance, median, roundUnits } from './fitting/fit-line.ts';
import { seatSpacing } from './fitting/fit-row.ts';
import type { FoundDecor, FoundItem, FoundPicture, FoundVenue } from './venue.ts';
import { isFoundSeller } from './venue.ts';

const USUAL_SPACING = 20;
/** Files whose seats stand this far apart keep their units. */
const SPACING_MIN = 14;
const SPACING_MAX = 40;

/** Chart units of a unit of the file: 1, unless its seats would be too small or too large to draw. */
export function scaleOf({ floors }: FoundVenue): number {
  const steps: number[] = [];
  for (const item of floors.flatMap(({ items }) => items)) {
    if (!isFoundSeller(item)) continue;
    if (item.type === 'row' && item.seats.length > 1) steps.push(seatSpacing(item.seats));
    if (item.type === 'table' && item.seats.length > 1) steps.push(chairSpacing(item.seats));
  }
  const spacing = median(steps.filter((step) => step > 0));
  if (spacing === 0 || (spacing >= SPACING_MIN && spacing <= SPACING_MAX)) return 1;
  return Number((USUAL_SPACING / spacing).toPrecision(6));
}

/** From the first chair to the chair that is nearest to it. */
function chairSpacing([first, ...others]: readonly Point[]): number {
  return others.reduce((least, chair) => Math.min(least, distance(first!, chair)), Infinity);
}

/** Changes the positions and sizes of the venue in place. */
export function scaleVenue(venue: FoundVenue, scale: number): void {
  if (scale === 1) return;
  const grow = (point: Point | null) => {
    if (point === null) return;
    point.x *= scale;
    point.y *= scale;
  };
  for (const { focalPoint } of venue.zones) grow(focalPoint);
  for (const { focalPoint, items, background } of venue.floors) {
    grow(focalPoint);
    for (const item of items) scaleItem(item, scale, grow);
    if (background) scalePicture(background, scale, grow);
  }
  if (venue.background) scalePicture(venue.background, scale, grow);
}

function scaleItem(item: FoundItem, scale: number, grow: (point: Point | null) => void): void {
  switch (item.type) {
    case 'row':
      item.seats.forEach(grow);
      return;
    case 'table':
      grow(item.center);
      item.seats.forEach(grow);
      if (item.shape.kind === 'round') item.shape.radius *= scale;
      else {
        item.shape.width *= scale;
        item.shape.height *= scale;
      }
      return;
    case 'booth':
      grow(item.center);
      item.width *= scale;
      item.height *= scale;
      return;
    case 'gaArea':
      item.points.forEach(grow);
      return;
    case 'section':
      item.outline?.forEach(grow);
      return;
    default:
      scaleDecor(item, scale, grow);
  }
}

/** The fields of decoration that are sizes. */
const SIZES = ['strokeWidth', 'cornerRadius'];

function scaleDecor(item: FoundDecor, scale: number, grow: (point: Point | null) => void): void {
  if (item.fontSize !== null) item.fontSize *= scale;
  for (const name of SIZES) {
    const size = item.fields[name];
    if (typeof size === 'number') item.fields[name] = roundUnits(size * scale);
  }
  if ('points' in item.place) {
    item.place.points.forEach(grow);
    return;
  }
  grow(item.place.center);
  if (item.place.width !== null) item.place.width *= scale;
  if (item.place.height !== null) item.place.height *= scale;
}

function scalePicture(picture: FoundPicture, scale: number, grow: (point: Point | null) => void): void {
  grow(picture.center);
  picture.width *= scale;
  picture.height *= scale;
}
