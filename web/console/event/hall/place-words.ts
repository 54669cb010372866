/** Places of a hall in words: names of sections, rows and seats, with their statuses. Pure. */
import { type PlaceTexts, placeName } from '@parterre/shared/charts/place-names';
import type { Block, Hall } from '../../../src/rules/hall.ts';
import type { Words } from '../../messages/words.ts';
import { type TrueStatus, trueStatuses } from './true-statuses.ts';

export const placeTexts = ({ text }: Words): PlaceTexts => ({
  rowSeat: (row, seat) => text('map.seat', { row, seat }),
  chair: (table, chair) => text('map.chair', { table, chair }),
});

/** “Row A, seat 4”, “Table 1”. */
export function nameOfSpot(words: Words, hall: Hall, spot: number): string {
  const { name, type, mode: bookingMode } = hall.objects[hall.objectOf[spot]!]!;
  return placeName({ name, type, bookingMode }, hall.labels[spot]!, hall.numbers[spot]!, placeTexts(words));
}

/** The section, and the floor where the hall has several. */
export function whereIsSpot(hall: Hall, spot: number): string[] {
  const { section, floor } = hall.objects[hall.objectOf[spot]!]!;
  const told = [...(section === null ? [] : [section]), ...(hall.floors.length > 1 ? [hall.floors[floor]!] : [])];
  return [...new Set(told)];
}

/** Seats of no section are those of their floor, or the rest of a hall that has sections. */
export function nameOfBlock({ text }: Words, hall: Hall, { label, floor, spots }: Block): string {
  if (label !== '') return label;
  const name = hall.floors.length > 1 ? hall.floors[floor]! : text('map.places.all');
  const isRest = hall.blocks.some((other) => other.label !== '');
  const ends = [spots[0]!, spots.at(-1)!].map((spot) => hall.objects[hall.objectOf[spot]!]!.name);
  return `${isRest ? text('map.places.rest') : name} · ${ends.join(' – ')}`;
}

export const statusAt = (of: Uint8Array, spot: number): TrueStatus => trueStatuses[of[spot]!]!;
