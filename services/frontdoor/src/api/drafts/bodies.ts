/** Request bodies of the demo's drafts. */
import { z } from 'zod';
import { name, optional } from '../records/records.ts';
import { sizes } from '../templates/templates.ts';

const TOKEN_LENGTH_MAX = 200;

export const startDraftBody = z.object({
  template: optional(z.string().nullable().describe('The id of a template. Without it the draft is empty.')),
  sizes: optional(sizes),
  name: optional(name),
});

export const sellDraftBody = z.object({
  token: z
    .string()
    .startsWith('dse_', 'Must be the token of the draft (dse_…).')
    .max(TOKEN_LENGTH_MAX)
    .describe('The token of the draft, so that only its visitor sells it.'),
});
