/** The numbers of a part of a row, or of a longer row: the seats that were there keep their labels. Pure. */
import type { Override, Row } from '@parterre/shared/charts/document';
import { countedSeats, seatNumberer } from '@parterre/shared/charts/numbering';
import { withOverrides } from '../overrides.ts';

/** A row whose line is changed already, and the row before. `first` is the old index of its first seat. */
export function numberedAs(before: Row, first: number, changed: Row): Row {
  const { seatCount } = changed;
  const started = withStart(before, first, changed);
  const labelOf = labeller(before);
  const entries = new Map<number, Override>();
  for (const { index, ...entry } of before.overrides ?? []) {
    // An entry beyond the row's end would come to life with a new seat.
    if (index >= first && index < Math.min(first + seatCount, before.seatCount))
      entries.set(index - first, { ...entry, index: index - first });
  }
  const computed = seatNumberer({ ...started, overrides: [...entries.values()] });
  const kept = new Set<string>();
  const made = new Set(Array.from({ length: seatCount }, (_, index) => `${started.label}-${computed(index)}`));
  const isOld = (index: number): boolean => index + first >= 0 && index + first < before.seatCount;
  for (let index = 0; index < seatCount; index++) {
    if (!isOld(index)) continue;
    const entry = entries.get(index) ?? { index };
    // A removed seat without a number has no label to keep.
    if (entry.skip && started.seatNumbering?.countSkipped === false) continue;
    const wanted = labelOf(index + first);
    kept.add(wanted);
    const label = entry.label ?? `${started.label}-${computed(index)}`;
    if (label !== wanted) entries.set(index, { ...entry, label: wanted });
  }
  let number = before.seatCount;
  for (let index = 0; index < seatCount; index++) {
    if (isOld(index)) continue;
    let label = `${started.label}-${computed(index)}`;
    if (!kept.has(label) && startOf(started) >= 1) continue;
    // The scheme has no other number for the seat.
    do label = `${started.label}-${++number}`;
    while (kept.has(label) || made.has(label));
    kept.add(label);
    entries.set(index, { ...entries.get(index), index, label });
  }
  return withOverrides(started, [...entries.values()]);
}

/** The label of a seat by its index, its own label included. */
export function labeller(row: Row): (index: number) => string {
  const own = new Map(row.overrides?.map(({ index, label }) => [index, label]));
  const number = seatNumberer(row);
  return (index) => own.get(index) ?? `${row.label}-${number(index)}`;
}

/** Schemes that count through start where the first seat of the part had its number. */
function withStart(before: Row, first: number, changed: Row): Row {
  const { seatNumbering } = before;
  const direction = seatNumbering?.direction ?? 'ltr';
  const scheme = seatNumbering?.scheme ?? 'decimal';
  if (scheme.startsWith('updown') || direction === 'center') return changed;
  const passed =
    direction === 'ltr'
      ? countedSeats(before, 0, first)
      : countedSeats(before, first + changed.seatCount, before.seatCount);
  const start = startOf(before) + passed * stepOf(before);
  const { endAt: _, ...counted } = seatNumbering ?? {};
  const { seatLabelStart: __, ...rest } = changed;
  return {
    ...rest,
    ...(seatNumbering && { seatNumbering: counted as NonNullable<Row['seatNumbering']> }),
    ...((start !== 1 || before.seatLabelStart !== undefined) && { seatLabelStart: start }),
  } as Row;
}

function stepOf({ seatNumbering }: Row): number {
  return seatNumbering?.scheme === 'odd' || seatNumbering?.scheme === 'even' ? 2 : (seatNumbering?.step ?? 1);
}

function startOf(row: Row): number {
  const endAt = row.seatNumbering?.endAt;
  return endAt === undefined
    ? (row.seatLabelStart ?? 1)
    : endAt - (countedSeats(row, 0, row.seatCount) - 1) * stepOf(row);
}
