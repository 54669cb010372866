/** The queries of the list of buyers' sessions, and of the end of an access link. */
import { buyerSessionsPerPageMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { parameter } from '../../openapi/openapi.ts';
import { cursor, limit, text } from '../calls/calls.ts';
import { reasonSaid } from './bodies.ts';

export const buyerSessionsQuery = z.object({
  limit: limit({ usual: buyerSessionsPerPageMax, most: buyerSessionsPerPageMax }),
});

const page = { limit: limit({ usual: 100, most: 200 }), cursor };

export const manageSessionsQuery = z.object(page);

export const designerSessionsQuery = z.object({ ...page, chartId: text('Only sessions of this chart.') });

export const endOfLinkQuery = z.object({
  endActiveSessions: parameter(
    "1 also ends the link's sessions.",
    z.enum(['0', '1']),
    (sent) => sent === '1' || sent === 'true',
  ),
  reason: parameter('The reason, for the audit of channels.', z.string().max(500), (sent, fail) => {
    const read = reasonSaid.safeParse(sent || null);
    return read.success ? read.data : fail('Must have at most 500 characters.', 'A reason has at most 500 characters.');
  }),
});
