/**
 * Seat numbers of a row, and the labels of GA places. Bookings know their units by labels, and published plans are
 * compiled anew from their document, so a change here would rename sold seats.
 */
import type { GaArea, Row } from './document.ts';

export type NumberedRow = Pick<Row, 'seatCount' | 'seatLabelStart' | 'seatNumbering' | 'overrides'>;

/**
 * Gives the number of the seat at an index, 0 to seatCount − 1, as it stands in the seat's label after `{row.label}-`.
 * The up-and-down schemes are a pattern over the whole row: they start at `seatLabelStart` and ignore direction, step
 * and `endAt`.
 */
export function seatNumberer(row: NumberedRow): (index: number) => string {
  const ranks = row.seatNumbering?.countSkipped === false ? ranksIn(row) : null;
  if (!ranks) return numbererOf(row);
  const number = numbererOf({ ...row, seatCount: countedSeats(row, 0, row.seatCount) });
  return (index) => number(ranks[index]!);
}

/** Seats from one index to another, without it, that take a number. */
export function countedSeats({ seatNumbering, overrides = [] }: NumberedRow, from: number, to: number): number {
  if (seatNumbering?.countSkipped !== false || to <= from) return to - from;
  const skipped = new Map(overrides.map(({ index, skip }) => [index, skip === true && index >= from && index < to]));
  return to - from - [...skipped.values()].filter(Boolean).length;
}

/** By index: the number of standing seats before it. */
function ranksIn({ seatCount, overrides = [] }: NumberedRow): Uint32Array | null {
  const skipped = new Map(overrides.map(({ index, skip }) => [index, skip === true]));
  if (![...skipped.values()].includes(true)) return null;
  const ranks = new Uint32Array(seatCount);
  for (let index = 1; index < seatCount; index++) ranks[index] = ranks[index - 1]! + Number(!skipped.get(index - 1));
  return ranks;
}

function numbererOf(row: NumberedRow): (index: number) => string {
  const { seatCount, seatNumbering } = row;
  const scheme = seatNumbering?.scheme ?? 'decimal';
  const prefix = seatNumbering?.prefix ?? '';
  const firstHalf = Math.ceil(seatCount / 2);
  const labelStart = row.seatLabelStart ?? 1;
  if (scheme === 'updown') {
    return (index) => prefix + (labelStart + (index < firstHalf ? 2 * index : 1 + 2 * (seatCount - 1 - index)));
  }
  if (scheme === 'updown-descending') {
    return (index) =>
      prefix + (labelStart + (index < firstHalf ? 2 * (firstHalf - 1 - index) : 1 + 2 * (index - firstHalf)));
  }
  const step = scheme === 'odd' || scheme === 'even' ? 2 : (seatNumbering?.step ?? 1);
  const endAt = seatNumbering?.endAt;
  const wanted = endAt === undefined ? labelStart : endAt - (seatCount - 1) * step;
  const start = firstOfParity(scheme, wanted);
  const ordinal = ordinalOf(seatNumbering?.direction ?? 'ltr', seatCount);
  const write = scheme === 'roman' ? roman : scheme === 'letters-upper' ? letters : String;
  if (scheme === 'letters-lower') return (index) => prefix + letters(start + ordinal(index) * step).toLowerCase();
  return (index) => prefix + write(start + ordinal(index) * step);
}

/** The first odd or even number at or above `start` when the scheme asks for one, else `start` itself. */
function firstOfParity(scheme: string, start: number): number {
  if (scheme !== 'odd' && scheme !== 'even') return start;
  const isOdd = Math.abs(start % 2) === 1;
  return isOdd === (scheme === 'odd') ? start : start + 1;
}

/** The rank of the seat at an index in the count: from the left, from the right, or from the middle outward. */
function ordinalOf(direction: 'ltr' | 'rtl' | 'center', seatCount: number): (index: number) => number {
  if (direction === 'ltr') return (index) => index;
  if (direction === 'rtl') return (index) => seatCount - 1 - index;
  // From the middle, seats alternate left and right. An even row has two middle seats and the left one comes first; an
  // odd row has one middle seat, whose left neighbour comes before its right neighbour.
  const isOdd = seatCount % 2 === 1;
  const middle = isOdd ? (seatCount - 1) / 2 : seatCount / 2 - 1;
  return (index) => {
    const distance = Math.abs(index - middle);
    if (distance === 0) return 0;
    return index < middle === isOdd ? 2 * distance - 1 : 2 * distance;
  };
}

/** 1 = A, 26 = Z, 27 = AA (bijective base 26). A number without letters (below 1, or a fraction) stays decimal. */
export function letters(value: number): string {
  if (!Number.isSafeInteger(value) || value < 1) return String(value);
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    text = String.fromCharCode(65 + ((rest - 1) % 26)) + text;
  }
  return text;
}

const romanDigits: readonly [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

/** Upper-case roman numerals of 1 to 3,999; any other number stays decimal. */
export function roman(value: number): string {
  if (!Number.isInteger(value) || value < 1 || value > 3_999) return String(value);
  let text = '';
  let rest = value;
  for (const [worth, digits] of romanDigits) {
    while (rest >= worth) {
      text += digits;
      rest -= worth;
    }
  }
  return text;
}

/** The label of a seat without the label of its row or table. */
export function seatNumberIn(label: string, objectLabel: string): string {
  const { length } = objectLabel;
  return label[length] === '-' && label.startsWith(objectLabel) ? label.slice(length + 1) : label;
}

/**
 * Labels of an area's places, in unit order. An area that joins others keeps the labels of their places, so that
 * nothing sold is renamed; `startIndex` 0 is the place numbered 1.
 */
export function gaLabels(area: Pick<GaArea, 'id' | 'capacity' | 'inventorySegments'>): string[] {
  const segments = area.inventorySegments ?? [{ sourceAreaId: area.id, startIndex: 0, count: area.capacity }];
  const labels: string[] = [];
  for (const { sourceAreaId, startIndex, count } of segments) {
    const stem = `__sl_ga__${encodeURIComponent(sourceAreaId)}__`;
    for (let place = 1; place <= count; place++) labels.push(stem + (startIndex + place));
  }
  return labels;
}
