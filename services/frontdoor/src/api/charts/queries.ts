/** The queries of a chart, and of a list of charts. */
import { z } from 'zod';

import { cursor, isOne, limit, text } from '../calls/calls.ts';

export const chartQuery = z.object({
  saves: isOne('1 adds `saves`: the last saves of the document, each with the person of its designer session.'),
});

export const chartsQuery = z.object({
  limit: limit({ usual: 100, most: 200 }),
  cursor,
  externalRef: text('Only charts with this externalRef.'),
  workspaceId: text('Only charts of this workspace.'),
  archived: isOne('1 lists archived charts instead of the others.'),
});
