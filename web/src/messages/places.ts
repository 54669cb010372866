/** Places in words: their names, kinds and numbers. Pure. */
import { accessibilityKinds, ways } from '@parterre/shared/charts/accessibility';
import { placeName as nameOfPlace, type PlaceTexts } from '@parterre/shared/charts/place-names';
import type { Block, Hall } from '../rules/hall.ts';
import type { Selection } from '../rules/selection.ts';
import type { Words } from './words.ts';

export const placeTextsOf = ({ text }: Words): PlaceTexts => ({
  rowSeat: (row, seat) => text('place.rowSeat', { row, seat }),
  chair: (table, chair) => text('place.chair', { table, chair }),
});

/** “Row A, seat 4”, “Table 1”, “Booth 1”: as much as the label tells, else the label itself. */
export function placeName(words: Words, hall: Hall, spot: number): string {
  const { name, type, mode: bookingMode } = hall.objects[hall.objectOf[spot]!]!;
  return nameOfPlace({ name, type, bookingMode }, hall.labels[spot]!, hall.numbers[spot]!, placeTextsOf(words));
}

/** The name of a section. Places of no section are those of their floor, or the rest of a hall that has sections. */
export function blockName({ text }: Words, hall: Hall, { label, floor, spots }: Block): string {
  if (label !== '') return label;
  if (hall.blocks.some((other) => other.label !== '')) return text('walk.rest');
  const isSplit = hall.blocks.filter((other) => other.floor === floor).length > 1;
  const name = hall.floors.length > 1 ? hall.floors[floor]! : text('walk.all');
  const ends = [spots[0]!, spots.at(-1)!].map((spot) => hall.objects[hall.objectOf[spot]!]!.name);
  return isSplit ? `${name} · ${ends.join(' – ')}` : name;
}

type Located = { section: string | null; floor: number };

/** The section, and the floor where the hall has several. A section that is named as its floor is told once. */
export function whereIs(hall: Hall, { section, floor }: Located): string[] {
  const told = [...(section === null ? [] : [section]), ...(hall.floors.length > 1 ? [hall.floors[floor]!] : [])];
  return [...new Set(told)];
}

export const whereIsSpot = (hall: Hall, spot: number): string[] => whereIs(hall, hall.objects[hall.objectOf[spot]!]!);

/** The section and the floor in a hall with several sections or floors: there the name alone may mean another place. */
export function tellsApart(hall: Hall, owner: Located): string[] {
  const sections = new Set(hall.blocks.map(({ label }) => label).filter((label) => label !== ''));
  return sections.size > 1 || hall.floors.length > 1 ? whereIs(hall, owner) : [];
}

/** “Row A, seat 3 · Gallery”: a seat, table, booth or area by its label. */
export function labelName(words: Words, hall: Hall, label: string): string {
  const spot = hall.spotOf.get(label);
  if (spot === undefined) {
    const area = hall.areas.find((each) => each.label === label);
    return area ? [area.name, ...tellsApart(hall, area)].join(' · ') : label;
  }
  return [placeName(words, hall, spot), ...tellsApart(hall, hall.objects[hall.objectOf[spot]!]!)].join(' · ');
}

/** “Standing × 3” for places of an area. */
export function itemName(words: Words, hall: Hall, { label, quantity = 1 }: { label: string; quantity?: number }) {
  const place = labelName(words, hall, label);
  return quantity > 1 ? words.text('bought.item', { place, quantity }) : place;
}

/** The places of a hold. A table is one place, whatever the number of its guests. */
export const heldNames = (words: Words, hall: Hall, held: Selection): string[] =>
  [...held.values()].map(({ label, areaId, quantity }) =>
    itemName(words, hall, areaId === null ? { label } : { label, quantity }),
  );

/** Whom a place suits, whether its view is restricted, and the way to it where the chart knows of one without steps. */
export function kindsText({ text }: Words, { accessibilityOf, wayOf, restricted }: Hall, spot: number): string[] {
  const kinds = accessibilityKinds.filter((_, bit) => accessibilityOf[spot]! & (1 << bit));
  const told = [...kinds, ...(restricted.has(spot) ? ['restricted' as const] : [])].map((kind) => text(`kind.${kind}`));
  const way = wayOf[spot] ? ways[wayOf[spot] - 1] : undefined;
  return way === undefined ? told : [...told, text(`way.${way}`)];
}

/** A mere number or letter needs a word. */
export function entranceText({ text }: Words, { entrance }: { entrance: string | null }): string | null {
  if (entrance === null) return null;
  return /\p{L}{3}/u.test(entrance) ? entrance : text('place.entrance', { entrance });
}

/** “1 place”, “2 places”. */
export const placesText = ({ text }: Words, count: number): string => text('count.places', { count });

/** For places that were chosen and are not part of a purchase. */
export const leftOutText = ({ text, list }: Words, names: readonly string[]): string =>
  text('bought.leftOut', { names: list(names) });

/** For places that the box office took off the sale. */
export const withdrawnText = ({ text, list }: Words, names: readonly string[]): string =>
  text('taken.withdrawn', { names: list(names), count: names.length });

/** `performances`: the names of those that lack a place. */
export function takenText(
  { text, list }: Words,
  places: readonly string[],
  performances: readonly string[] = [],
): string {
  const names = list(places);
  const count = places.length;
  return performances.length === 0
    ? text('taken.now', { names, count })
    : text('taken.nowFor', { names, count, performances: list(performances) });
}
