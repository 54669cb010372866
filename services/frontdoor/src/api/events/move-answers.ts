/** Answers of an event's moves. */
import { z } from 'zod';
import { droppedAdjustments } from '../adjustments/adjustments.ts';
import { counts, droppedAssignments, droppedPrices, epochMs, eventMeta, idOf, ok } from '../records/records.ts';

export const moveAnswer = z.object({ ok, meta: eventMeta });

export const archiveEventAnswer = moveAnswer.extend({ snapshot: z.object({ id: idOf('snp'), at: epochMs, counts }) });

export const updateEventChartAnswer = moveAnswer.extend({
  updated: z.boolean(),
  droppedScopes: z.exactOptional(z.array(z.string())),
  droppedAssignments: z.exactOptional(droppedAssignments),
  droppedPrices: z.exactOptional(droppedPrices),
  droppedAdjustments: z.exactOptional(droppedAdjustments),
});

export const deleteEventAnswer = z.object({ ok });
