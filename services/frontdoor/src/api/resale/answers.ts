/** Answers of resale. */
import { z } from 'zod';
import { idOf, ok, text } from '../records/records.ts';

export const answer = z.object({ ok, listingId: idOf('lst'), labels: z.array(text) });
