/** The query of a list of events. */
import { z } from 'zod';
import { parameter } from '../../openapi/openapi.ts';
import { cursor, limit, text } from '../calls/calls.ts';

export const eventsQuery = z.object({
  limit: limit({ usual: 100, most: 200 }),
  cursor,
  externalRef: text('Only events with this externalRef.'),
  workspaceId: text('Only events of this workspace.'),
  counts: parameter('0 leaves out the live counts.', z.enum(['0', '1']), (sent) => sent !== '0'),
});
