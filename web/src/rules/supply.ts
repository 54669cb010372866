/**
 * The part of the hall that this buyer may have, and the part of it that is free: a category without places for a buyer
 * is left out of the prices, and an area that is not for a buyer is never “sold out”. Pure.
 */
import type { Area, Hall } from './hall.ts';
import { channelsIn, type Offers } from './prices.ts';
import { CLOSED, type Statuses } from './statuses.ts';

export type Standing = 'free' | 'sold_out' | 'not_for_sale';

/** The server's prices list the categories with places for this buyer. In a group every performance counts. */
function isForBuyer(hall: Hall, offers: readonly Offers[], category: number): boolean {
  const { key } = hall.categories[category]!;
  return offers.every(({ prices, isTold }) => !isTold || prices.some(({ categoryKey }) => categoryKey === key));
}

export function standingOf(hall: Hall, offers: readonly Offers[], statuses: Statuses, category: number): Standing {
  if (hall.categories[category]!.notForSale || !isForBuyer(hall, offers, category)) return 'not_for_sale';
  if (statuses.version === 0) return 'free';
  return freeByCategory(hall, statuses)[category]! > 0 ? 'free' : 'sold_out';
}

const counted = new WeakMap<Statuses, { of: Uint8Array; version: number; free: number[] }>();

/** Free spots and places of areas, by category. Counted anew when the statuses have changed. */
function freeByCategory(hall: Hall, statuses: Statuses): readonly number[] {
  const { of, version, freeInArea } = statuses;
  const known = counted.get(statuses);
  if (known?.of === of && known.version === version) return known.free;
  const free = hall.categories.map(() => 0);
  for (let spot = 0; spot < of.length; spot++) if (of[spot] === 0) free[hall.categoryOf[spot]!]!++;
  for (const { id, category } of hall.areas) free[category]! += freeInArea.get(id) ?? 0;
  counted.set(statuses, { of, version, free });
  return free;
}

export function standingOfBlock({ freeInBlock, closedInBlock }: Statuses, hall: Hall, block: number): Standing {
  if (freeInBlock[block]! > 0) return 'free';
  return closedInBlock[block] === hall.blocks[block]!.spots.length ? 'not_for_sale' : 'sold_out';
}

/** The places of an area have no statuses of their own: its category and its channels tell whom they are for. */
export function standingOfArea(hall: Hall, offers: readonly Offers[], statuses: Statuses, area: Area): Standing {
  if ((statuses.freeInArea.get(area.id) ?? 0) > 0) return 'free';
  if (standingOf(hall, offers, statuses, area.category) === 'not_for_sale') return 'not_for_sale';
  return offers.every((each) => reaches(hall, each, statuses, area)) ? 'sold_out' : 'not_for_sale';
}

/** A buyer of channels alone has the places of these channels, and no seat outside them. */
function reaches(hall: Hall, offers: Offers, { of }: Statuses, { label }: Area): boolean {
  if (offers.channelOf.size === 0 || (channelsIn(hall, offers).get(label) ?? []).length > 0) return true;
  return hall.labels.some((each, spot) => of[spot] !== CLOSED && !offers.channelOf.has(each));
}
