/**
 * The sales of seasons beside the journals: cancellations.ts has the cancellations of bookings, sale-notes.ts the audit
 * entries and occurrences that follow from holds and bookings.
 */
import type { SeasonSaleOperations } from '@parterre/shared/protocol/catalog/season-sales';
import type { OperationTable } from '../store/operations.ts';
import type { Cancellations } from './cancellations.ts';

export function createSeasonSaleOperations(cancellations: Cancellations): OperationTable<keyof SeasonSaleOperations> {
  return {
    'seasons.cancel-booking': (input) => cancellations.cancel(input),
    'seasons.cancellations': (input) => cancellations.read(input),
  };
}
