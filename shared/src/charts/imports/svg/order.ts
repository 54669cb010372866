/**
 * The order of the parts of ids. `seat-12-A-1` is seat 12 of row A in zone 1, or seat 1 of row A in section 12. The
 * number that runs along neighbours is the seat's.
 */
import type { Point } from '../../plan.ts';
import { distance, median } from '../fitting/fit-line.ts';
import { countOf, type Notes, quoted } from '../report.ts';
import type { SeatName } from './names.ts';

export type PlacedName = {
  name: SeatName;
  box: { center: Point };
  around: { section: string | null; row: string | null };
};

/** A part is the seat's only if that many of the seats have a neighbour by it. */
const SHARE_MIN = 1 / 3;
/** Neighbours by one part that are nearer than this share of the neighbours by another may be those of the row. */
const NEARER = 0.8;
/** The usual order gives way to another only then. Rows may be drawn nearer to each other than their seats. */
const MUCH_NEARER = 0.5;
const SEATS_MIN = 3;

/** Changes the names in place. Returns the seats whose form is doubtful and whose places show no order. */
export function settleOrder<T extends PlacedName>(seats: readonly T[], notes: Notes): Set<T> {
  const byForm = new Map<string, T[]>();
  for (const seat of seats) {
    const form = formOf(seat.name);
    const known = byForm.get(form);
    if (known) known.push(seat);
    else byForm.set(form, [seat]);
  }
  const doubtful = new Set<T>();
  for (const group of byForm.values()) {
    if (!settleGroup(group, notes)) for (const seat of group) doubtful.add(seat);
  }
  return doubtful;
}

/** `3: n a n` for seat 12 of row A in zone 1. */
function formOf({ parts, isLoose, told }: SeatName): string {
  const kinds = parts?.map((part) => (/^\d/.test(part) ? 'n' : 'a')) ?? [];
  return `${told === 'data' ? 'data' : ''} ${isLoose === true} ${kinds.join(' ')}`;
}

/** `part` is the place of the seat's part in the id. */
type PartReading = { part: number; neighbours: number; step: number };

/** False for seats of a doubtful form that stand in no order. */
function settleGroup(seats: readonly PlacedName[], notes: Notes): boolean {
  const { parts, isLoose, seat } = seats[0]!.name;
  if (parts === undefined) return !isLoose || readingOf(seats, null).neighbours >= SHARE_MIN * seats.length;
  const usual = parts.lastIndexOf(seat);
  const candidates = parts.flatMap((part, index) =>
    index === usual || isNumber(part) || parts.length === 2 ? [index] : [],
  );
  const readings = candidates
    .filter((part) => isLoose || isNumber(parts[part]!))
    .map((part) => readingOf(seats, part))
    .filter(({ neighbours }) => seats.length >= SEATS_MIN && neighbours >= SHARE_MIN * seats.length);
  const own = readings.find(({ part }) => part === usual);
  const best = readings.reduce<PartReading | undefined>(
    (near, each) => (near && near.step <= each.step ? near : each),
    undefined,
  );
  if (best === undefined) {
    if (!isLoose) withoutPrefix(seats);
    return !isLoose;
  }
  const isClear = !own || best === own || best.step < (isLoose ? NEARER : MUCH_NEARER) * own.step;
  const chosen = isClear ? best : own;
  const rivals = readings.filter((each) => each !== chosen && each.step * NEARER < chosen.step);
  if (chosen.part !== usual) for (const { name } of seats) readAs(name, chosen.part);
  else withoutPrefix(seats);
  if (isLoose || chosen.part !== usual || rivals.length > 0) noteOrder(seats, chosen.part !== usual, notes);
  return true;
}

const isNumber = (part: string) => /^\d{1,4}\p{Letter}?$/u.test(part);

/** How many seats have a neighbour by the part, one or two numbers further, and how far away it usually is. */
function readingOf(seats: readonly PlacedName[], part: number | null): PartReading {
  const rows = new Map<string, { value: number; at: Point }[]>();
  for (const { name, box, around } of seats) {
    const parts = name.parts ?? [name.section ?? '', name.row ?? '', name.seat];
    const index = part ?? parts.length - 1;
    const value = rankOf(parts[index]!);
    const key = JSON.stringify([around.section, around.row, ...parts.filter((_, i) => i !== index)]);
    const row = rows.get(key) ?? [];
    rows.set(key, row);
    row.push({ value, at: box.center });
  }
  const steps: number[] = [];
  for (const row of rows.values()) {
    row.sort((a, b) => a.value - b.value);
    for (const [i, { value, at }] of row.entries()) {
      const before = row[i - 1];
      if (before && value - before.value >= 1 && value - before.value <= 2) steps.push(distance(before.at, at));
    }
  }
  return { part: part ?? -1, neighbours: steps.length, step: median(steps) };
}

/** A number, or the place of a letter in the alphabet. */
function rankOf(part: string): number {
  const number = Number.parseInt(part, 10);
  if (Number.isFinite(number)) return number;
  return [...part.toUpperCase()].reduce((value, letter) => value * 26 + (letter.codePointAt(0)! - 64), 0);
}

/** Reads the part as the seat. Behind the seat come the row and the section; a word is rather a section. */
function readAs(name: SeatName, part: number): void {
  const others = name.parts!.filter((_, index) => index !== part);
  const [first, second] = others as [string, string | undefined];
  name.seat = name.parts![part]!;
  if (second === undefined) {
    name.row = first;
    name.section = null;
    return;
  }
  const isRowFirst = part === 0 ? !/^\p{Letter}{3,}$/u.test(first) : /^\p{Letter}{1,2}$/u.test(first);
  name.row = isRowFirst ? first : second;
  name.section = isRowFirst ? second : first;
}

/** A short word before every id, as in `s_1_2`, names no section. */
function withoutPrefix(seats: readonly PlacedName[]): void {
  const first = seats[0]!.name.section;
  if (first === null || !/^\p{Lowercase_Letter}{1,2}$/u.test(first)) return;
  if (seats.every(({ name }) => name.section === first)) for (const { name } of seats) name.section = null;
}

function noteOrder(seats: readonly PlacedName[], isTurned: boolean, notes: Notes): void {
  const { section, row, seat, parts, told } = seats[0]!.name;
  const as = `seat ${quoted(seat)} of row ${quoted(row ?? '?')}${section === null ? '' : ` in section ${quoted(section)}`}`;
  const id = told === 'data' || parts === undefined ? [section, row, seat].filter((part) => part !== null) : parts;
  const why = isTurned ? ', since this number runs along neighbours' : '';
  const message = `The order in ${countOf(seats.length, 'id')} such as ${quoted(id.join('-'))} is a guess. The import read ${as}${why}. Look at some seats; data-row and data-seat leave no doubt.`;
  notes.ambiguous('order_of_ids', message);
}
