/**
 * Imports of bookings that an older system has sold, as the catalog keeps and shows them. An import belongs to one
 * event. Its lines come in pieces, and are judged and booked in this order.
 */
import type { Caller, ImportedSale } from '../commands.ts';
import type { Scope } from './scope.ts';

/** Why a sale of an older system cannot stand in the event. */
export const saleFaults = {
  label_not_found: 'The chart of the event has no place of this label.',
  seat_booked: 'Another booking has the place.',
  seat_held: 'A hold has the place. Import the line again when the hold has ended.',
  seat_not_for_sale: 'The place is blocked, reserved, or in a category that is not for sale.',
  area_full: 'The area has no place left.',
  channel_not_found: 'The event has no channel of this id.',
  channel_differs: 'The place belongs to another channel.',
} as const;
export type SaleFault = keyof typeof saleFaults;

/**
 * `line` is the number in the file, from 1 on. `code` is a `SaleFault`, `invalid_line`, `label_repeated`, or the code
 * of the event's refusal.
 */
export type ImportIssue = { line: number; code: string; message: string };

/** A line as the front door has read it: a sale, or its fault. */
export type ReadLine = { line: number } & ({ sale: ImportedSale } | Pick<ImportIssue, 'code' | 'message'>);

/**
 * `running`: its lines arrive, or are booked. `dry_run`: a dry run without a problem. `committed`: at least one line
 * stands. `rejected`: a dry run with a problem, or no line stands, or the file did not arrive whole.
 */
export type BookingImport = {
  id: string;
  dryRun: boolean;
  state: 'running' | 'dry_run' | 'committed' | 'rejected';
  /** Lines that stand, or, in a dry run, could stand. */
  accepted: number;
  rejected: number;
  createdAt: number;
};

type OfEvent = { scope: Scope; eventKey: string; importId: string };

export type BookingImportOperations = {
  /**
   * Begins an import, or finds the import that this `callId` has begun. Refused with reason `idempotency_key_reused`
   * for another file, which `fingerprint` names. `isComing`: its lines have not all arrived.
   */
  'booking-imports.begin': [
    {
      scope: Scope;
      eventKey: string;
      dryRun: boolean;
      fingerprint: string;
      caller: Pick<Caller, 'source' | 'actor'>;
      callId?: string;
    },
    { import: BookingImport; isComing: boolean },
  ];
  /** Some lines, the first of them number `at` of all lines. */
  'booking-imports.lines': [{ eventKey: string; importId: string; at: number; lines: ReadLine[] }, object];
  /** All lines have arrived: the import begins to judge and to book. The answer waits for its end for `waitMs`. */
  'booking-imports.end': [
    { eventKey: string; importId: string; lineCount: number; waitMs: number },
    { import: BookingImport },
  ];
  'booking-imports.get': [OfEvent, { import: BookingImport }];
  /** The issues of some lines from number `at` on; `next` is null at the end. */
  'booking-imports.issues': [OfEvent & { at: number }, { issues: ImportIssue[]; next: number | null }];
};
