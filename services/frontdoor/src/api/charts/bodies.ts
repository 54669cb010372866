/** Request bodies of charts. */
import { documentNestingMax, panoramaSeatsMax, panoramasMax, panoramaUrlLengthMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { externalRef, id, name, optional } from '../records/records.ts';

/** Any object. The catalog checks its structure with the schema that the description refers to. */
export const chartDocument = z
  .custom<object>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Must be a chart document, which is an object.',
  )
  .refine(
    (document) => !nestsDeeper(document, documentNestingMax),
    `Must nest at most ${documentNestingMax} levels deep.`,
  )
  .meta({ $ref: '#/components/schemas/ChartDocument' });

function nestsDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((child) => nestsDeeper(child, depth - 1));
}

/** The longest seat id: an object's id, a colon and an index. */
const SEAT_ID_LENGTH_MAX = 256;

export const chartBody = z.object({
  name,
  doc: optional(chartDocument),
  externalRef: optional(externalRef.nullable()),
  workspaceId: optional(id),
});
export const chartUpdateBody = z
  .object({
    doc: optional(chartDocument),
    expectedUpdatedAt: optional(z.int()),
    name: optional(name),
    externalRef: optional(externalRef.nullable()),
  })
  .refine((body) => body.doc === undefined || body.expectedUpdatedAt !== undefined, {
    message: 'A document needs expectedUpdatedAt, the updatedAt of the version that it was made from.',
    path: ['expectedUpdatedAt'],
  })
  .refine((body) => body.doc !== undefined || body.name !== undefined || body.externalRef !== undefined, {
    message: 'Send doc, name or externalRef.',
    path: ['doc'],
  });
export const publishBody = z.object({
  expectedUpdatedAt: optional(
    z.int().describe('The `updatedAt` of the state to publish, as a preview tells it. Another state is not published.'),
  ),
});
export const duplicateBody = z.object({
  name: optional(name),
  externalRef: optional(externalRef.nullable()),
  workspaceId: optional(id),
});

const panorama = z
  .object({
    id,
    url: z.url({ protocol: /^https$/, error: 'Must be an https address.' }).max(panoramaUrlLengthMax),
    rowId: optional(id),
    sectionId: optional(id),
    seatIds: optional(z.array(z.string().min(1).max(SEAT_ID_LENGTH_MAX)).min(1).max(panoramaSeatsMax)),
  })
  .refine(({ rowId, sectionId, seatIds }) => [rowId, sectionId, seatIds].filter((each) => each).length <= 1, {
    message: 'Name only one of a row, a section or seats.',
  });

export const panoramasBody = z.object({ panoramas: z.array(panorama).min(1).max(panoramasMax) });
