/** Answers of charts. */
import { previewedEventsMax, previewedLabelsMax } from '@parterre/shared/limits';
import { z } from 'zod';
import {
  chartMeta,
  count,
  epochMs,
  idOf,
  issue,
  mode,
  nextCursor,
  ok,
  optional,
  panorama,
  saves,
  text,
} from '../records/records.ts';
import { chartDocument } from './bodies.ts';

export const meta = z.object({ meta: chartMeta });

export const listChartsAnswer = z.object({ charts: z.array(chartMeta), nextCursor });

export const getChartAnswer = z.object({
  meta: chartMeta,
  categorySeats: z.record(z.string(), count),
  saves: optional(saves).describe('With `saves=1`: the last ten saves of the document, the newest last.'),
  doc: chartDocument,
});

export const deleteChartAnswer = z.object({ ok });

export const publishChartAnswer = z.object({
  meta: chartMeta,
  events: z.object({ refreshed: z.array(z.string()), needsUpdate: z.array(z.string()) }),
});

export const previewPublishAnswer = z.object({
  meta: chartMeta,
  isNew: z.boolean().describe('False if the draft is the published version: a publish makes no version.'),
  issues: z.array(issue).describe('The faults for which a publish is refused.'),
  events: z.array(
    z.object({
      key: text,
      name: text,
      mode,
      status: z.enum(['active', 'closed']),
      outcome: z
        .enum(['refresh', 'needsUpdate', 'current', 'unknown'])
        .describe(
          '`refresh`: the event takes the version by itself. `needsUpdate`: the event waits for update-chart. ' +
            '`current`: the event has this chart. `unknown`: the event did not answer in time.',
        ),
      reasons: z
        .array(z.enum(['in_use', 'channels', 'own_chart', 'scopes_would_drop', 'locked']))
        .describe(
          'Why the event does not follow by itself: units are held, booked or blocked; units are assigned to channels; ' +
            'the event has a chart of its own; it hides, closes or has a rule for a section or zone that the draft ' +
            'lacks; a group or season sells it.',
        ),
      vanishing: z
        .object({
          count,
          labels: z.array(text).max(previewedLabelsMax),
          taken: z
            .array(text)
            .describe('Those of `labels` that are held, booked or reserved: update-chart is refused.'),
        })
        .nullable()
        .describe('The units of the event that the draft lacks. Null where the charts were not compared.'),
    }),
  ),
  truncated: z.boolean().describe(`True if the chart has more than ${previewedEventsMax} events.`),
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
