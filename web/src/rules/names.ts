/**
 * Seats with a name, a picture or a view of their own, and the colours and addresses of pictures of a chart, from
 * fields that a designer may leave out. Pure.
 */
import type { ChartObject, Override } from '@parterre/shared/charts/document';

/** `isRestricted` null: as its row or table. */
export type NamedSeat = { name: string | null; view: string | null; isRestricted: boolean | null };

/**
 * Seats with a name, a picture or a restricted view of their own, by their index in the object; null for the many
 * objects without.
 */
export function namedSeats(object: ChartObject): Map<number, NamedSeat> | null {
  const { overrides } = object as {
    overrides?: (Override & { viewFromSeatUrl?: unknown; restrictedView?: unknown })[];
  };
  let seats: Map<number, NamedSeat> | null = null;
  for (const { index, displayLabel, viewFromSeatUrl, restrictedView } of overrides ?? []) {
    const view = pictureAddress(viewFromSeatUrl);
    const isRestricted = restrictedView === undefined ? null : restrictedView === true;
    if (!displayLabel && view === null && isRestricted === null) continue;
    seats ??= new Map();
    seats.set(index, { name: displayLabel || null, view, isRestricted });
  }
  return seats;
}

/** Every page has an address of one of these forms. Some texts are an address on pages of one form alone. */
const PAGES = ['https://page.example', 'http://page.example'];

/**
 * The address of a picture: relative, http, https or the picture itself as data. Null for anything else, and for a text
 * that a page cannot read as an address.
 */
export function pictureAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  if (/^data:image\//i.test(value)) return value;
  return PAGES.every((page) => isLoadedOn(page, value)) ? value : null;
}

/** Older browsers have no `URL.canParse`. */
function isLoadedOn(page: string, value: string): boolean {
  try {
    return /^https?:$/.test(new URL(value, page).protocol);
  } catch {
    return false;
  }
}

/** `#rrggbb` of a hexadecimal CSS colour; null for any other text. */
export function hexOf(colour: unknown): string | null {
  if (typeof colour !== 'string') return null;
  if (/^#[0-9a-f]{6}$/i.test(colour)) return colour.toLowerCase();
  if (!/^#[0-9a-f]{3}$/i.test(colour)) return null;
  return `#${[...colour.slice(1)].map((digit) => digit + digit).join('')}`.toLowerCase();
}
