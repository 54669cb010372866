/** The body of a new chart from a template. */
import { z } from 'zod';
import { externalRef, id, name, optional } from '../records/records.ts';

/** Any values: the template itself checks them, so that an answer lists every fault. */
export const sizes = z
  .record(z.string(), z.unknown())
  .describe('Whole numbers by the names of sizes. A size that is not named is usual.')
  .meta({ additionalProperties: { type: 'integer' } });

export const instantiateBody = z.object({
  sizes: optional(sizes),
  name: optional(name),
  workspaceId: optional(id),
  externalRef: optional(externalRef.nullable()),
});
