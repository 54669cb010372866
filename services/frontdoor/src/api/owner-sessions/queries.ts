/** The query of lists of buyers' sessions. */
import { ownerSessionsPerPageMax } from '@parterre/shared/group-limits';
import { z } from 'zod';
import { limit } from '../calls/calls.ts';

export const ownerSessionsQuery = z.object({
  limit: limit({ usual: ownerSessionsPerPageMax, most: ownerSessionsPerPageMax }),
});
