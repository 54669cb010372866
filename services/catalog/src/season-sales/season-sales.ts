/**
 * The sales of seasons and groups beside the journals: cancellations.ts and group-cancellations.ts have the
 * cancellations of bookings, sale-notes.ts the audit entries and occurrences that follow from holds and bookings.
 */
import type { SeasonSaleOperations } from '@parterre/shared/protocol/catalog/season-sales';
import type { OperationTable } from '../store/operations.ts';
import type { Cancellations } from './cancellations.ts';
import type { GroupCancellations } from './group-cancellations.ts';

export function createSeasonSaleOperations(
  cancellations: Cancellations,
  ofGroups: GroupCancellations,
): OperationTable<keyof SeasonSaleOperations> {
  return {
    'seasons.cancel-booking': (input) => cancellations.cancel(input),
    'seasons.cancellations': (input) => cancellations.read(input),
    'groups.cancel-booking': (input) => ofGroups.cancel(input),
    'groups.cancellations': (input) => ofGroups.read(input),
  };
}
