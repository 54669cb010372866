/** Request bodies of an operator's changes of one event's chart. */
import { labelsPerBulkMax, tablesPerCallMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { labels } from '../inventory/inventory.ts';
import { id, optional } from '../records/records.ts';

export const categoryAssignmentsBody = z.object({ labels: labels(labelsPerBulkMax), categoryKey: id });

const guests = z.int().min(1);
export const tableBookingBody = z
  .object({
    tableIds: z
      .array(id)
      .min(1)
      .max(tablesPerCallMax)
      .transform((named) => [...new Set(named)]),
    mode: z.enum(['individual', 'whole', 'variable']),
    minOccupancy: optional(guests.describe('For mode variable; 1 if absent.')),
    maxOccupancy: optional(guests.describe("For mode variable; the table's chairs if absent.")),
  })
  .refine(({ minOccupancy = 1, maxOccupancy = minOccupancy }) => minOccupancy <= maxOccupancy, {
    message: 'Must be at most maxOccupancy.',
    path: ['minOccupancy'],
  });
