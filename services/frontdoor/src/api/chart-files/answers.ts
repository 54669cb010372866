/** Answers of imports of charts. */
import { importFormats } from '@parterre/shared/imports/imports';
import { z } from 'zod';
import { count, epochMs, idOf, nextCursor } from '../records/records.ts';

const issue = z.object({ path: z.string(), message: z.string(), objectId: z.string().optional() });

const note = z.object({
  kind: z
    .enum(['left_out', 'changed', 'ambiguous'])
    .describe(
      '`left_out`: the chart does not have it. `changed`: the chart has it in another form. `ambiguous`: the file can ' +
        'be read in several ways.',
    ),
  code: z.string().describe('Notes of one cause have the same code.'),
  message: z.string().describe('What the import did, and what is left to do.'),
  source: z.string().optional().describe("The object's id in the file, else its label."),
  objectId: z.string().optional().describe("The object's id in the chart."),
});

const understood = z
  .object({
    floors: count,
    sections: count,
    zones: count,
    categories: count,
    rows: count,
    seats: count,
    tables: count,
    chairs: count,
    booths: count,
    areas: count,
    places: count.describe('Places of standing areas.'),
    shapes: count,
    texts: count,
    images: count,
  })
  .describe('The things in the chart, counted.');

const report = z.object({
  format: z.enum(importFormats),
  version: z.string().nullable().describe('The version that the file names.'),
  understood,
  scale: z.number().describe('Chart units of one unit of the file.'),
  notes: z.array(note).describe('At most 1,000.'),
  notesTotal: count.describe('With the notes past the 1,000.'),
  publishIssues: z.array(issue).describe('What must be mended before the chart can be published.'),
});

const failure = z.object({
  code: z
    .string()
    .describe(
      'One of empty_file, unreadable_text, broken_json, broken_xml, broken_csv, broken_document, unknown_format, ' +
        'nothing_found, too_many_seats, too_large, too_slow, too_much_memory, chart_refused, interrupted, ' +
        'timed_out, unexpected.',
    ),
  message: z.string(),
  line: z.int().min(1).optional(),
  column: z.int().min(1).optional(),
});

const chartImport = z.object({
  id: idOf('imp'),
  state: z.enum(['running', 'done', 'failed']),
  format: z.enum(importFormats).nullable(),
  name: z.string().nullable(),
  workspaceId: idOf('ws'),
  chartId: idOf('cht').nullable(),
  failure: failure.nullable(),
  createdAt: epochMs,
  endedAt: epochMs.nullable(),
});

export const importAnswer = z.object({ import: chartImport.extend({ report: report.nullable() }) });

export const importsAnswer = z.object({ imports: z.array(chartImport), nextCursor });
