/** The bodies of an operator's changes of one event's chart (wire contract 5.2). */
import { labelsPerBulkMax, tablesPerCallMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { labels } from '../inventory/bodies.ts';
import { id, optional } from '../records/body-parts.ts';

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
    minOccupancy: optional(guests.describe('Of mode variable; 1 where absent.')),
    maxOccupancy: optional(guests.describe("Of mode variable; the table's chairs where absent.")),
  })
  .refine(({ minOccupancy = 1, maxOccupancy = minOccupancy }) => minOccupancy <= maxOccupancy, {
    message: 'The fewest guests are more than the most.',
    path: ['minOccupancy'],
  });
