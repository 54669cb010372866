/** Charts, as answers show them. A field that a schema lacks does not compile. */
import type { ChartMeta, Panorama } from '@parterre/shared/catalog/charts';
import { z } from 'zod';
import { count, epochMs, idOf, optional, text, textOrNull } from './parts.ts';

export const chartMeta = z.object({
  id: idOf('cht'),
  chartId: idOf('cht').describe('The same as id.'),
  name: text,
  status: z.enum(['draft', 'published', 'archived']),
  workspaceId: idOf('ws'),
  externalRef: textOrNull,
  seatTotal: count,
  publishedVersion: z.int().nullable(),
  publishedAt: epochMs.nullable(),
  createdAt: epochMs,
  updatedAt: epochMs.describe(
    'The last-update marker, strictly increasing for each chart. expectedUpdatedAt refers to it.',
  ),
}) satisfies z.ZodType<ChartMeta>;

export const saves = z.array(z.object({ at: epochMs, by: textOrNull }));

export const panorama = z.object({
  id: text,
  url: text,
  rowId: optional(text),
  sectionId: optional(text),
  seatIds: optional(z.array(text)),
}) satisfies z.ZodType<Panorama>;
