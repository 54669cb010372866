/** The names of seats, rows and sections in the attributes of SVG elements. Data attributes count before ids. */
import { cleanText } from '../reading.ts';

export type SeatName = { section: string | null; row: string | null; seat: string };

/** Words of ids that drawing programs make by themselves. */
const GENERATED = new Set(
  (
    'path rect circle ellipse use g group layer text tspan line polygon polyline svg image shape object element clip mask ' +
    'gradient symbol style defs id el item icon vector frame node linear radial filter pattern marker ebene calque'
  ).split(' '),
);
const SEAT_NUMBER = /^\d{1,4}\p{Letter}?$/u;
const ROW_NAME = /^[\p{Letter}\p{Number}\p{Mark}]{1,16}$/u;

function dataOf(attributes: Record<string, string>, ...names: string[]): string | null {
  for (const name of names) {
    const text = attributes[`data-${name}`];
    const clean = text === undefined ? null : cleanText(text);
    if (clean !== null) return clean;
  }
  return null;
}

/** The name that a person gave the element. */
function nameOf({ id, 'inkscape:label': label }: Record<string, string>): string {
  return cleanText(label ?? '') ?? cleanText(id ?? '') ?? '';
}

export function rowNameOf(attributes: Record<string, string>): string | null {
  const named = /(?:^|[-_ :])row[-_ :]+(.+)$/iu.exec(nameOf(attributes))?.[1];
  return dataOf(attributes, 'row', 'row-label') ?? named ?? null;
}

export function sectionNameOf(attributes: Record<string, string>): string | null {
  const named = /^(?:section|sector|block)[-_ :]+(.+?)(?:[-_ :]+(?:row|outline)\b.*)?$/iu.exec(nameOf(attributes))?.[1];
  return dataOf(attributes, 'section', 'section-label') ?? named ?? null;
}

export function categoryNameOf(attributes: Record<string, string>): string | null {
  return dataOf(attributes, 'category', 'category-key');
}

/** The seat that the element is; null if it is none. */
export function seatNameOf(attributes: Record<string, string>): SeatName | null {
  const seat = dataOf(attributes, 'seat', 'seat-number', 'seat-label');
  if (seat !== null) {
    const [section, row] = [dataOf(attributes, 'section', 'section-label'), dataOf(attributes, 'row', 'row-label')];
    const parts = row === null ? seatIn(seat, true) : null;
    return parts === null ? { section, row, seat } : { ...parts, section: section ?? parts.section };
  }
  return seatIn(nameOf(attributes), false);
}

/** `A-12`, `seat_A_12`, `Stalls-A-12`, `seat-12`, `A12`. */
function seatIn(name: string, isCertain: boolean): SeatName | null {
  const words = name.split(/[-_:. /]+/u).filter((word) => word !== '');
  const isSeat = isCertain || words.some((word) => /^seat$/i.test(word));
  const parts = words.filter((word) => !/^(seat|row|section|sec)$/i.test(word));
  const seat = parts.at(-1);
  if (seat === undefined || parts.length > 3) return null;
  if (parts.length === 1) return joined(seat, isSeat);
  if (!SEAT_NUMBER.test(seat) || !parts.slice(0, -1).every((part) => ROW_NAME.test(part))) return null;
  if (!isSeat && parts.slice(0, -1).some((part) => GENERATED.has(part.toLowerCase()))) return null;
  return { section: parts.length === 3 ? parts[0]! : null, row: parts.at(-2)!, seat };
}

function joined(part: string, isSeat: boolean): SeatName | null {
  const [, row, seat] = /^([A-Z]{1,2})(\d{1,3})$/.exec(part) ?? [];
  if (row !== undefined && seat !== undefined) return { section: null, row, seat };
  return isSeat && SEAT_NUMBER.test(part) ? { section: null, row: null, seat: part } : null;
}
