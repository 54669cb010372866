/** Answers of the demo's drafts. */
import { z } from 'zod';
import { epochMs, idOf } from '../records/records.ts';

export const startDraftAnswer = z.object({
  chartId: idOf('cht'),
  token: z.string().describe("A designer session's token, for this chart alone."),
  designerUrl: z.string(),
  expiresAt: epochMs,
});

export const sellDraftAnswer = z.object({
  eventKey: z.string(),
  url: z.string().describe('The seat map of the event in the demo page.'),
});
