/** Request bodies of group holds and bookings. */
import { operationTtlMsMin } from '@parterre/shared/group-limits';
import { labelsPerSaleMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { bookingRef, expectedTotal, saleSelection, soldLabels } from '../inventory/inventory.ts';
import { actionId, operationName } from '../operations/operations.ts';
import { id, optional } from '../records/records.ts';

/** A hold of several events takes several steps, and would end before the last of them. */
const ttlMs = z
  .int()
  .min(operationTtlMsMin, `Must be at least ${operationTtlMsMin} (milliseconds).`)
  .describe('Milliseconds from now; more than an hour means an hour. [the shortest hold-ttl of the performances]');
const allocation = z.object({
  eventKey: id,
  selections: z.array(saleSelection).min(1).max(labelsPerSaleMax),
});

export const groupHoldBody = z
  .object({
    operationId: operationName('pghop'),
    labels: optional(soldLabels.describe('The same seats in every performance.')),
    selectionMode: optional(z.enum(['same_seat', 'per_performance'])),
    allocations: optional(z.array(allocation).min(1).describe('The seats of each performance, with per_performance.')),
    ttlMs: optional(ttlMs),
    expectedTotal,
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
