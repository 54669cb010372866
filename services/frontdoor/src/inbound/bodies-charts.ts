/** The bodies of the chart routes (wire contract 3). */
import { z } from 'zod';
import { externalRef, id, name, optional } from './body-parts.ts';

/** Any object here; its structure is judged by the catalog, with the schema that the description refers to. */
export const chartDocument = z
  .custom<object>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'A chart document is an object.',
  )
  .meta({ $ref: '#/components/schemas/ChartDocument' });

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
    message: 'A document needs expectedUpdatedAt, the updatedAt it was made from.',
    path: ['expectedUpdatedAt'],
  })
  .refine((body) => body.doc !== undefined || body.name !== undefined || body.externalRef !== undefined, {
    message: 'Send doc, name or externalRef.',
    path: ['doc'],
  });
export const duplicateBody = z.object({
  name: optional(name),
  externalRef: optional(externalRef.nullable()),
  workspaceId: optional(id),
});
