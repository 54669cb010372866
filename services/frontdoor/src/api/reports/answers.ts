/** Answers of the report of an event. */
import { z } from 'zod';
import { eventMeta, report, reportCategory } from '../records/records.ts';

export const getReportAnswer = z.object({ report, event: eventMeta, categories: z.array(reportCategory) });
