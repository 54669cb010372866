/**
 * Positions for seats that have none: straight rows, the first row in front, centred in their section; sections side by
 * side, in lines that together make a wide rectangle. Missing numbers leave a gap.
 */
import { median } from '../fitting/fit-line.ts';
import { seatSpacing } from '../fitting/fit-row.ts';
import type { FoundRow, FoundSeat } from '../venue.ts';

const SEAT_SPACING = 20;
const ROW_SPACING = 26;
/** Between sections. */
const AISLE = 60;
/** Width of the venue, divided by its height. */
const PROPORTION = 1.8;
/** Missing numbers of a row that leave gaps. A row with more has numbers of another kind. */
const GAPS_MAX = 20;

type Block = { rows: FoundRow[]; width: number; height: number };

/** Sets the positions in place. */
export function layOut(rows: readonly FoundRow[]): void {
  const bySection = new Map<string | null, FoundRow[]>();
  for (const row of rows) {
    row.seats = inOrder(row.seats);
    const known = bySection.get(row.section);
    if (known) known.push(row);
    else bySection.set(row.section, [row]);
  }
  const blocks = [...bySection.values()].map(blockOf);
  const room = blocks.reduce((sum, { width, height }) => sum + (width + AISLE) * (height + AISLE), 0);
  const widest = blocks.reduce((most, { width }) => Math.max(most, width), Math.sqrt(room * PROPORTION));
  let x = 0;
  let y = 0;
  let tallest = 0;
  for (const block of blocks) {
    if (x > 0 && x + block.width > widest) {
      x = 0;
      y += tallest + AISLE;
      tallest = 0;
    }
    place(block, x, y);
    x += block.width + AISLE;
    tallest = Math.max(tallest, block.height);
  }
}

/** Sets the positions of `rows` in place, below `others` and in their scale. */
export function layOutBelow(rows: readonly FoundRow[], others: readonly FoundRow[]): void {
  layOut(rows);
  const spacing = median(others.map(({ seats }) => seatSpacing(seats)).filter((step) => step > 0));
  const scale = spacing > 0 ? spacing / SEAT_SPACING : 1;
  let left = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const { x, y } of others.flatMap(({ seats }) => seats)) {
    left = Math.min(left, x);
    bottom = Math.max(bottom, y);
  }
  if (!Number.isFinite(left)) return;
  for (const seat of rows.flatMap(({ seats }) => seats)) {
    seat.x = left + seat.x * scale;
    seat.y = bottom + AISLE * scale + seat.y * scale;
  }
}

/** By number, where the numbers are counts and the file has them in no order of its own. */
function inOrder(seats: FoundSeat[]): FoundSeat[] {
  const numbers = seats.map(({ number }) => Number(number));
  if (!numbers.every((number) => Number.isSafeInteger(number))) return seats;
  const rises = numbers.every((number, i) => i === 0 || number > numbers[i - 1]!);
  const falls = numbers.every((number, i) => i === 0 || number < numbers[i - 1]!);
  return rises || falls ? seats : [...seats].sort((a, b) => Number(a.number) - Number(b.number));
}

function blockOf(rows: FoundRow[]): Block {
  const width = rows.reduce((most, { seats }) => Math.max(most, slotsOf(seats).at(-1)! * SEAT_SPACING), 0);
  return { rows, width, height: (rows.length - 1) * ROW_SPACING };
}

function place({ rows, width }: Block, left: number, top: number): void {
  for (const [index, { seats }] of rows.entries()) {
    const slots = slotsOf(seats);
    const indent = (width - slots.at(-1)! * SEAT_SPACING) / 2;
    for (const [i, seat] of seats.entries()) {
      seat.x = left + indent + slots[i]! * SEAT_SPACING;
      seat.y = top + index * ROW_SPACING;
    }
  }
}

/** The slot of each seat. A row whose usual difference is 2 has only odd or only even numbers. */
function slotsOf(seats: readonly FoundSeat[]): number[] {
  const plain = seats.map((_, index) => index);
  const numbers = seats.map(({ number }) => Number(number));
  const steps = numbers.slice(1).map((number, i) => Math.abs(number - numbers[i]!));
  if (steps.length === 0 || !steps.every((step) => Number.isSafeInteger(step) && step > 0)) return plain;
  const least = steps.reduce((low, step) => Math.min(low, step), Number.POSITIVE_INFINITY);
  const gaps = steps.reduce((sum, step) => sum + step / least - 1, 0);
  if (gaps > GAPS_MAX || !steps.every((step) => step % least === 0)) return plain;
  const slots = [0];
  for (const step of steps) slots.push(slots.at(-1)! + step / least);
  return slots;
}
