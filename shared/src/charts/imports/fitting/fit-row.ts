/**
 * Makes rows of the chart from the seats of a row in a file. A row with an aisle becomes a segmented row: one row of
 * the chart for each piece, so that each piece is a plain line with a plain count, and no party sits across the aisle.
 * A place where a number and its seat are missing becomes a skipped seat.
 */
import type { Row } from '../../document.ts';
import { seatNumberer } from '../../numbering.ts';
import type { FoundRow, FoundSeat } from '../venue.ts';
import { distance, fitLine, medianStep, type Slotted } from './fit-line.ts';
import { fitNumbers } from './fit-numbers.ts';
import { overridesOf, usualCategory } from './seat-overrides.ts';

/** A gap of this many usual distances parts a row. */
const AISLE_STEPS = 1.6;
/** Missing seats that a gap may stand for. A wider gap is an aisle. */
const SKIPPED_MAX = 40;
/** How far a gap may be from a whole number of usual distances, to stand for missing seats. */
const SKIP_SLACK = 0.2;
/** A row in more pieces than this, and in more than a third of its seats, has no order that pieces could show. */
const PIECES_MAX = 8;
/** File order is kept unless it is longer than the order along the row's direction by this factor. */
const DETOUR = 1.5;
const USUAL_SPACING = 20;

/** A seat at its slot of a piece. */
type SlottedSeat = { seat: FoundSeat; slot: number };

/**
 * The rows of the chart for one row of a file, at least one seat each. `idOf` gives an id to the piece at an index;
 * `label` is the row's label in the chart.
 */
export function fitRow(found: FoundRow, label: string, idOf: (piece: number) => string): Row[] {
  const pieces = piecesOf(inOrder(found.seats));
  return pieces.map((places, index) => {
    const row = rowOf(found, label, idOf(index), places);
    if (pieces.length === 1) return row;
    const segmentedRow = {
      kind: 'segmented-row-v1',
      groupId: idOf(0),
      componentIndex: index,
      componentCount: pieces.length,
      boundaryBefore: index === 0 ? 'start' : 'gap',
      displayLabel: found.displayLabel ?? label,
    };
    return { ...row, segmentedRow };
  });
}

function rowOf(found: FoundRow, label: string, id: string, places: readonly SlottedSeat[]): Row {
  const seatCount = places.at(-1)!.slot + 1;
  const seats: (FoundSeat | null)[] = Array.from({ length: seatCount }, () => null);
  for (const { seat, slot } of places) seats[slot] = seat;
  const slotted: Slotted[] = places.map(({ seat, slot }) => ({ x: seat.x, y: seat.y, slot }));
  const { line, positions } = fitLine(slotted, seatCount, USUAL_SPACING);
  const { seatLabelStart, seatNumbering } = fitNumbers(seats.map((seat) => seat?.number ?? null));
  const categoryKey = usualCategory(
    places.map(({ seat }) => seat),
    '',
  );
  const numbering = { ...(seatLabelStart !== 1 && { seatLabelStart }), ...(seatNumbering && { seatNumbering }) };
  const number = seatNumberer({ seatCount, ...numbering });
  const overrides = overridesOf(seats, (seat) => seat.label ?? `${label}-${seat.number}`, {
    positions,
    labelAt: (index) => `${label}-${number(index)}`,
    categoryKey,
  });
  return {
    type: 'row',
    id,
    label,
    ...(found.displayLabel !== null && { displayLabel: found.displayLabel }),
    ...line,
    seatCount,
    categoryKey,
    ...numbering,
    ...(overrides.length > 0 && { overrides }),
    ...found.extra,
  };
}

/**
 * The usual distance of neighbours in place. Files list seats by number, too: where odd numbers stand left of an aisle
 * and even numbers right of it, neighbours in number stand far apart.
 */
export function seatSpacing(seats: readonly FoundSeat[]): number {
  return medianStep(inOrder(seats));
}

/** File order, unless another order runs along the row without detours. */
function inOrder(seats: readonly FoundSeat[]): readonly FoundSeat[] {
  if (seats.length < 3) return seats;
  const [a, b] = farthest(seats);
  const along = (seat: FoundSeat) => (seat.x - a.x) * (b.x - a.x) + (seat.y - a.y) * (b.y - a.y);
  const sorted = [...seats].sort((left, right) => along(left) - along(right));
  return lengthOf(seats) > DETOUR * lengthOf(sorted) ? sorted : seats;
}

/** Two seats that are about as far apart as any two are. */
function farthest(seats: readonly FoundSeat[]): [FoundSeat, FoundSeat] {
  const from = (start: FoundSeat) =>
    seats.reduce((far, seat) => (distance(seat, start) > distance(far, start) ? seat : far));
  const b = from(seats[0]!);
  const a = from(b);
  // The first seat of the file stays the first of the row.
  return distance(a, seats[0]!) <= distance(b, seats[0]!) ? [a, b] : [b, a];
}

function lengthOf(seats: readonly FoundSeat[]): number {
  let length = 0;
  for (let i = 1; i < seats.length; i++) length += distance(seats[i - 1]!, seats[i]!);
  return length;
}

function piecesOf(seats: readonly FoundSeat[]): SlottedSeat[][] {
  const spacing = medianStep(seats);
  const step = numberStepOf(seats);
  const pieces: SlottedSeat[][] = [[{ seat: seats[0]!, slot: 0 }]];
  for (let i = 1; i < seats.length; i++) {
    const seat = seats[i]!;
    const piece = pieces.at(-1)!;
    const slots = slotsBetween(seats[i - 1]!, seat, spacing, step);
    if (slots === null) pieces.push([{ seat, slot: 0 }]);
    else piece.push({ seat, slot: piece.at(-1)!.slot + slots });
  }
  const isScattered = pieces.length > PIECES_MAX && pieces.length > seats.length / 3;
  return isScattered ? [seats.map((seat, slot) => ({ seat, slot }))] : pieces;
}

/** Slots from one seat to the next: 1 for neighbours, more where seats are missing, null across an aisle. */
function slotsBetween(before: FoundSeat, seat: FoundSeat, spacing: number, step: number | null): number | null {
  const steps = spacing > 0 ? distance(before, seat) / spacing : 0;
  if (steps < AISLE_STEPS) return 1;
  const slots = Math.round(steps);
  const counted = Number(seat.number) - Number(before.number);
  const isCounted = step !== null && counted === slots * step;
  return isCounted && slots <= SKIPPED_MAX && Math.abs(steps - slots) <= SKIP_SLACK ? slots : null;
}

/** The usual difference of the numbers of neighbours; null where numbers are no decimals. */
function numberStepOf(seats: readonly FoundSeat[]): number | null {
  const counts = new Map<number, number>();
  for (let i = 1; i < seats.length; i++) {
    const difference = Number(seats[i]!.number) - Number(seats[i - 1]!.number);
    if (Number.isInteger(difference) && difference !== 0) counts.set(difference, (counts.get(difference) ?? 0) + 1);
  }
  let best: number | null = null;
  for (const [difference, count] of counts) if (best === null || count > counts.get(best)!) best = difference;
  return best;
}
