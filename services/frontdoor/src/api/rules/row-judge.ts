/**
 * Judges the rows of an import one after the other: the form, the names, the seats. A seat has one row. The judge keeps
 * the names and seats of accepted rows, so its memory grows with the rows and the seats of the chart alone. Pure.
 */
import type { ImportRow, RowFault, SeenRow } from '@parterre/shared/protocol/catalog/rights';
import { unitStatus } from '@parterre/shared/protocol/records';

/** What the events of a plan tell of a seat. `bookedBy`: the one reference that has it in every event. */
export type SeatSight = { status: number; bookedBy: string | null };

/** Null: some event has no such seat. */
export type Seats = (label: string) => SeatSight | null;

export class RowJudge {
  readonly #seats: Seats;
  readonly #rowIds = new Set<string>();
  readonly #labels = new Set<string>();

  constructor(seats: Seats) {
    this.#seats = seats;
  }

  judge(row: ImportRow): SeenRow {
    const fault = this.#faultOf(row);
    if (fault) return { ...row, fault, isBooked: false };
    for (const label of row.labels) this.#labels.add(label);
    return { ...row, fault: null, isBooked: row.labels.every((label) => isBookedFor(row, this.#seats(label)!)) };
  }

  #faultOf(row: ImportRow): RowFault | null {
    const { rowId, labels } = row;
    if (this.#rowIds.has(rowId)) return invalid('row_id_repeated');
    this.#rowIds.add(rowId);
    if (labels.length === 0) return invalid('labels_missing');
    if (new Set(labels).size < labels.length) return invalid('label_repeated');
    const sights = labels.map((label) => this.#seats(label));
    if (sights.includes(null)) return invalid('label_not_found');
    if (labels.some((label) => this.#labels.has(label))) return conflict('seat_repeated');
    const taken = sights.find((sight) => sight!.status !== unitStatus.free && !isBookedFor(row, sight!));
    return taken ? conflict(codeOf(taken.status)) : null;
  }
}

/** The name of a status that keeps a seat from being given. */
export function codeOf(status: number): 'seat_held' | 'seat_booked' | 'seat_not_for_sale' {
  if (status === unitStatus.booked) return 'seat_booked';
  return status === unitStatus.held ? 'seat_held' : 'seat_not_for_sale';
}

function isBookedFor({ existingBookingRef }: ImportRow, { status, bookedBy }: SeatSight): boolean {
  return status === unitStatus.booked && bookedBy !== null && bookedBy === existingBookingRef;
}

function invalid(errorCode: string): RowFault {
  return { decision: 'invalid', errorCode };
}

function conflict(errorCode: string): RowFault {
  return { decision: 'conflict', errorCode };
}
