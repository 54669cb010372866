/** Answers of charts. */
import { z } from 'zod';
import { chartMeta, count, epochMs, idOf, nextCursor, ok, panorama } from '../records/records.ts';
import { chartDocument } from './bodies.ts';

export const meta = z.object({ meta: chartMeta });

export const listChartsAnswer = z.object({ charts: z.array(chartMeta), nextCursor });

export const getChartAnswer = z.object({
  meta: chartMeta,
  categorySeats: z.record(z.string(), count),
  doc: chartDocument,
});

export const deleteChartAnswer = z.object({ ok });

export const publishChartAnswer = z.object({
  meta: chartMeta,
  events: z.object({ refreshed: z.array(z.string()), needsUpdate: z.array(z.string()) }),
});

export const addPanoramasAnswer = z.object({
  manifest: z.object({
    id: z.string(),
    chartId: idOf('cht'),
    version: z.int().min(1),
    panoramas: z.array(panorama),
    createdAt: epochMs,
  }),
});
