/** Request bodies of rights: imports of holders, and renewal offers. */
import { importLabelsPerRowMax, importRowsMax, offersNamedMax } from '@parterre/shared/group-limits';
import { z } from 'zod';
import { id, moment, optional, unitLabel } from '../records/records.ts';

const ref = z.string().min(1).max(200);

/** The form of a row. Its seats are judged row by row. */
export const importRow = z.object({
  rowId: id.describe('Names the row within the import.'),
  holderRef: ref,
  priorPlanActivationId: ref,
  priorContractRef: ref,
  labels: z.array(unitLabel).max(importLabelsPerRowMax),
  existingBookingRef: optional(ref.nullable().describe('The seats are booked under this reference already.')),
});

const successorPlanActivationId = id.describe('The `activationId` of a published plan of this season.');

export const importBody = z.object({
  successorPlanActivationId,
  dryRun: optional(z.boolean().describe('Judges the rows and writes no right.')),
  rows: z.array(importRow).min(1).max(importRowsMax),
});

const deadlineAt = moment.describe('Epoch milliseconds. The offer lapses then.');

export const offersBody = z.object({
  deadlineAt,
  successorPlanActivationId: optional(successorPlanActivationId.describe('[the plan published last]')),
  contractIds: optional(z.array(id).min(1).max(offersNamedMax)),
});
export const extendOfferBody = z.object({ deadlineAt });

const actionId = z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/, 'Must be 1 to 128 letters, digits, dots, _, : or -.');

export const commitOfferBody = z.object({
  commitActionId: actionId,
  orderRef: ref,
  bookingRef: ref,
  planActivationId: id.describe('The `successorPlanActivationId` of the offer.'),
});

export const intentBody = z.object({ offerId: id });

export const additionBody = z.object({
  eventKey: id.describe('An event of the chart of the season.'),
  planActivationId: optional(id.describe('The plan whose holders are looked at. [the plan published last]')),
});
