/** The answer that opens a buyer's session. */
import { z } from 'zod';
import { chartDocument } from '../charts/charts.ts';
import { buyerEvent, buyerObjects, epochMs } from '../records/records.ts';

export const opened = z.object({
  token: z.string().regex(/^bse_[0-9A-Za-z]{38}$/),
  expiresAt: epochMs,
  event: buyerEvent,
  objects: buyerObjects,
  doc: chartDocument,
});
