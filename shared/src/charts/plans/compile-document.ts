/**
 * From the stored document of a chart to its plan: a tenth of a second for 100,000 seats, and more for many objects.
 */
import { gunzipSync } from 'node:zlib';
import { compilePlan } from '../compile.ts';
import type { ChartDocument } from '../document.ts';
import type { Plan } from '../plan.ts';

/** `doc` is the document as gzipped JSON. Throws when it is not a published document. */
export function compileDocument(doc: Uint8Array, hash: string): Plan {
  return compilePlan(JSON.parse(gunzipSync(doc).toString('utf8')) as ChartDocument, hash);
}
