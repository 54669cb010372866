/** Request bodies of group holds and bookings. */
import { labelsPerSaleMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { bookingRef, saleSelection, soldLabels, ttlMs } from '../inventory/inventory.ts';
import { id, optional } from '../records/records.ts';

const nameCharacters = '[A-Za-z0-9._:-]';
export const operationId = z
  .string()
  .regex(
    new RegExp(`^pghop_${nameCharacters}{1,122}$`),
    'Must be pghop_ and 1 to 122 letters, digits, dots, _, : or -.',
  )
  .describe("The caller's name of the hold. A repetition finds the first hold.");
export const actionId = z
  .string()
  .regex(new RegExp(`^${nameCharacters}{1,128}$`), 'Must be 1 to 128 letters, digits, dots, _, : or -.')
  .describe("The caller's name of the action. A repetition finds the first one.");

const allocation = z.object({
  eventKey: id,
  selections: z.array(saleSelection).min(1).max(labelsPerSaleMax),
});

export const groupHoldBody = z
  .object({
    operationId,
    labels: optional(soldLabels.describe('The same seats in every performance.')),
    selectionMode: optional(z.enum(['same_seat', 'per_performance'])),
    allocations: optional(z.array(allocation).min(1).describe('The seats of each performance, with per_performance.')),
    ttlMs: optional(ttlMs),
  })
  .refine(({ labels, allocations }) => (labels === undefined) !== (allocations === undefined), {
    message: 'Send exactly one of labels and allocations.',
    path: ['labels'],
  })
  .refine(({ selectionMode, allocations }) => (selectionMode === 'per_performance') === (allocations !== undefined), {
    message: 'Send selectionMode per_performance with allocations, and with nothing else.',
    path: ['selectionMode'],
  });

export const groupExtendBody = z.object({ ttlMs: optional(ttlMs) });
export const groupBookBody = z.object({ bookActionId: actionId, bookingRef });
export const adoptBody = z.object({ previousToken: z.string().min(1).max(200) });
