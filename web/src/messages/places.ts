/** Places in words: their names, kinds and numbers. Pure. */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { placeName as nameOfPlace } from '@parterre/shared/charts/place-names';
import type { Hall } from '../rules/hall.ts';
import type { Words } from './words.ts';

/** “Row A, seat 4”, “Table 1”, “Booth 1”: as much as the label tells, else the label itself. */
export function placeName({ text }: Words, hall: Hall, spot: number): string {
  const { name, type, mode: bookingMode } = hall.objects[hall.objectOf[spot]!]!;
  return nameOfPlace({ name, type, bookingMode }, hall.labels[spot]!, hall.numbers[spot]!, {
    rowSeat: (row, seat) => text('place.rowSeat', { row, seat }),
    chair: (table, chair) => text('place.chair', { table, chair }),
  });
}

/** The name of a seat, table, booth or area by its label. */
export function labelName(words: Words, hall: Hall, label: string): string {
  const spot = hall.spotOf.get(label);
  if (spot !== undefined) return placeName(words, hall, spot);
  return hall.areas.find((area) => area.label === label)?.name ?? label;
}

/** Whom a place suits, and whether its view is restricted. */
export function kindsText({ text }: Words, { accessibilityOf, restricted }: Hall, spot: number): string[] {
  const kinds = accessibilityKinds.filter((_, bit) => accessibilityOf[spot]! & (1 << bit));
  return [...kinds, ...(restricted.has(spot) ? ['restricted' as const] : [])].map((kind) => text(`kind.${kind}`));
}

/** “1 place”, “2 places”. */
export const placesText = ({ text }: Words, count: number): string => text('count.places', { count });

/** For places that were chosen and are not part of a purchase. */
export const leftOutText = ({ text, list }: Words, labels: readonly string[]): string =>
  text('bought.leftOut', { names: list(labels) });

/** For places that the box office took off the sale. */
export const withdrawnText = ({ text, list }: Words, labels: readonly string[]): string =>
  text('taken.withdrawn', { names: list(labels), count: labels.length });

/** `performances`: the names of those that lack a label. */
export function takenText(
  { text, list }: Words,
  labels: readonly string[],
  performances: readonly string[] = [],
): string {
  const names = list(labels);
  const count = labels.length;
  return performances.length === 0
    ? text('taken.now', { names, count })
    : text('taken.nowFor', { names, count, performances: list(performances) });
}
