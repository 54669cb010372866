/** Charts, as answers show them. A field that a schema lacks does not compile. */
import type { Counts, InventoryReport, LineItem } from '@parterre/shared/answers';
import type { ChartMeta, Panorama } from '@parterre/shared/catalog/charts';
import { accessibilityKinds } from '@parterre/shared/chart/plan';
import { type Issue, statusByCode } from '@parterre/shared/errors';
import type { eventMeta as metaOf } from '@parterre/shared/event-meta';
import { missingLabelsMax } from '@parterre/shared/limits';
import { statusNames } from '@parterre/shared/records';
import { regions } from '@parterre/shared/vocabulary';
import { z } from 'zod';
import type { buyerEvent as buyerEventOf } from './buyer-event.ts';
import {
  buyerEvent,
  buyerObjects,
  buyerStatus,
  counts,
  eventListItem,
  eventMeta,
  freePlaces,
  operatorObjects,
  ticket,
} from './event-records.ts';
import {
  accessibilityKind,
  accessSource,
  callSource,
  count,
  currency,
  durationMs,
  epochMs,
  holdTtlMs,
  idOf,
  mode,
  nextCursor,
  ok,
  optional,
  price,
  region,
  text,
  textOrNull,
} from './parts.ts';
import { hold, lineItem, report, reportCategory, soldFor, taken } from './sale-records.ts';

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

export const panorama = z.object({
  id: text,
  url: text,
  rowId: optional(text),
  sectionId: optional(text),
  seatIds: optional(z.array(text)),
}) satisfies z.ZodType<Panorama>;
