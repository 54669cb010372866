/** Request bodies of season holds and bookings. */
import { rightDispositions } from '@parterre/shared/catalog/season-sales';
import { z } from 'zod';
import { bookingRef, soldLabels } from '../inventory/inventory.ts';
import { actionId, operationName } from '../operations/operations.ts';

export const seasonHoldBody = z.object({
  operationId: operationName('sop'),
  labels: soldLabels.describe('The same seats in every occurrence of the plan.'),
});
export const seasonReleaseBody = z.object({ releaseActionId: actionId });
export const seasonBookBody = z.object({ bookActionId: actionId, bookingRef });
export const seasonCancelBody = z.object({
  cancelActionId: actionId,
  bookingRef,
  planActivationId: z.string().min(1).max(128),
  rightDisposition: z.enum(rightDispositions).describe('Whether the holder keeps the right to the seats.'),
});
